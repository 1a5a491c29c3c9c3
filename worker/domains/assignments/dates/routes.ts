// Assignment dates: of one assignment, or of many in bulk.

import { bool, endTime, maybe, optional, time } from '@carrel/shared/wire/fields';
import { and, eq, sql } from 'drizzle-orm';
import { idOf } from '../../../contexts/references';
import { isInSectionLimit } from '../../../contexts/section_limit';
import { theIds } from '../../../database/ids';
import { get, put } from '../../../http/endpoint';
import { rows } from '../../../http/listing';
import { found, notFound } from '../../../http/problem';
import { answer, one, pageOfRows, write } from '../../../http/reply';
import { progressJson } from '../../progress/json';
import { progress } from '../../progress/table';
import { datesAfter, readBefore } from '../change_rules';
import { isClosedFor, movedDates, refuseClosedDates } from '../closed_periods';
import { valuesOf } from '../input';
import { overrideList } from '../overrides/input';
import { contextZoneOf } from '../overrides/json';
import { readOverridePrecondition } from '../overrides/precondition';
import { replaceAssignmentOverrides } from '../overrides/whole_set';
import { conflicts } from '../overrides/writes';
import { presentAssignments, visibleAssignments } from '../policy';
import { matesOf } from '../submissions/teams';
import { assignments } from '../table';
import { update } from '../writes';
import { judgeBulk, readSent } from './bulk';
import { dateDetails } from './json';

export const about = { title: 'Date details', description: 'All dates and overrides of one item.' };

const details = '/courses/:course_id/assignments/:assignment_id/date_details';

const editable = {
  due_at: optional(maybe(endTime)),
  unlock_at: optional(maybe(time)),
  lock_at: optional(maybe(endTime)),
  only_visible_to_overrides: optional(bool),
  assignment_overrides: optional(overrideList),
};

export const dateDetailsRoutes = [
  get(
    details,
    { can: 'manage_assignments_edit', returns: dateDetails, summary: 'Get the dates of an assignment' },
    ({ course, path, ...call }) =>
      one(
        rows(assignments, {
          where: and(visibleAssignments(course, { ...call, path }), sql`${assignments.id} = (${idOf('assignment', path.assignment_id)})`),
        }),
      ),
  ),

  put(
    details,
    {
      can: 'manage_assignments_edit',
      params: editable,
      returns: { json: null },
      status: 204,
      summary: 'Update the dates of an assignment',
    },
    async (call) => {
      const { course, params, path } = call;
      const sent = params.assignment_overrides;
      const { before, ground } = await readBefore(call, course, idOf('assignment', path.assignment_id), sent ?? [], {});
      const values = valuesOf(params, course, contextZoneOf(call), before);
      const dates = datesAfter(values, before);
      refuseClosedDates(course, movedDates(before.due_at, values.due_at), call.now);
      const overrides = sent ? replaceAssignmentOverrides(call, sent, ground, before.id, dates, sql`${before.id}`) : [];
      return write([...update(call, before.id, values, params), ...overrides], answer(null), conflicts);
    },
  ),

  put(
    '/courses/:course_id/assignments/bulk_update',
    { can: 'manage_assignments_edit', takesArray: true, returns: progressJson, summary: 'Update the dates of several assignments' },
    async (call) => {
      const { db, course, me, now, array } = call;
      const sent = readSent(array);
      const ground = await readOverridePrecondition(call, course, theIds(sent.map((one) => one.id as number)), []);
      const closed = (before: string | null, after: string | null | undefined) =>
        movedDates(before, after).some((due_at) => isClosedFor(course, due_at, now));
      const { changes, refusals } = judgeBulk(db, now, sent, ground, closed);
      const failed = refusals.length > 0;
      const work = {
        context_type: 'Course',
        context_id: course.id,
        user_id: me.id,
        tag: 'assignment_bulk_update',
        completion: 100,
        workflow_state: failed ? ('failed' as const) : ('completed' as const),
        results: failed ? refusals : { updated_count: changes.length },
        created_at: now,
        updated_at: now,
      };
      return write(
        [...(failed ? [] : changes.flat()), db.build.insert(progress).values(work)],
        one(rows(progress, { where: eq(progress.id, sql`last_insert_rowid()`) })),
      );
    },
  ),

  get(
    '/courses/:course_id/assignments/:assignment_id/users/:user_id/group_members',
    {
      can: ['manage_grades', 'view_all_grades'],
      returns: { json: null },
      summary: "List the members of a student's group in an assignment",
    },
    async ({ db, course, user, path }) => {
      const [there, members] = await db.perform([
        db.build
          .select({ id: assignments.id })
          .from(assignments)
          .where(
            and(
              eq(assignments.course_id, course.id),
              presentAssignments,
              sql`${assignments.id} = (${idOf('assignment', path.assignment_id)})`,
            ),
          ),
        db.build.all<{ id: number; name: string }>(
          sql`select users.id, users.name from assignments cross join users where assignments.id = (${idOf('assignment', path.assignment_id)})
            and (users.id = ${user.id} or users.id in (${matesOf(sql`${user.id}`)})) and ${isInSectionLimit(course, sql.raw('users.id')) ?? sql`1`} order by users.sort_name, users.id`,
        ),
      ]);
      found(there[0]);
      // The student may be in none of the sections of a section-restricted caller.
      if (!members.some(({ id }) => id === user.id)) throw notFound();
      return pageOfRows(members);
    },
  ),
];
