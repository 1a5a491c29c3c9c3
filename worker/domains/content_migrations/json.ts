// Content migrations and their issues, as clients see them.

import { ContentMigration, MigrationIssue } from '@carrel/shared/resources/content_migration';
import { wireTime } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import { runsTheService } from '../../contexts/institution';
import { isInSelect } from '../../database/ids';
import type { Call } from '../../http/call';
import type { RowOf } from '../../http/listing';
import { embed, serializer } from '../../http/serializer';
import { filesByIds, uploadedFile } from '../files/json';
import { courseCopyType, isCartridge, qtiType, titleOfType } from './migrators';
import { content_migrations, migration_issues } from './table';

export type ContentMigrationRow = RowOf<typeof content_migrations>;
type IssueRow = RowOf<typeof migration_issues>;

/** How long an announced upload is waited for. */
const patience = 3_600_000;
/** After this time a migration has expired: its package is deleted. */
const kept = 30 * 86_400_000;

/** Before this time, an upload that has not arrived is given up. */
export const uploadsSince = (now: string): string => wireTime(Date.parse(now) - patience);
export const packagesSince = (now: string): string => wireTime(Date.parse(now) - kept);

const states = {
  created: 'pre_processing',
  pre_processing: 'pre_processing',
  pre_process_error: 'failed',
  exporting: 'running',
  queued: 'queued',
  importing: 'running',
  exported: 'waiting_for_select',
  imported: 'completed',
  failed: 'failed',
} as const satisfies Record<ContentMigrationRow['workflow_state'], string>;

/** The state that clients know. An upload that has not arrived for an hour has failed, before the scheduled run records it. */
export const reportedState = (
  { workflow_state, updated_at }: Pick<ContentMigrationRow, 'workflow_state' | 'updated_at'>,
  now: string,
): string => (workflow_state === 'pre_processing' && updated_at < uploadsSince(now) ? 'failed' : states[workflow_state]);

const addressOf = (
  { context_type, context_id, id }: Pick<ContentMigrationRow, 'context_type' | 'context_id' | 'id'>,
  origin: string,
): string => `${origin}/api/v1/${context_type.toLowerCase()}s/${context_id}/content_migrations/${id}`;

/** Packages of courses and quizzes contain questions with their keys. */
const seesPackage = ({ migration_type: type, user_id }: ContentMigrationRow, { me, course }: Pick<Call, 'me' | 'course'>): boolean =>
  (type !== qtiType && !isCartridge(type)) ||
  user_id === me.id ||
  (course !== undefined && (course.can('manage_assignments_add') || course.can('manage_assignments_edit')));

export const contentMigration = serializer({
  resource: ContentMigration,
  table: content_migrations,
  also: (ids, { db, now }) => ({
    counts: db.build.all<{ id: number; count: number }>(
      sql`select content_migration_id as id, count(*) as count from migration_issues where ${isInSelect(sql`content_migration_id`, ids)} group by content_migration_id`,
    ),
    sources: db.build.all<{ id: number; name: string | null }>(
      sql`select id, name from courses where ${isInSelect(sql`id`, sql`select source_course_id from content_migrations where ${isInSelect(sql`id`, ids)}`)}`,
    ),
    papers: embed(
      uploadedFile,
      filesByIds(
        sql`select m.attachment_id from content_migrations m join files f on f.id = m.attachment_id and f.workflow_state = 'available' where ${isInSelect(sql`m.id`, ids)} and m.created_at >= ${packagesSince(now)}`,
      ),
    ),
  }),
  json(row: ContentMigrationRow, call, { counts, sources, papers }) {
    const { origin, me, institution, include, now } = call;
    const { source_course_id } = row;
    const runs = runsTheService(me, institution);
    return {
      ...row,
      migration_type_title: titleOfType(row.migration_type),
      workflow_state: reportedState(row, now),
      migration_issues_url: `${addressOf(row, origin)}/migration_issues`,
      migration_issues_count: counts.find(({ id }) => id === row.id)?.count ?? 0,
      progress_url: row.progress_id === null ? undefined : `${origin}/api/v1/progress/${row.progress_id}`,
      attachment: seesPackage(row, call) ? papers.find((one) => one.row.id === row.attachment_id)?.json : undefined,
      settings:
        row.migration_type === courseCopyType && source_course_id !== null
          ? {
              source_course_id,
              // Others who manage this course may not know the source.
              source_course_name: row.user_id === me.id || runs ? (sources.find(({ id }) => id === source_course_id)?.name ?? null) : null,
              source_course_html_url: `${origin}/courses/${source_course_id}`,
            }
          : undefined,
      audit_info: include.has('audit_info') && runs ? { settings: row.settings, dates: row.dates, selection: row.selection } : undefined,
    };
  },
});

export const migrationIssue = serializer({
  resource: MigrationIssue,
  table: migration_issues,
  also: (ids, { db }) => ({
    migrations: db.build
      .select()
      .from(content_migrations)
      .where(isInSelect(content_migrations.id, sql`select content_migration_id from migration_issues where ${isInSelect(sql`id`, ids)}`)),
  }),
  json(row: IssueRow, { origin, me, institution }, { migrations }) {
    const migration = migrations.find(({ id }) => id === row.content_migration_id);
    return {
      ...row,
      content_migration_url: migration ? addressOf(migration, origin) : '',
      error_message: runsTheService(me, institution) ? row.error_message : undefined,
    };
  },
});
