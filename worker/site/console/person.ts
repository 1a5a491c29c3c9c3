// A user: details, logins, authorised applications.

import { ask, askAll, Refusal, send } from './api';
import { type Child, h } from './dom';
import { blank, button, changed, confirmed, dialog, facts, field, form, part, plain, say, table, tag, when } from './parts';
import { type Person, passwordField } from './people';
import { addressOf, type Place } from './place';
import { shownOnce } from './secret';

interface Login {
  readonly id: number;
  readonly unique_id: string;
  readonly sis_user_id?: string | null;
  readonly workflow_state: string;
  readonly authentication_provider_type?: string;
}

interface Token {
  readonly id: number;
  readonly purpose: string | null;
  readonly app_name: string;
  readonly visible_token: string;
  readonly workflow_state: string;
  readonly last_used_at: string | null;
  readonly expires_at: string | null;
}

interface Enrollment {
  readonly id: number;
  readonly course_id: number;
  readonly type: string;
  readonly enrollment_state: string;
}

function setPassword({ rootId, rights, me }: Place, person: Person, login: Login): void {
  dialog(`Password of ${login.unique_id}`, (close) => {
    const allow = h('div');
    const one = form(
      [
        person.id === me.id && field({ name: 'old_password', label: 'Your present password', type: 'password', required: true }),
        passwordField(true, 'At least 8 characters. Whoever is signed in with this login is signed out.'),
        allow,
      ],
      'Set password',
      async ({ password = '', old_password = '' }) => {
        try {
          await send('PUT', `/accounts/${rootId}/logins/${login.id}`, { login: { password, ...(old_password && { old_password }) } });
        } catch (error) {
          if (!(error instanceof Refusal) || error.status !== 401 || person.id === me.id || !rights.manage_account_settings) throw error;
          allow.replaceChildren(
            h(
              'div',
              { class: 'notice' },
              h('p', {}, 'Here, administrators do not set passwords for others yet. Allow it, then set the password again.'),
              button('Allow it', async () => {
                await send('PUT', `/accounts/${rootId}`, { account: { settings: { admins_can_change_passwords: true } } });
                allow.replaceChildren();
                say('Administrators may set passwords now');
              }),
            ),
          );
          return;
        }
        close();
        say(`The password of ${login.unique_id} has been set`);
      },
      button('Cancel', close),
    );
    return one;
  });
}

function makeToken(person: Person, isMe: boolean, after: () => void): void {
  dialog(`Token for ${person.name}`, (close) =>
    form(
      [
        field({
          name: 'purpose',
          label: 'What it is for',
          required: true,
          hint: isMe ? undefined : 'They accept it themselves before it opens anything.',
        }),
        field({ name: 'expires_at', label: 'Ends at', type: 'datetime-local', hint: 'Empty: it does not end by itself.' }),
      ],
      'Create token',
      async ({ purpose, expires_at }) => {
        const made = await send<Token>('POST', `/users/${person.id}/tokens`, {
          token: { purpose, ...(expires_at && { expires_at: new Date(expires_at).toISOString() }) },
        });
        close();
        after();
        shownOnce(
          'Token',
          ['This is the only time that the token is shown. Who has it can do what ', h('strong', {}, person.name), ' can.'],
          made.visible_token,
        );
      },
      button('Cancel', close),
    ),
  );
}

export async function person(place: Place): Promise<Child> {
  const { account, rights, rest, signal, me, entitle } = place;
  const found = await ask<Person>(`/users/${rest[0]}?include[]=last_login`, signal);
  const at = `/users/${found.id}`;
  const isMe = found.id === me.id;
  entitle(found.name);
  const standing = h('span');

  const logins = part('Logins', async () => {
    const list = await askAll<Login>(`${at}/logins?per_page=50`, signal);
    showStanding(list);
    if (list.length === 0) return blank('No login', 'Without a login nobody can sign in as this person.');
    return table(
      'Logins',
      ['Login', 'SIS id', 'Signs in by', 'State', ''],
      list.map((login) =>
        h(
          'tr',
          {},
          h('th', { scope: 'row' }, login.unique_id),
          h('td', { class: 'code' }, login.sis_user_id),
          h('td', {}, login.authentication_provider_type ? plain(login.authentication_provider_type) : 'Password'),
          h('td', {}, login.workflow_state === 'active' ? tag('Active', 'good') : tag('Suspended', 'bad')),
          h(
            'td',
            { class: 'acts' },
            rights.manage_user_logins &&
              button('Set password', () => setPassword(place, found, login), { name: `Set password of ${login.unique_id}` }),
          ),
        ),
      ),
    ).whole;
  });

  const tokens = part(
    'Access tokens',
    async () => {
      const list = await askAll<Token>(`${at}/user_generated_tokens?per_page=50`, signal);
      if (list.length === 0) return blank('No tokens', 'Programs that act for this person need one.');
      return table(
        'Access tokens',
        ['For', 'Begins with', 'State', 'Last used', 'Ends', ''],
        list.map((token) =>
          h(
            'tr',
            {},
            h('th', { scope: 'row' }, token.purpose ?? token.app_name),
            h('td', { class: 'code' }, token.visible_token),
            h('td', {}, token.workflow_state === 'active' ? tag('Active', 'good') : tag('Waits to be accepted', 'busy')),
            h('td', {}, when(token.last_used_at)),
            h('td', {}, token.expires_at ? when(token.expires_at) : 'Never'),
            h(
              'td',
              { class: 'acts' },
              button(
                'Take back',
                () =>
                  confirmed('Take this token back?', 'Programs that use it are shut out at once.', 'Take back', async () => {
                    await send('DELETE', `${at}/tokens/${token.id}`);
                    changed(tokens);
                    say('The token opens nothing any more');
                  }),
                { kind: 'plain danger', name: `Take back: ${token.purpose ?? token.app_name}` },
              ),
            ),
          ),
        ),
      ).whole;
    },
    button('New token', () => makeToken(found, isMe, () => changed(tokens))),
  );

  const courses = part('Courses', async () => {
    const [list, named] = await Promise.all([
      askAll<Enrollment>(`${at}/enrollments?per_page=100`, signal, 1),
      // Enrollments do not contain the course's name.
      askAll<{ readonly id: number; readonly name: string }>(`${at}/courses?per_page=100`, signal, 1).catch(() => []),
    ]);
    const nameOf = (id: number) => named.find((course) => course.id === id)?.name ?? `Course ${id}`;
    if (list.length === 0) return blank('In no course', 'Enrollments come from courses, or from an SIS import.');
    return table(
      'Courses',
      ['Course', 'As', 'State'],
      list.map((one) =>
        h(
          'tr',
          {},
          h('th', { scope: 'row' }, h('a', { href: addressOf(account.id, 'courses', one.course_id) }, nameOf(one.course_id))),
          h('td', {}, one.type.replace('Enrollment', '')),
          h('td', {}, tag(plain(one.enrollment_state), one.enrollment_state === 'active' ? 'good' : 'still')),
        ),
      ),
    ).whole;
  });

  function showStanding(list: readonly Login[]): void {
    standing.replaceChildren();
    if (isMe || !rights.manage_user_logins || list.length === 0) return;
    const move = async (event: 'suspend' | 'unsuspend', words: string): Promise<void> => {
      await send('PUT', at, { user: { event } });
      changed(logins);
      say(words);
    };
    standing.append(
      list.some(({ workflow_state }) => workflow_state === 'active')
        ? button('Suspend', () =>
            confirmed(
              `Suspend ${found.name}?`,
              'They are signed out and cannot sign in until you let them in again. Nothing of theirs is lost.',
              'Suspend',
              () => move('suspend', `${found.name} is suspended`),
            ),
          )
        : button('Let in again', () => move('unsuspend', `${found.name} can sign in again`)),
    );
  }

  return [
    h('p', { class: 'back' }, h('a', { href: addressOf(account.id, 'people') }, '← People')),
    facts(
      ['In lists', found.sortable_name],
      ['Email', found.email],
      ['SIS id', found.sis_user_id && h('span', { class: 'code' }, found.sis_user_id)],
      ['Id', h('span', { class: 'code' }, found.id)],
      ['Last seen', when(found.last_login)],
      ['Since', when(found.created_at)],
    ),
    h(
      'div',
      { class: 'row' },
      standing,
      (isMe || rights.manage_user_logins) &&
        button(
          'End all sessions',
          () =>
            confirmed(
              'End all sessions?',
              'They are signed out everywhere, and every token of theirs is taken back.',
              'End all sessions',
              async () => {
                await send('DELETE', `${at}/sessions`);
                if (isMe) location.assign('/login?return_to=%2Fadmin');
                changed(tokens);
                say('All sessions have ended');
              },
            ),
          { kind: 'plain danger' },
        ),
    ),
    logins,
    tokens,
    courses,
  ];
}
