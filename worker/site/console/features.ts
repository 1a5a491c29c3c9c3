// Feature flags of an account.

import { askAll, sendRequest } from './api';
import { type Child, h } from './dom';
import { blank, button, dataTable, errorText, showStatus, tag } from './parts';
import type { ScreenContext } from './place';

interface Flag {
  readonly state: string;
  readonly context_type?: string;
  readonly context_id?: number;
  readonly locked: boolean;
  readonly transitions: Readonly<Record<string, { readonly locked: boolean; readonly message?: string }>>;
  readonly parent_state: string;
}

interface Feature {
  readonly feature: string;
  readonly display_name: string;
  readonly description: string | null;
  readonly applies_to: string;
  readonly beta: boolean;
  readonly feature_flag: Flag;
}

const states: Readonly<Record<string, string>> = {
  off: 'Off',
  allowed: 'Off, sub-accounts may turn it on',
  allowed_on: 'On, sub-accounts may turn it off',
  on: 'On',
  hidden: 'Off (hidden)',
};
const levels: Readonly<Record<string, string>> = {
  RootAccount: 'Institution',
  Account: 'Account',
  Course: 'Courses',
  User: 'People',
  SiteAdmin: 'Service',
};

export async function features({ account, signal, rights }: ScreenContext): Promise<Child> {
  const at = `/accounts/${account.id}/features`;
  const list = await askAll<Feature>(`${at}?per_page=100`, signal);
  if (list.length === 0) return blank('No features', 'New versions of the service add features here.');
  const line = ({ feature, display_name, description, applies_to, beta, feature_flag }: Feature): Child => {
    const cell = h('td', { class: 'acts' });
    const show = (flag: Flag): void => {
      const others = Object.entries(flag.transitions)
        .filter(([, way]) => !way.locked)
        .map(([state]) => state);
      const isOwn = flag.context_type === 'Account' && flag.context_id === account.id;
      if (flag.locked || !rights.manage_feature_flags || others.length === 0) {
        cell.replaceChildren(h('span', {}, states[flag.state] ?? flag.state), ' ', flag.locked ? tag('Locked by a parent account') : '');
        return;
      }
      const choice = h(
        'select',
        {
          'aria-label': display_name,
          async onchange() {
            const before = flag.state;
            try {
              show(await sendRequest<Flag>('PUT', `${at}/flags/${feature}`, { state: choice.value }));
              cell.querySelector('select')?.focus();
              showStatus(`${display_name}: ${states[choice.value]}`);
            } catch (error) {
              choice.value = before;
              showStatus(errorText(error));
            }
          },
        },
        Object.keys(states)
          .filter((state) => state === flag.state || others.includes(state))
          .map((state) => h('option', { value: state, selected: state === flag.state }, states[state])),
      );
      cell.replaceChildren(choice);
      if (isOwn)
        cell.append(
          button(
            'Inherit',
            async () => {
              await sendRequest('DELETE', `${at}/flags/${feature}`);
              const again = await askAll<Feature>(`${at}?per_page=100`, signal);
              const now = again.find((one) => one.feature === feature);
              if (now) show(now.feature_flag);
              showStatus(`${display_name} is inherited`);
            },
            { name: `Inherit: ${display_name}` },
          ),
        );
    };
    show(feature_flag);
    return h(
      'tr',
      {},
      h('th', { scope: 'row' }, display_name, beta && [' ', tag('Beta', 'busy')], description && h('p', { class: 'hint' }, description)),
      h('td', {}, levels[applies_to] ?? applies_to),
      cell,
    );
  };
  return dataTable('Features', ['Feature', 'For', 'State'], list.map(line)).whole;
}
