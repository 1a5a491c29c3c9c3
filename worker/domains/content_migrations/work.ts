// A running migration. Each step is one atomic batch with its changes and the progress; a step that was already made breaks the batch, so repeated
// deliveries do nothing twice.

import { wireTime } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import type { Database, Meter, Statement } from '../../database/open';
import type { Platform } from '../../platform';
import { breath, Overtaken, textOfError } from '../../steps';
import { advanceProgress, completeProgress, failProgress } from '../progress/progress';
import type { ContentMigrationRow } from './json';
import { zipType } from './migrators';

/** The migration cannot go on because of its input; its message is for the user. */
export class Unimportable extends Error {}

const isOvertaken = (error: unknown) => /NOT NULL constraint failed: content_migrations\.step/.test(textOfError(error));

export type IssueType = 'todo' | 'warning' | 'error';

/** A message about what was not imported as it is in the source. */
export const addIssue = (
  db: Database,
  id: number,
  issue_type: IssueType,
  description: string,
  now: string,
  details: string | null = null,
): Statement =>
  db.build.run(
    sql`insert into migration_issues (content_migration_id, issue_type, description, error_message, workflow_state, created_at, updated_at) values (${id}, ${issue_type}, ${description.slice(0, 500)}, ${details}, 'active', ${now}, ${now})`,
  );

type Change = Partial<Pick<ContentMigrationRow, 'phase' | 'at' | 'workflow_state' | 'finished_at' | 'is_staged'>> & {
  readonly dates?: string;
};

export class MigrationWork {
  constructor(
    readonly env: Platform,
    readonly db: Database,
    readonly meter: Meter,
    public it: ContentMigrationRow,
  ) {}

  now(): string {
    return wireTime(Date.now());
  }

  /** Bytes and rows that were asked for so far. */
  get calls(): number {
    return this.meter.d1_trips + this.meter.r2_calls;
  }

  /**
   * @param set what changes in the migration; its step counts up
   * @param completion percent
   * @throws Overtaken when another delivery made the step, or the migration has ended
   */
  async commit(statements: readonly Statement[], set: Change, completion?: number): Promise<void> {
    const { db, it } = this;
    const now = this.now();
    const sets = Object.entries(set).map(([name, value]) => sql`${sql.raw(name)} = ${typeof value === 'boolean' ? Number(value) : value}`);
    const told = completion !== undefined && it.progress_id !== null ? [advanceProgress(db, it.progress_id, completion, now)] : [];
    try {
      await db.perform([
        db.build.run(
          sql`update content_migrations set ${sql.join([sql`step = case when step = ${it.step} and workflow_state = 'importing' then ${it.step + 1} end`, sql`crashes = 0, updated_at = ${now}`, ...sets], sql`, `)} where id = ${it.id}`,
        ),
        ...statements,
        ...told,
      ]);
    } catch (error) {
      if (isOvertaken(error)) throw new Overtaken();
      throw error;
    }
    const { dates, ...columns } = set;
    this.it = { ...it, ...columns, ...(dates !== undefined && { dates: JSON.parse(dates) }), step: it.step + 1 };
    await breath();
  }

  /**
   * Ends the migration; unfinished files of an archive disappear.
   * @param more statements of the same batch
   */
  async end(failure?: { readonly message: string; readonly details?: string }, more: readonly Statement[] = []): Promise<void> {
    const { db, it } = this;
    const now = this.now();
    const own = sql`select item_id from imported_items where content_migration_id = ${it.id} and kind = 'file'`;
    const progress =
      it.progress_id === null
        ? []
        : [failure ? failProgress(db, it.progress_id, failure.message, now) : completeProgress(db, it.progress_id, now)];
    await this.commit(
      [
        ...(failure
          ? [
              addIssue(db, it.id, 'error', failure.message, now, failure.details ?? null),
              db.build.run(
                sql`update files set workflow_state = 'deleted', updated_at = ${now} where id in (${own}) and workflow_state = 'pending'`,
              ),
              db.build.run(
                sql`update course_copies set workflow_state = 'failed', updated_at = ${now} where id = ${it.copy_id} and workflow_state in ('created', 'started')`,
              ),
            ]
          : []),
        // Paths within an archive identify nothing in another one.
        ...(it.migration_type === zipType ? [db.build.run(sql`delete from imported_items where content_migration_id = ${it.id}`)] : []),
        ...more,
        ...progress,
      ],
      { workflow_state: failure ? 'failed' : 'imported', finished_at: now },
    );
  }
}
