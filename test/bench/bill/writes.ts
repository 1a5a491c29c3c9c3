// The writes of a day, of students and of teachers.

import { content, measuredCourses } from '../measured';
import { type Action, accepted, type BillScene, uploadMegabyte } from './scene';

const assignmentOf = (scene: BillScene, nth: number, which: number): number => scene.inCourse(nth, 'assignments', 'assignments') + which;
/** Even topics are discussions. */
const topicOf = (scene: BillScene, nth: number): string =>
  `/courses/${scene.courseOf(nth)}/discussion_topics/${scene.inCourse(nth, 'topics', 'discussion_topics') + 2}`;

async function submitFile(scene: BillScene, nth: number, place: number): Promise<void> {
  const path = `/courses/${scene.courseOf(nth)}/assignments/${assignmentOf(scene, nth, place)}/submissions`;
  const id = await uploadMegabyte(scene.student(nth), `${path}/self/files`, `essay-${place}-${nth}.pdf`);
  accepted(await scene.student(nth).post(path, { submission: { submission_type: 'online_upload', file_ids: [id] } }));
}

export const studentWrites = {
  submit_text: (scene: BillScene): Action => ({
    notifies: true,
    run: async (nth) =>
      accepted(
        await scene.student(nth).post(`/courses/${scene.courseOf(nth)}/assignments/${assignmentOf(scene, nth, 20)}/submissions`, {
          submission: { submission_type: 'online_text_entry', body: '<p>What I think of it, in some sentences.</p>'.repeat(20) },
        }),
      ),
  }),
  submit_file: (scene: BillScene): Action => ({
    async prepare() {
      for (let nth = 0; nth < measuredCourses; nth++)
        for (const place of [19, 21])
          accepted(
            await scene.teacher.put(`/courses/${scene.courseOf(nth)}/assignments/${assignmentOf(scene, nth, place)}`, {
              assignment: { submission_types: ['online_upload'] },
            }),
          );
      // The first file of a student in a course creates a folder: 12 courses and 28 files a year.
      for (const nth of [0, 2, 4, 6]) await submitFile(scene, nth, 19);
    },
    run: (nth) => submitFile(scene, nth, 21),
  }),
  discussion_entry: (scene: BillScene): Action => ({
    notifies: true,
    run: async (nth) =>
      accepted(await scene.student(nth).post(`${topicOf(scene, nth)}/entries`, { message: `<p>I think so, too, ${nth}.</p>` })),
  }),
  topic_read: (scene: BillScene): Action => ({ run: async (nth) => accepted(await scene.student(nth).put(`${topicOf(scene, nth)}/read`)) }),
  item_done: (scene: BillScene): Action => ({
    run: async (nth) => {
      const course = nth % measuredCourses;
      const module_ = scene.at('modules') + course * content.modules;
      const item = scene.at('module_items') + course * content.modules * content.items;
      accepted(await scene.student(nth).post(`/courses/${scene.courseOf(nth)}/modules/${module_}/items/${item}/mark_read`));
    },
  }),
  planner_mark: (scene: BillScene): Action => ({
    run: async (nth) =>
      accepted(
        await scene.student(nth).post('/planner/overrides', {
          plannable_type: 'assignment',
          plannable_id: assignmentOf(scene, nth, 22),
          marked_complete: true,
        }),
      ),
  }),
  planner_note: (scene: BillScene): Action => ({
    run: async (nth) =>
      accepted(await scene.student(nth).post('/planner_notes', { title: `Read chapter ${nth}`, todo_date: '2026-11-20T12:00:00Z' })),
  }),
  message: (scene: BillScene): Action => ({
    notifies: true,
    run: async (nth) =>
      accepted(
        await scene.student(nth).post('/conversations', {
          recipients: [scene.at('users')],
          body: `When is the test, and what is it about? ${nth}`,
          context_code: `course_${scene.courseOf(nth)}`,
        }),
      ),
  }),
  conversation_read: (scene: BillScene): Action => {
    const ids: number[] = [];
    return {
      async prepare() {
        for (let nth = 0; nth <= 8; nth++) {
          const body = { recipients: [scene.idOf(nth)], body: 'On Monday.', force_new: true };
          ids.push(accepted(await scene.teacher.post('/conversations', body))[0].id);
        }
      },
      run: async (nth) => accepted(await scene.student(nth).get(`/conversations/${ids[nth]}`)),
    };
  },
};

export const teacherWrites = {
  grade: (scene: BillScene): Action => ({
    notifies: true,
    run: async (nth) =>
      accepted(
        await scene.teacher.put(
          `/courses/${scene.courseOf(nth)}/assignments/${assignmentOf(scene, nth, 20)}/submissions/${scene.idOf(nth)}`,
          { submission: { posted_grade: '8' } },
        ),
      ),
  }),
  comment: (scene: BillScene): Action => ({
    notifies: true,
    run: async (nth) =>
      accepted(
        await scene.teacher.put(
          `/courses/${scene.courseOf(nth)}/assignments/${assignmentOf(scene, nth, 20)}/submissions/${scene.idOf(nth)}`,
          { comment: { text_comment: 'Well done.' } },
        ),
      ),
  }),
  page_edited: (scene: BillScene): Action => ({
    run: async (nth) =>
      accepted(
        await scene.teacher.put(`/courses/${scene.courseOf(nth)}/pages/page-5`, {
          wiki_page: { body: `<p>${'The text of a page. '.repeat(100)} ${nth}</p>` },
        }),
      ),
  }),
  assignment_edited: (scene: BillScene): Action => ({
    notifies: true,
    run: async (nth) =>
      accepted(
        await scene.teacher.put(`/courses/${scene.courseOf(nth)}/assignments/${assignmentOf(scene, nth, 23)}`, {
          assignment: { due_at: `2026-12-${String(1 + (nth % 20)).padStart(2, '0')}T12:00:00Z` },
        }),
      ),
  }),
  announcement: (scene: BillScene): Action => ({
    notifies: true,
    run: async (nth) =>
      accepted(
        await scene.teacher.post(`/courses/${scene.courseOf(nth)}/discussion_topics`, {
          title: `News ${nth}`,
          message: '<p>The lecture of Monday is on Tuesday.</p>',
          is_announcement: true,
        }),
      ),
  }),
  event_created: (scene: BillScene): Action => ({
    notifies: true,
    run: async (nth) =>
      accepted(
        await scene.teacher.post('/calendar_events', {
          calendar_event: {
            context_code: `course_${scene.courseOf(nth)}`,
            title: 'Excursion',
            start_at: '2026-12-01T08:00:00Z',
            end_at: '2026-12-01T10:00:00Z',
          },
        }),
      ),
  }),
  teacher_upload: (scene: BillScene): Action => ({
    run: (nth) => uploadMegabyte(scene.teacher, `/courses/${scene.courseOf(nth)}/files`, `lecture-${nth}.pdf`),
  }),
  enrolled: (scene: BillScene): Action => ({
    notifies: true,
    run: async (nth) =>
      accepted(
        await scene.admin.post(`/courses/${scene.courseOf(nth)}/enrollments`, {
          enrollment: { user_id: scene.at('users') + 3 + nth * 31, type: 'StudentEnrollment', enrollment_state: 'active' },
        }),
      ),
  }),
};
