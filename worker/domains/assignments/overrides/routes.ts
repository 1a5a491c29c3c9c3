// Assignment overrides: every endpoint, in the order of the API reference.

import { idField, listOf, object, optional } from '@carrel/shared/wire/fields';
import { and, eq, sql } from 'drizzle-orm';
import type { CourseContext } from '../../../contexts/course';
import { idOf } from '../../../contexts/references';
import { among, theIds } from '../../../database/ids';
import type { Call } from '../../../http/call';
import { del, get, post, put } from '../../../http/endpoint';
import { ascending, rows } from '../../../http/listing';
import { found, invalid, Problem } from '../../../http/problem';
import { all, answer, judged, list, one, write } from '../../../http/reply';
import { datesMovedBy, datesOfOverride, refuseClosedDates } from '../closed_periods';
import { visibleAssignments } from '../policy';
import { assignment_overrides, assignments } from '../table';
import { overrideFields, overrideList } from './input';
import { assignmentOverride, assignmentOverrideJson, contextZoneOf, namedBy } from './json';
import { type Judgement, judgeChange, judgeNew } from './judgement';
import { seen } from './policy';
import { readOverridePrecondition } from './precondition';
import { conflicts, createdOverride, createOverride, deleteOverrides, updateOverride } from './writes';

export const about = { title: 'Assignment overrides', description: 'Dates of an assignment for some students, a group or a section.' };

const overrides = '/courses/:course_id/assignments/:assignment_id/overrides';
const batch = '/courses/:course_id/assignments/overrides';

type Change = Exclude<Judgement, { kind: 'refused' }>;

const assignmentOf = (path: { assignment_id: string }) => idOf('assignment', path.assignment_id);
const onAssignment = (path: { assignment_id: string }) => eq(assignment_overrides.assignment_id, sql`(${assignmentOf(path)})`);

/** The assignment's override for a section or a group. */
const overrideFor = (
  set_type: 'CourseSection' | 'Group',
  set_id: number,
  course: CourseContext,
  call: Parameters<typeof seen>[1] & { readonly path: { assignment_id: string } },
) =>
  one(
    rows(assignment_overrides, {
      where: and(
        onAssignment(call.path),
        eq(assignment_overrides.set_type, set_type),
        eq(assignment_overrides.set_id, set_id),
        seen(course, call),
      ),
    }),
  );

/** Returns the valid change. @throws Problem 400 with the reasons, by field for dates and as a list for targets */
function mayBe(judged: Judgement): Change {
  if (judged.kind !== 'refused') return judged;
  const [first = 'invalid'] = judged.errors;
  throw judged.field ? invalid(judged.field, 'invalid', first) : new Problem(400, { errors: judged.errors });
}

/** Returns the valid changes. @throws Problem 400 with a list of reasons per override, null for valid ones */
function mayAllBe(judged: readonly Judgement[]): Change[] {
  if (judged.some((one) => one.kind === 'refused'))
    throw new Problem(400, { errors: judged.map((one) => (one.kind === 'refused' ? one.errors : null)) });
  return judged as Change[];
}

/** @throws Problem 403 for dates in a closed grading period */
function statementsOf({ db, now }: Pick<Call, 'db' | 'now'>, course: CourseContext, made: Change) {
  refuseClosedDates(course, datesMovedBy(made), now);
  return made.kind === 'create' ? createOverride(db, made, course.id, now) : updateOverride(db, made, now);
}

const byIds = (ids: readonly number[]) =>
  rows(assignment_overrides, {
    where: among(assignment_overrides.id, ids),
    order: ascending(
      sql`(select json_each.key from json_each(${JSON.stringify(ids)}) where json_each.value = assignment_overrides.id)`,
      assignment_overrides.id,
    ),
  });

const pairs = {
  assignment_overrides: optional(
    listOf(object({ id: optional(idField('assignment_override')), assignment_id: optional(idField('assignment')) })),
  ),
};
const whole = { assignment_override: optional(object(overrideFields)) };
const many = { assignment_overrides: optional(overrideList) };

const refuse = (message: string) => new Problem(400, { errors: [message] });

export const assignmentOverrideRoutes = [
  get(overrides, { can: 'read', returns: [assignmentOverride], summary: 'List assignment overrides' }, ({ course, path, ...call }) =>
    judged(
      call.db.build
        .select({ id: assignments.id })
        .from(assignments)
        .where(and(visibleAssignments(course, { ...call, path }), eq(assignments.id, sql`(${assignmentOf(path)})`))),
      (there) => found(there[0]),
      list(rows(assignment_overrides, { where: and(onAssignment(path), seen(course, { ...call, path })) })),
    ),
  ),

  get(
    `${overrides}/:id`,
    { can: 'read', returns: assignmentOverride, summary: 'Get an assignment override' },
    ({ course, path, id, ...call }) =>
      one(rows(assignment_overrides, { where: and(onAssignment(path), eq(assignment_overrides.id, id), seen(course, { ...call, path })) })),
  ),

  get(
    '/sections/:section_id/assignments/:assignment_id/override',
    { can: 'read', returns: assignmentOverride, summary: 'Get the override of an assignment for a section' },
    ({ course, section, ...call }) => overrideFor('CourseSection', section.id, course, call),
  ),

  get(
    '/groups/:group_id/assignments/:assignment_id/override',
    { can: 'read', returns: assignmentOverride, summary: 'Get the override of an assignment for a group' },
    ({ group: place, ...call }) => overrideFor('Group', place.id, found(place.course), call),
  ),

  post(
    overrides,
    { can: 'manage_assignments_edit', params: whole, returns: assignmentOverride, status: 201, summary: 'Create an assignment override' },
    async (call) => {
      const given = call.params.assignment_override ?? {};
      const ground = await readOverridePrecondition(call, call.course, assignmentOf(call.path), [given]);
      const made = mayBe(judgeNew(given, found(ground.assignments[0]).id, ground));
      const read = eq(assignment_overrides.id, made.kind === 'create' ? createdOverride(made) : sql`0`);
      return write(statementsOf(call, call.course, made), one(rows(assignment_overrides, { where: read })), conflicts);
    },
  ),

  put(
    `${overrides}/:id`,
    { can: 'manage_assignments_edit', params: whole, returns: assignmentOverride, summary: 'Update an assignment override' },
    async (call) => {
      const given = call.params.assignment_override ?? {};
      const ground = await readOverridePrecondition(call, call.course, assignmentOf(call.path), [given]);
      const made = mayBe(judgeChange(given, found(ground.overrides.find(({ id }) => id === call.id)), ground));
      return write(statementsOf(call, call.course, made), one(byIds([call.id])), conflicts);
    },
  ),

  del(
    `${overrides}/:id`,
    { can: 'manage_assignments_edit', returns: assignmentOverride, summary: 'Delete an assignment override' },
    async ({ db, course, path, id, now, ...call }) => {
      const [gone, named] = await db.perform([
        db.build
          .select()
          .from(assignment_overrides)
          .where(and(onAssignment(path), eq(assignment_overrides.id, id), seen(course, { ...call, path }))),
        namedBy(db, sql`select ${id}`),
      ]);
      const former = found(gone[0]);
      refuseClosedDates(course, datesOfOverride(former), now);
      const students = named.map((one) => one.user_id);
      return write(deleteOverrides(db, [id], now), answer(assignmentOverrideJson(former, students, contextZoneOf({ ...call, course }))));
    },
  ),

  get(
    batch,
    { can: 'read', params: pairs, returns: [assignmentOverride], summary: 'List overrides of several assignments' },
    async ({ db, course, params, path, ...call }) => {
      const wanted = params.assignment_overrides ?? [];
      if (wanted.length === 0) throw refuse('no assignment overrides values present');
      if (wanted.some((one) => one.id === undefined || one.assignment_id === undefined))
        throw refuse('must specify an override id and an assignment id');
      const ids = wanted.map((one) => one.id as number);
      const [present, named] = await db.perform([
        db.build
          .select()
          .from(assignment_overrides)
          .where(and(among(assignment_overrides.id, ids), seen(course, { ...call, path }))),
        namedBy(db, theIds(ids)),
      ]);
      return answer(
        wanted.map(({ id, assignment_id }) => {
          const row = present.find((one) => one.id === id && one.assignment_id === assignment_id);
          const students = named.filter((one) => one.assignment_override_id === id).map((one) => one.user_id);
          return row ? assignmentOverrideJson(row, students, contextZoneOf({ ...call, course })) : null;
        }),
      );
    },
  ),

  post(
    batch,
    { can: 'manage_assignments_edit', params: many, returns: [assignmentOverride], summary: 'Create several assignment overrides' },
    async (call) => {
      const given = call.params.assignment_overrides ?? [];
      if (given.length === 0) throw refuse('no assignment overrides values present');
      const ids = given.flatMap((one) => one.assignment_id ?? []);
      const ground = await readOverridePrecondition(call, call.course, theIds(ids), given);
      const made = mayAllBe(
        given.map((one) =>
          one.id === undefined
            ? judgeNew(one, one.assignment_id ?? 0, ground)
            : { kind: 'refused', errors: ['id must not be given for a new override'] },
        ),
      );
      const read = made.flatMap((one) => (one.kind === 'create' ? [createdOverride(one)] : []));
      return write(
        made.flatMap((one) => statementsOf(call, call.course, one)),
        all(rows(assignment_overrides, { where: sql`${assignment_overrides.id} in (${sql.join(read, sql`, `)})` })),
        conflicts,
      );
    },
  ),

  put(
    batch,
    { can: 'manage_assignments_edit', params: many, returns: [assignmentOverride], summary: 'Update several assignment overrides' },
    async (call) => {
      const given = call.params.assignment_overrides ?? [];
      if (given.length === 0) throw refuse('no assignment overrides values present');
      const ids = given.flatMap((one) => one.assignment_id ?? []);
      const ground = await readOverridePrecondition(call, call.course, theIds(ids), given);
      const made = mayAllBe(
        given.map((one): Judgement => {
          if (one.id === undefined) return { kind: 'refused', errors: ['must specify an override id'] };
          if (one.assignment_id === undefined) return { kind: 'refused', errors: ['must specify an assignment id'] };
          const row = ground.overrides.find(({ id, assignment_id }) => id === one.id && assignment_id === one.assignment_id);
          return row ? judgeChange(one, row, ground) : { kind: 'refused', errors: ['assignment override not found'] };
        }),
      );
      return write(
        made.flatMap((one) => statementsOf(call, call.course, one)),
        all(byIds(given.map((one) => one.id as number))),
        conflicts,
      );
    },
  ),
];
