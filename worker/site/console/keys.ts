// Developer keys: applications that may request access.

import { send } from './api';
import { type Child, h } from './dom';
import { amount, blank, button, changed, confirmed, dialog, field, form, listing, part, say, tag, when } from './parts';
import type { Place } from './place';
import { shownOnce } from './secret';

interface Key {
  readonly id: number;
  readonly name: string | null;
  readonly email: string | null;
  readonly redirect_uri: string | null;
  readonly redirect_uris: readonly string[];
  readonly client_type: string;
  readonly api_key: string | null;
  readonly scopes: readonly string[];
  readonly require_scopes: boolean;
  readonly workflow_state: string;
  readonly access_token_count: number;
  readonly last_used_at: string | null;
  readonly developer_key_account_binding: { readonly workflow_state: string } | null;
}

const nameOf = ({ id, name }: Key) => name || `Key ${id}`;
const isOn = ({ workflow_state, developer_key_account_binding: said }: Key) => workflow_state === 'active' && said?.workflow_state === 'on';
const linesOf = (text = '') => text.split(/\s+/).filter(Boolean);

const tellSecret = (key: Key) =>
  shownOnce(
    'Secret',
    [
      'This is the only time that the secret of ',
      h('strong', {}, nameOf(key)),
      ' is shown. With it the application proves that it is itself.',
    ],
    key.api_key ?? '',
    h('p', {}, 'Its client id is ', h('span', { class: 'code' }, key.id), '.'),
  );

/** Creates or updates a key. */
function edit({ account }: Place, before: Key | undefined, after: () => void): void {
  const addresses = before ? [...new Set([...(before.redirect_uri ? [before.redirect_uri] : []), ...before.redirect_uris])] : [];
  dialog(before ? nameOf(before) : 'New key', (close) =>
    form(
      [
        field({
          name: 'name',
          label: 'Name of the application',
          required: true,
          value: before?.name ?? '',
          hint: 'People read it when they are asked.',
        }),
        field({
          name: 'redirect_uris',
          label: 'Where it is answered',
          type: 'area',
          value: addresses.join('\n'),
          hint: 'One address a line, exactly as the application names it.',
        }),
        field({ name: 'email', label: 'Whom to write to about it', type: 'email', value: before?.email ?? '' }),
        !before &&
          field({
            name: 'client_type',
            label: 'Can it keep a secret?',
            options: [
              ['confidential', 'Yes, it runs on a server'],
              ['public', 'No, it runs in a browser or on a phone'],
            ],
          }),
        field({
          name: 'scopes',
          label: 'What it may ask for',
          type: 'area',
          value: before?.require_scopes ? before.scopes.join('\n') : '',
          hint: 'One scope a line, such as url:GET|/api/v1/courses. Empty: whatever the person may.',
        }),
      ],
      before ? 'Save' : 'Create',
      async ({ name, redirect_uris, email, client_type, scopes }) => {
        const wanted = linesOf(scopes);
        const developer_key = {
          name,
          email,
          redirect_uri: '',
          redirect_uris: linesOf(redirect_uris),
          scopes: wanted,
          require_scopes: wanted.length > 0,
          ...(client_type && { client_type }),
        };
        const made = before
          ? await send<Key>('PUT', `/developer_keys/${before.id}`, { developer_key })
          : await send<Key>('POST', `/accounts/${account.id}/developer_keys`, { developer_key });
        close();
        after();
        if (before) say(`${nameOf(made)} has been saved`);
        else if (made.client_type === 'public') say(`${nameOf(made)} has been created. Its client id is ${made.id}.`);
        else tellSecret(made);
      },
      button('Cancel', close),
    ),
  );
}

export async function keys(place: Place): Promise<Child> {
  const { account, signal } = place;
  const at = `/accounts/${account.id}/developer_keys`;
  const again = () => changed(whole);
  const acts = (key: Key): Child => {
    const name = nameOf(key);
    const turn = async (state: 'on' | 'off'): Promise<void> => {
      if (state === 'on' && key.workflow_state !== 'active')
        await send('PUT', `/developer_keys/${key.id}`, { developer_key_event: 'activate' });
      await send('POST', `${at}/${key.id}/developer_key_account_bindings`, { developer_key_account_binding: { workflow_state: state } });
      again();
      say(`${name} is switched ${state}`);
    };
    return [
      isOn(key)
        ? button(
            'Switch off',
            () =>
              confirmed(
                `Switch ${name} off?`,
                'Its tokens open nothing until you switch it on again. None of them is lost.',
                'Switch off',
                () => turn('off'),
              ),
            { name: `Switch off ${name}` },
          )
        : button('Switch on', () => turn('on'), { name: `Switch on ${name}` }),
      button('Change', () => edit(place, key, again), { name: `Change ${name}` }),
      button(
        'New secret',
        () =>
          confirmed(`New secret for ${name}?`, 'The one that it has now stops working at once.', 'Make a new one', async () =>
            tellSecret(await send<Key>('PUT', `/developer_keys/${key.id}`, { developer_key_event: 'regenerate' })),
          ),
        { name: `New secret for ${name}` },
      ),
      button(
        'Delete',
        () =>
          confirmed(
            `Delete ${name}?`,
            'Everybody who uses it is shut out of it at once, and it does not come back.',
            'Delete',
            async () => {
              await send('DELETE', `/developer_keys/${key.id}`);
              again();
              say(`${name} has been deleted`);
            },
          ),
        { kind: 'plain danger', name: `Delete ${name}` },
      ),
    ];
  };
  const whole: HTMLElement = part(
    'Applications',
    () =>
      listing<Key>(`${at}?per_page=50`, {
        label: 'Developer keys',
        heads: ['Application', 'Client id', 'State', 'May ask for', 'Tokens', 'Last used', ''],
        row: (key) =>
          h(
            'tr',
            {},
            h('th', { scope: 'row' }, nameOf(key), key.email && h('p', { class: 'hint' }, key.email)),
            h('td', { class: 'code' }, key.id),
            h('td', {}, isOn(key) ? tag('On', 'good') : tag('Off')),
            h('td', {}, key.require_scopes ? (key.scopes.length === 1 ? '1 scope' : `${amount(key.scopes.length)} scopes`) : 'Everything'),
            h('td', { class: 'number' }, amount(key.access_token_count)),
            h('td', {}, when(key.last_used_at)),
            h('td', { class: 'acts' }, acts(key)),
          ),
        empty: () =>
          blank('No application is known here', 'Make a key for each program that is to ask people for access to their account.'),
        signal,
      }),
    button('New key', () => edit(place, undefined, again), { kind: 'main' }),
  );
  return whole;
}
