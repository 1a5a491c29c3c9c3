// People of an account: found, made.

import { send } from './api';
import { type Child, h } from './dom';
import { blank, button, dialog, field, form, listing, say, trouble, when } from './parts';
import { addressOf, note, type Place } from './place';

export interface Person {
  readonly id: number;
  readonly name: string;
  readonly sortable_name: string;
  readonly login_id?: string;
  readonly sis_user_id?: string | null;
  readonly email?: string | null;
  readonly last_login?: string | null;
  readonly created_at: string;
}

const letters = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
export const newPassword = (): string =>
  [...crypto.getRandomValues(new Uint32Array(16))].map((one) => letters[one % letters.length]).join('');

/** A field for a new password, and a button that thinks of one. */
export function passwordField(required: boolean, hint: string): Child {
  const whole = field({
    name: 'password',
    label: 'Password',
    type: 'text',
    required,
    hint,
    more: { minlength: 8, spellcheck: 'false', autocapitalize: 'none' },
  });
  const input = whole.querySelector('input');
  whole.append(
    button('Make one up', () => {
      if (input) input.value = newPassword();
      input?.select();
    }),
  );
  return whole;
}

function create({ account, rootId, rights }: Place): void {
  dialog('New person', (close) =>
    form(
      [
        field({ name: 'name', label: 'Name', required: true }),
        field({
          name: 'unique_id',
          label: 'Login',
          required: true,
          hint: 'What they sign in with: often their address.',
          more: { autocapitalize: 'none' },
        }),
        field({ name: 'address', label: 'Email', type: 'email' }),
        rights.manage_sis && field({ name: 'sis_user_id', label: 'SIS id' }),
        passwordField(false, 'At least 8 characters. Leave it empty where another house signs people in.'),
      ],
      'Create',
      async ({ name = '', unique_id = '', address = '', sis_user_id = '', password = '' }) => {
        const made = await send<Person>('POST', `/accounts/${rootId}/users`, {
          user: { name, skip_registration: true },
          pseudonym: { unique_id, ...(password && { password }), ...(sis_user_id && { sis_user_id }) },
          ...(address && { communication_channel: { type: 'email', address, skip_confirmation: true } }),
        });
        close();
        say(`${made.name} has been created`);
        location.hash = addressOf(account.id, 'people', made.id);
      },
      button('Cancel', close),
    ),
  );
}

export async function people(place: Place): Promise<Child> {
  const { account, rights, query, signal } = place;
  const found = h('div', { 'aria-live': 'polite' });
  const search = h('input', {
    type: 'search',
    id: 'search',
    name: 'search',
    value: query.get('search') ?? '',
    autocomplete: 'off',
    placeholder: 'Name, login, SIS id or email',
  });
  let asked = 0;
  async function look(): Promise<void> {
    const term = search.value.trim();
    note({ search: term });
    asked += 1;
    const mine = asked;
    if (term.length === 1) {
      found.replaceChildren(blank('One letter is too little', 'Write at least two.'));
      return;
    }
    const given = new URLSearchParams([
      ...(term ? [['search_term', term]] : []),
      ['include[]', 'email'],
      ['include[]', 'last_login'],
      ['per_page', '25'],
    ]);
    const list = await listing<Person>(`/accounts/${account.id}/users?${given}`, {
      label: 'People',
      heads: ['Name', 'Login', 'Email', 'SIS id', 'Last seen'],
      row: ({ id, sortable_name, login_id, email, sis_user_id, last_login }) =>
        h(
          'tr',
          {},
          h('th', { scope: 'row' }, h('a', { href: addressOf(account.id, 'people', id) }, sortable_name)),
          h('td', {}, login_id),
          h('td', {}, email),
          h('td', { class: 'code' }, sis_user_id),
          h('td', {}, when(last_login)),
        ),
      empty: () =>
        term
          ? blank(`Nobody is called “${term}” here`, 'Try a part of the name, the login or the SIS id.')
          : blank('Nobody is here yet', 'Create somebody, or import people from your student information system.'),
      signal,
    }).catch((error: unknown) => (signal.aborted ? h('p') : trouble(error, () => void look())));
    if (mine === asked) found.replaceChildren(list);
  }
  let timer: ReturnType<typeof setTimeout> | undefined;
  search.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => void look(), 250);
  });
  await look();
  return [
    h(
      'div',
      { class: 'bar' },
      h('div', { class: 'field grows' }, h('label', { for: 'search' }, 'Find people'), search),
      rights.manage_user_logins && button('New person', () => create(place), { kind: 'main' }),
    ),
    found,
  ];
}
