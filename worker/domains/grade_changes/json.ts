// Grade changes as clients see them: a page of events with their linked objects (reference 06 §12.2).

import { LinkedGradeChangeEvent } from '@carrel/shared/resources/grade_change_event';
import { type SQL, sql } from 'drizzle-orm';
import { isInSelect } from '../../database/ids';
import type { Call } from '../../http/call';
import { type RowOf, rows } from '../../http/listing';
import { embed, serializer } from '../../http/serializer';
import { when } from '../../http/when';
import { isAnonymisedSql } from '../../rules/anonymous_grading';
import { assignment } from '../assignments/json';
import { assignments } from '../assignments/table';
import type { NamedIds } from '../audit/archived';
import { compound } from '../audit/compound';
import { courseOfAccount } from '../courses/json';
import { courses } from '../courses/table';
import { user } from '../users/json';
import { users } from '../users/table';
import { grade_changes } from './table';

type ChangeRow = RowOf<typeof grade_changes>;

/** The values of a column among changes of the table. */
export const changesNamed: NamedIds = (ids, column) =>
  sql`select distinct ${sql.raw(column)} from grade_changes where ${isInSelect(grade_changes.id, ids)}`;

/** Those of the assignments whose students are anonymous to the caller. Without a course, only administrators read the log. */
export const anonymousAmong = (ids: SQL, { db, course }: Call) =>
  db.build.all<{ id: number }>(
    sql`select a.id from assignments a where a.id in (${ids}) and ${course ? isAnonymisedSql('a', course) : sql`0`}`,
  );

const gradesNow = (ids: SQL, { db }: Call) =>
  db.build.all<{ id: number; grade: string | null }>(sql`select s.id, s.grade from submissions s where s.id in (${ids})`);

const textOf = (id: number | null) => (id === null ? null : String(id));

export const linkedGradeChange = (named: NamedIds = changesNamed) =>
  serializer({
    resource: LinkedGradeChangeEvent,
    table: grade_changes,
    also: (ids, call) => ({
      anonymous: anonymousAmong(named(ids, 'assignment_id'), call),
      current: when(call.include.has('current_grade'), gradesNow(named(ids, 'submission_id'), call)),
      assignments: embed(assignment, rows(assignments, { where: isInSelect(assignments.id, named(ids, 'assignment_id')) })),
      courses: embed(courseOfAccount, rows(courses, { where: isInSelect(courses.id, named(ids, 'course_id')) })),
      users: embed(user, rows(users, { where: sql`${users.id} in (${named(ids, 'student_id')} union ${named(ids, 'grader_id')})` })),
    }),
    json(row: ChangeRow, _call, found) {
      const student = found.anonymous.some(({ id }) => id === row.assignment_id) ? null : row.student_id;
      const of = (list: readonly { row: { id: number }; json: object }[], ...wanted: (number | null)[]) =>
        list.filter((one) => wanted.includes(one.row.id)).map(({ json }) => json);
      return {
        id: String(row.id),
        created_at: row.created_at,
        event_type: 'grade_change',
        grade_before: row.grade_before,
        grade_after: row.grade_after,
        grade_current: found.current && (found.current.find(({ id }) => id === row.submission_id)?.grade ?? 'N/A'),
        excused_before: row.excused_before,
        excused_after: row.excused_after,
        graded_anonymously: row.graded_anonymously,
        points_possible_before: row.points_possible_before,
        points_possible_after: row.points_possible_after,
        version_number: row.version_number,
        course_override_grade: when(row.assignment_id === null, true),
        links: {
          assignment: row.assignment_id,
          course: row.course_id,
          student: textOf(student),
          grader: textOf(row.grader_id),
          page_view: null,
        },
        linked: {
          assignments: of(found.assignments, row.assignment_id),
          courses: of(found.courses, row.course_id),
          users: of(found.users, student, row.grader_id),
        },
      };
    },
  });

/** The compound object of a page. */
export const gradeChangeCompound = (origin: string) =>
  compound(
    {
      'events.assignment': `${origin}/api/v1/courses/{events.course}/assignments/{events.assignment}`,
      'events.course': `${origin}/api/v1/courses/{events.course}`,
      'events.student': { href: null, type: 'user' },
      'events.grader': { href: null, type: 'user' },
      'events.page_view': null,
    },
    ['assignments', 'courses', 'users'],
  );
