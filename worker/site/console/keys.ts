// Developer keys: applications that may request access, and external tools that register themselves.

import { getJson, Refusal, sendRequest } from './api';
import { type Child, h } from './dom';
import {
  amount,
  blank,
  button,
  confirmed,
  dialog,
  factList,
  field,
  form,
  listing,
  notifyChanged,
  part,
  showStatus,
  tag,
  timeElement,
} from './parts';
import type { ScreenContext } from './place';
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
    ['The secret of ', h('strong', {}, nameOf(key)), ' is shown only once. The application authenticates with it.'],
    key.api_key ?? '',
    h('p', {}, 'The client id is ', h('span', { class: 'code' }, key.id), '.'),
  );

/** Creates or updates a key. */
function edit({ account }: ScreenContext, before: Key | undefined, after: () => void): void {
  const addresses = before ? [...new Set([...(before.redirect_uri ? [before.redirect_uri] : []), ...before.redirect_uris])] : [];
  dialog(before ? nameOf(before) : 'New key', (close) =>
    form(
      [
        field({
          name: 'name',
          label: 'Application name',
          required: true,
          value: before?.name ?? '',
          hint: 'Shown to users when they are asked for access.',
        }),
        field({
          name: 'redirect_uris',
          label: 'Redirect URIs',
          type: 'area',
          value: addresses.join('\n'),
          hint: 'One URI per line, exactly as the application sends it.',
        }),
        field({ name: 'email', label: 'Contact email', type: 'email', value: before?.email ?? '' }),
        !before &&
          field({
            name: 'client_type',
            label: 'Client type',
            options: [
              ['confidential', 'Confidential: runs on a server'],
              ['public', 'Public: runs in a browser or on a phone'],
            ],
          }),
        field({
          name: 'scopes',
          label: 'Scopes',
          type: 'area',
          value: before?.require_scopes ? before.scopes.join('\n') : '',
          hint: 'One scope per line, such as url:GET|/api/v1/courses. Leave empty for full access.',
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
          ? await sendRequest<Key>('PUT', `/developer_keys/${before.id}`, { developer_key })
          : await sendRequest<Key>('POST', `/accounts/${account.id}/developer_keys`, { developer_key });
        close();
        after();
        if (before) showStatus(`${nameOf(made)} saved`);
        else if (made.client_type === 'public') showStatus(`Created ${nameOf(made)}. Its client id is ${made.id}.`);
        else tellSecret(made);
      },
      button('Cancel', close),
    ),
  );
}

interface Invitation {
  readonly uuid: string;
  readonly registration_address: string;
}

interface ToolRegistration {
  readonly developer_key_id: number;
  readonly name: string;
  readonly workflow_state: string;
  readonly scopes: readonly string[];
  readonly configuration: {
    readonly description?: string | null;
    readonly domain?: string | null;
    readonly target_link_uri: string;
    readonly privacy_level?: string;
    readonly placements?: Readonly<Record<string, unknown>>;
  };
}

const privacyLevels = [
  ['anonymous', 'Nothing'],
  ['name_only', 'Name'],
  ['email_only', 'Email'],
  ['public', 'Name, email and SIS ids'],
] as const;

/** Shows what a tool has registered; it works once it is confirmed. */
async function review(path: string, after: () => void): Promise<void> {
  const found = await getJson<ToolRegistration>(path).catch((error: unknown) => {
    throw error instanceof Refusal && error.status === 404 ? new Refusal(404, 'The tool has not registered itself yet.') : error;
  });
  const { configuration } = found;
  dialog(`Confirm ${found.name}`, (close) => [
    factList(
      ['Description', configuration.description],
      ['Domain', configuration.domain],
      ['Opens', configuration.target_link_uri],
      ['Places', Object.keys(configuration.placements ?? {}).join(', ')],
      ['Services', found.scopes.map((scope) => scope.split('/').slice(-3).join('/')).join(', ')],
    ),
    form(
      [
        field({
          name: 'privacy_level',
          label: 'Sent to the tool about users',
          options: privacyLevels,
          value: configuration.privacy_level ?? 'anonymous',
        }),
      ],
      'Confirm and install',
      async ({ privacy_level }) => {
        await sendRequest('POST', `${path}/confirm`, { privacy_level });
        close();
        after();
        showStatus(`${found.name} installed`);
      },
      [
        button('Discard', async () => {
          await sendRequest('DELETE', `/developer_keys/${found.developer_key_id}`);
          close();
          after();
          showStatus(`Discarded ${found.name}`);
        }),
        button('Decide later', close),
      ],
    ),
  ]);
}

/** Lets an external tool register itself. */
function registerTool({ account }: ScreenContext, after: () => void): void {
  const at = `${location.origin}/api/lti/accounts/${account.id}`;
  dialog('Register a tool', (close) =>
    form(
      [
        field({
          name: 'address',
          label: 'Registration address',
          required: true,
          hint: 'The https address that the vendor of the tool has given you (LTI 1.3 dynamic registration).',
        }),
      ],
      'Open the tool',
      async ({ address = '' }) => {
        const { uuid, registration_address } = await getJson<Invitation>(
          `${at}/registration_token?registration_url=${encodeURIComponent(address)}`,
        );
        window.open(registration_address, '_blank', 'noopener,noreferrer');
        close();
        const path = `${at}/registrations/uuid/${uuid}`;
        dialog('Register a tool', (done) => [
          h('p', {}, 'Complete the registration in the tab of the tool, then continue here. You have half an hour.'),
          form(
            [],
            'Continue',
            async () => {
              await review(path, after);
              done();
            },
            button('Cancel', done),
          ),
        ]);
      },
      button('Cancel', close),
    ),
  );
}

export async function keys(place: ScreenContext): Promise<Child> {
  const { account, signal } = place;
  const at = `/accounts/${account.id}/developer_keys`;
  const again = () => notifyChanged(whole);
  const acts = (key: Key): Child => {
    const name = nameOf(key);
    const turn = async (state: 'on' | 'off'): Promise<void> => {
      if (state === 'on' && key.workflow_state !== 'active')
        await sendRequest('PUT', `/developer_keys/${key.id}`, { developer_key_event: 'activate' });
      await sendRequest('POST', `${at}/${key.id}/developer_key_account_bindings`, {
        developer_key_account_binding: { workflow_state: state },
      });
      again();
      showStatus(`${name} turned ${state}`);
    };
    return [
      isOn(key)
        ? button(
            'Turn off',
            () => confirmed(`Turn off ${name}?`, 'Its tokens stop working until you turn it on again.', 'Turn off', () => turn('off')),
            { name: `Turn off ${name}` },
          )
        : button('Turn on', () => turn('on'), { name: `Turn on ${name}` }),
      button('Edit', () => edit(place, key, again), { name: `Edit ${name}` }),
      button(
        'New secret',
        () =>
          confirmed(`New secret for ${name}?`, 'The current secret stops working immediately.', 'Create new secret', async () =>
            tellSecret(await sendRequest<Key>('PUT', `/developer_keys/${key.id}`, { developer_key_event: 'regenerate' })),
          ),
        { name: `New secret for ${name}` },
      ),
      button(
        'Delete',
        () =>
          confirmed(`Delete ${name}?`, 'All its users lose access immediately. This cannot be undone.', 'Delete', async () => {
            await sendRequest('DELETE', `/developer_keys/${key.id}`);
            again();
            showStatus(`Deleted ${name}`);
          }),
        { kind: 'plain danger', name: `Delete ${name}` },
      ),
    ];
  };
  const whole: HTMLElement = part(
    'Applications',
    () =>
      listing<Key>(`${at}?per_page=50`, {
        label: 'Developer keys',
        heads: ['Application', 'Client id', 'State', 'Scopes', 'Tokens', 'Last used', ''],
        row: (key) =>
          h(
            'tr',
            {},
            h('th', { scope: 'row' }, nameOf(key), key.email && h('p', { class: 'hint' }, key.email)),
            h('td', { class: 'code' }, key.id),
            h('td', {}, isOn(key) ? tag('On', 'good') : tag('Off')),
            h('td', {}, key.require_scopes ? (key.scopes.length === 1 ? '1 scope' : `${amount(key.scopes.length)} scopes`) : 'Everything'),
            h('td', { class: 'number' }, amount(key.access_token_count)),
            h('td', {}, timeElement(key.last_used_at)),
            h('td', { class: 'acts' }, acts(key)),
          ),
        empty: () => blank('No applications', 'Create a key for each application that needs access to user accounts.'),
        signal,
      }),
    h(
      'div',
      { class: 'row' },
      button('Register a tool', () => registerTool(place, again)),
      button('New key', () => edit(place, undefined, again), { kind: 'main' }),
    ),
  );
  return whole;
}
