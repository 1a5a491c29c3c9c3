// Webhooks: subscriptions to events, and the events that could not be delivered.

import { sendRequest } from './api';
import { type Child, h } from './dom';
import {
  blank,
  button,
  confirmed,
  dialog,
  field,
  form,
  listing,
  notifyChanged,
  part,
  sentenceCase,
  showStatus,
  tag,
  timeElement,
} from './parts';
import { type ScreenContext, screenHref } from './place';
import { shownOnce } from './secret';

interface Subscription {
  readonly id: number;
  readonly name: string;
  readonly context_type: string;
  readonly context_id: number;
  readonly event_types: readonly string[];
  readonly url: string;
  readonly secret: string | null;
  readonly workflow_state: string;
  readonly is_paused_by_failures: boolean;
  readonly failing_since: string | null;
  readonly last_error: string | null;
  readonly last_delivered_at: string | null;
  readonly waiting_count: number;
  readonly dead_letter_count: number;
}

interface UndeliveredEvent {
  readonly id: number;
  readonly event_type: string;
  readonly attempts: number;
  readonly error: string | null;
  readonly created_at: string;
}

const addressOf = ({ account }: ScreenContext): string => `/accounts/${account.id}/webhook_subscriptions`;
const linesIn = (text = ''): string[] => text.split(/\s+/).filter(Boolean);
/** The service counts up to a hundred. */
const counted = (count: number): string => (count === 0 ? '' : count >= 100 ? '100 or more' : String(count));
const contextOf = ({ context_type, context_id }: Subscription): string =>
  context_type === 'root_account' ? 'Institution' : `${sentenceCase(context_type)} ${context_id}`;

function stateOf({ workflow_state, is_paused_by_failures, failing_since }: Subscription): HTMLElement {
  if (workflow_state === 'paused') return is_paused_by_failures ? tag('Paused after failures', 'bad') : tag('Paused');
  return failing_since ? tag('Failing', 'bad') : tag('Active', 'good');
}

/** Where it stands: its state, what went wrong, and what arrived last. */
const standing = (one: Subscription): Child => [
  stateOf(one),
  one.last_error && h('p', { class: 'hint code wraps' }, one.last_error),
  one.last_delivered_at && h('p', { class: 'hint' }, 'Delivered ', timeElement(one.last_delivered_at)),
];

const showSecret = ({ name, secret }: Subscription): void =>
  shownOnce(
    'Secret',
    ['The secret of ', h('strong', {}, name), ' is shown only once. The receiver verifies signatures with it.'],
    secret ?? '',
  );

/** Creates or updates a subscription. */
function edit(place: ScreenContext, before: Subscription | undefined, after: () => void): void {
  dialog(before?.name ?? 'New subscription', (close) =>
    form(
      [
        field({ name: 'name', label: 'Name', value: before?.name ?? '' }),
        field({
          name: 'url',
          label: 'Address',
          required: true,
          value: before?.url ?? '',
          hint: 'An https address that receives POST requests.',
        }),
        field({
          name: 'event_types',
          label: 'Events',
          type: 'area',
          required: true,
          value: before?.event_types.join('\n') ?? '',
          hint: 'One event per line, such as grade_change. docs/webhooks.md lists all events.',
        }),
        !before &&
          field({
            name: 'context_type',
            label: 'Events of',
            options: [
              ['root_account', 'The institution'],
              ['account', 'A sub-account'],
              ['course', 'A course'],
            ],
          }),
        !before && field({ name: 'context_id', label: 'Number of the sub-account or course', hint: 'Leave empty for the institution.' }),
      ],
      before ? 'Save' : 'Create',
      async ({ event_types, ...given }) => {
        const wanted = { ...given, event_types: linesIn(event_types) };
        const at = addressOf(place);
        const made = before
          ? await sendRequest<Subscription>('PUT', `${at}/${before.id}`, wanted)
          : await sendRequest<Subscription>('POST', at, wanted);
        close();
        after();
        if (before) showStatus(`${made.name} saved`);
        else showSecret(made);
      },
      button('Cancel', close),
    ),
  );
}

export async function webhooksScreen(place: ScreenContext): Promise<Child> {
  const at = addressOf(place);
  const again = () => notifyChanged(whole);
  const acts = (one: Subscription): Child => {
    const turn = async (workflow_state: 'active' | 'paused'): Promise<void> => {
      await sendRequest('PUT', `${at}/${one.id}`, { workflow_state });
      again();
      showStatus(workflow_state === 'active' ? `${one.name} resumed` : `${one.name} paused`);
    };
    return [
      one.workflow_state === 'paused'
        ? button('Resume', () => turn('active'), { name: `Resume ${one.name}` })
        : button(
            'Pause',
            () => confirmed(`Pause ${one.name}?`, 'Events that happen while it is paused are never sent.', 'Pause', () => turn('paused')),
            { name: `Pause ${one.name}` },
          ),
      button('Edit', () => edit(place, one, again), { name: `Edit ${one.name}` }),
      button(
        'New secret',
        () =>
          confirmed(`New secret for ${one.name}?`, 'For a day, requests are signed with both secrets.', 'Create new secret', async () =>
            showSecret(await sendRequest<Subscription>('POST', `${at}/${one.id}/rotate_secret`)),
          ),
        { name: `New secret for ${one.name}` },
      ),
      button(
        'Delete',
        () =>
          confirmed(`Delete ${one.name}?`, 'Events that wait are not sent. This cannot be undone.', 'Delete', async () => {
            await sendRequest('DELETE', `${at}/${one.id}`);
            again();
            showStatus(`Deleted ${one.name}`);
          }),
        { kind: 'plain danger', name: `Delete ${one.name}` },
      ),
    ];
  };
  const whole: HTMLElement = part(
    'Subscriptions',
    () =>
      listing<Subscription>(`${at}?per_page=50`, {
        label: 'Webhook subscriptions',
        heads: ['Subscription', 'State', 'Events', 'Waiting', 'Undelivered', ''],
        row: (one) =>
          h(
            'tr',
            { class: 'stacks' },
            h('th', { scope: 'row' }, one.name, h('p', { class: 'hint wraps' }, one.url)),
            h('td', {}, standing(one)),
            h(
              'td',
              { title: one.event_types.join(', ') },
              one.event_types.length === 1 ? sentenceCase(one.event_types[0] ?? '') : `${one.event_types.length} events`,
              h('p', { class: 'hint' }, contextOf(one)),
            ),
            h('td', { class: 'number', 'data-label': 'Waiting' }, counted(one.waiting_count)),
            h(
              'td',
              { class: 'number', 'data-label': 'Undelivered' },
              one.dead_letter_count > 0 &&
                h('a', { href: screenHref(place.account.id, 'webhooks', one.id) }, counted(one.dead_letter_count)),
            ),
            h('td', { class: 'acts' }, h('div', { class: 'several' }, acts(one))),
          ),
        empty: () => blank('No subscriptions', 'Create one for each service that needs to know of changes.'),
        signal: place.signal,
      }),
    button('New subscription', () => edit(place, undefined, again), { kind: 'main' }),
  );
  return whole;
}

/** The events that one subscription could not deliver. */
export async function undeliveredScreen(place: ScreenContext): Promise<Child> {
  const at = `${addressOf(place)}/${Number(place.rest[0])}/dead_letters`;
  const whole: HTMLElement = part('Undelivered events', () =>
    listing<UndeliveredEvent>(`${at}?per_page=20`, {
      label: 'Undelivered events',
      heads: ['Event', 'Error', 'Attempts', 'When', ''],
      row: (one) =>
        h(
          'tr',
          { class: 'stacks' },
          h('th', { scope: 'row' }, sentenceCase(one.event_type), ' ', h('span', { class: 'code quiet' }, one.id)),
          h('td', { class: 'code wraps' }, one.error),
          h('td', { class: 'number', 'data-label': 'Attempts' }, one.attempts),
          h('td', {}, timeElement(one.created_at)),
          h(
            'td',
            { class: 'acts' },
            button(
              'Send again',
              async () => {
                await sendRequest('POST', `${at}/${one.id}/send_again`);
                notifyChanged(whole);
                showStatus('The event will be sent again');
              },
              { name: `Send again: ${sentenceCase(one.event_type)} ${one.id}` },
            ),
            button(
              'Delete',
              () =>
                confirmed('Delete this event?', 'It will not be sent.', 'Delete', async () => {
                  await sendRequest('DELETE', `${at}/${one.id}`);
                  notifyChanged(whole);
                  showStatus('Deleted');
                }),
              { kind: 'plain danger', name: `Delete: ${sentenceCase(one.event_type)} ${one.id}` },
            ),
          ),
        ),
      empty: () => blank('No undelivered events', 'Events that fail eight times are kept here for 30 days.'),
      signal: place.signal,
    }),
  );
  return [h('p', {}, h('a', { href: screenHref(place.account.id, 'webhooks') }, 'All subscriptions')), whole];
}
