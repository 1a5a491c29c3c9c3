// Accounts, users and permissions through @kth/canvas-api, unmodified from the registry, as an administrator, a teacher and a student.

import { expect, inject, test } from 'vitest';
import { canvasApiFor, names } from './at';

const built = inject('started');
const [admin, teacher, student] = [canvasApiFor(built.admin), canvasApiFor(built.teacher), canvasApiFor(built.student)];

test('an administrator sets up the institution: accounts, terms, roles, identity providers, applications', async () => {
  const { ask, refusal, all } = admin;
  const faculty = await ask('POST', 'accounts/1/sub_accounts', { account: { name: 'Engineering', sis_account_id: 'ENG' } });
  const institute = await ask('POST', 'accounts/sis_account_id:ENG/sub_accounts', { account: { name: 'Mechanics' } });
  expect(names(await all('accounts/1/sub_accounts', { recursive: true }))).toEqual(expect.arrayContaining(['Engineering', 'Mechanics']));
  expect(await ask('PUT', `accounts/${faculty.id}`, { account: { default_time_zone: 'Europe/Stockholm' } })).toMatchObject({
    default_time_zone: 'Europe/Stockholm',
  });
  expect(await refusal('DELETE', `accounts/1/sub_accounts/${faculty.id}`)).toBe(409);
  expect(await ask('DELETE', `accounts/1/sub_accounts/${institute.id}`)).toMatchObject({ workflow_state: 'deleted' });
  expect(names(await all('manageable_accounts'))).toContain('Engineering');
  expect(await ask('GET', 'accounts/1/settings')).toHaveProperty('restrict_student_past_view');
  expect(await ask('GET', 'accounts/1/permissions', { permissions: ['manage_sis'] })).toEqual({ manage_sis: true });

  const term = await ask('POST', 'accounts/1/terms', { enrollment_term: { name: 'Autumn', start_at: '2026-09-01', sis_term_id: 'HT26' } });
  expect((await ask('GET', 'accounts/1/terms')).enrollment_terms).toHaveLength(2);
  expect(await ask('GET', 'accounts/1/terms/sis_term_id:HT26')).toMatchObject({ id: term.id, overrides: {} });
  expect(await ask('PUT', `accounts/1/terms/${term.id}`, { enrollment_term: { name: 'Autumn 2026' } })).toMatchObject({
    name: 'Autumn 2026',
  });

  const role = await ask('POST', 'accounts/1/roles', {
    label: 'Registrar',
    permissions: { manage_user_logins: { explicit: true, enabled: true } },
  });
  expect(role.permissions.manage_user_logins).toMatchObject({ enabled: true, explicit: true });
  expect(await ask('DELETE', `accounts/1/roles/${role.id}`)).toMatchObject({ workflow_state: 'inactive' });
  expect(await ask('POST', `accounts/1/roles/${role.id}/activate`)).toMatchObject({ workflow_state: 'active' });
  expect(names(await all('accounts/1/roles'), 'label')).toContain('Registrar');
  expect(await ask('POST', 'accounts/1/admins', { user_id: built.teacher.id, role_id: role.id })).toMatchObject({ role: 'Registrar' });
  expect(await all('accounts/1/admins')).toHaveLength(2);
  expect(await ask('DELETE', `accounts/1/admins/${built.teacher.id}`, { role_id: role.id })).toMatchObject({ workflow_state: 'deleted' });

  const cas = await ask('POST', 'accounts/1/authentication_providers', { auth_type: 'cas', auth_base: 'https://cas.example.edu' });
  expect(names(await all('accounts/1/authentication_providers'), 'auth_type')).toEqual(['canvas', 'cas']);
  expect(await ask('DELETE', `accounts/1/authentication_providers/${cas.id}`)).toMatchObject({ auth_type: 'cas' });
  expect(await ask('PUT', 'accounts/1/sso_settings', { sso_settings: { login_handle_name: 'KTH id' } })).toMatchObject({
    login_handle_name: 'KTH id',
    sso_settings: { login_handle_name: 'KTH id' },
  });

  const key = await ask('POST', 'accounts/1/developer_keys', {
    developer_key: { name: 'Charts', redirect_uris: ['https://c.example.edu/'] },
  });
  expect(key.api_key).toMatch(/^\w{64}$/);
  expect(await ask('PUT', `developer_keys/${key.id}`, { developer_key_event: 'deactivate' })).toMatchObject({ workflow_state: 'inactive' });
  expect((await ask('GET', 'accounts/1/scopes')).length).toBeGreaterThan(100);

  const flag = await ask('PUT', 'accounts/1/features/flags/anonymous_marking', { state: 'on' });
  expect(flag).toMatchObject({ feature: 'anonymous_marking', state: 'on', context_type: 'Account' });
  expect(await ask('GET', 'accounts/1/features/enabled')).toContain('anonymous_marking');
  expect((await all('accounts/1/features'))[0]).toHaveProperty('feature_flag');
  expect(await ask('DELETE', 'accounts/1/features/flags/anonymous_marking')).toMatchObject({ feature: 'anonymous_marking' });

  expect((await ask('PUT', `account_calendars/${faculty.id}`, { visible: true })).visible).toBe(true);
  expect(await ask('GET', 'accounts/1/visible_calendars_count')).toEqual({ count: 1 });
  expect(await ask('GET', 'brand_variables')).toHaveProperty('ic-brand-primary');
  expect(names(await all('accounts/1/reports'), 'report')).toContain('sis_export_csv');
});

test('an administrator manages users: creates, finds, changes, merges, splits and deletes them', async () => {
  const { ask, all, refusal } = admin;
  const make = (name: string, unique_id: string) =>
    ask('POST', 'accounts/1/users', { user: { name, skip_registration: true }, pseudonym: { unique_id, sis_user_id: `SIS-${unique_id}` } });
  const [karin, twin] = [await make('Karin Teknolog', 'karin@example.edu'), await make('K Teknolog', 'k@example.edu')];
  expect(names(await all('accounts/1/users', { search_term: 'teknolog', sort: 'username' }))).toEqual(['K Teknolog', 'Karin Teknolog']);
  expect(await ask('GET', 'users/sis_user_id:SIS-karin@example.edu')).toMatchObject({ id: karin.id, login_id: 'karin@example.edu' });
  expect(await ask('PUT', `users/${karin.id}`, { user: { short_name: 'Karin', time_zone: 'Europe/Stockholm' } })).toMatchObject({
    short_name: 'Karin',
  });
  const login = await ask('POST', 'accounts/1/logins', { user: { id: karin.id }, login: { unique_id: 'kt' } });
  expect(await ask('PUT', `accounts/1/logins/${login.id}`, { login: { workflow_state: 'suspended' } })).toMatchObject({
    workflow_state: 'suspended',
  });
  expect(names(await all(`users/${karin.id}/logins`), 'unique_id')).toEqual(['karin@example.edu', 'kt']);
  expect(await ask('DELETE', `users/${karin.id}/logins/${login.id}`)).toMatchObject({ workflow_state: 'deleted' });
  const address = { communication_channel: { type: 'email', address: 'karin@home.example' }, skip_confirmation: true };
  expect(await ask('POST', `users/${karin.id}/communication_channels`, address)).toMatchObject({ workflow_state: 'active' });
  expect(await ask('PUT', `users/${twin.id}/merge_into/${karin.id}`)).toMatchObject({ id: karin.id });
  expect(await ask('POST', `users/${karin.id}/split`)).toHaveLength(2);
  expect(await ask('PUT', `users/${built.learner.id}/observees/${built.student.id}`)).toMatchObject({ id: built.student.id });
  expect(names(await all(`users/${built.student.id}/observers`))).toEqual(['Olive Observer', 'Lea Learner']);
  expect(await ask('DELETE', `users/${built.learner.id}/observees/${built.student.id}`)).toMatchObject({ id: built.student.id });
  expect(await ask('DELETE', `accounts/1/users/${twin.id}`)).toMatchObject({ id: twin.id });
  expect(await refusal('GET', `users/${twin.id}`)).toBe(404);
  expect(await ask('PUT', `accounts/1/users/${twin.id}/restore`)).toMatchObject({ id: twin.id });
  expect(await ask('GET', 'users/self', { as_user_id: karin.id })).toMatchObject({ id: karin.id });
  expect(Array.isArray(await ask('GET', `users/${karin.id}/page_views`))).toBe(true);
  expect(await ask('GET', 'comm_messages', { user_id: karin.id })).toEqual([]);
  expect(await ask('GET', `users/${karin.id}/eportfolios`)).toEqual([]);
  expect(await ask('GET', `audit/authentication/users/${karin.id}`)).toEqual([]);
  expect(await ask('DELETE', `users/${karin.id}/sessions`)).toBe('ok');
  const result = await ask('POST', 'accounts/1/account_notifications', {
    account_notification: { subject: 'Closed on Friday', message: '<p>All day</p>', start_at: '2020-01-01', end_at: '2099-01-01' },
  });
  expect(names(await student.all('accounts/1/account_notifications'), 'subject')).toEqual(['Closed on Friday']);
  expect(await student.ask('DELETE', `accounts/1/users/self/account_notifications/${result.id}`)).toMatchObject({ id: result.id });
  expect(await student.all('accounts/1/account_notifications')).toEqual([]);
});

test('a teacher sees their part of the institution and cannot change it', async () => {
  const { ask, refusal, all } = teacher;
  expect(await all('accounts')).toEqual([]);
  const [account] = await all('course_accounts');
  expect(Object.keys(account ?? {}).sort()).toEqual(['id', 'name', 'parent_account_id', 'root_account_id', 'workflow_state']);
  expect(await ask('GET', 'accounts/1')).not.toHaveProperty('uuid');
  expect(await ask('GET', 'accounts/1/permissions', { permissions: ['manage_sis'] })).toEqual({ manage_sis: false });
  expect(await ask('GET', `users/${built.student.id}`)).toMatchObject({ id: built.student.id });
  expect(await ask('GET', `courses/${built.course.id}/features/enabled`)).toContain('new_gradebook');
  for (const path of [
    'terms',
    'roles',
    'admins',
    'users',
    'sis_imports',
    'reports',
    'authentication_providers',
    'developer_keys',
    'features',
  ])
    expect([path, await refusal('GET', `accounts/1/${path}`)]).toEqual([path, 401]);
  expect(await refusal('POST', 'accounts/1/users', { user: { name: 'X' }, pseudonym: { unique_id: 'x' } })).toBe(403);
  expect(await refusal('PUT', `users/${built.student.id}`, { user: { name: 'Mine' } })).toBe(401);
  expect(await refusal('GET', 'users/self', { as_user_id: built.student.id })).toBe(401);
  expect(await refusal('GET', `users/${built.learner.id}`)).toBe(404);
});

test('a student manages their own data and has no access to that of others', async () => {
  const { ask, refusal, all } = student;
  expect(await ask('GET', 'users/self', { include: ['uuid', 'last_login'] })).toMatchObject({ id: built.student.id, permissions: {} });
  expect(await ask('GET', 'users/self/profile')).toMatchObject({ primary_email: built.student.login, time_zone: 'Etc/UTC' });
  expect(await ask('PUT', 'users/self', { user: { pronouns: 'They/Them', bio: 'Looks at stars' } })).toMatchObject({
    pronouns: 'They/Them',
  });
  const [avatar] = await ask('GET', 'users/self/avatars');
  expect(await ask('PUT', 'users/self', { user: { avatar: { token: avatar.token } } })).toHaveProperty('avatar_url');
  expect(await ask('PUT', 'users/self/settings', { collapse_global_nav: true })).toMatchObject({ collapse_global_nav: true });
  expect(await ask('PUT', `users/self/colors/course_${built.course.id}`, { hexcode: 'abc123' })).toEqual({ hexcode: '#abc123' });
  expect(await ask('GET', 'users/self/colors')).toEqual({ custom_colors: { [`course_${built.course.id}`]: '#abc123' } });
  const [channel] = await all('users/self/communication_channels');
  const preferences = `users/self/communication_channels/${channel?.id}/notification_preferences`;
  expect(await ask('PUT', `${preferences}/new_announcement`, { notification_preferences: { frequency: 'weekly' } })).toMatchObject({
    notification_preferences: [{ notification: 'new_announcement', frequency: 'weekly' }],
  });
  const token = await ask('POST', 'users/self/tokens', { token: { purpose: 'My desk' } });
  expect(await canvasApiFor({ ...built.student, token: token.visible_token }).ask('GET', 'users/self')).toMatchObject({
    id: built.student.id,
  });
  expect(names(await all('users/self/user_generated_tokens'), 'purpose')).toContain('My desk');
  expect(await ask('DELETE', `users/self/tokens/${token.id}`)).toMatchObject({ workflow_state: 'deleted' });
  expect(await canvasApiFor({ ...built.student, token: token.visible_token }).refusal('GET', 'users/self')).toBe(401);
  const jwt = await ask('POST', 'jwts', { context_type: 'Course', context_id: built.course.id });
  expect((await ask('POST', 'jwts/refresh', { jwt: jwt.token })).token).not.toBe(jwt.token);
  expect(await ask('PUT', 'users/self/custom_data/telescope', { ns: 'stars', data: 'brass' })).toEqual({ data: 'brass' });
  expect(await ask('PUT', 'users/self/features/flags/high_contrast', { state: 'on' })).toMatchObject({ state: 'on', context_type: 'User' });
  expect(await ask('GET', 'features/environment')).toHaveProperty('mobile_offline_mode');
  expect(await ask('GET', 'accounts/1/terms_of_service')).toMatchObject({ account_id: 1 });
  expect(await ask('GET', 'accounts/1/help_links')).toHaveProperty('default_help_links');
  expect(await all('accounts')).toEqual([]);
  expect(await refusal('GET', 'accounts/1')).toBe(401);
  expect(await refusal('GET', `users/${built.teacher.id}`)).toBe(404);
  expect(await refusal('GET', `users/${built.teacher.id}/logins`)).toBe(401);
  expect(await refusal('POST', 'users/self/observer_pairing_codes')).toBe(401);
});
