// Users of an account: search and create.

import { sendRequest } from './api';
import { type Child, h } from './dom';
import { finder } from './finder';
import { blank, button, dialog, field, form, listing, showStatus, timeElement } from './parts';
import { type ScreenContext, screenHref } from './place';

export interface ConsolePerson {
  readonly id: number;
  readonly name: string;
  readonly sortable_name: string;
  readonly login_id?: string;
  readonly sis_user_id?: string | null;
  readonly email?: string | null;
  readonly last_login?: string | null;
  readonly created_at: string;
}

const messages = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const newPassword = (): string => [...crypto.getRandomValues(new Uint32Array(16))].map((one) => messages[one % messages.length]).join('');

/** A field for a new password, with a button to generate one. */
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
    button('Generate', () => {
      if (input) input.value = newPassword();
      input?.select();
    }),
  );
  return whole;
}

function create({ account, rootId, rights }: ScreenContext): void {
  dialog('New person', (close) =>
    form(
      [
        field({ name: 'name', label: 'Name', required: true }),
        field({
          name: 'unique_id',
          label: 'Login',
          required: true,
          hint: 'Often their email address.',
          more: { autocapitalize: 'none' },
        }),
        field({ name: 'address', label: 'Email', type: 'email' }),
        rights.manage_sis && field({ name: 'sis_user_id', label: 'SIS id' }),
        passwordField(false, 'At least 8 characters. Leave empty if the user signs in through an identity provider.'),
      ],
      'Create',
      async ({ name = '', unique_id = '', address = '', sis_user_id = '', password = '' }) => {
        const made = await sendRequest<ConsolePerson>('POST', `/accounts/${rootId}/users`, {
          user: { name, skip_registration: true },
          pseudonym: { unique_id, ...(password && { password }), ...(sis_user_id && { sis_user_id }) },
          ...(address && { communication_channel: { type: 'email', address, skip_confirmation: true } }),
        });
        close();
        showStatus(`Created ${made.name}`);
        location.hash = screenHref(account.id, 'people', made.id);
      },
      button('Cancel', close),
    ),
  );
}

export const peopleScreen = (place: ScreenContext): Promise<Child> => {
  const { account, rights, signal } = place;
  return finder(place, {
    label: 'Find people',
    placeholder: 'Name, login, SIS id or email',
    beside: rights.manage_user_logins && button('New person', () => create(place), { kind: 'main' }),
    find: (term) => {
      const given = new URLSearchParams([
        ...(term ? [['search_term', term]] : []),
        ['include[]', 'email'],
        ['include[]', 'last_login'],
        ['per_page', '25'],
      ]);
      return listing<ConsolePerson>(`/accounts/${account.id}/users?${given}`, {
        label: 'People',
        heads: ['Name', 'Login', 'Email', 'SIS id', 'Last seen'],
        row: ({ id, sortable_name, login_id, email, sis_user_id, last_login }) =>
          h(
            'tr',
            {},
            h('th', { scope: 'row' }, h('a', { href: screenHref(account.id, 'people', id) }, sortable_name)),
            h('td', {}, login_id),
            h('td', {}, email),
            h('td', { class: 'code' }, sis_user_id),
            h('td', {}, timeElement(last_login)),
          ),
        empty: () =>
          term
            ? blank(`No results for “${term}”`, 'Try a part of the name, the login or the SIS id.')
            : blank('No people yet', 'Create somebody, or import people from your student information system.'),
        signal,
      });
    },
  });
};
