// Content migrations of courses, accounts, groups and users, their issues, and what they have imported.

import { sql } from 'drizzle-orm';
import { index, primaryKey, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, json, state, string, time } from '../../database/columns';
import { type KeptSettings, packagedKinds } from '../course_copy/table';

/** What a client chose to import, by the type names of the API; ids are as given. */
export interface Selection {
  readonly everything?: boolean;
  readonly whole?: readonly string[];
  readonly items?: Readonly<Record<string, readonly string[]>>;
}

export const insertableTypes = ['assignment', 'discussion_topic', 'file', 'page', 'quiz'] as const;

export interface MigrationSettings {
  readonly file_url?: string;
  /** The export whose archive is the package. */
  readonly content_export_id?: number;
  readonly folder_id?: number;
  readonly overwrite_quizzes?: boolean;
  readonly question_bank_id?: number;
  readonly question_bank_name?: string;
  readonly insert_into_module_id?: number;
  readonly insert_into_module_type?: (typeof insertableTypes)[number];
  readonly insert_into_module_position?: number;
  readonly move_to_assignment_group_id?: number;
  readonly importer_skips?: readonly string[];
  /** The quota of the context in bytes. */
  readonly quota?: number;
  /** Whether imported files stay locked until usage rights are set. */
  readonly locks_files?: boolean;
  /** Settings of the course that who starts the migration may not change. */
  readonly kept?: KeptSettings;
  /** Whether external tools are imported: the user may add tools to the course. */
  readonly adds_tools?: boolean;
}

/** What a client may state of a shift. */
export interface ShiftGiven {
  readonly old_start?: string;
  readonly old_end?: string;
  readonly new_start?: string;
  readonly new_end?: string;
  /** Weekdays by weekday, 0 is Sunday. */
  readonly substitutions?: Readonly<Record<string, number>>;
  readonly zone: string;
}

/** A shift whose four days are known. */
export interface DateShift {
  readonly old_start: string;
  readonly old_end: string;
  readonly new_start: string;
  readonly new_end: string;
  readonly substitutions: Readonly<Record<string, number>>;
  readonly zone: string;
}

export interface DateOptions extends ShiftGiven {
  readonly shift?: boolean;
  /** Wins over a shift. */
  readonly remove?: boolean;
  /** The shift with its defaults, once the import has begun; null when dates stay. */
  readonly resolved?: DateShift | null;
}

/** What the job does next, in this order. */
export const migrationPhases = ['fetch', 'import', 'dates', 'place', 'finish'] as const;

export const content_migrations = sqliteTable(
  'content_migrations',
  {
    id: id(),
    uuid: string().notNull(),
    context_type: state('Course', 'Account', 'Group', 'User').notNull(),
    context_id: int().notNull(),
    user_id: int().notNull(),
    migration_type: string().notNull(),
    source_course_id: int(),
    settings: json<MigrationSettings>().notNull().default({}),
    dates: json<DateOptions>().notNull().default({ zone: 'Etc/UTC' }),
    selection: json<Selection>(),
    /** Waits for a selection before it imports. */
    selective: bool().notNull().default(false),
    /** The package, in a hidden folder of the root account. */
    attachment_id: int(),
    /** A deleted course that no one sees, into which a cartridge is read before its content is copied. */
    staging_course_id: int(),
    /** Whether the whole cartridge was read. */
    is_staged: bool().notNull().default(false),
    /** The copy that carries out a course copy. */
    copy_id: int(),
    progress_id: int(),
    workflow_state: state(
      'created',
      'pre_processing',
      'pre_process_error',
      'exporting',
      'queued',
      'importing',
      'exported',
      'imported',
      'failed',
    )
      .notNull()
      .default('created'),
    phase: state(...migrationPhases)
      .notNull()
      .default('fetch'),
    /** How far the phase has come. */
    at: int().notNull().default(0),
    /** Number of completed steps. */
    step: int().notNull().default(0),
    /** How often the current step has failed. */
    crashes: int().notNull().default(0),
    started_at: time(),
    finished_at: time(),
    ...created(),
  },
  (migration) => [
    uniqueIndex('content_migrations_by_uuid').on(migration.uuid),
    index('content_migrations_in_context').on(migration.context_type, migration.context_id, migration.id),
    index('content_migrations_unfinished').on(migration.updated_at).where(sql`workflow_state in ('exporting', 'queued', 'importing')`),
    index('content_migrations_uploading').on(migration.updated_at).where(sql`workflow_state = 'pre_processing'`),
    index('content_migrations_with_file').on(migration.created_at).where(sql`attachment_id is not null`),
    index('content_migrations_with_staging').on(migration.staging_course_id).where(sql`staging_course_id is not null`),
    index('content_migrations_of_file').on(migration.attachment_id).where(sql`attachment_id is not null`),
  ],
);

export const migration_issues = sqliteTable(
  'migration_issues',
  {
    id: id(),
    content_migration_id: int().notNull(),
    issue_type: state('todo', 'warning', 'error').notNull(),
    description: string().notNull(),
    fix_issue_html_url: string(),
    error_message: string(),
    workflow_state: state('active', 'resolved').notNull().default('active'),
    ...created(),
  },
  (issue) => [index('migration_issues_of_migration').on(issue.content_migration_id, issue.created_at, issue.id)],
);

export type ImportedKind = (typeof packagedKinds)[number];

/** What a package has imported, by its identifier there. A repeated import into the same course updates it. */
export const imported_items = sqliteTable(
  'imported_items',
  {
    context_type: state('Course', 'Account', 'Group', 'User').notNull(),
    context_id: int().notNull(),
    kind: state(...packagedKinds).notNull(),
    identifier: string().notNull(),
    item_id: int().notNull(),
    /** The last migration that wrote it. */
    content_migration_id: int().notNull(),
  },
  (item) => [
    primaryKey({ columns: [item.context_type, item.context_id, item.kind, item.identifier] }),
    index('imported_items_of_migration').on(item.content_migration_id, item.kind, item.item_id),
  ],
);
