// Sub-accounts of an account.

import { sendRequest } from './api';
import { type Child, h } from './dom';
import { amount, blank, button, confirmed, dialog, field, form, listing, part, showStatus } from './parts';
import { accountsChanged, type ConsoleAccount, type ScreenContext, screenHref } from './place';

interface SubAccount extends ConsoleAccount {
  readonly sis_account_id?: string | null;
  readonly course_count: number;
  readonly sub_account_count: number;
}

/** Creates or renames a sub-account. */
function edit({ account, rights }: ScreenContext, before: SubAccount | undefined, after: () => void): void {
  dialog(before ? `Rename ${before.name}` : 'New account', (close) =>
    form(
      [
        field({ name: 'name', label: 'Name', required: true, value: before?.name, more: { maxlength: 255 } }),
        rights.manage_sis && field({ name: 'sis_account_id', label: 'SIS id', value: before?.sis_account_id ?? '' }),
      ],
      before ? 'Save' : 'Create',
      async ({ name, sis_account_id = '' }) => {
        const given = {
          account: { name, ...(rights.manage_sis && sis_account_id !== (before?.sis_account_id ?? '') && { sis_account_id }) },
        };
        const made = before
          ? await sendRequest<ConsoleAccount>('PUT', `/accounts/${before.id}`, given)
          : await sendRequest<ConsoleAccount>('POST', `/accounts/${account.id}/sub_accounts`, given);
        close();
        after();
        showStatus(before ? `Renamed to ${made.name}` : `Created ${made.name}`);
      },
      button('Cancel', close),
    ),
  );
}

export async function accountsScreen(place: ScreenContext): Promise<Child> {
  const { account, rights, signal } = place;
  const at = `/accounts/${account.id}/sub_accounts`;
  const after = () => {
    accountsChanged();
    whole.dispatchEvent(new Event('changed'));
  };
  const whole: HTMLElement = part(
    `Sub-accounts of ${account.name}`,
    () =>
      listing<SubAccount>(`${at}?include[]=course_count&include[]=sub_account_count&order=name&per_page=50`, {
        label: 'Accounts',
        heads: ['Name', 'SIS id', 'Courses', 'Sub-accounts', ''],
        row: (one) =>
          h(
            'tr',
            {},
            h('th', { scope: 'row' }, h('a', { href: screenHref(one.id, 'accounts') }, one.name)),
            h('td', { class: 'code' }, one.sis_account_id),
            h('td', { class: 'number' }, amount(one.course_count)),
            h('td', { class: 'number' }, amount(one.sub_account_count)),
            h(
              'td',
              { class: 'acts' },
              rights.manage_account_settings && button('Rename', () => edit(place, one, after), { name: `Rename ${one.name}` }),
              rights.manage_account_settings &&
                one.course_count + one.sub_account_count === 0 &&
                button(
                  'Delete',
                  () =>
                    confirmed(`Delete ${one.name}?`, 'The account is empty. Its name and roles will be deleted.', 'Delete', async () => {
                      await sendRequest('DELETE', `${at}/${one.id}`);
                      after();
                      showStatus(`Deleted ${one.name}`);
                    }),
                  { kind: 'plain danger', name: `Delete ${one.name}` },
                ),
            ),
          ),
        empty: () =>
          blank('No sub-accounts', 'Create a sub-account for each faculty or school that needs its own administrators, roles or settings.'),
        signal,
      }),
    rights.manage_account_settings && button('New account', () => edit(place, undefined, after), { kind: 'main' }),
  );
  return whole;
}
