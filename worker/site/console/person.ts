// A user: details, logins, authorised applications.

import { askAll, getJson, Refusal, sendRequest } from './api';
import { type Child, h } from './dom';
import {
  blank,
  button,
  confirmed,
  dataTable,
  dialog,
  factList,
  field,
  form,
  notifyChanged,
  part,
  sentenceCase,
  showStatus,
  tag,
  timeElement,
} from './parts';
import { type ConsolePerson, passwordField } from './people';
import { type ScreenContext, screenHref } from './place';
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

function setPassword({ rootId, rights, me }: ScreenContext, person: ConsolePerson, login: Login): void {
  dialog(`Password of ${login.unique_id}`, (close) => {
    const allow = h('div');
    const one = form(
      [
        person.id === me.id && field({ name: 'old_password', label: 'Current password', type: 'password', required: true }),
        passwordField(true, 'At least 8 characters. All sessions of this login will be signed out.'),
        allow,
      ],
      'Set password',
      async ({ password = '', old_password = '' }) => {
        try {
          await sendRequest('PUT', `/accounts/${rootId}/logins/${login.id}`, {
            login: { password, ...(old_password && { old_password }) },
          });
        } catch (error) {
          if (!(error instanceof Refusal) || error.status !== 401 || person.id === me.id || !rights.manage_account_settings) throw error;
          allow.replaceChildren(
            h(
              'div',
              { class: 'notice' },
              h('p', {}, 'Administrators cannot set passwords of other users yet. Allow it, then try again.'),
              button('Allow', async () => {
                await sendRequest('PUT', `/accounts/${rootId}`, { account: { settings: { admins_can_change_passwords: true } } });
                allow.replaceChildren();
                showStatus('Administrators can now set passwords');
              }),
            ),
          );
          return;
        }
        close();
        showStatus(`Password of ${login.unique_id} set`);
      },
      button('Cancel', close),
    );
    return one;
  });
}

function makeToken(person: ConsolePerson, isMe: boolean, after: () => void): void {
  dialog(`Token for ${person.name}`, (close) =>
    form(
      [
        field({
          name: 'purpose',
          label: 'Purpose',
          required: true,
          hint: isMe ? undefined : 'The user must activate the token before it works.',
        }),
        field({ name: 'expires_at', label: 'Expires at', type: 'datetime-local', hint: 'Leave empty for no expiry.' }),
      ],
      'Create token',
      async ({ purpose, expires_at }) => {
        const made = await sendRequest<Token>('POST', `/users/${person.id}/tokens`, {
          token: { purpose, ...(expires_at && { expires_at: new Date(expires_at).toISOString() }) },
        });
        close();
        after();
        shownOnce(
          'Token',
          ['This token is shown only once. Anyone who has it can act as ', h('strong', {}, person.name), '.'],
          made.visible_token,
        );
      },
      button('Cancel', close),
    ),
  );
}

export async function personScreen(place: ScreenContext): Promise<Child> {
  const { account, rights, rest, signal, me, entitle } = place;
  const found = await getJson<ConsolePerson>(`/users/${rest[0]}?include[]=last_login`, signal);
  const at = `/users/${found.id}`;
  const isMe = found.id === me.id;
  entitle(found.name);
  const standing = h('span');

  const logins = part('Logins', async () => {
    const list = await askAll<Login>(`${at}/logins?per_page=50`, signal);
    showStanding(list);
    if (list.length === 0) return blank('No login', 'Without a login, this person cannot sign in.');
    return dataTable(
      'Logins',
      ['Login', 'SIS id', 'Sign-in method', 'State', ''],
      list.map((login) =>
        h(
          'tr',
          {},
          h('th', { scope: 'row' }, login.unique_id),
          h('td', { class: 'code' }, login.sis_user_id),
          h('td', {}, login.authentication_provider_type ? sentenceCase(login.authentication_provider_type) : 'Password'),
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
      if (list.length === 0) return blank('No tokens', 'Applications need a token to act as this person.');
      return dataTable(
        'Access tokens',
        ['Purpose', 'Starts with', 'State', 'Last used', 'Expires', ''],
        list.map((token) =>
          h(
            'tr',
            {},
            h('th', { scope: 'row' }, token.purpose ?? token.app_name),
            h('td', { class: 'code' }, token.visible_token),
            h('td', {}, token.workflow_state === 'active' ? tag('Active', 'good') : tag('Pending', 'busy')),
            h('td', {}, timeElement(token.last_used_at)),
            h('td', {}, token.expires_at ? timeElement(token.expires_at) : 'Never'),
            h(
              'td',
              { class: 'acts' },
              button(
                'Delete',
                () =>
                  confirmed('Delete this token?', 'Applications that use it lose access immediately.', 'Delete', async () => {
                    await sendRequest('DELETE', `${at}/tokens/${token.id}`);
                    notifyChanged(tokens);
                    showStatus('Token deleted');
                  }),
                { kind: 'plain danger', name: `Delete: ${token.purpose ?? token.app_name}` },
              ),
            ),
          ),
        ),
      ).whole;
    },
    button('New token', () => makeToken(found, isMe, () => notifyChanged(tokens))),
  );

  const courses = part('Courses', async () => {
    const [list, named] = await Promise.all([
      askAll<Enrollment>(`${at}/enrollments?per_page=100`, signal, 1),
      // Enrollments do not contain the course's name.
      askAll<{ readonly id: number; readonly name: string }>(`${at}/courses?per_page=100`, signal, 1).catch(() => []),
    ]);
    const nameOf = (id: number) => named.find((course) => course.id === id)?.name ?? `Course ${id}`;
    if (list.length === 0) return blank('No courses', 'Enrollments come from courses, or from an SIS import.');
    return dataTable(
      'Courses',
      ['Course', 'Role', 'State'],
      list.map((one) =>
        h(
          'tr',
          {},
          h('th', { scope: 'row' }, h('a', { href: screenHref(account.id, 'courses', one.course_id) }, nameOf(one.course_id))),
          h('td', {}, one.type.replace('Enrollment', '')),
          h('td', {}, tag(sentenceCase(one.enrollment_state), one.enrollment_state === 'active' ? 'good' : 'still')),
        ),
      ),
    ).whole;
  });

  function showStanding(list: readonly Login[]): void {
    standing.replaceChildren();
    if (isMe || !rights.manage_user_logins || list.length === 0) return;
    const move = async (event: 'suspend' | 'unsuspend', words: string): Promise<void> => {
      await sendRequest('PUT', at, { user: { event } });
      notifyChanged(logins);
      showStatus(words);
    };
    standing.append(
      list.some(({ workflow_state }) => workflow_state === 'active')
        ? button('Suspend', () =>
            confirmed(
              `Suspend ${found.name}?`,
              'They are signed out and cannot sign in until you unsuspend them. Their data is kept.',
              'Suspend',
              () => move('suspend', `Suspended ${found.name}`),
            ),
          )
        : button('Unsuspend', () => move('unsuspend', `${found.name} can sign in again`)),
    );
  }

  return [
    h('p', { class: 'back' }, h('a', { href: screenHref(account.id, 'people') }, '← People')),
    factList(
      ['Sortable name', found.sortable_name],
      ['Email', found.email],
      ['SIS id', found.sis_user_id && h('span', { class: 'code' }, found.sis_user_id)],
      ['Id', h('span', { class: 'code' }, found.id)],
      ['Last seen', timeElement(found.last_login)],
      ['Created', timeElement(found.created_at)],
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
              'They are signed out everywhere, and all their tokens are deleted.',
              'End all sessions',
              async () => {
                await sendRequest('DELETE', `${at}/sessions`);
                if (isMe) location.assign('/login?return_to=%2Fadmin');
                notifyChanged(tokens);
                showStatus('All sessions ended');
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
