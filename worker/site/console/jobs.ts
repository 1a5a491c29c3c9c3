// Background jobs: progress and failed jobs.

import { sendRequest } from './api';
import { type Child, h } from './dom';
import {
  blank,
  button,
  type ConsoleTone,
  confirmed,
  listing,
  notifyChanged,
  part,
  sentenceCase,
  showStatus,
  tag,
  timeElement,
} from './parts';
import type { ScreenContext } from './place';

interface Work {
  readonly id: number;
  readonly tag: string;
  readonly context_type: string;
  readonly context_id: number;
  readonly completion: number | null;
  readonly message: string | null;
  readonly workflow_state: string;
  readonly created_at: string;
  readonly updated_at: string;
}

interface Letter {
  readonly id: number;
  readonly job: string;
  readonly progress_id: number | null;
  readonly error: string | null;
  readonly attempts: number;
  readonly workflow_state: string;
  readonly created_at: string;
}

interface Chore {
  readonly name: string;
  readonly every_minutes: number;
  readonly last_run_at: string;
  readonly duration_ms: number;
  readonly next_run_at: string;
  readonly last_error: string | null;
  readonly failed_at: string | null;
  readonly is_running: boolean;
  readonly steps: number;
  readonly statements: number;
  readonly rows_read: number;
  readonly rows_written: number;
  readonly budget_statements: number;
  readonly budget_rows: number;
  readonly left_behind: number;
}

const isOverBudget = (one: Chore): boolean => one.statements > one.budget_statements || one.rows_read + one.rows_written > one.budget_rows;

function choreState(one: Chore): HTMLElement {
  if (one.is_running) return tag('Running', 'busy');
  if (one.failed_at === one.last_run_at) return tag('Failed', 'bad');
  if (isOverBudget(one)) return tag('Over budget', 'bad');
  return one.left_behind > 0 ? tag('Continues', 'busy') : tag('Done', 'good');
}

const thousands = (count: number): string => count.toLocaleString('en-US');

const tones: Readonly<Record<string, ConsoleTone>> = { queued: 'still', running: 'busy', completed: 'good', failed: 'bad' };
const labels = [
  ['', 'All'],
  ['queued', 'Waiting'],
  ['running', 'Running'],
  ['failed', 'Failed'],
  ['completed', 'Done'],
] as const;
const labelOf = (state: string) => labels.find(([name]) => name === state)?.[1] ?? sentenceCase(state);

export async function jobs({ account, signal }: ScreenContext): Promise<Child> {
  const state = h(
    'select',
    { id: 'state', onchange: () => notifyChanged(work) },
    labels.map(([value, label]) => h('option', { value }, label)),
  );
  const work: HTMLElement = part(
    'Work',
    () =>
      listing<Work>(`/accounts/${account.id}/jobs?per_page=20${state.value && `&workflow_state=${state.value}`}`, {
        label: 'Work',
        heads: ['Job', 'Context', 'State', 'Progress', 'Message', 'Started', 'Updated'],
        row: (one) =>
          h(
            'tr',
            {},
            h('th', { scope: 'row' }, sentenceCase(one.tag), ' ', h('span', { class: 'code quiet' }, one.id)),
            h('td', {}, `${sentenceCase(one.context_type)} ${one.context_id}`),
            h('td', {}, tag(labelOf(one.workflow_state), tones[one.workflow_state])),
            h('td', { class: 'number' }, one.completion === null ? '' : `${Math.round(one.completion)} %`),
            h('td', {}, one.message),
            h('td', {}, timeElement(one.created_at)),
            h('td', {}, timeElement(one.updated_at)),
          ),
        empty: () => blank('No jobs', state.value ? 'Choose another state to see more.' : 'Long-running work appears here.'),
        signal,
      }),
    h(
      'div',
      { class: 'row' },
      h('div', { class: 'field inline' }, h('label', { for: 'state' }, 'State'), state),
      button('Refresh', () => notifyChanged(work)),
    ),
  );
  const messages: HTMLElement = part('Failed jobs', () =>
    listing<Letter>(`/accounts/${account.id}/dead_letters?per_page=20`, {
      label: 'Failed jobs',
      heads: ['Job', 'Error', 'Attempts', 'When', ''],
      row: (one) =>
        h(
          'tr',
          {},
          h(
            'th',
            { scope: 'row' },
            sentenceCase(one.job),
            one.progress_id !== null && [' ', h('span', { class: 'code quiet' }, one.progress_id)],
          ),
          h('td', { class: 'code wraps' }, one.error ?? 'It ended without an error message.'),
          h('td', { class: 'number' }, one.attempts),
          h('td', {}, timeElement(one.created_at)),
          h(
            'td',
            { class: 'acts' },
            one.workflow_state === 'sent_again'
              ? tag('Retried', 'good')
              : button(
                  'Retry',
                  async () => {
                    await sendRequest('POST', `/accounts/${account.id}/dead_letters/${one.id}/send_again`);
                    notifyChanged(messages);
                    notifyChanged(work);
                    showStatus(`${sentenceCase(one.job)} will be retried`);
                  },
                  { name: `Retry: ${sentenceCase(one.job)} ${one.id}` },
                ),
            button(
              'Delete',
              () =>
                confirmed('Delete this job?', 'The work will not be done.', 'Delete', async () => {
                  await sendRequest('DELETE', `/accounts/${account.id}/dead_letters/${one.id}`);
                  notifyChanged(messages);
                  showStatus('Deleted');
                }),
              { kind: 'plain danger', name: `Delete: ${sentenceCase(one.job)} ${one.id}` },
            ),
          ),
        ),
      empty: () => blank('No failed jobs', 'Jobs that fail six times are kept here until you retry or delete them.'),
      signal,
    }),
  );
  const chores: HTMLElement = part('Scheduled chores', () =>
    listing<Chore>(`/accounts/${account.id}/chores`, {
      label: 'Scheduled chores',
      heads: ['Chore', 'State', 'Every', 'Last run', 'Took', 'Rows read', 'Rows written', 'Left behind', 'Next run', 'Last error'],
      row: (one) =>
        h(
          'tr',
          {},
          h('th', { scope: 'row' }, sentenceCase(one.name)),
          h('td', {}, choreState(one)),
          h('td', {}, one.every_minutes === 1 ? 'minute' : `${one.every_minutes} minutes`),
          h('td', {}, timeElement(one.last_run_at)),
          h(
            'td',
            { class: 'number' },
            `${thousands(one.duration_ms)} ms`,
            one.steps > 1 && [' ', h('span', { class: 'quiet' }, `run ${one.steps}`)],
          ),
          h('td', { class: 'number' }, thousands(one.rows_read)),
          h('td', { class: 'number' }, thousands(one.rows_written)),
          h('td', { class: 'number' }, one.left_behind === 0 ? '' : thousands(one.left_behind)),
          h('td', {}, timeElement(one.next_run_at)),
          h(
            'td',
            { class: 'code wraps' },
            one.last_error,
            one.failed_at && [' ', h('span', { class: 'quiet' }, timeElement(one.failed_at))],
          ),
        ),
      empty: () => blank('No chore has run yet', 'The service runs its chores once a minute.'),
      signal,
    }),
  );
  return [messages, work, chores];
}
