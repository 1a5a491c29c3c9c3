// Applies SIS rows to the roster of a course: one call per course and chunk, inside the course's Durable Object. Each call is claimed in the batch of
// its changes: repeated, it returns the same result and changes nothing.

import { sql } from 'drizzle-orm';
import { above } from '../../../contexts/account_tree';
import { slicesOf, updateMany } from '../../../database/many_rows';
import type { Database, Statement } from '../../../database/open';
import { problem } from '../../../http/problem';
import { textOfError } from '../../../steps';
import type { EnrollmentState } from '../../enrollments/table';
import { followEnrollments } from '../../users/observers/following';
import { remembered, unmarked } from '../work';
import {
  planSisRows,
  type SisEnrollment,
  type SisFacts,
  type SisOptions,
  type SisPlan,
  type SisRole,
  type SisRow,
  tallied,
} from './decide';
import { type LoginRow, loginsNamed, sisPeopleOf } from './people';
import { sisWrites } from './writes';

/** The import and step that the call belongs to. */
export interface SisErrand {
  readonly course_id: number;
  readonly sis_import_id: number;
  readonly step: number;
  readonly now: string;
}

export interface SisRowsRequest extends SisErrand {
  readonly rows: readonly SisRow[];
  readonly options: SisOptions;
  /** A full update of a term needs to know which enrollments were named. */
  readonly notesSeen: boolean;
}

export interface SisStatesRequest extends SisErrand {
  /** Enrollments and their target states. */
  readonly states: readonly (readonly [id: number, to: EnrollmentState])[];
  readonly by_batch: boolean;
  /** Record the previous states, so that they can be restored. */
  readonly remembers: boolean;
}

export interface SisResult {
  readonly applied: number;
  readonly warnings: SisPlan['warnings'];
  /** Counts by kind of change. */
  readonly tally: Readonly<Record<string, number>>;
}

/** The import was aborted, or has continued without this call. */
const stopped = () => problem(409, 'the import has continued');

const claim = (db: Database, { sis_import_id, step, course_id }: SisErrand, result: SisResult): Statement =>
  db.build.run(
    sql`insert into sis_import_passages (sis_import_id, step, course_id, result)
      values ((select id from sis_imports where id = ${sis_import_id} and step = ${step} and workflow_state in ('importing', 'cleanup_batch', 'restoring')), ${step}, ${course_id}, ${JSON.stringify(result)})`,
  );

const claimed = (db: Database, { sis_import_id, step, course_id }: SisErrand) =>
  db.build.all<{ result: string }>(
    sql`select result from sis_import_passages where sis_import_id = ${sis_import_id} and step = ${step} and course_id = ${course_id}`,
  );

/** Writes the changes and the claim in one batch. */
async function settle(db: Database, request: SisErrand, statements: readonly Statement[], result: SisResult): Promise<SisResult> {
  try {
    await db.perform([...unmarked(db, statements), claim(db, request, result)]);
    return result;
  } catch (error) {
    const words = textOfError(error);
    if (/NOT NULL constraint failed: sis_import_passages/.test(words)) throw stopped();
    if (!/UNIQUE constraint failed: sis_import_passages/.test(words)) throw error;
    const [[made]] = await db.perform([claimed(db, request)]);
    if (!made) throw stopped();
    return JSON.parse(made.result) as SisResult;
  }
}

const counted = (changes: readonly (readonly [before: string | null, after: string])[]): Record<string, number> => {
  const tally: Record<string, number> = {};
  for (const [before, after] of changes) {
    const what = tallied(before, after);
    if (what) tally[what] = (tally[what] ?? 0) + 1;
  }
  return tally;
};

const enrollmentColumns = sql.raw(
  'id, user_id, course_section_id, type, role_id, observed_user_id, enrollment_state, start_at, end_at, limit_privileges_to_course_section, temporary_enrollment_source_user_id, stuck_sis_fields',
);

/** Creates, updates and ends enrollments as the rows state. */
export async function takeSisRows(db: Database, errand: SisRowsRequest): Promise<SisResult> {
  const { course_id, sis_import_id, now, rows, options } = errand;
  const { build } = db;
  const logins = loginsNamed(rows);
  const [made, courses, sections, roles, chain, people, there, observed] = await db.perform([
    claimed(db, errand),
    build.all<{ workflow_state: string; name: string }>(sql`select workflow_state, name from courses where id = ${course_id}`),
    build.all<{ id: number; sis_section_id: string | null; is_default: number }>(
      sql`select id, sis_section_id, (is_default = 1 and nonxlist_course_id is null) as is_default from sections where course_id = ${course_id} and workflow_state = 'active' order by id`,
    ),
    build.all<SisRole>(sql`select id, name, base_role_type, workflow_state, account_id from roles`),
    build.all<{ id: number }>(above(sql`select account_id from courses where id = ${course_id}`)),
    build.all<LoginRow>(logins),
    build.all<SisEnrollment>(
      sql`select ${enrollmentColumns} from enrollments where course_id = ${course_id} and user_id in (select user_id from (${logins}))`,
    ),
    build.all<{ one: number }>(sql`select 1 as one from observers where student_id in (select user_id from (${logins})) limit 1`),
  ]);
  if (made[0]) return JSON.parse(made[0].result) as SisResult;
  const facts: SisFacts = {
    course: courses[0],
    sections,
    default_section_id: sections.find(({ is_default }) => is_default === 1)?.id,
    people: sisPeopleOf(people),
    roles,
    chain: chain.map(({ id }) => id),
    there,
  };
  const plan = planSisRows(rows, facts, options);
  const tally = counted([
    ...plan.inserts.map((one) => [null, one.enrollment_state] as const),
    ...plan.updates.map((one) => [one.before, one.enrollment_state] as const),
  ]);
  return settle(
    db,
    errand,
    sisWrites(
      db,
      { course_id, sis_import_id, now, name: courses[0]?.name ?? '', notesSeen: errand.notesSeen, isObserved: observed.length > 0 },
      plan,
    ),
    { applied: plan.applied, warnings: plan.warnings, tally },
  );
}

interface Before {
  readonly id: number;
  readonly enrollment_state: EnrollmentState;
}

/** Moves enrollments to given states: those an import ends besides its rows, and those it restores. */
export async function settleSisStates(db: Database, errand: SisStatesRequest): Promise<SisResult> {
  const { course_id, sis_import_id, now, states, by_batch, remembers } = errand;
  const [made, before] = await db.perform([
    claimed(db, errand),
    db.build.all<Before>(
      sql`select id, enrollment_state from enrollments where course_id = ${course_id} and id in (select value from json_each(${JSON.stringify(states.map(([id]) => id))}))`,
    ),
  ]);
  if (made[0]) return JSON.parse(made[0].result) as SisResult;
  const wanted = new Map(states);
  const turned = before.flatMap(({ id, enrollment_state }) => {
    const to = wanted.get(id);
    return to === undefined || to === enrollment_state ? [] : [{ id, before: enrollment_state, enrollment_state: to }];
  });
  const ids = sql`select value from json_each(${JSON.stringify(turned.map(({ id }) => id))})`;
  const items = turned.map((one) => [one.id, one.before, one.enrollment_state] as const);
  return settle(
    db,
    errand,
    turned.length === 0
      ? []
      : [
          ...updateMany(
            db,
            'enrollments',
            {
              enrollment_state: true,
              completed_at: sql`case j.value ->> 'enrollment_state' when 'completed' then ${now} end`,
              updated_at: sql`${now}`,
            },
            turned,
          ),
          ...followEnrollments(db, ids, now),
          ...(remembers
            ? slicesOf(items, 20_000).map((some) => remembered(db, sis_import_id, { model: 'Enrollment', by_batch, items: some }, now))
            : []),
        ],
    { applied: turned.length, warnings: [], tally: counted(items.map(([, from, to]) => [from, to] as const)) },
  );
}
