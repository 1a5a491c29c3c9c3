// Notification emails: recipients, frequency and delivery.

import { env } from 'cloudflare:test';
import { sendNotificationMessages } from '@carrel/worker/domains/comm_messages/job';
import type { Job, Platform } from '@carrel/worker/platform';
import { tick } from '@carrel/worker/schedule';
import { beforeEach, expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';

let scene: Awaited<ReturnType<typeof aCourse>>;
let admin: Person;
let faculty: number;

interface Letter {
  readonly subject: string;
  readonly body: string;
  readonly workflow_state: string;
  readonly to: string;
}

beforeEach(async () => {
  faculty = (await ground.account()).id;
  scene = await aCourse(ground, { account_id: faculty, name: 'Botany' });
  admin = await ground.admin();
});

const minute = (more: Partial<Platform> = {}, at = Date.now() + 60_000) => tick({ ...(env as Platform), ...more }, at);
const lettersTo = async (person: Person): Promise<Letter[]> =>
  ok(await as(admin).get('/comm_messages', { user_id: person.id, per_page: 100 }));
const subjectsTo = async (person: Person) => (await lettersTo(person)).map((one) => one.subject);
const announce = (title: string, more: object = {}) =>
  as(scene.teacher).post(`/courses/${scene.course.id}/discussion_topics`, {
    title,
    message: '<p>Bring a &amp; b</p>',
    is_announcement: true,
    published: true,
    ...more,
  });
const choose = async (person: Person, notification: string, frequency: string) => {
  const [{ id }] = ok(await as(person).get('/users/self/communication_channels'));
  ok(
    await as(person).put(`/users/self/communication_channels/${id}/notification_preferences/${notification}`, {
      notification_preferences: { frequency },
    }),
  );
};

test('a course announcement is emailed once to its members, and kept where nothing can be sent', async () => {
  const { student, teacher, stranger, observer } = scene;
  await choose(scene.student2, 'new_announcement', 'never');
  ok(await announce('Excursion'));
  await minute();
  await minute();
  const listed = within(await as(admin).get('/comm_messages', { user_id: student.id }), 2);
  expect(ok(listed)).toMatchObject([
    { subject: 'Excursion: Botany', from: '', from_name: 'Tara Teacher', to: student.login, workflow_state: 'dashboard', sent_at: null },
  ]);
  expect(ok(listed)[0].body).toContain('Bring a & b');
  expect(await subjectsTo(observer)).toEqual(['Excursion: Botany']);
  for (const nobody of [teacher, stranger, scene.student2]) expect(await subjectsTo(nobody)).toEqual([]);
  expect(ok(await as(admin).get('/comm_messages', { user: student.id, end_time: '2020-01-01T00:00:00Z' }))).toEqual([]);
  expect(ok(await as(admin).get('/comm_messages', { user_id: student.id, start_time: '2020-01-01T00:00:00Z' }))).toHaveLength(1);
});

test('no one is notified of what they may not see', async () => {
  const { course, teacher, student, student2 } = scene;
  const section = await ground.section(course, { name: 'Other' });
  await ground.enroll(course, student2, 'student', { section_id: section });
  ok(await announce('For the others', { specific_sections: String(section) }));
  ok(await announce('Not yet', { delayed_post_at: '2099-01-01T00:00:00Z' }));
  const at = `/courses/${course.id}/assignments`;
  ok(await as(teacher).post(at, { assignment: { name: 'Draft' } }), 201);
  const group = {
    name: 'For one',
    published: true,
    only_visible_to_overrides: true,
    assignment_overrides: [{ student_ids: [student2.id], title: 'x' }],
  };
  ok(await as(teacher).post(at, { assignment: group }), 201);
  for (const person of [student, student2]) await choose(person, 'assignment_created', 'immediately');
  await minute();
  expect(await subjectsTo(student)).toEqual([]);
  expect(await subjectsTo(student2)).toEqual(['For the others: Botany']);
});

test('grades, comments, messages and invitations reach the users concerned', async () => {
  const { course, teacher, student, student2 } = scene;
  const work = ok(
    await as(teacher).post(`/courses/${course.id}/assignments`, {
      assignment: { name: 'Leaves', published: true, points_possible: 10, submission_types: ['online_text_entry'] },
    }),
    201,
  );
  await choose(student, 'submission_comment', 'immediately');
  ok(
    await as(teacher).put(`/courses/${course.id}/assignments/${work.id}/submissions/${student.id}`, {
      submission: { posted_grade: 7 },
      comment: { text_comment: 'secret words' },
    }),
  );
  ok(await as(teacher).post('/conversations', { recipients: [student2.id], subject: 'Hello', body: 'Come & see <me>' }), 201);
  ok(await as(admin).post(`/courses/${course.id}/enrollments`, { enrollment: { user_id: scene.stranger.id } }));
  await minute();
  expect((await subjectsTo(student)).sort()).toEqual([
    'Assignment graded, Leaves: Botany',
    'New assignment, Leaves: Botany',
    'New comment, Leaves: Botany',
  ]);
  expect((await lettersTo(student)).some(({ body }) => body.includes('secret words') || body.includes('7'.repeat(2)))).toBe(false);
  const [message] = await lettersTo(student2);
  expect(message).toMatchObject({ subject: 'New message from Tara Teacher: Hello' });
  expect(message?.body).toContain('Come & see <me>');
  expect(await subjectsTo(scene.stranger)).toEqual(['Invitation to Botany']);
});

test('the message about a comment names its student to graders, unless the student is anonymous', async () => {
  const { course, teacher, student } = scene;
  await choose(teacher, 'submission_comment', 'immediately');
  const remark = async (name: string, anonymous_grading: boolean) => {
    const assignment = { name, published: true, submission_types: ['online_text_entry'], points_possible: 5, anonymous_grading };
    const { id } = ok(await as(teacher).post(`/courses/${course.id}/assignments`, { assignment }), 201);
    ok(await as(student).put(`/courses/${course.id}/assignments/${id}/submissions/${student.id}`, { comment: { text_comment: 'x' } }));
    await minute();
    return { id, body: (await lettersTo(teacher)).find(({ subject }) => subject.includes(name))?.body };
  };
  const named = await remark('Named', false);
  expect(named.body).toContain(`/assignments/${named.id}/submissions/${student.id}`);
  const anonymous = await remark('Anonymous', true);
  expect(anonymous.body).toContain(`/assignments/${anonymous.id}`);
  expect(anonymous.body).not.toContain('/submissions/');
});

test('the caller chooses whether enrolled users are notified', async () => {
  const enroll = async (more: object) => {
    const person = await ground.person();
    ok(await as(admin).post(`/courses/${scene.course.id}/enrollments`, { enrollment: { user_id: person.id, ...more } }));
    return person;
  };
  const result = [
    await enroll({ enrollment_state: 'active', notify: true }),
    await enroll({ enrollment_state: 'active' }),
    await enroll({ notify: true }),
    await enroll({ notify: false }),
    await enroll({}),
  ];
  await minute();
  expect(await Promise.all(result.map(subjectsTo))).toEqual([
    ['You have been enrolled in Botany'],
    [],
    ['Invitation to Botany'],
    [],
    ['Invitation to Botany'],
  ]);
  // A user who was removed and invited again is notified again.
  const [, , again] = result as [Person, Person, Person];
  const [{ id }] = ok(await as(admin).get(`/courses/${scene.course.id}/enrollments`, { user_id: again.id }));
  ok(await as(admin).del(`/courses/${scene.course.id}/enrollments/${id}`, { task: 'delete' }));
  ok(await as(admin).post(`/courses/${scene.course.id}/enrollments`, { enrollment: { user_id: again.id, notify: true } }));
  await minute();
  expect(await subjectsTo(again)).toHaveLength(2);
});

test('daily notifications wait until the evening and are sent as one email', async () => {
  const { student } = scene;
  await choose(student, 'new_announcement', 'daily');
  ok(await announce('One'));
  ok(await announce('Two'));
  await minute();
  expect((await lettersTo(student)).map((one) => one.workflow_state)).toEqual(['staged', 'staged']);
  await minute({}, Date.now() + 86_400_000);
  const [summary, ...others] = await lettersTo(student);
  expect(others.map((one) => one.workflow_state)).toEqual(['closed', 'closed']);
  expect(summary?.subject).toBe('Notification summary: 2');
  expect(summary?.body).toMatch(/One: Botany[\s\S]*Two: Botany/);
});

const posting = (path: string) => {
  const sent: Job[] = [];
  const WORK = { send: async (job: Job) => void sent.push(job) } as unknown as Queue<Job>;
  return {
    sent,
    more: {
      WORK,
      MAIL_FROM: 'carrel@example.edu',
      MAIL_ENDPOINT: `https://files.carrel.org${path}`,
      PUBLIC_ADDRESS: 'https://learn.example.edu',
    },
  };
};

test('a job sends emails once, even if delivered twice', async () => {
  const { student } = scene;
  const { sent, more } = posting('/mail');
  ok(await announce('Sent'));
  await minute(more);
  expect(sent.length).toBeGreaterThan(0);
  expect(sent.every(({ job }) => job === 'send_letters')).toBe(true);
  for (const job of [...sent, ...sent]) await sendNotificationMessages(job, { ...(env as Platform), ...more });
  expect(await lettersTo(student)).toMatchObject([{ workflow_state: 'sent', from: 'carrel@example.edu', sent_at: expect.any(String) }]);
  expect((await lettersTo(student))[0]?.body).toContain('https://learn.example.edu/courses/');
  const again = posting('/mail');
  await minute(again.more);
  expect(again.sent).toEqual([]);
});

test('a bounced email is counted at its address, a failed one is tried again', async () => {
  const { student } = scene;
  const refused = posting('/mail/refuses');
  ok(await announce('Lost'));
  await minute(refused.more);
  for (const job of refused.sent) await sendNotificationMessages(job, { ...(env as Platform), ...refused.more });
  expect((await lettersTo(student))[0]?.workflow_state).toBe('bounced');
  const [channel] = ok(await as(admin).get(`/users/${student.id}/communication_channels`));
  expect(channel).toMatchObject({ bouncing: true, bounce_count: 1, last_bounce_summary: 'no such mailbox' });
  const asleep = posting('/mail/sleeps');
  ok(await announce('Late'));
  await minute(asleep.more);
  for (const job of asleep.sent) await sendNotificationMessages(job, { ...(env as Platform), ...asleep.more });
  expect((await lettersTo(student))[0]).toMatchObject({ subject: 'Late: Botany', workflow_state: 'created' });
});

test('a new address receives a confirmation request', async () => {
  const { student } = scene;
  ok(
    await as(student).post('/users/self/communication_channels', {
      communication_channel: { type: 'email', address: `new${student.id}@home.example` },
    }),
  );
  await minute();
  const [letter] = await lettersTo(student);
  expect(letter).toMatchObject({ subject: 'Confirm your address', to: `new${student.id}@home.example` });
  expect(letter?.body).toMatch(/\/register\/\w{24}$/);
});

test('emails are read by site administrators, and by account administrators where the institution allows it', async () => {
  const { student, teacher } = scene;
  const theirs = await ground.admin({ account_id: faculty });
  ok(await announce('Read'));
  ok(
    await as(admin).post(`/accounts/1/account_notifications`, {
      account_notification: { subject: 'To all', message: 'm', start_at: '2020-01-01T00:00:00Z', end_at: '2090-01-01T00:00:00Z' },
    }),
  );
  await minute();
  expect((await subjectsTo(student)).sort()).toEqual(['Read: Botany', expect.stringMatching(/^To all/)]);
  ok(await as(teacher).get('/comm_messages', { user_id: student.id }), 401);
  ok(await as(theirs).get('/comm_messages', { user_id: student.id }), 401);
  ok(await as(admin).put('/accounts/1', { account: { settings: { admins_can_view_notifications: true } } }));
  ok(await as(theirs).get('/comm_messages', { user_id: student.id }), 401);
  ok(await as(admin).put(`/accounts/${faculty}/roles/1`, { permissions: { view_notifications: { explicit: true, enabled: true } } }));
  const read = within(await as(theirs).get('/comm_messages', { user_id: student.id }), 2);
  expect(ok(read).map((one: Letter) => one.subject)).toEqual(['Read: Botany']);
  ok(await as(teacher).get('/comm_messages', { user_id: student.id }), 401);
  ok(await as(admin).get('/comm_messages'), 400);
  ok(await as(admin).get('/comm_messages', { user_id: 999_999 }), 404);
});
