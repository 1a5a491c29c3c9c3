// Roles as a grid: permissions as rows, roles as columns. Arrow keys move, Enter opens.

import { askAll, getJson, sendRequest } from './api';
import { type Child, h, svg } from './dom';
import { blank, button, dialog, field, form, notifyChanged, part, showStatus } from './parts';
import type { ScreenContext } from './place';

interface Setting {
  readonly enabled: boolean;
  readonly locked: boolean;
  readonly readonly: boolean;
  readonly explicit: boolean;
  readonly prior_default?: boolean;
  readonly group?: string;
}

interface Role {
  readonly id: number;
  readonly label: string;
  readonly base_role_type: string;
  readonly is_account_role: boolean;
  readonly workflow_state: string;
  readonly permissions: Readonly<Record<string, Setting>>;
}

interface Permission {
  readonly key: string;
  readonly label: string;
  readonly group?: string;
  readonly group_label?: string;
  readonly available_to: readonly string[];
}

const lock = () =>
  svg(
    'svg',
    { viewBox: '0 0 16 16', width: 11, height: 11, 'aria-hidden': 'true' },
    svg('path', { d: 'M4 7V5a4 4 0 0 1 8 0v2h1v7H3V7zm2 0h4V5a2 2 0 0 0-4 0z', fill: 'currentColor' }),
  );

const words = ({ enabled, locked, explicit }: Setting): string =>
  `${enabled ? 'on' : 'off'}${explicit ? ', set here' : ''}${locked ? ', locked' : ''}`;

function draw(cell: HTMLButtonElement, role: Role, { label, key }: Permission): void {
  const setting = role.permissions[key];
  if (!setting) return;
  cell.className = `cell ${setting.enabled ? 'on' : 'off'}${setting.explicit ? ' set' : ''}`;
  cell.setAttribute('aria-label', `${role.label}, ${label}: ${words(setting)}`);
  cell.replaceChildren(setting.enabled ? 'On' : 'Off');
  if (setting.locked) cell.append(lock());
}

/** The dialog of a cell. */
function change({ account }: ScreenContext, role: Role, permission: Permission, after: (role: Role) => void): void {
  const { key, label, group, group_label } = permission;
  const now = role.permissions[key];
  if (!now) return;
  const usual = now.explicit ? now.prior_default : now.enabled;
  dialog(`${label}, for ${role.label}`, (close) => {
    if (now.readonly)
      return [
        h(
          'p',
          {},
          now.locked
            ? 'Locked by a parent account. It can be changed there.'
            : 'This permission cannot be removed from the role, because no one could grant it again.',
        ),
        h('div', { class: 'row' }, button('Close', close)),
      ];
    const chosen = now.explicit ? (now.enabled ? 'on' : 'off') : 'usual';
    const choice = (value: string, shown: string) =>
      h('label', { class: 'choice' }, h('input', { type: 'radio', name: 'wanted', value, checked: value === chosen }), shown);
    return form(
      [
        h(
          'fieldset',
          {},
          h('legend', {}, 'In this account and its sub-accounts'),
          choice('usual', `Inherit (${usual ? 'on' : 'off'})`),
          choice('on', 'On'),
          choice('off', 'Off'),
        ),
        field({
          name: 'locked',
          label: group ? `Lock all of “${group_label}”` : 'Lock',
          type: 'checkbox',
          value: now.locked ? '1' : '',
          hint: group ? 'Sub-accounts cannot change it. The whole group gets the same value.' : 'Sub-accounts cannot change it.',
        }),
      ],
      'Save',
      async ({ wanted, locked }) => {
        const given = { explicit: wanted !== 'usual', enabled: wanted === 'on', locked: locked === '1' };
        const name = given.locked && group ? group : key;
        const changedRole = await sendRequest<Role>('PUT', `/accounts/${account.id}/roles/${role.id}`, { permissions: { [name]: given } });
        after(changedRole);
        close();
        const is = changedRole.permissions[key];
        showStatus(`${label}, for ${role.label}: ${is ? words(is) : 'saved'}`);
      },
      button('Cancel', close),
    );
  });
}

function create({ account }: ScreenContext, after: () => void): void {
  dialog('New role', (close) =>
    form(
      [
        field({ name: 'label', label: 'Name', required: true }),
        field({
          name: 'base_role_type',
          label: 'Base role',
          options: [
            ['AccountMembership', 'Administrator without permissions'],
            ['TeacherEnrollment', 'Teacher'],
            ['TaEnrollment', 'TA'],
            ['DesignerEnrollment', 'Designer'],
            ['StudentEnrollment', 'Student'],
            ['ObserverEnrollment', 'Observer'],
          ],
        }),
      ],
      'Create',
      async ({ label, base_role_type }) => {
        await sendRequest('POST', `/accounts/${account.id}/roles`, { label, base_role_type });
        close();
        after();
        showStatus(`Created role ${label}`);
      },
      button('Cancel', close),
    ),
  );
}

async function grid(place: ScreenContext, ofAccount: boolean, filter: HTMLInputElement): Promise<Child> {
  const { account, signal, rights } = place;
  const [all, permissions] = await Promise.all([
    askAll<Role>(`/accounts/${account.id}/roles?show_inherited=true&per_page=100`, signal),
    getJson<Permission[]>(`/accounts/${account.id}/roles/permissions`, signal),
  ]);
  const roles = ofAccount ? all.filter((role) => role.is_account_role) : all;
  const shown = permissions.filter(({ available_to }) => available_to.every((one) => one.startsWith('Account')) === ofAccount);
  const cells: HTMLButtonElement[][] = [];
  const redraw: (() => void)[] = [];
  const lines = shown.map((permission) => {
    const line: HTMLButtonElement[] = [];
    const tr = h(
      'tr',
      {
        'data-words':
          `${permission.label} ${permission.key} ${permission.key.replaceAll('_', ' ')} ${permission.group_label ?? ''}`.toLowerCase(),
      },
      h('th', { scope: 'row' }, permission.label),
      roles.map((_, column) => {
        const holder = () => roles[column] as Role;
        if (!holder().permissions[permission.key])
          return h('td', { class: 'none' }, h('span', { 'aria-hidden': 'true' }, '·'), h('span', { class: 'unseen' }, 'not for this role'));
        const cell = h('button', {
          type: 'button',
          tabindex: -1,
          onclick: () =>
            rights.manage_role_overrides &&
            change(place, holder(), permission, (role) => {
              roles[column] = role;
              for (const again of redraw) again();
              cell.focus();
            }),
        });
        const again = () => draw(cell, holder(), permission);
        again();
        redraw.push(again);
        line[column] = cell;
        return h('td', {}, cell);
      }),
    );
    cells.push(line);
    return tr;
  });
  const first = cells.flat().find(Boolean);
  if (first) first.tabIndex = 0;
  const label = ofAccount ? 'Permissions in the account' : 'Permissions in courses';
  const head = h(
    'thead',
    {},
    h(
      'tr',
      {},
      h('th', { scope: 'col' }, 'Permission'),
      roles.map((role) => h('th', { scope: 'col' }, role.label)),
    ),
  );
  const none = blank('No permissions found', 'Try another word: grades, files, roster …');
  none.hidden = true;
  const whole = h(
    'div',
    { class: 'scroll grid', role: 'region', 'aria-label': label, tabindex: -1, onkeydown: walk },
    h('table', {}, head, h('tbody', {}, lines)),
  );
  function walk(event: KeyboardEvent): void {
    const step = ({ ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] } as Record<string, [number, number]>)[
      event.key
    ];
    const row = cells.findIndex((line) => line.includes(event.target as HTMLButtonElement));
    if (!step || row < 0) return;
    event.preventDefault();
    const column = cells[row]?.indexOf(event.target as HTMLButtonElement) ?? 0;
    for (
      let [r, c] = [row + step[0], column + step[1]];
      r >= 0 && r < cells.length && c >= 0 && c < roles.length;
      r += step[0], c += step[1]
    ) {
      const next = lines[r]?.hidden ? undefined : cells[r]?.[c];
      if (!next) continue;
      (event.target as HTMLButtonElement).tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
      return;
    }
  }
  const sift = () => {
    const term = filter.value.trim().toLowerCase();
    for (const line of lines) line.hidden = !line.dataset.words?.includes(term);
    const isEmpty = lines.every((line) => line.hidden);
    none.hidden = !isEmpty;
    whole.hidden = isEmpty;
    const reachable = cells
      .filter((_, at) => !lines[at]?.hidden)
      .flat()
      .filter(Boolean);
    for (const cell of cells.flat()) if (cell) cell.tabIndex = -1;
    if (reachable[0]) reachable[0].tabIndex = 0;
  };
  filter.addEventListener('input', sift, { signal });
  sift();
  return [none, whole];
}

export async function rolesScreen(place: ScreenContext): Promise<Child> {
  const filter = h('input', { type: 'search', id: 'filter', autocomplete: 'off', placeholder: 'Grades, files, roster …' });
  const [inCourses, inAccount] = [
    part('In courses', () => grid(place, false, filter)),
    part('In the account', () => grid(place, true, filter)),
  ];
  const again = () => {
    notifyChanged(inCourses);
    notifyChanged(inAccount);
  };
  return [
    h(
      'div',
      { class: 'bar' },
      h('div', { class: 'field grows' }, h('label', { for: 'filter' }, 'Find permissions'), filter),
      place.rights.manage_role_overrides && button('New role', () => create(place, again), { kind: 'main' }),
    ),
    h(
      'p',
      { class: 'hint' },
      'Permissions are inherited until they are set here. Permissions set here are marked with a bar. Arrow keys move through the grid, Enter opens a permission.',
    ),
    inCourses,
    inAccount,
  ];
}
