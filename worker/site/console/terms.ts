// Terms.

import { sendRequest } from './api';
import { type Child, h } from './dom';
import { amount, blank, button, confirmed, dialog, field, form, listing, notifyChanged, part, showStatus } from './parts';
import type { ScreenContext } from './place';

interface Term {
  readonly id: number;
  readonly name: string;
  readonly start_at: string | null;
  readonly end_at: string | null;
  readonly sis_term_id?: string | null;
  readonly course_count: number;
}

const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
const dayOf = (at: string | null): Child =>
  at ? h('time', { datetime: at }, day.format(new Date(at))) : h('span', { class: 'quiet' }, '–');

/** `2026-09-01`, in the browser's time zone. */
const dateOf = (at: string | null | undefined): string => {
  if (!at) return '';
  const then = new Date(at);
  return [then.getFullYear(), then.getMonth() + 1, then.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
};
const momentOf = (date: string, clock: string): string => (date === '' ? '' : new Date(`${date}T${clock}`).toISOString());

function edit({ account, rights }: ScreenContext, before: Term | undefined, after: () => void): void {
  dialog(before?.name ?? 'New term', (close) =>
    form(
      [
        field({ name: 'name', label: 'Name', required: true, value: before?.name, more: { maxlength: 255 } }),
        field({ name: 'start', label: 'First day', type: 'date', value: dateOf(before?.start_at) }),
        field({ name: 'end', label: 'Last day', type: 'date', value: dateOf(before?.end_at), hint: 'Leave empty for no end date.' }),
        rights.manage_sis && field({ name: 'sis_term_id', label: 'SIS id', value: before?.sis_term_id ?? '' }),
      ],
      before ? 'Save' : 'Create',
      async ({ name, start = '', end = '', sis_term_id }) => {
        const dates = {
          // An unchanged date is not sent, so that its time of day is kept.
          ...(start !== dateOf(before?.start_at) && { start_at: momentOf(start, '00:00:00') }),
          ...(end !== dateOf(before?.end_at) && { end_at: momentOf(end, '23:59:59') }),
        };
        const given = { enrollment_term: { name, ...dates, ...(rights.manage_sis && { sis_term_id }) } };
        const at = `/accounts/${account.id}/terms`;
        const made = before ? await sendRequest<Term>('PUT', `${at}/${before.id}`, given) : await sendRequest<Term>('POST', at, given);
        close();
        after();
        showStatus(`${before ? 'Saved' : 'Created'} ${made.name}`);
      },
      button('Cancel', close),
    ),
  );
}

export async function termsScreen(place: ScreenContext): Promise<Child> {
  const { account, rights, signal } = place;
  const at = `/accounts/${account.id}/terms`;
  const whole: HTMLElement = part(
    'Terms',
    () =>
      listing<Term>(`${at}?include[]=course_count&per_page=50`, {
        label: 'Terms',
        within: 'enrollment_terms',
        heads: ['Name', 'First day', 'Last day', 'SIS id', 'Courses', ''],
        row: (term) =>
          h(
            'tr',
            {},
            h('th', { scope: 'row' }, term.name),
            h('td', {}, dayOf(term.start_at)),
            h('td', {}, dayOf(term.end_at)),
            h('td', { class: 'code' }, term.sis_term_id),
            h('td', { class: 'number' }, amount(term.course_count)),
            h(
              'td',
              { class: 'acts' },
              rights.manage_account_settings &&
                button('Edit', () => edit(place, term, () => notifyChanged(whole)), { name: `Edit ${term.name}` }),
              rights.manage_account_settings &&
                term.course_count === 0 &&
                button(
                  'Delete',
                  () =>
                    confirmed(`Delete ${term.name}?`, 'The term has no courses.', 'Delete', async () => {
                      await sendRequest('DELETE', `${at}/${term.id}`);
                      notifyChanged(whole);
                      showStatus(`Deleted ${term.name}`);
                    }),
                  { kind: 'plain danger', name: `Delete ${term.name}` },
                ),
            ),
          ),
        empty: () => blank('No terms', 'Courses belong to a term, which can define their dates.'),
        signal,
      }),
    rights.manage_account_settings && button('New term', () => edit(place, undefined, () => notifyChanged(whole)), { kind: 'main' }),
  );
  return whole;
}
