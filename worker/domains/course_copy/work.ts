// Runs a copy. Each step is one atomic batch with its changes and the progress; a step that was already made breaks the batch, so repeated deliveries
// do nothing twice.

import { wireTime } from '@carrel/shared/wire/fields';
import { eq, type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../database/open';
import type { RowOf } from '../../http/listing';
import type { Route } from '../../rules/copied_kind';
import { notifyOfUpdate } from '../../rules/notify';
import { breath, Overtaken, textOfError } from '../../steps';
import { makePath } from '../files/folders/paths';
import { advanceProgress, completeProgress, failProgress } from '../progress/progress';
import { migrationIds } from './identity';
import { inventoryOf } from './inventory';
import { copyNamesFor } from './names';
import { copyPlanOf, percentOf } from './plan';
import { copyStep, deleteStep, referStep, settingsStep } from './step_statements';
import { type CopyStep, course_copies } from './table';
import { syllabusStep, textsStep } from './texts';

export type CopyRow = RowOf<typeof course_copies>;

const unfinished = sql.raw("workflow_state in ('created', 'started')");
const isOvertaken = (error: unknown) => /NOT NULL constraint failed: course_copies\.step/.test(textOfError(error));

/** Wraps the statements of a copy: triggers do not record an edit. */
export const byCopy = (db: Database, statements: readonly Statement[]): Statement[] =>
  statements.length === 0
    ? []
    : [db.build.run(sql`insert into course_copying (id) values (1)`), ...statements, db.build.run(sql`delete from course_copying`)];

/** The part of a Progress that is the copy's: a content migration goes on afterwards. */
const shareOf = ({ purpose }: CopyRow): number => (purpose === 'migration' ? 0.9 : 1);

export class CopyWork {
  /** Number of batches sent. */
  calls = 0;

  constructor(
    readonly db: Database,
    public it: CopyRow,
  ) {}

  private get route(): Route {
    const { source_course_id: from, course_id: to, id: copy_id, user_id } = this.it;
    return { from, to, copy_id, user_id, notifies: this.it.choice.heard === true, now: wireTime(Date.now()) };
  }

  /**
   * Continues with the next step.
   * @returns whether the copy has ended
   */
  async goOn(mayGoOn: () => boolean, beforeItEnds: () => Promise<unknown> = async () => {}): Promise<boolean> {
    if (this.it.plan === null) await this.makePlan();
    const plan = this.it.plan ?? [];
    while (this.it.step < plan.length) {
      if (!mayGoOn()) return false;
      const route = this.route;
      await this.commit(await this.statementsOf(plan[this.it.step] as CopyStep, route), {}, this.it.step + 1);
    }
    await beforeItEnds();
    await this.end('completed', null);
    return true;
  }

  private async makePlan(): Promise<void> {
    const plan = copyPlanOf(await inventoryOf(this.db, this.it.source_course_id, this.it.choice), this.it.choice);
    const { to, now } = this.route;
    // Other files are found by paths below the root folder.
    const root = makePath(this.db, { context_type: 'Course', context_id: to }, [], now);
    await this.commit(root, { plan: JSON.stringify(plan), workflow_state: 'started' }, 0);
    this.it = { ...this.it, plan, workflow_state: 'started' };
  }

  private async statementsOf(step: CopyStep, route: Route): Promise<Statement[]> {
    const { db } = this;
    switch (step.does) {
      case 'copy':
        return copyStep(
          db,
          step.kind,
          step.ids,
          route,
          await copyNamesFor(db, step.kind, step.ids, route),
          await migrationIds(step.kind, step.ids),
        );
      case 'texts':
        return textsStep(db, step.kind, step.ids, route);
      case 'refer':
        return referStep(db, step.kind, step.ids, route);
      case 'delete':
        return deleteStep(db, step.kind, step.ids, route);
      case 'settings':
        return settingsStep(db, route, this.it.choice);
      case 'syllabus':
        return syllabusStep(db, route);
    }
  }

  /** Ends the copy and notifies the jobs that wait for it. */
  async end(workflow_state: 'completed' | 'failed', message: string | null): Promise<void> {
    const { progress_id } = this.it;
    const { now } = this.route;
    const result =
      progress_id === null || this.it.purpose === 'migration'
        ? []
        : [
            workflow_state === 'completed'
              ? completeProgress(this.db, progress_id, now)
              : failProgress(this.db, progress_id, message ?? '', now),
          ];
    await this.commit([], { workflow_state, message }, this.it.step, result);
    this.it = { ...this.it, workflow_state, message };
  }

  /** @throws Overtaken when another delivery made the step, or the copy has ended */
  private async commit(
    statements: readonly Statement[],
    set: Readonly<Record<string, string | null>>,
    step: number,
    told: readonly Statement[] = [],
  ): Promise<void> {
    const { db, it } = this;
    const { now } = this.route;
    const isFirst = it.plan === null && 'plan' in set ? sql` and plan is null` : sql``;
    const sets: SQL[] = Object.entries(set).map(([name, value]) => sql`${sql.raw(name)} = ${value}`);
    const progress =
      it.progress_id === null || told.length > 0
        ? []
        : [advanceProgress(db, it.progress_id, percentOf({ plan: it.plan, step }) * shareOf(it), now)];
    try {
      this.calls += 1;
      await db.perform([
        ...notifyOfUpdate(db, course_copies, { set, where: eq(course_copies.id, it.id) }, now),
        db.build.run(
          sql`update course_copies set ${sql.join([sql`step = case when step = ${it.step} and ${unfinished}${isFirst} then ${step} end`, sql`crashes = 0, updated_at = ${now}`, ...sets], sql`, `)} where id = ${it.id}`,
        ),
        ...byCopy(db, statements),
        ...progress,
        ...told,
      ]);
    } catch (error) {
      if (isOvertaken(error)) throw new Overtaken();
      throw error;
    }
    this.it = { ...it, step };
    await breath();
  }
}
