// For every role the feed agrees with GET requests while content changes.

import { expect, test } from 'vitest';
import { as, ok } from '../support/api';
import { upload } from '../support/upload';
import { aWatchedCourse } from '../support/watched_course';

test('files and folders: uploaded, renamed, moved, hidden, locked, deleted', async () => {
  const scene = await aWatchedCourse(['teacher', 'student', 'observer', 'stranger']);
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
  await scene.agree('a personal file');
  ok(await as(teacher).del(`/files/${file.id}`));
  await scene.agree('a deleted file');
  ok(await as(teacher).del(`/folders/${folder.id}`, { force: true }));
  await scene.agree('a deleted folder');
});

test('pages and modules: published, required, done, locked, relocked', async () => {
  const scene = await aWatchedCourse(['teacher', 'student', 'observer']);
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
  await scene.agree('the mark removed');
  ok(await as(teacher).put(`${at}/modules/${module.id}/relock`));
  await scene.agree('a relock');
  ok(await as(teacher).put(`${at}/modules/${module.id}`, { module: { unlock_at: '2099-01-01T00:00:00Z' } }));
  await scene.agree('a module that opens later');
  ok(await as(teacher).del(`${at}/modules/${next.id}`));
  ok(await as(teacher).del(`${at}/pages/${page.url === 'welcome' ? 'good-day' : page.url}`));
  await scene.agree('deleting both');
});

test('planner: notes, marks, events', async () => {
  const scene = await aWatchedCourse(['teacher', 'student', 'stranger']);
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
  await scene.agree('a mark removed');
  ok(await as(student).del(`/planner/overrides/${mark.id}`));
  ok(await as(student).del(`/planner_notes/${note.id}`));
  const keep = async (name: string, more: object = {}) =>
    ok(await as(student).post('/users/self/bookmarks', { name, url: `/${name}`, ...more }));
  const [first, second] = [await keep('first'), await keep('second', { position: 1, data: { color: 'red' } })];
  await scene.agree('bookmarks');
  expect([first, second].map(({ id }) => scene.seenBy('student').get(`bookmark ${id}`)?.position)).toEqual([2, 1]);
  ok(await as(student).put(`/users/self/bookmarks/${first.id}`, { name: 'First', position: 1 }));
  ok(await as(student).del(`/users/self/bookmarks/${second.id}`));
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
  await scene.agree('a personal event');
  ok(await as(teacher).del(`/calendar_events/${seminar.id}`));
  await scene.agree('a deleted event');
  const lab = ok(
    await as(teacher).post('/calendar_events', {
      calendar_event: { context_code: `course_${course.id}`, title: 'Lab', start_at: '2026-11-24T10:00:00Z', rrule: 'FREQ=DAILY;COUNT=4' },
    }),
    201,
  );
  await scene.agree('a series');
  const third = lab.duplicates[1].calendar_event.id;
  ok(await as(teacher).put(`/calendar_events/${third}`, { which: 'following', calendar_event: { start_at: '2026-11-26T12:00:00Z' } }));
  await scene.agree('a series split');
  ok(await as(teacher).del(`/calendar_events/${lab.id}`, { which: 'all' }));
  await scene.agree('a deleted series');
  const talks = ok(
    await as(teacher).post('/appointment_groups', {
      appointment_group: {
        context_codes: [`course_${course.id}`],
        publish: true,
        new_appointments: [['2035-05-01T09:00:00Z', '2035-05-01T10:00:00Z']],
      },
    }),
    201,
  );
  const held = ok(await as(student).post(`/calendar_events/${talks.new_appointments[0].id}/reservations`, {}));
  await scene.agree('an appointment');
  ok(await as(student).del(`/calendar_events/${held.id}`));
  ok(await as(teacher).post(`/calendar_events/${talks.new_appointments[0].id}/reservations/${student.id}`, {}));
  await scene.agree('an appointment cancelled, and another');
  ok(await as(teacher).del(`/appointment_groups/${talks.id}`));
  await scene.agree('a deleted appointment group');
});
