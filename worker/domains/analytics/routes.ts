// Analytics of a course and its students: every endpoint, in the order of the API reference.

import { CourseActivity, StudentActivity } from '@carrel/shared/resources/analytics';
import { bool, choice, idField, optional } from '@carrel/shared/wire/fields';
import { get } from '../../http/endpoint';
import { found } from '../../http/problem';
import { all, answer, judged, list } from '../../http/reply';
import { accountAnalyticsRoutes } from './account_routes';
import { courseActivity, studentActivity } from './activity';
import { assignmentAnalytics, courseAssignments, studentAssignment, studentAssignments } from './assignments';
import { studentCommunication } from './communication';
import { maySeeStudent, thatStudent } from './policy';
import { studentSummary, summaries, summarySorts } from './summaries';

export const about = {
  title: 'Analytics',
  description: 'Activity, grades and punctuality of courses, students and accounts. Figures are computed in the background.',
};

const base = '/courses/:course_id/analytics';
const ofStudent = `${base}/users/:user_id` as const;

export const analyticsRoutes = [
  get(
    `${base}/activity`,
    { can: 'view_analytics', returns: { json: CourseActivity }, summary: 'List the activity of a course by day' },
    async ({ db, course }) => {
      const [days] = await db.perform([courseActivity(db, course.id)]);
      return answer(days);
    },
  ),

  get(
    `${base}/assignments`,
    {
      can: 'view_analytics',
      // Accepted without effect: the figures are stored, so the list is never computed in the background.
      params: { async: optional(bool) },
      returns: [assignmentAnalytics],
      summary: 'List the figures of the assignments of a course',
    },
    (call) => all(courseAssignments({ ...call, user: undefined })),
  ),

  get(
    `${base}/student_summaries`,
    {
      can: 'view_analytics',
      params: { sort_column: choice(...summarySorts), student_id: optional(idField('user')) },
      returns: [studentSummary],
      summary: 'List activity summaries of the students of a course',
    },
    (call) => list(summaries(call)),
  ),

  get(
    `${ofStudent}/activity`,
    { can: maySeeStudent, returns: { json: StudentActivity }, summary: 'Get the activity of a student in a course' },
    async (call) => answer(await studentActivity(call)),
  ),

  get(
    `${ofStudent}/assignments`,
    { can: maySeeStudent, returns: [studentAssignment], summary: 'List the assignments of a student with their figures' },
    (call) =>
      judged(
        call.db.build.all<{ user_id: number }>(thatStudent(call.course, call.user.id, call)),
        ([seen]) => {
          found(seen);
        },
        all(studentAssignments(call)),
      ),
  ),

  get(
    `${ofStudent}/communication`,
    { can: maySeeStudent, returns: { json: null }, summary: 'Get the messages between a student and the instructors by day' },
    async (call) => answer(await studentCommunication(call)),
  ),

  ...accountAnalyticsRoutes,
];
