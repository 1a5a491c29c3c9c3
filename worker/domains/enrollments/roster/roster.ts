// The operations of a course's roster: read, decide, write, one round trip each. Runs only inside the course's Durable Object.

import { and, eq, getTableColumns, ne, type SQL, sql } from 'drizzle-orm';
import { idOf } from '../../../contexts/references';
import { among } from '../../../database/ids';
import type { Database, Statement } from '../../../database/open';
import type { Idempotency } from '../../../http/call';
import { type Claim, claimRow } from '../../../http/idempotency';
import type { RowOf } from '../../../http/listing';
import { found, notFound, Problem, unauthorized } from '../../../http/problem';
import { notifyOfInsert, notifyOfUpdate } from '../../../rules/notify';
import { queueNotification } from '../../comm_messages/queue_notification';
import { courses } from '../../courses/table';
import { role_overrides, roles } from '../../roles/table';
import { sections } from '../../sections/table';
import { followEnrollments, following } from '../../users/observers/following';
import { users } from '../../users/table';
import { besideRows, type EnrollmentExtras } from '../beside';
import { countedGroups } from '../grades/facts';
import { anyWork, type CountedBeside } from '../grades/json';
import type { EndingRights } from '../policy';
import { type EnrollmentType, enrollments, staffTypes } from '../table';
import { type Enrolling, planEnrollment } from './enroll';
import { decideMove, type Move } from './lifecycle';

type Row = RowOf<typeof enrollments>;

/** Common to every call: the course, the caller, the time, the idempotency key. */
export interface RosterRequest {
  readonly course_id: number;
  readonly actor_id: number;
  /** Access token unless stated otherwise. */
  readonly source?: 'manual' | 'api';
  readonly now: string;
  readonly idempotency: Idempotency | undefined;
}

/** An enrollment after the call, with what its serializer needs. */
export interface RosterOutcome {
  readonly row: Row;
  readonly beside: Record<string, string>[];
  readonly counted: CountedBeside;
}

const claim = (db: Database, request: RosterRequest, rest: Pick<Claim, 'response' | 'row_ids'>): Statement[] =>
  request.idempotency ? [claimRow(db, { user_id: request.actor_id, idempotency: request.idempotency, now: request.now, ...rest })] : [];

/** The changes, a read of the enrollment, and the claim of the key, in one atomic batch. */
async function settle(
  db: Database,
  changes: readonly Statement[],
  id: SQL | number,
  wanted: EnrollmentExtras,
  claims: readonly Statement[],
): Promise<RosterOutcome> {
  const ids = typeof id === 'number' ? sql`select ${id}` : id;
  const results = await db.perform([
    ...changes,
    db.build
      .select({ ...getTableColumns(enrollments), work: anyWork })
      .from(enrollments)
      .where(sql`${enrollments.id} in (${ids})`),
    besideRows(db, ids, wanted),
    countedGroups(db, sql`select course_id from enrollments where id in (${ids})`),
    ...claims,
  ]);
  const [rows, beside, counted] = results.slice(changes.length) as [Row[], Record<string, string>[], CountedBeside];
  return { row: found(rows[0]), beside, counted };
}

export interface EnrollRequest extends RosterRequest {
  readonly asked: Enrolling;
  readonly chain: readonly number[];
  readonly addable: readonly EnrollmentType[];
  /** The caller's permissions in the course: users cannot enroll themselves in a role with more permissions. */
  readonly held: readonly string[];
  readonly wanted: EnrollmentExtras;
}

/** Notifies the user, or withdraws a queued notification, when the request says which. Otherwise, invitations alone are notified of. */
function telling(db: Database, { asked: { notify }, now }: EnrollRequest, state: string | undefined, id: SQL): Statement[] {
  const notification = state === 'active' ? 'enrollment_notification' : state === 'invited' ? 'enrollment_invitation' : undefined;
  if (notify === undefined || notification === undefined) return [];
  if (notify) return [queueNotification(db, { notification, item_id: id, now })];
  return [db.build.run(sql`delete from notification_queue where notification = ${notification} and item_id = ${id}`)];
}

/** The section was deleted meanwhile: its id is null, which violates the constraint and fails the batch. */
const isSectionGone = (error: unknown) =>
  /NOT NULL constraint failed: enrollments\.course_section_id/.test(`${error} ${(error as Error).cause}`);

/** Enrolls a user, or returns the existing enrollment. */
export async function enroll(db: Database, errand: EnrollRequest): Promise<RosterOutcome> {
  const { course_id, actor_id, now, asked } = errand;
  const { build } = db;
  const user = asked.user === 'self' ? sql`select ${actor_id}` : idOf('user', asked.user);
  const here = and(eq(sections.course_id, course_id), eq(sections.workflow_state, 'active'));
  const [courseRows, userRows, sectionRows, roleRows, observedRows, there, overrides] = await db.perform([
    build.select().from(courses).where(eq(courses.id, course_id)),
    build
      .select()
      .from(users)
      .where(eq(users.id, sql`(${user})`)),
    asked.section === undefined
      ? build
          .select()
          .from(sections)
          .where(here)
          .orderBy(sql`(${sections.is_default} = 1 and ${sections.nonxlist_course_id} is null) desc`, sections.id)
          .limit(1)
      : build
          .select()
          .from(sections)
          .where(and(here, eq(sections.id, sql`(${idOf('section', asked.section)})`))),
    build
      .select()
      .from(roles)
      .where(sql`${roles.id} = ${asked.role_id ?? 0} or ${roles.name} = ${asked.role ?? ''} or ${roles.workflow_state} = 'built_in'`),
    build
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, sql`(${idOf('user', asked.observed ?? '')})`), ne(users.workflow_state, 'deleted'))),
    build
      .select()
      .from(enrollments)
      .where(and(eq(enrollments.user_id, sql`(${user})`), eq(enrollments.course_id, course_id))),
    build.select().from(role_overrides).where(among(role_overrides.account_id, errand.chain)),
  ]);
  const plan = planEnrollment(asked, {
    course: courseRows[0],
    chain: errand.chain,
    roles: roleRows,
    user: userRows[0],
    section: sectionRows[0],
    observed: observedRows[0],
    there,
    actor_id,
    addable: errand.addable,
    held: errand.held,
    overrides,
  });
  if (plan.kind === 'keep') return settle(db, [], plan.row.id, errand.wanted, claim(db, errand, { row_ids: [plan.row.id] }));
  if (plan.kind === 'update')
    return settle(
      db,
      [
        ...(asked.notify === false ? [] : notifyOfUpdate(db, enrollments, { set: plan.set, where: eq(enrollments.id, plan.row.id) }, now)),
        build
          .update(enrollments)
          .set({ ...plan.set, updated_at: now })
          .where(eq(enrollments.id, plan.row.id)),
        ...followEnrollments(db, sql`select ${plan.row.id}`, now),
        ...telling(db, errand, plan.set.enrollment_state, sql`${plan.row.id}`),
      ],
      plan.row.id,
      errand.wanted,
      claim(db, errand, { row_ids: [plan.row.id] }),
    );

  const section_id =
    plan.section_id === undefined
      ? sql`(select id from sections where course_id = ${course_id} and is_default = 1 and nonxlist_course_id is null and workflow_state = 'active')`
      : sql`(select id from sections where id = ${plan.section_id} and course_id = ${course_id} and workflow_state = 'active')`;
  const { row } = plan;
  const made = sql`select id from enrollments where user_id = ${row.user_id} and course_section_id = ${section_id} and role_id = ${row.role_id} and type = ${row.type} and observed_user_id = ${row.observed_user_id}`;
  try {
    return await settle(
      db,
      [
        ...(plan.section_id === undefined
          ? [
              build
                .insert(sections)
                .values({ course_id, name: courseRows[0]?.name ?? 'Section', is_default: true, created_at: now, updated_at: now }),
            ]
          : []),
        build
          .insert(enrollments)
          .values({ ...row, course_id, course_section_id: section_id, created_at: now, updated_at: now })
          .onConflictDoNothing(),
        ...(asked.notify === false ? [] : notifyOfInsert(db, enrollments, now)),
        ...followEnrollments(db, made, now),
        ...telling(db, errand, row.enrollment_state, sql`(${made})`),
        claimCourse(db, course_id, row.type, now),
      ].filter((one) => one !== undefined),
      made,
      errand.wanted,
      claim(db, errand, { row_ids: sql`(select json_group_array(id) from (${made}))` }),
    );
  } catch (error) {
    throw isSectionGone(error) ? notFound() : error;
  }
}

/** A course becomes claimed when its first instructor is enrolled. */
const claimCourse = (db: Database, course_id: number, type: EnrollmentType, now: string): Statement | undefined =>
  staffTypes.has(type)
    ? db.build
        .update(courses)
        .set({ workflow_state: 'claimed', updated_at: now })
        .where(and(eq(courses.id, course_id), eq(courses.workflow_state, 'created')))
    : undefined;

export interface MoveRequest extends RosterRequest {
  readonly enrollment_id: number;
  readonly move: Move;
  readonly rights: EndingRights;
  readonly wanted: EnrollmentExtras;
  /** The response, when it does not depend on the enrollment. */
  readonly response: { readonly json: unknown } | undefined;
}

const answers = new Set<Move>(['accept', 'reject']);

function refuseStrangers(row: Row, { move, actor_id, rights }: MoveRequest): void {
  if (answers.has(move)) {
    if (row.user_id !== actor_id) throw unauthorized();
    return;
  }
  const isOwn = row.user_id === actor_id;
  if (!isOwn && rights.sections && !rights.sections.includes(row.course_section_id)) throw notFound();
  const kinds = move === 'conclude' ? rights.concludes : rights.removes;
  if (!kinds.includes(row.type) || (isOwn && !rights.endsOwn)) throw unauthorized();
}

/** Moves an enrollment to another state. */
export async function moveEnrollment(db: Database, errand: MoveRequest): Promise<RosterOutcome> {
  const { course_id, enrollment_id, now, wanted, response } = errand;
  const it = and(eq(enrollments.id, enrollment_id), eq(enrollments.course_id, course_id), ne(enrollments.enrollment_state, 'deleted'));
  const [rows] = await db.perform([db.build.select().from(enrollments).where(it)]);
  const row = found(rows[0]);
  refuseStrangers(row, errand);
  const verdict = decideMove(errand.move, row);
  if (verdict.kind === 'refuse') throw new Problem(verdict.status, { error: verdict.message });
  const claims = claim(db, errand, response ? { response } : { row_ids: [enrollment_id] });
  if (verdict.kind === 'stay') return settle(db, [], enrollment_id, wanted, claims);
  return settle(
    db,
    [
      db.build
        .update(enrollments)
        .set({ enrollment_state: verdict.to, completed_at: verdict.to === 'completed' ? now : null, updated_at: now })
        .where(and(it, eq(enrollments.enrollment_state, row.enrollment_state))),
      ...following(db, sql`select ${enrollment_id}`, now),
    ],
    enrollment_id,
    wanted,
    claims,
  );
}
