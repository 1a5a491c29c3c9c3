// The feed of each kind of person moves exactly as their GETs do, whatever is written.

import { expect, test } from 'vitest';
import { as, ground, ok } from '../support/api';
import { aCourse } from '../support/ground';
import { differences, mirrorOf, restView } from '../support/mirror';
import { upload } from '../support/upload';

/** A course with everybody in it, each with a mirror of the feed. */
async function aWatchedCourse() {
  const scene = await aCourse(ground);
  const admin = await ground.admin();
  const { teacher, ta, designer, student, student2, observer, stranger } = scene;
  const watchers = Object.entries({ teacher, ta, designer, student, student2, observer, stranger }).map(([part, person]) => ({
    part,
    person,
    mirror: mirrorOf(as(person)),
  }));
  return {
    ...scene,
    admin,
    /** Holds every feed against REST, and says what was written last. */
    async agree(after: string) {
      for (const { part, person, mirror } of watchers) {
        await mirror.catchUp();
        const rest = await restView(as(person), person, scene.course);
        // What REST has evaluated while it read reaches the feed too.
        await mirror.catchUp();
        expect(differences(mirror.view, rest), `${part}, after ${after}`).toEqual([]);
      }
    },
    seenBy: (part: string) => watchers.find((one) => one.part === part)?.mirror.view ?? new Map(),
  };
}

test('at first', async () => {
  const scene = await aWatchedCourse();
  await scene.agree('nothing');
  expect(scene.seenBy('student').has(`course ${scene.course.id}`)).toBe(true);
  expect(scene.seenBy('stranger').has(`course ${scene.course.id}`)).toBe(false);
});

test('assignments: published, moved by overrides, withdrawn', async () => {
  const scene = await aWatchedCourse();
  const { course, teacher, student } = scene;
  const at = `/courses/${course.id}`;
  await scene.agree('nothing');
  const essay = ok(
    await as(teacher).post(`${at}/assignments`, {
      assignment: { name: 'Essay', points_possible: 10, submission_types: ['online_text_entry'] },
    }),
    201,
  );
  await scene.agree('an unpublished assignment');
  expect(scene.seenBy('student').has(`assignment ${essay.id}`)).toBe(false);
  ok(await as(teacher).put(`${at}/assignments/${essay.id}`, { assignment: { published: true, due_at: '2026-12-01T12:00:00Z' } }));
  await scene.agree('publishing');
  expect(scene.seenBy('student').has(`assignment ${essay.id}`)).toBe(true);
  const override = ok(
    await as(teacher).post(`${at}/assignments/${essay.id}/overrides`, {
      assignment_override: { student_ids: [student.id], due_at: '2026-12-24T12:00:00Z' },
    }),
    201,
  );
  await scene.agree('an override');
  expect(scene.seenBy('student').get(`assignment ${essay.id}`)?.due_at).toBe('2026-12-24T12:00:00Z');
  expect(scene.seenBy('student2').get(`assignment ${essay.id}`)?.due_at).toBe('2026-12-01T12:00:00Z');
  ok(await as(teacher).put(`${at}/assignments/${essay.id}`, { assignment: { only_visible_to_overrides: true } }));
  await scene.agree('assigning it to one alone');
  expect(scene.seenBy('student2').has(`assignment ${essay.id}`)).toBe(false);
  ok(await as(teacher).del(`${at}/assignments/${essay.id}/overrides/${override.id}`));
  await scene.agree('taking the override back');
  ok(await as(teacher).post(`${at}/assignment_groups`, { name: 'Labs' }));
  ok(await as(teacher).del(`${at}/assignments/${essay.id}`));
  await scene.agree('deleting');
});

test('files and folders: uploaded, renamed, moved, hidden, locked, deleted', async () => {
  const scene = await aWatchedCourse();
  const { course, teacher, student } = scene;
  const at = `/courses/${course.id}`;
  await scene.agree('nothing');
  const file = await upload(teacher, `${at}/files`, { name: 'notes.txt' }, 'Notes');
  await scene.agree('an upload');
  const folder = ok(await as(teacher).post(`${at}/folders`, { name: 'Week 1', parent_folder_path: '/' }));
  await scene.agree('a folder');
  ok(await as(teacher).put(`/files/${file.id}`, { name: 'renamed.txt', parent_folder_id: folder.id }));
  await scene.agree('a rename and a move');
  ok(await as(teacher).put(`/folders/${folder.id}`, { locked: true }));
  await scene.agree('a locked folder');
  expect(scene.seenBy('student').has(`file ${file.id}`)).toBe(false);
  ok(await as(teacher).put(`/folders/${folder.id}`, { locked: false, name: 'Week one' }));
  await scene.agree('an unlocked folder');
  ok(await as(teacher).put(`/files/${file.id}`, { hidden: true }));
  await scene.agree('a hidden file');
  ok(await as(teacher).put(`/files/${file.id}`, { hidden: false, unlock_at: '2099-01-01T00:00:00Z' }));
  await scene.agree('a file that unlocks later');
  const copied = await as(teacher).post(`/folders/${folder.id}/copy_file`, { source_file_id: file.id, on_duplicate: 'rename' });
  ok(copied);
  await scene.agree('a copy');
  await upload(student, '/users/self/files', { name: 'mine.txt' }, 'Mine');
  await scene.agree('a file of one’s own');
  ok(await as(teacher).del(`/files/${file.id}`));
  await scene.agree('a deleted file');
  ok(await as(teacher).del(`/folders/${folder.id}`, { force: true }));
  await scene.agree('a deleted folder');
});

test('pages and modules: published, required, done, locked, relocked', async () => {
  const scene = await aWatchedCourse();
  const { course, teacher, student } = scene;
  const at = `/courses/${course.id}`;
  await scene.agree('nothing');
  const page = ok(await as(teacher).post(`${at}/pages`, { wiki_page: { title: 'Welcome', body: '<p>Hello</p>' } }));
  await scene.agree('an unpublished page');
  ok(await as(teacher).put(`${at}/pages/welcome`, { wiki_page: { published: true, title: 'Good day' } }));
  await scene.agree('publishing and renaming');
  const module = ok(await as(teacher).post(`${at}/modules`, { module: { name: 'Week 1' } }));
  const item = ok(
    await as(teacher).post(`${at}/modules/${module.id}/items`, {
      module_item: { type: 'Page', page_url: 'good-day', completion_requirement: { type: 'must_mark_done' } },
    }),
  );
  await scene.agree('a module');
  ok(await as(teacher).put(`${at}/modules/${module.id}`, { module: { published: true } }));
  await scene.agree('a published module');
  const next = ok(await as(teacher).post(`${at}/modules`, { module: { name: 'Week 2', prerequisite_module_ids: [module.id] } }));
  const second = ok(await as(teacher).post(`${at}/pages`, { wiki_page: { title: 'Second', body: '<p>Then</p>', published: true } }));
  ok(await as(teacher).post(`${at}/modules/${next.id}/items`, { module_item: { type: 'Page', page_url: second.url } }));
  ok(await as(teacher).put(`${at}/modules/${next.id}`, { module: { published: true } }));
  await scene.agree('a module behind another');
  ok(await as(student).put(`${at}/modules/${module.id}/items/${item.id}/done`));
  await scene.agree('a student’s mark');
  ok(await as(student).del(`${at}/modules/${module.id}/items/${item.id}/done`));
  await scene.agree('the mark taken back');
  ok(await as(teacher).put(`${at}/modules/${module.id}/relock`));
  await scene.agree('a relock');
  ok(await as(teacher).put(`${at}/modules/${module.id}`, { module: { unlock_at: '2099-01-01T00:00:00Z' } }));
  await scene.agree('a module that opens later');
  ok(await as(teacher).del(`${at}/modules/${next.id}`));
  ok(await as(teacher).del(`${at}/pages/${page.url === 'welcome' ? 'good-day' : page.url}`));
  await scene.agree('deleting both');
});

test('courses and enrollments: unpublished, concluded, dropped, invited', async () => {
  const scene = await aWatchedCourse();
  const { course, teacher, student, student2, stranger, admin, enrollment_ids } = scene;
  const at = `/courses/${course.id}`;
  await scene.agree('nothing');
  ok(await as(teacher).put(at, { course: { event: 'claim' } }));
  await scene.agree('unpublishing');
  expect(scene.seenBy('student').has(`course ${course.id}`)).toBe(false);
  ok(await as(teacher).put(at, { course: { event: 'offer', name: 'Renamed' } }));
  await scene.agree('publishing again');
  expect(scene.seenBy('student').get(`course ${course.id}`)?.name).toBe('Renamed');
  const invited = ok(await as(teacher).post(`${at}/enrollments`, { enrollment: { user_id: stranger.id, type: 'StudentEnrollment' } }));
  await scene.agree('an invitation');
  ok(await as(stranger).post(`${at}/enrollments/${invited.id}/accept`));
  await scene.agree('its acceptance');
  expect(scene.seenBy('stranger').has(`course ${course.id}`)).toBe(true);
  ok(await as(teacher).del(`${at}/enrollments/${invited.id}`, { task: 'delete' }));
  await scene.agree('a drop');
  expect(scene.seenBy('stranger').has(`course ${course.id}`)).toBe(false);
  ok(await as(teacher).del(`${at}/enrollments/${enrollment_ids.student2}`, { task: 'deactivate' }));
  await scene.agree('a deactivation');
  ok(await as(teacher).put(`${at}/enrollments/${enrollment_ids.student2}/reactivate`));
  await scene.agree('a reactivation');
  ok(await as(student).put(`/users/self/course_nicknames/${course.id}`, { nickname: 'Stars' }));
  await scene.agree('a nickname');
  expect(scene.seenBy('student').get(`course ${course.id}`)?.name).toBe('Stars');
  ok(await as(student2).post(`/users/self/favorites/courses/${course.id}`));
  await scene.agree('a favorite');
  ok(await as(teacher).del(at, { event: 'conclude' }));
  await scene.agree('the end of the course');
  ok(await as(admin).del(at, { event: 'delete' }));
  await scene.agree('its deletion');
});

test('work: handed in, commented, graded, read', async () => {
  const scene = await aWatchedCourse();
  const { course, teacher, student } = scene;
  const at = `/courses/${course.id}`;
  const essay = ok(
    await as(teacher).post(`${at}/assignments`, {
      assignment: { name: 'Essay', points_possible: 10, submission_types: ['online_text_entry'], published: true },
    }),
    201,
  );
  await scene.agree('an assignment');
  const one = `${at}/assignments/${essay.id}/submissions`;
  ok(await as(student).post(one, { submission: { submission_type: 'online_text_entry', body: '<p>Mine</p>' } }), 201);
  await scene.agree('a submission');
  ok(await as(teacher).put(`${one}/${student.id}`, { comment: { text_comment: 'Say more.' } }));
  await scene.agree('a comment');
  ok(await as(teacher).put(`${one}/${student.id}`, { submission: { posted_grade: '8' } }));
  await scene.agree('a grade');
  ok(await as(student).put(`${one}/${student.id}/read`), 204);
  await scene.agree('reading it');
});

test('words: topics, announcements, entries, threads', async () => {
  const scene = await aWatchedCourse();
  const { course, teacher, student, student2 } = scene;
  const topics = `/courses/${course.id}/discussion_topics`;
  await scene.agree('nothing');
  const topic = ok(await as(teacher).post(topics, { title: 'Life elsewhere', message: '<p>Argue.</p>' }));
  await scene.agree('an unpublished topic');
  ok(await as(teacher).put(`${topics}/${topic.id}`, { published: true }));
  await scene.agree('publishing');
  const entry = ok(await as(student).post(`${topics}/${topic.id}/entries`, { message: '<p>Yes</p>' }), 201);
  await scene.agree('an entry');
  ok(await as(student2).put(`${topics}/${topic.id}/entries/${entry.id}/read`), 204);
  await scene.agree('reading it');
  ok(await as(student2).put(`${topics}/${topic.id}/read_all`), 204);
  await scene.agree('reading all');
  const news = ok(await as(teacher).post(topics, { title: 'Clear skies', message: '<p>Friday.</p>', is_announcement: true }));
  await scene.agree('an announcement');
  ok(
    await as(teacher).post(topics, {
      title: 'Later',
      message: '<p>Soon.</p>',
      is_announcement: true,
      delayed_post_at: '2099-01-01T00:00:00Z',
    }),
  );
  await scene.agree('an announcement for later');
  ok(await as(teacher).del(`${topics}/${news.id}`));
  ok(await as(teacher).del(`${topics}/${topic.id}/entries/${entry.id}`));
  await scene.agree('deleting both');
  const [thread] = ok(await as(student).post('/conversations', { recipients: [teacher.id], body: 'A question' }), 201);
  await scene.agree('a message');
  ok(await as(teacher).post(`/conversations/${thread.id}/add_message`, { body: 'An answer' }));
  await scene.agree('its answer');
  ok(await as(student).put(`/conversations/${thread.id}`, { conversation: { workflow_state: 'archived', starred: true } }));
  await scene.agree('an archived thread');
  ok(await as(student).del(`/conversations/${thread.id}`));
  await scene.agree('a deleted thread');
});

test('plans: notes, marks, events', async () => {
  const scene = await aWatchedCourse();
  const { course, teacher, student } = scene;
  await scene.agree('nothing');
  const note = ok(await as(student).post('/planner_notes', { title: 'Read', todo_date: '2026-11-21T12:00:00Z' }), 201);
  await scene.agree('a note');
  ok(await as(student).put(`/planner_notes/${note.id}`, { title: 'Read more', course_id: course.id }));
  await scene.agree('a changed note');
  const mark = ok(
    await as(student).post('/planner/overrides', { plannable_type: 'planner_note', plannable_id: note.id, marked_complete: true }),
    201,
  );
  await scene.agree('a mark');
  ok(await as(student).put(`/planner/overrides/${mark.id}`, { marked_complete: false }));
  await scene.agree('a mark taken back');
  ok(await as(student).del(`/planner/overrides/${mark.id}`));
  ok(await as(student).del(`/planner_notes/${note.id}`));
  await scene.agree('deleting both');
  const seminar = ok(
    await as(teacher).post('/calendar_events', {
      calendar_event: { context_code: `course_${course.id}`, title: 'Seminar', start_at: '2026-11-24T10:00:00Z' },
    }),
    201,
  );
  await scene.agree('an event of the course');
  ok(
    await as(teacher).put(`/calendar_events/${seminar.id}`, {
      calendar_event: { title: 'Seminar, moved', start_at: '2026-11-25T10:00:00Z' },
    }),
  );
  await scene.agree('a moved event');
  ok(
    await as(student).post('/calendar_events', {
      calendar_event: { context_code: `user_${student.id}`, title: 'Dentist', start_at: '2026-11-24T08:00:00Z' },
    }),
    201,
  );
  await scene.agree('an event of one’s own');
  ok(await as(teacher).del(`/calendar_events/${seminar.id}`));
  await scene.agree('a deleted event');
});
