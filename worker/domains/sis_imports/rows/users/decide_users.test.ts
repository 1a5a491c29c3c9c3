// What a row of users.csv changes.

import { describe, expect, test } from 'vitest';
import { Notes } from '../../work';
import { planPeople, userNamesIn } from './decide_users';
import type { LoginFacts, PeopleFacts, UserFacts } from './user_facts';

const login = (more: Partial<LoginFacts> = {}): LoginFacts => ({
  id: 1,
  user_id: 10,
  unique_id: 'ann',
  sis_user_id: 'U1',
  integration_id: null,
  workflow_state: 'active',
  declared_user_type: null,
  authentication_provider_id: null,
  sis_communication_channel_id: null,
  has_password: 0,
  stuck_sis_fields: null,
  ...more,
});

const user = (more: Partial<UserFacts> = {}): UserFacts => ({
  id: 10,
  name: 'Ann Lee',
  sortable_name: 'Lee, Ann',
  short_name: 'Ann Lee',
  pronouns: null,
  workflow_state: 'registered',
  stuck_sis_fields: null,
  live_logins: 1,
  ...more,
});

describe('a row of users.csv', () => {
  const plan = (row: Record<string, string>, facts: Partial<PeopleFacts> = {}, options = {}) => {
    const notes = new Notes();
    const all = { logins: [], users: new Map(), channels: [], providers: new Map(), ...facts };
    const made = planPeople([{ at: 2, cells: { status: 'active', ...row } }], { facts: all, options, notes, uuid: () => 'new' });
    return { ...made, notes, warning: notes.messages[0]?.message };
  };
  const there = { logins: [login()], users: new Map([[10, user()]]) };

  test('creates a user, a login and an email address', () => {
    const { newUsers, newLogins, newChannels, notes } = plan({
      user_id: 'U1',
      login_id: 'ann',
      first_name: 'Ann',
      last_name: 'Lee',
      email: 'a@b.c',
    });
    expect(newUsers).toEqual([{ uuid: 'new', name: 'Ann Lee', sortable_name: 'Lee, Ann', short_name: 'Ann Lee', pronouns: null }]);
    expect(newLogins).toMatchObject([{ uuid: 'new', unique_id: 'ann', sis_user_id: 'U1', workflow_state: 'active' }]);
    expect(newChannels).toMatchObject([{ uuid: 'new', address: 'a@b.c' }]);
    expect(notes.tallies).toEqual({ Pseudonym: { created: 1 }, CommunicationChannel: { created: 1 } });
  });
  test('without a name uses the login as name', () =>
    expect(plan({ user_id: 'U1', login_id: 'ann' }).newUsers).toMatchObject([{ name: 'ann' }]));
  test('that matches the stored user changes nothing', () => {
    const made = plan({ user_id: 'U1', login_id: 'ann', full_name: 'Ann Lee' }, there);
    expect([made.users, made.logins, made.newLogins, made.newUsers]).toEqual([[], [], [], []]);
  });
  test('is skipped if another SIS id has the login', () => {
    expect(plan({ user_id: 'U2', login_id: 'ANN' }, there).warning).toMatch(/already belongs to user U1/);
  });
  test('may have the login of another provider', () => {
    const providers = new Map([['saml', 5]]);
    const row = { user_id: 'U2', login_id: 'ann', authentication_provider_id: 'saml' };
    expect(plan(row, { ...there, providers }).newLogins).toMatchObject([{ sis_user_id: 'U2', authentication_provider_id: 5 }]);
  });
  test.each<[string, object, object, RegExp | undefined]>([
    ['has a salted hash', { ssha_password: `{SSHA}${'a'.repeat(36)}` }, { hash: `{SSHA}${'a'.repeat(36)}` }, undefined],
    ['has an invalid hash', { ssha_password: 'secret' }, {}, /ssha_password/],
    ['has both', { ssha_password: `{SSHA}${'a'.repeat(36)}`, password: 'p' }, { password: 'p' }, undefined],
    ['is of an unknown type', { declared_user_type: 'king' }, { declared_user_type: null }, /"king" is not one of/],
    ['is to be notified', { canvas_password_notification: 'true' }, { isTold: true }, undefined],
    ['has a password and need not be notified', { canvas_password_notification: 'true', password: 'p' }, { isTold: false }, undefined],
  ])('that %s', (_, more, login, warning) => {
    const made = plan({ user_id: 'U1', login_id: 'ann', ...more });
    expect(made.newLogins).toMatchObject([login]);
    if (warning) expect(made.warning).toMatch(warning);
    else expect(made.warning).toBeUndefined();
  });
  test('takes over the login if the import allows it', () => {
    expect(plan({ user_id: 'U2', login_id: 'ann' }, there, { update_sis_id_if_login_claimed: true }).logins).toMatchObject([
      { id: 1, sis_user_id: 'U2' },
    ]);
  });
  test('takes over a login without an SIS id', () => {
    expect(plan({ user_id: 'U2', login_id: 'ann' }, { ...there, logins: [login({ sis_user_id: null })] }).logins).toMatchObject([
      { id: 1, sis_user_id: 'U2' },
    ]);
  });
  test('suspends, deletes with the last login, and restores', () => {
    expect(plan({ user_id: 'U1', login_id: 'ann', status: 'suspended' }, there)).toMatchObject({
      logins: [{ workflow_state: 'suspended' }],
      leaving: [],
    });
    expect(plan({ user_id: 'U1', login_id: 'ann', status: 'deleted' }, there)).toMatchObject({
      logins: [{ workflow_state: 'deleted' }],
      leaving: [10],
    });
    const two = { ...there, users: new Map([[10, user({ live_logins: 2 })]]) };
    expect(plan({ user_id: 'U1', login_id: 'ann', status: 'deleted' }, two).leaving).toEqual([]);
    expect(plan({ user_id: 'U1', login_id: 'ann', status: 'deleted' }, there, { skip_deletes: true }).logins).toEqual([]);
    const gone = { ...there, logins: [login({ workflow_state: 'deleted' })] };
    expect(plan({ user_id: 'U1', login_id: 'ann' }, gone).notes.tallies).toEqual({ Pseudonym: { restored: 1 } });
  });
  test('has the name in parts or in whole', () => {
    expect(userNamesIn({ first_name: 'Ann Mary', last_name: 'van Lee' })).toEqual({
      name: 'Ann Mary van Lee',
      sortable_name: 'van Lee, Ann Mary',
      short_name: undefined,
    });
    expect(userNamesIn({ full_name: 'Ann Lee', sortable_name: 'X', short_name: 'Y' })).toEqual({
      name: 'Ann Lee',
      sortable_name: 'X',
      short_name: 'Y',
    });
    expect(userNamesIn({})).toEqual({ name: undefined, sortable_name: undefined, short_name: undefined });
  });
});
