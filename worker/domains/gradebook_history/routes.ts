// The history of a gradebook: every endpoint, in the order of the API reference. It is read from the grade-change log.

import { HistoryDay, HistoryGrader, SubmissionGradeHistory, SubmissionVersion } from '@carrel/shared/resources/gradebook_history';
import { cut, type Resource } from '@carrel/shared/resources/resource';
import { bool, idField, optional } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import { readId } from '../../contexts/references';
import { get } from '../../http/endpoint';
import { badParameter, found, notFound } from '../../http/problem';
import { judged } from '../../http/reply';
import { userZoneOf } from '../calendar_events/window';
import { gradeChangesPage } from '../grade_changes/log_page';
import { type DatedChange, daysOf, gradersIn, historyDayOf, spanOfDay } from './day';
import { datedChange, submissionHistory, submissionVersion } from './json';

export const about = {
  title: 'Gradebook history',
  description: 'The grades of a course by day, grader and assignment, and as of each change.',
};

const base = '/courses/:course_id/gradebook_history';
const can = 'manage_grades';

/** @throws Problem 400 for what is no date */
function dateIn(given: string): string {
  const date = historyDayOf(given);
  if (date === undefined) throw badParameter('date', 'is not a date');
  return date;
}

/** The changes of a page whose assignment exists. */
const dated = (page: readonly unknown[]) => (page as readonly DatedChange[]).filter(({ assignment }) => assignment !== undefined);

/** Without what is hidden, and each submission once. */
const shown = (resource: Resource) => (page: readonly unknown[]) =>
  (page as readonly { readonly is_hidden: boolean }[]).filter(({ is_hidden }) => !is_hidden).map((one) => cut(resource, one));

/** 0 for grades that the service gave. */
function graderIn(given: string): number | null {
  const id = given === '0' ? null : readId(given);
  if (id === undefined) throw notFound();
  return id;
}

export const gradebookHistoryRoutes = [
  get(`${base}/days`, { can, returns: { json: HistoryDay }, summary: 'List days with grade changes' }, (call) =>
    gradeChangesPage(call, {
      of: { course_id: call.course.id },
      serializerOf: datedChange,
      wrap: (page) => daysOf(dated(page), userZoneOf(call)),
    }),
  ),

  get(
    `${base}/feed`,
    {
      can,
      params: { assignment_id: optional(idField('assignment')), user_id: optional(idField('user')), ascending: optional(bool) },
      returns: { json: SubmissionVersion },
      summary: 'List submission versions',
    },
    (call) =>
      gradeChangesPage(call, {
        of: { course_id: call.course.id, assignment_id: call.params.assignment_id, student_id: call.params.user_id },
        isAscending: call.params.ascending,
        serializerOf: submissionVersion,
        wrap: shown(SubmissionVersion),
      }),
  ),

  get(`${base}/:date`, { can, returns: { json: HistoryGrader }, summary: 'List graders of a day' }, (call) =>
    gradeChangesPage(call, {
      of: { course_id: call.course.id },
      ...spanOfDay(dateIn(call.path.date), userZoneOf(call)),
      serializerOf: datedChange,
      wrap: (page) => gradersIn(dated(page)),
    }),
  ),

  get(
    `${base}/:date/graders/:grader_id/assignments/:assignment_id/submissions`,
    { can, returns: { json: SubmissionGradeHistory }, summary: 'List submissions graded on a day' },
    (call) => {
      const { course, path } = call;
      const [assignment_id, grader_id] = [readId(path.assignment_id), graderIn(path.grader_id)];
      if (assignment_id === undefined) throw notFound();
      const span = spanOfDay(dateIn(path.date), userZoneOf(call));
      const isLast = sql`not exists (select 1 from grade_changes later where later.submission_id = grade_changes.submission_id and later.version_number > grade_changes.version_number
        and later.grader_id is grade_changes.grader_id and later.is_posting = 0 and later.created_at <= ${span.end_time})`;
      return judged(
        call.db.build.all<{ id: number }>(
          sql`select a.id from assignments a where a.id = ${assignment_id} and a.course_id = ${course.id} and a.workflow_state <> 'deleted'`,
        ),
        ([assignment]) => {
          found(assignment);
        },
        gradeChangesPage(call, {
          of: { course_id: course.id, assignment_id, grader_id },
          ...span,
          where: isLast,
          serializerOf: submissionHistory,
          wrap: shown(SubmissionGradeHistory),
        }),
      );
    },
  ),
];
