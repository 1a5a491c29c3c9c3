// SIS rows through the roster of a course: one call for a course and a chunk. Runs inside the turnstile of the course only. Each passage is
// claimed in the batch that makes its changes: called again, it answers as the first time and changes nothing.

import { type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../database/open';
import { problem } from '../../http/problem';
import { above } from '../accounts/tree';
import { insertMany, inTexts, updateMany } from '../sis_imports/changes_of_rows';
import { remembered, textOfError, unmarked } from '../sis_imports/work';
import { joining } from './following';
import {
  planSisRows,
  type SisEnrollment,
  type SisFacts,
  type SisOptions,
  type SisPerson,
  type SisPlan,
  type SisRole,
  type SisRow,
  tallied,
} from './sis_rows';
import type { EnrollmentState } from './table';

/** Which step of which import the passage belongs to. */
export interface SisErrand {
  readonly course_id: number;
  readonly sis_import_id: number;
  readonly step: number;
  readonly now: string;
}

export interface SisRowsErrand extends SisErrand {
  readonly rows: readonly SisRow[];
  readonly options: SisOptions;
  /** A full update of a term wants to know whom it has named. */
  readonly notesSeen: boolean;
}

export interface SisStatesErrand extends SisErrand {
  /** Enrollments and the state that each is to be left in. */
  readonly states: readonly (readonly [id: number, to: EnrollmentState])[];
  readonly by_batch: boolean;
  /** Remember what was before, so that it can be restored. */
  readonly remembers: boolean;
}

export interface SisResult {
  readonly applied: number;
  readonly warnings: SisPlan['warnings'];
  /** By kind of change. */
  readonly tally: Readonly<Record<string, number>>;
}

/** The import has been stopped, or has gone on without this passage. */
const stopped = () => problem(409, 'the import has gone on');

const claim = (db: Database, { sis_import_id, step, course_id }: SisErrand, result: SisResult): Statement =>
  db.build.run(
    sql`insert into sis_import_passages (sis_import_id, step, course_id, result)
      values ((select id from sis_imports where id = ${sis_import_id} and step = ${step} and workflow_state in ('importing', 'cleanup_batch', 'restoring')), ${step}, ${course_id}, ${JSON.stringify(result)})`,
  );

const claimed = (db: Database, { sis_import_id, step, course_id }: SisErrand) =>
  db.build.all<{ result: string }>(
    sql`select result from sis_import_passages where sis_import_id = ${sis_import_id} and step = ${step} and course_id = ${course_id}`,
  );

/** Makes the changes and the claim, all or nothing. */
async function settle(db: Database, errand: SisErrand, statements: readonly Statement[], result: SisResult): Promise<SisResult> {
  try {
    await db.perform([...unmarked(db, statements), claim(db, errand, result)]);
    return result;
  } catch (error) {
    const words = textOfError(error);
    if (/NOT NULL constraint failed: sis_import_passages/.test(words)) throw stopped();
    if (!/UNIQUE constraint failed: sis_import_passages/.test(words)) throw error;
    const [[made]] = await db.perform([claimed(db, errand)]);
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

const peopleNamed = (rows: readonly SisRow[], kind: 'sis' | 'integration'): string[] => [
  ...new Set(
    rows.flatMap(({ user, observed }) => [
      ...(user.startsWith(`${kind}:`) ? [user.slice(kind.length + 1)] : []),
      ...(kind === 'sis' && observed !== undefined ? [observed] : []),
    ]),
  ),
];

interface LoginRow {
  readonly sis_user_id: string | null;
  readonly integration_id: string | null;
  readonly user_id: number;
  readonly sortable_name: string;
  readonly sort_email: string;
  readonly sort_sis_id: string;
  readonly sort_last_login: string;
  readonly is_gone: number;
}

function peopleOf(logins: readonly LoginRow[]): Map<string, SisPerson> {
  const people = new Map<string, SisPerson>();
  // Deleted logins come first, so that those which are not stand.
  for (const { sis_user_id, integration_id, is_gone, ...rest } of logins) {
    const person = { ...rest, isGone: is_gone === 1 };
    if (sis_user_id !== null) people.set(`sis:${sis_user_id}`, person);
    if (integration_id !== null) people.set(`integration:${integration_id}`, person);
  }
  return people;
}

/** Everybody whom the rows name: living logins, then those that are deleted. */
function loginsNamed(rows: readonly SisRow[]): SQL {
  const columns = sql.raw(
    "l.sis_user_id, l.integration_id, l.user_id, u.sortable_name, u.sort_email, u.sort_sis_id, u.sort_last_login, (l.workflow_state = 'deleted' or u.workflow_state = 'deleted') as is_gone",
  );
  const from = sql.raw('from logins l cross join users u on u.id = l.user_id');
  const [sis, integrations] = [peopleNamed(rows, 'sis'), peopleNamed(rows, 'integration')];
  const live = sql.raw("l.account_id = 1 and l.workflow_state <> 'deleted'");
  const parts = [
    sql`select ${columns} ${from} where l.workflow_state = 'deleted' and l.sis_user_id is not null and ${inTexts('l.sis_user_id', sis)}`,
    sql`select ${columns} ${from} where ${live} and l.sis_user_id is not null and ${inTexts('l.sis_user_id', sis)}`,
    ...(integrations.length > 0
      ? [sql`select ${columns} ${from} where ${live} and l.integration_id is not null and ${inTexts('l.integration_id', integrations)}`]
      : []),
  ];
  return sql.join(parts, sql` union all `);
}

const enrollmentColumns = sql.raw(
  'id, user_id, course_section_id, type, role_id, observed_user_id, enrollment_state, start_at, end_at, limit_privileges_to_course_section, stuck_sis_fields',
);

/** Enrolls, changes and ends as the rows say. */
export async function takeSisRows(db: Database, errand: SisRowsErrand): Promise<SisResult> {
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
    people: peopleOf(people),
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
    writes(
      db,
      { course_id, sis_import_id, now, name: courses[0]?.name ?? '', notesSeen: errand.notesSeen, isObserved: observed.length > 0 },
      plan,
    ),
    { applied: plan.applied, warnings: plan.warnings, tally },
  );
}

interface Around {
  readonly course_id: number;
  readonly sis_import_id: number;
  readonly now: string;
  readonly name: string;
  readonly notesSeen: boolean;
  readonly isObserved: boolean;
}

const staff = new Set<string>(['TeacherEnrollment', 'TaEnrollment', 'DesignerEnrollment']);

function writes(
  db: Database,
  { course_id, sis_import_id, now, name, notesSeen, isObserved }: Around,
  { inserts, updates, kept }: SisPlan,
): Statement[] {
  const { build } = db;
  const defaultSection = sql`(select id from sections where course_id = ${course_id} and is_default = 1 and nonxlist_course_id is null and workflow_state = 'active' limit 1)`;
  const section = sql`coalesce(j.value ->> 'section_id', ${defaultSection})`;
  const keys = inserts.map(({ user_id, section_id, type, role_id, observed_user_id }) => ({
    user_id,
    section_id,
    type,
    role_id,
    observed_user_id,
  }));
  const made = (select: string) =>
    sql`select ${sql.raw(select)} from json_each(${JSON.stringify(keys)}) j cross join enrollments e on e.user_id = j.value ->> 'user_id' and e.course_section_id = ${section} and e.role_id = j.value ->> 'role_id' and e.type = j.value ->> 'type' and e.observed_user_id = j.value ->> 'observed_user_id'`;
  const changed = updates.map(({ id }) => id);
  const touched = sql`select e.id from enrollments e where e.id in (select value from json_each(${JSON.stringify(changed)})) ${keys.length > 0 ? sql`union ${made('e.id')}` : sql``}`;
  const turned = updates.filter(({ before, enrollment_state }) => before !== enrollment_state);
  return [
    ...(inserts.some(({ section_id }) => section_id === null)
      ? [
          build.run(
            sql`insert into sections (course_id, name, is_default, workflow_state, sis_import_id, created_at, updated_at) select ${course_id}, ${name || 'Section'}, 1, 'active', null, ${now}, ${now} where not exists (select 1 from sections where course_id = ${course_id} and is_default = 1 and nonxlist_course_id is null and workflow_state = 'active')`,
          ),
        ]
      : []),
    ...insertMany(
      db,
      'enrollments',
      {
        user_id: true,
        course_id: sql`${course_id}`,
        course_section_id: section,
        type: true,
        role_id: true,
        observed_user_id: true,
        enrollment_state: true,
        sortable_name: true,
        // A trigger would copy them otherwise, after the row is in every index.
        sort_email: true,
        sort_sis_id: true,
        sort_last_login: true,
        sort_course: sql`coalesce((select coalesce(friendly_name, name) from courses where id = ${course_id}), '')`,
        limit_privileges_to_course_section: sql.raw("j.value ->> 'limited'"),
        start_at: true,
        end_at: true,
        completed_at: sql`case j.value ->> 'enrollment_state' when 'completed' then ${now} end`,
        sis_import_id: sql`${sis_import_id}`,
        created_at: sql`${now}`,
        updated_at: sql`${now}`,
      },
      inserts,
    ),
    ...updateMany(
      db,
      'enrollments',
      {
        enrollment_state: true,
        start_at: true,
        end_at: true,
        limit_privileges_to_course_section: true,
        stuck_sis_fields: true,
        completed_at: sql`case j.value ->> 'enrollment_state' when 'completed' then coalesce(enrollments.completed_at, ${now}) end`,
        sis_import_id: sql`${sis_import_id}`,
        updated_at: sql`${now}`,
      },
      updates,
    ),
    ...(isObserved && (inserts.length > 0 || updates.length > 0) ? joining(db, touched, now) : []),
    ...(inserts.some(({ type }) => staff.has(type))
      ? [
          build.run(
            sql`update courses set workflow_state = 'claimed', updated_at = ${now} where id = ${course_id} and workflow_state = 'created'`,
          ),
        ]
      : []),
    ...(inserts.length > 0
      ? [remembered(db, sis_import_id, { model: 'Enrollment', select: made('e.id, null as before, e.enrollment_state as after') }, now)]
      : []),
    ...(turned.length > 0
      ? [
          remembered(
            db,
            sis_import_id,
            { model: 'Enrollment', items: turned.map(({ id, before, enrollment_state }) => [id, before, enrollment_state] as const) },
            now,
          ),
        ]
      : []),
    ...(notesSeen
      ? [
          build.run(
            sql`insert into sis_import_seen (sis_import_id, model, item_id) select ${sis_import_id}, 'Enrollment', s.id from (${touched} union select value as id from json_each(${JSON.stringify(kept)})) s where true on conflict do nothing`,
          ),
        ]
      : []),
  ];
}

interface Before {
  readonly id: number;
  readonly enrollment_state: EnrollmentState;
}

/** Leaves enrollments in the states that they are to have: what an import ends beside its rows, and what it gives back. */
export async function settleSisStates(db: Database, errand: SisStatesErrand): Promise<SisResult> {
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
          ...joining(db, ids, now),
          ...(remembers ? [remembered(db, sis_import_id, { model: 'Enrollment', by_batch, items }, now)] : []),
        ],
    { applied: turned.length, warnings: [], tally: counted(items.map(([, from, to]) => [from, to] as const)) },
  );
}
