// The feed agrees with GET requests while the institution changes: terms, accounts, roles, sections, users.

import { expect, test } from 'vitest';
import { as } from '../support/api';
import { aWatchedCourse, finished, wrote } from '../support/watched_course';

test('terms and accounts', async () => {
  const scene = await aWatchedCourse(['teacher', 'student', 'stranger']);
  const { at, admin, course, student } = scene;
  const term = wrote(await as(admin).post('/accounts/1/terms', { enrollment_term: { name: 'Spring', start_at: '2026-01-01T00:00:00Z' } }));
  const faculty = wrote(await as(admin).post('/accounts/1/sub_accounts', { account: { name: 'Faculty' } }));
  const during = { start_at: '2020-01-01T00:00:00Z', end_at: '2090-01-01T00:00:00Z' };
  const announce = (account: number, subject: string, roles?: string[]) =>
    as(admin)
      .post(`/accounts/${account}/account_notifications`, {
        account_notification: { subject, message: subject, ...during },
        account_notification_roles: roles,
      })
      .then(wrote);
  const forFaculty = await announce(faculty.id, 'The library is shut');
  const forStudents = await announce(1, 'Sign up', ['StudentEnrollment']);
  await scene.agree('announcements of accounts');
  expect(scene.seenBy('student').has(`account_notification ${forFaculty.id}`)).toBe(false);
  expect(scene.seenBy('teacher').has(`account_notification ${forStudents.id}`)).toBe(false);
  wrote(await as(admin).put(at, { course: { term_id: term.id, account_id: faculty.id } }));
  await scene.agree('a course moved');
  expect(scene.seenBy('student').has(`account_notification ${forFaculty.id}`)).toBe(true);
  wrote(await as(student).del(`/accounts/1/users/self/account_notifications/${forFaculty.id}`));
  wrote(await as(admin).put(`/accounts/1/account_notifications/${forStudents.id}`, { account_notification: { subject: 'Sign up now' } }));
  await scene.agree('one closed, one changed');
  expect(scene.seenBy('student').has(`account_notification ${forFaculty.id}`)).toBe(false);
  wrote(await as(admin).del(`/accounts/1/account_notifications/${forStudents.id}`, { remove: true }));
  wrote(await as(admin).post('/accounts', { account: { name: 'Another school' } }));
  wrote(await as(admin).post('/accounts/1/root_accounts', { account: { name: 'A third school' } }));
  wrote(await as(admin).put(`/accounts/1/terms/${term.id}`, { enrollment_term: { name: 'Spring term', end_at: '2099-01-01T00:00:00Z' } }));
  await scene.agree('a term changed');
  wrote(await as(admin).put(`/accounts/1/terms/${term.id}`, { enrollment_term: { start_at: '2098-01-01T00:00:00Z' } }));
  await scene.agree('a future term');
  wrote(
    await as(admin).put(`/accounts/${faculty.id}`, {
      account: { default_time_zone: 'Europe/Berlin', default_storage_quota_mb: 700, sis_account_id: 'F', name: 'The faculty' },
    }),
  );
  await scene.agree('an account changed');
  wrote(
    await as(admin).put('/accounts/1', {
      account: { settings: { lock_all_announcements: { value: true, locked: true }, users_can_edit_name: false } },
    }),
  );
  await scene.agree('settings of the institution');
  wrote(
    await as(admin).put('/accounts/1', {
      account: { settings: { lock_all_announcements: { value: false, locked: false }, users_can_edit_name: true } },
    }),
  );
  wrote(await as(admin).put(at, { course: { term_id: 1, account_id: 1 } }));
  await scene.agree('a course moved back');
  wrote(await as(admin).del(`/accounts/1/terms/${term.id}`));
  wrote(await as(admin).del(`/accounts/1/sub_accounts/${faculty.id}`));
  await finished(admin, wrote(await as(admin).put('/accounts/1/courses', { course_ids: [course.id], event: 'conclude' })));
  await scene.agree('many courses concluded');
});

test('roles and administrators', async () => {
  const scene = await aWatchedCourse(['teacher', 'ta', 'stranger']);
  const { at, admin, teacher, ta, stranger, enrollment_ids } = scene;
  const role = wrote(await as(admin).post('/accounts/1/roles', { label: 'Grader', base_role_type: 'TaEnrollment' }));
  wrote(await as(teacher).post(`${at}/assignments`, { assignment: { name: 'Essay', points_possible: 1 } }));
  wrote(await as(admin).del(`${at}/enrollments/${enrollment_ids.ta}`, { task: 'delete' }));
  wrote(await as(admin).post(`${at}/enrollments`, { enrollment: { user_id: ta.id, role_id: role.id, enrollment_state: 'active' } }));
  await scene.agree('a custom role');
  wrote(await as(admin).put(`/accounts/1/roles/${role.id}`, { label: 'Marker' }));
  await scene.agree('a role renamed');
  wrote(
    await as(admin).put(`/accounts/1/roles/${role.id}`, { permissions: { manage_assignments_edit: { explicit: true, enabled: false } } }),
  );
  await scene.agree('a role with fewer permissions');
  wrote(await as(admin).del(`/accounts/1/roles/${role.id}`));
  wrote(await as(admin).post(`/accounts/1/roles/${role.id}/activate`));
  await scene.agree('a role deactivated and activated');
  wrote(await as(admin).post('/accounts/1/admins', { user_id: stranger.id, role_id: 1 }));
  wrote(await as(admin).post('/accounts/1/admins', { user_id: teacher.id, role_id: 1 }));
  await scene.agree('more administrators');
  wrote(await as(admin).del(`/accounts/1/admins/${teacher.id}`, { role_id: 1 }));
  await scene.agree('fewer administrators');
});

test('users: renamed, logins, colours, deleted and restored', async () => {
  const scene = await aWatchedCourse(['teacher', 'student', 'stranger']);
  const { at, admin, teacher, student, course } = scene;
  const essay = wrote(
    await as(teacher).post(`${at}/assignments`, {
      assignment: { name: 'Essay', points_possible: 1, published: true, submission_types: ['online_text_entry'] },
    }),
  );
  wrote(await as(teacher).post(`${at}/discussion_topics`, { title: 'Talk', message: 'x', published: true }));
  wrote(await as(teacher).post(`${at}/pages`, { wiki_page: { title: 'Page', body: 'x', published: true } }));
  wrote(await as(teacher).put(`${at}/assignments/${essay.id}/submissions/${student.id}`, { comment: { text_comment: 'Begin!' } }));
  wrote(await as(teacher).post('/conversations', { recipients: [student.id], body: 'Begin!', context_code: `course_${course.id}` }));
  for (const context_code of [`course_${course.id}`, `user_${student.id}`])
    wrote(
      await as(student.id === Number(context_code.slice(5)) ? student : teacher).post('/calendar_events', {
        calendar_event: { context_code, title: 'Talk', start_at: '2026-11-24T10:00:00Z' },
      }),
    );
  await scene.agree('a post of a teacher');
  wrote(await as(admin).put(`/users/${teacher.id}`, { user: { name: 'Tara Taylor', short_name: 'Tara T', pronouns: 'she/her' } }));
  await scene.agree('a teacher renamed');
  wrote(await as(student).put('/users/self', { user: { name: 'Samuel Student' } }));
  await scene.agree('a student renamed');
  wrote(await as(teacher).put(at, { course: { name: 'Another name' } }));
  await scene.agree('a course renamed');
  wrote(await as(student).put(`/users/self/course_nicknames/${course.id}`, { nickname: 'Mine' }));
  await scene.agree('a nickname');
  wrote(await as(student).del(`/users/self/course_nicknames/${course.id}`));
  await scene.agree('a nickname removed');
  wrote(await as(student).put(`/users/self/colors/course_${course.id}`, { hexcode: 'abc123' }));
  await scene.agree('a colour');
  wrote(await as(student).put(`/users/self/course_nicknames/${course.id}`, { nickname: 'Mine' }));
  wrote(await as(student).del('/users/self/course_nicknames'));
  wrote(await as(student).put('/users/self/dashboard_positions', { dashboard_positions: { [`course_${course.id}`]: 2 } }));
  wrote(await as(student).put('/users/self/settings', { manual_mark_as_read: true }));
  await scene.agree('nicknames removed, settings');
  const favorites = '/users/self/favorites/courses';
  wrote(await as(student).post(`${favorites}/${course.id}`));
  wrote(await as(student).del(`${favorites}/${course.id}`));
  await scene.agree('a favorite removed');
  wrote(await as(student).post(`${favorites}/${course.id}`));
  wrote(await as(student).del(favorites));
  await scene.agree('all favorites removed');
  wrote(await as(admin).post('/accounts/1/logins', { user: { id: student.id }, login: { unique_id: 'sam-2' } }));
  const [first] = wrote(await as(admin).get(`/users/${student.id}/logins`));
  wrote(await as(admin).put(`/accounts/1/logins/${first.id}`, { login: { unique_id: 'sam-1', sis_user_id: 'S1' } }));
  await scene.agree('a login renamed');
  wrote(await as(admin).del(`/users/${student.id}/logins/${first.id}`));
  await scene.agree('a login deleted');
  wrote(await as(admin).put(`/users/${student.id}`, { user: { email: 'sam@example.edu' } }));
  const channels = '/users/self/communication_channels';
  const channel = wrote(await as(student).post(channels, { communication_channel: { type: 'email', address: 'sam@home.example' } }));
  wrote(await as(student).del(`${channels}/email/sam@example.edu`));
  await scene.agree('another email address');
  wrote(await as(student).del(`${channels}/${channel.id}`));
  await scene.agree('another email address');
  const made = wrote(await as(admin).post('/accounts/1/users', { pseudonym: { unique_id: 'nina@example.edu' } }));
  wrote(await as(admin).del(`/accounts/1/users/${made.id}`));
  wrote(await as(admin).put(`/accounts/1/users/${made.id}/restore`));
  await finished(admin, wrote(await as(admin).del('/accounts/1/users', { user_ids: [made.id] })));
  wrote(await as(admin).put(`/accounts/1/users/${made.id}/restore`));
  await scene.agree('a user created, deleted, restored');
});
