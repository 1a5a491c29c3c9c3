// Which writes queue which notifications: once, for the change that matters, and never for a write that changes nothing.

import { env } from 'cloudflare:test';
import { newMeter, open } from '@carrel/worker/database/open';
import { syncBlueprint } from '@carrel/worker/domains/blueprint_templates/job';
import { copyCourse } from '@carrel/worker/domains/course_copy/job';
import { postDueTopics } from '@carrel/worker/domains/discussion_topics/writes';
import { publishDuePages } from '@carrel/worker/rules/pages/rows';
import { beforeAll, expect, test } from 'vitest';
import { as, ground, ok } from '../support/api';
import { aCourse, type Person } from '../support/ground';
import { upload } from '../support/upload';

// biome-ignore lint/suspicious/noExplicitAny: tests read responses untyped.
type Told = any;

let scene: Awaited<ReturnType<typeof aCourse>>;
let admin: Person;
let at: string;

beforeAll(async () => {
  scene = await aCourse(ground, { name: 'Botany' });
  admin = await ground.admin();
  at = `/courses/${scene.course.id}`;
});

const good = async (answer: ReturnType<ReturnType<typeof as>['get']>): Promise<Told> => {
  const got = await answer;
  expect(got.status, JSON.stringify(got.body)).toBeLessThan(300);
  return got.body;
};

const post = (path: string, body: object) => good(as(scene.teacher).post(path, body));
const put = (path: string, body: object, options = {}) => good(as(scene.teacher).put(path, body, options));

/** What the writes queue: the names of the notifications, in alphabetical order. */
async function queued(...writes: Promise<unknown>[]): Promise<string[]> {
  await Promise.all(writes);
  const { results } = await env.DB.prepare('select notification from notification_queue order by notification, item_id').all<{
    notification: string;
  }>();
  await env.DB.exec('delete from notification_queue');
  return results.map(({ notification }) => notification);
}

const later = '2031-01-01T00:00:00Z';
const chore = async (statements: typeof publishDuePages) => {
  const db = open(env.DB as never, newMeter(), 'first-primary');
  await db.perform(statements(db, '2031-01-02T00:00:00Z'));
};

test('assignments notify when they are published and when due date, name, description or points change', async () => {
  const essay = await post(`${at}/assignments`, { assignment: { name: 'Essay' } });
  const change = (assignment: object) => queued(put(`${at}/assignments/${essay.id}`, { assignment }));
  const bulk = (due_at: string) =>
    queued(put(`${at}/assignments/bulk_update`, [{ id: essay.id, all_dates: [{ base: true, due_at }] }], { json: true }));
  expect(await queued()).toEqual([]);
  expect(await change({ name: 'Long essay' })).toEqual([]);
  expect(await change({ published: true })).toEqual(['assignment_created']);
  expect(await change({ published: true, name: 'Long essay' })).toEqual([]);
  expect(await change({ due_at: later, points_possible: 5 })).toEqual(['assignment_changed', 'assignment_due_date_changed']);
  expect(await change({ due_at: later, points_possible: 5 })).toEqual([]);
  expect(await bulk('2031-02-01T10:00:00Z')).toEqual(['assignment_due_date_changed']);
  expect(await bulk('2031-02-01T10:00:00Z')).toEqual([]);
  expect(await queued(put(`/calendar_events/assignment_${essay.id}`, { calendar_event: { start_at: later } }))).toEqual([
    'assignment_due_date_changed',
  ]);
  expect(await change({ published: false })).toEqual([]);
  expect(await queued(post(`${at}/assignments`, { assignment: { name: 'Two', published: true } }))).toEqual(['assignment_created']);
  expect(
    await queued(...[1, 2].map(() => put(`${at}/assignments/${essay.id}`, { assignment: { published: true, points_possible: 9 } }))),
  ).toEqual(['assignment_created']);
});

test('an edit with `notify_of_update=false` notifies no one, a publication does', async () => {
  const quiz = await post(`${at}/quizzes`, { quiz: { title: 'Leaves', published: true } });
  const practice = await post(`${at}/quizzes`, { quiz: { title: 'Roots', quiz_type: 'practice_quiz', published: true } });
  await queued();
  const edit = (given: object, id = quiz.id) => queued(put(`${at}/quizzes/${id}`, { quiz: given }));
  const change = (assignment: object) => queued(put(`${at}/assignments/${quiz.assignment_id}`, { assignment }));
  expect(await edit({ title: 'Leaves and stems' })).toEqual(['assignment_changed']);
  expect(await edit({ description: 'All of them', due_at: later, notify_of_update: true })).toEqual([
    'assignment_changed',
    'assignment_due_date_changed',
  ]);
  expect(await edit({ title: 'Leaves', due_at: null, notify_of_update: false })).toEqual([]);
  expect(await change({ name: 'Stems', notify_of_update: false })).toEqual([]);
  expect(await change({ name: 'Leaves' })).toEqual(['assignment_changed']);
  expect(await edit({ published: false })).toEqual([]);
  expect(await edit({ title: 'Twigs', published: true, notify_of_update: false })).toEqual(['assignment_created']);
  // Only what is graded notifies.
  expect(await edit({ title: 'All roots', notify_of_update: true }, practice.id)).toEqual([]);
});

test('topics, graded discussions, replies and announcements', async () => {
  const { student } = scene;
  const topic = (given: object) => post(`${at}/discussion_topics`, { title: 'Trees', message: 'm', ...given });
  const change = (id: number, given: object) => queued(put(`${at}/discussion_topics/${id}`, given));
  const draft = await topic({ published: false });
  const graded = await topic({ published: false, assignment: { points_possible: 3 } });
  expect(await queued()).toEqual([]);
  expect(await change(draft.id, { published: true })).toEqual(['new_discussion_topic']);
  expect(await change(draft.id, { title: 'Shrubs' })).toEqual([]);
  expect(await change(graded.id, { published: true })).toEqual(['assignment_created', 'new_discussion_topic']);
  expect(await change(graded.id, { message: 'Argue' })).toEqual(['assignment_changed']);
  expect(await change(graded.id, { message: 'Argue' })).toEqual([]);
  expect(await change(graded.id, { assignment: { points_possible: 4 } })).toEqual(['assignment_changed']);
  expect(await change(graded.id, { published: false })).toEqual([]);
  expect(await queued(put(`${at}/assignments/${graded.assignment_id}`, { assignment: { published: true } }))).toEqual([
    'assignment_created',
    'new_discussion_topic',
  ]);
  expect(await queued(put(`${at}/assignments/${graded.assignment_id}`, { assignment: { name: 'Debate' } }))).toEqual([
    'assignment_changed',
  ]);
  expect(await queued(topic({ published: true, assignment: { points_possible: 3 } }))).toEqual([
    'assignment_created',
    'new_discussion_topic',
  ]);
  expect(await change(draft.id, { assignment: { points_possible: 2 } })).toEqual(['assignment_created']);
  expect(await change(draft.id, { assignment: { set_assignment: false } })).toEqual([]);
  expect(await queued(topic({ is_announcement: true }))).toEqual(['new_announcement']);
  expect(await queued(topic({ is_announcement: true, delayed_post_at: later }), topic({ delayed_post_at: later }))).toEqual([]);
  expect(await queued(chore(postDueTopics))).toEqual(['new_announcement']);
  expect(await queued(good(as(student).post(`${at}/discussion_topics/${draft.id}/entries`, { message: 'Hello' })))).toEqual([
    'new_discussion_entry',
  ]);
});

test('pages, module items and files', async () => {
  const { teacher, student } = scene;
  const page = (given: object) => post(`${at}/pages`, { wiki_page: { body: 'b', ...given } });
  const change = (wiki_page: object) => queued(put(`${at}/pages/notes`, { wiki_page }));
  await page({ title: 'Notes' });
  expect(await queued()).toEqual([]);
  expect(await change({ body: 'c' })).toEqual([]);
  expect(await change({ published: true })).toEqual(['new_wiki_page']);
  expect(await change({ body: 'd' })).toEqual(['updated_wiki_page']);
  expect(await change({ body: 'd' })).toEqual([]);
  expect(await change({ title: 'Notes', editing_roles: 'teachers,students' })).toEqual([]);
  expect(await queued(page({ title: 'At once', published: true }))).toEqual(['new_wiki_page']);
  expect(await queued(page({ title: 'Waiting', publish_at: later }))).toEqual([]);
  expect(await queued(chore(publishDuePages))).toEqual(['new_wiki_page']);
  const [essay, draft, topic, graded] = await Promise.all([
    post(`${at}/assignments`, { assignment: { name: 'Essay' } }),
    page({ title: 'Draft' }),
    post(`${at}/discussion_topics`, { title: 'Trees', published: false }),
    post(`${at}/discussion_topics`, { title: 'Debate', published: false, assignment: { points_possible: 3 } }),
  ]);
  const unit = await post(`${at}/modules`, { module: { name: 'One' } });
  const item = (module_item: object) => post(`${at}/modules/${unit.id}/items`, { module_item });
  const items = [
    await item({ type: 'Page', page_url: draft.url }),
    await item({ type: 'Assignment', content_id: essay.id }),
    await item({ type: 'Discussion', content_id: topic.id }),
    await item({ type: 'Discussion', content_id: graded.id }),
  ];
  await queued();
  expect(await queued(put(`${at}/modules/${unit.id}`, { module: { published: true } }))).toEqual([
    'assignment_created',
    'assignment_created',
    'new_discussion_topic',
    'new_discussion_topic',
    'new_wiki_page',
  ]);
  expect(await queued(put(`${at}/modules/${unit.id}`, { module: { published: true } }))).toEqual([]);
  const rename = (which: number, title: string) =>
    queued(put(`${at}/modules/${unit.id}/items/${items[which].id}`, { module_item: { title } }));
  expect(await rename(1, 'Long essay')).toEqual(['assignment_changed']);
  expect(await rename(3, 'Long debate')).toEqual(['assignment_changed']);
  expect(await queued(post(`${at}/modules/${unit.id}/duplicate`, {}))).toEqual([]);
  expect(await queued(upload(teacher, `${at}/files`, { name: 'plan.txt' }))).toEqual(['new_file_added']);
  expect(await queued(upload(teacher, `${at}/files`, { name: 'plan.txt' }))).toEqual(['new_file_added']);
  expect(await queued(upload(student, '/users/self/files', { name: 'mine.txt' }))).toEqual([]);
  const mine = await upload(teacher, '/users/self/files', { name: 'plan.txt' });
  const folder = await good(as(teacher).get(`${at}/folders/root`));
  await queued();
  expect(await queued(post(`/folders/${folder.id}/copy_file`, { source_file_id: mine.id, on_duplicate: 'overwrite' }))).toEqual([
    'new_file_added',
  ]);
});

test('grades and comments notify when the student may see them', async () => {
  const { teacher, student, student2 } = scene;
  const task = (given: object) => post(`${at}/assignments`, { assignment: { published: true, points_possible: 10, ...given } });
  const [essay, held] = [await task({ name: 'Essay' }), await task({ name: 'Held', post_manually: true })];
  const grade = (id: number, body: object, who = student) => queued(put(`${at}/assignments/${id}/submissions/${who.id}`, body));
  expect(await queued()).toEqual(['assignment_created', 'assignment_created']);
  expect(await grade(essay.id, { submission: { posted_grade: 7 } })).toEqual(['submission_graded']);
  expect(await grade(essay.id, { submission: { posted_grade: 7 } })).toEqual([]);
  expect(await grade(essay.id, { submission: { posted_grade: 8 }, comment: { text_comment: 'Good' } })).toEqual([
    'submission_comment',
    'submission_graded',
  ]);
  expect(await grade(essay.id, { submission: { excuse: true } })).toEqual([]);
  expect(await grade(essay.id, { submission: { excuse: false } })).toEqual([]);
  expect(await grade(essay.id, { submission: { posted_grade: '' } })).toEqual([]);
  expect(await grade(held.id, { submission: { posted_grade: 7 } })).toEqual([]);
  expect(await grade(essay.id, { submission: { late_policy_status: 'late' } }, student2)).toEqual([]);
  expect(await grade(essay.id, { submission: { posted_grade: 6, late_policy_status: 'none' } }, student2)).toEqual(['submission_graded']);
  expect(
    await queued(
      good(
        as(teacher).post(`${at}/assignments/${essay.id}/submissions/update_grades`, {
          grade_data: { [student.id]: { posted_grade: 4 }, [student2.id]: { posted_grade: 5, text_comment: 'Fine' } },
        }),
      ),
    ),
  ).toEqual(['submission_comment', 'submission_graded', 'submission_graded']);
});

test('messages, invitations, events and account notifications', async () => {
  const { teacher, student, student2, stranger, course } = scene;
  const other = await ground.section(course, { name: 'Evening' });
  const hidden = await ground.course({ name: 'Hidden', workflow_state: 'claimed' });
  const event = (given: object) =>
    good(
      as(teacher).post('/calendar_events', {
        calendar_event: { context_code: `course_${course.id}`, title: 'Lab', start_at: later, end_at: later, ...given },
      }),
    );
  const part = (section: number) => ({ context_code: `course_section_${section}`, start_at: later, end_at: later });
  const thread = (recipients: number[], more: object = {}) => post('/conversations', { recipients, subject: 'Hi', body: 'Hello', ...more });
  const [group] = await thread([student.id, student2.id], { group_conversation: true });
  expect(await queued()).toEqual(['conversation_message']);
  expect(await queued(thread([student.id, student2.id]))).toEqual(['conversation_message', 'conversation_message']);
  expect(await queued(post(`/conversations/${group.id}/add_message`, { body: 'More' }))).toEqual(['conversation_message']);
  expect(await queued(post(`/conversations/${group.id}/add_recipients`, { recipients: [scene.ta.id] }))).toEqual(['added_to_conversation']);
  expect(await queued(good(as(admin).post(`${at}/enrollments`, { enrollment: { user_id: stranger.id } })))).toEqual([
    'enrollment_invitation',
  ]);
  expect(await queued(good(as(admin).post(`${at}/enrollments`, { enrollment: { user_id: admin.id, notify: false } })))).toEqual([]);
  expect(await queued(good(as(admin).post(`/courses/${hidden.id}/enrollments`, { enrollment: { user_id: stranger.id } })))).toEqual([]);
  expect(await queued(good(as(admin).put(`/courses/${hidden.id}`, { course: { event: 'offer' } })))).toEqual(['enrollment_invitation']);
  expect(await queued(event({}))).toEqual(['new_event_created']);
  expect(await queued(event({ rrule: 'FREQ=DAILY;COUNT=3' }))).toEqual(['new_event_created', 'new_event_created', 'new_event_created']);
  expect(await queued(event({ child_event_data: { 0: part(course.section_id), 1: part(other) } }))).toEqual([
    'new_event_created',
    'new_event_created',
    'new_event_created',
  ]);
  expect(await queued(event({ context_code: `user_${teacher.id}` }))).toEqual([]);
  const lab = await event({});
  await queued();
  expect(await queued(put(`/calendar_events/${lab.id}`, { calendar_event: { rrule: 'FREQ=DAILY;COUNT=4' }, which: 'all' }))).toEqual([
    'new_event_created',
    'new_event_created',
    'new_event_created',
  ]);
  const days = { course_start_at: '2030-04-01', course_end_at: '2030-04-14' };
  const timetable = () =>
    queued(
      good(
        as(teacher).post(`${at}/calendar_events/timetable`, {
          timetables: { all: [{ weekdays: 'Mon,Wed', start_time: '9:00 am', end_time: '10:30 am', location_name: 'Hall', ...days }] },
        }),
      ),
    );
  expect(await timetable()).toEqual(['new_event_created', 'new_event_created', 'new_event_created', 'new_event_created']);
  expect(await timetable()).toEqual([]);
  const notice = { subject: 'To all', message: 'm', start_at: later, end_at: '2031-02-01T00:00:00Z' };
  const made = await good(as(admin).post('/accounts/1/account_notifications', { account_notification: notice }));
  expect(made).toMatchObject({ subject: 'To all' });
  expect(
    await env.DB.prepare('select item_id, not_before from notification_queue')
      .all()
      .then(({ results }) => results),
  ).toEqual([{ item_id: made.id, not_before: later }]);
  expect(await queued()).toEqual(['account_notification']);
});

test('a blueprint sync notifies of each item if requested', async () => {
  const { teacher } = scene;
  const master = await ground.course({ name: 'Blueprint' });
  const at = `/courses/${master.id}`;
  const content = (name: string) =>
    Promise.all([
      good(as(admin).post(`${at}/assignments`, { assignment: { name: `Essay ${name}`, description: name, published: true } })),
      good(as(admin).post(`${at}/pages`, { wiki_page: { title: `Page ${name}`, body: name, published: true } })),
      good(as(admin).post(`${at}/discussion_topics`, { title: `Topic ${name}`, message: name, published: true })),
      good(as(admin).post('/calendar_events', { calendar_event: { context_code: `course_${master.id}`, title: name, start_at: later } })),
    ]);
  ok(await as(admin).put(at, { course: { blueprint: true } }));
  const follower = await ground.course({ name: 'Follower' });
  await ground.enroll(follower, teacher, 'teacher');
  const template = `${at}/blueprint_templates/default`;
  ok(await as(admin).put(`${template}/update_associations`, { course_ids_to_add: [follower.id] }));
  const sync = async (given: object) => {
    const { id } = await good(as(admin).post(`${template}/migrations`, given));
    for (let left = 50; left > 0; left -= 1) {
      await syncBlueprint({ job: 'blueprint_sync', ids: [id] }, env as never);
      const { results } = await env.DB.prepare('select copy_id from blueprint_imports where migration_id = ?')
        .bind(id)
        .all<{ copy_id: number }>();
      for (const { copy_id } of results) await copyCourse({ job: 'course_copy', ids: [copy_id] }, env as never);
      if ((await good(as(admin).get(`${template}/migrations/${id}`))).workflow_state === 'completed') return;
    }
    throw new Error('the sync does not end');
  };
  const [essay, page] = await content('one');
  await queued();
  expect(await queued(sync({}))).toEqual([]);
  await good(as(admin).put(`${at}/assignments/${essay.id}`, { assignment: { points_possible: 9, due_at: later } }));
  await good(as(admin).put(`${at}/pages/${page.url}`, { wiki_page: { body: 'changed' } }));
  await content('two');
  await queued();
  expect(await queued(sync({ send_notification: true, send_item_notifications: true }))).toEqual([
    'assignment_changed',
    'assignment_changed',
    'assignment_created',
    'assignment_due_date_changed',
    'blueprint_content_added',
    'blueprint_sync_complete',
    'new_discussion_topic',
    'new_event_created',
    'new_wiki_page',
    'updated_wiki_page',
    'updated_wiki_page',
  ]);
});
