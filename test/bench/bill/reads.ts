// The reads of a day: the common endpoints, each by different students and in different courses.

import { type Action, accepted, type BillScene } from './scene';

/** A read by different students, in different courses. */
const read =
  (path: (scene: BillScene, nth: number) => string, query: object = {}) =>
  (scene: BillScene): Action => ({ times: 12, run: async (nth) => accepted(await scene.student(nth).get(path(scene, nth), query)) });

const planned = { start_date: '2026-11-01', end_date: '2026-11-20' };

const pathOfPage = (scene: BillScene, nth: number): string => `/courses/${scene.courseOf(nth)}/pages/page-${1 + (nth % 20)}`;

export const reads = {
  courses: read(() => '/courses'),
  planner_items: read(() => '/planner/items', planned),
  todo: read(() => '/users/self/todo'),
  activity_stream: read(() => '/users/self/activity_stream'),
  upcoming_events: read(() => '/users/self/upcoming_events'),
  unread_count: read(() => '/conversations/unread_count'),
  conversations: read(() => '/conversations', { per_page: 20 }),
  course: read((scene, nth) => `/courses/${scene.courseOf(nth)}`),
  modules: read((scene, nth) => `/courses/${scene.courseOf(nth)}/modules`, { include: ['items'], per_page: 50 }),
  assignments: read((scene, nth) => `/courses/${scene.courseOf(nth)}/assignments`, { include: ['submission'], per_page: 50 }),
  assignment_groups: read((scene, nth) => `/courses/${scene.courseOf(nth)}/assignment_groups`, { include: ['assignments', 'submission'] }),
  assignment: read((scene, nth) => `/courses/${scene.courseOf(nth)}/assignments/${scene.inCourse(nth, 'assignments', 'assignments')}`),
  /** The first time, it fulfils a requirement of a module. */
  page_first: read((scene, nth) => pathOfPage(scene, nth)),
  /** The same pages by the same students again. */
  page: read((scene, nth) => pathOfPage(scene, nth)),
  announcements: read((scene, nth) => `/courses/${scene.courseOf(nth)}/discussion_topics`, { only_announcements: true }),
  topic_view: read(
    (scene, nth) => `/courses/${scene.courseOf(nth)}/discussion_topics/${scene.inCourse(nth, 'topics', 'discussion_topics')}/view`,
  ),
  files: read((scene, nth) => `/courses/${scene.courseOf(nth)}/files`, { per_page: 50 }),
  calendar_events: (scene: BillScene): Action => ({
    times: 12,
    run: async (nth) =>
      accepted(await scene.student(nth).get('/calendar_events', { ...planned, context_codes: [`course_${scene.courseOf(nth)}`] })),
  }),
  gradebook: (scene: BillScene): Action => ({
    run: async (nth) =>
      accepted(await scene.teacher.get(`/courses/${scene.courseOf(nth)}/students/submissions`, { student_ids: ['all'], per_page: 100 })),
  }),
  roster: (scene: BillScene): Action => ({
    run: async (nth) =>
      accepted(await scene.teacher.get(`/courses/${scene.courseOf(nth)}/users`, { include: ['enrollments', 'email'], per_page: 50 })),
  }),
};
