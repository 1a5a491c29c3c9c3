// The admin console: its frame and navigation.

import { accountsScreen } from './accounts';
import { activity } from './activity';
import { askAll, getJson } from './api';
import { courseScreen, coursesScreen } from './courses';
import { appendChildren, type Child, h } from './dom';
import { features } from './features';
import { imports, oneImport } from './imports';
import { jobs } from './jobs';
import { keys } from './keys';
import { blank, trouble } from './parts';
import { peopleScreen } from './people';
import { personScreen } from './person';
import { type ConsoleAccount, type ScreenContext, screenHref } from './place';
import { rolesScreen } from './roles';
import { termsScreen } from './terms';
import { undeliveredScreen, webhooksScreen } from './webhooks';

interface Screen {
  readonly name: string;
  readonly title: string;
  /** Any of these permissions makes the screen visible. */
  readonly rights: readonly string[];
  /** For the whole institution, at its root account. */
  readonly ofRoot?: boolean;
  readonly show: (place: ScreenContext) => Promise<Child>;
  /** The detail screen at `screen/ID`. */
  readonly one?: { readonly title: string; readonly show: (place: ScreenContext) => Promise<Child> };
}

const screens: readonly Screen[] = [
  {
    name: 'people',
    title: 'People',
    rights: ['read_roster', 'manage_user_logins'],
    show: peopleScreen,
    one: { title: 'Person', show: personScreen },
  },
  {
    name: 'courses',
    title: 'Courses',
    rights: ['read_course_list', 'manage_courses_admin'],
    show: coursesScreen,
    one: { title: 'Course', show: courseScreen },
  },
  { name: 'accounts', title: 'Accounts', rights: ['manage_account_settings', 'manage_account_memberships'], show: accountsScreen },
  { name: 'terms', title: 'Terms', rights: ['manage_account_settings'], ofRoot: true, show: termsScreen },
  {
    name: 'imports',
    title: 'SIS imports',
    rights: ['import_sis', 'manage_sis'],
    ofRoot: true,
    show: imports,
    one: { title: 'SIS import', show: oneImport },
  },
  { name: 'roles', title: 'Roles', rights: ['manage_role_overrides', 'manage_account_memberships'], show: rolesScreen },
  { name: 'features', title: 'Features', rights: ['manage_feature_flags', 'view_feature_flags'], show: features },
  { name: 'keys', title: 'Developer keys', rights: ['manage_developer_keys'], ofRoot: true, show: keys },
  { name: 'jobs', title: 'Jobs', rights: ['view_jobs'], ofRoot: true, show: jobs },
  {
    name: 'webhooks',
    title: 'Webhooks',
    rights: ['manage_jobs'],
    ofRoot: true,
    show: webhooksScreen,
    one: { title: 'Undelivered events', show: undeliveredScreen },
  },
  { name: 'activity', title: 'Activity', rights: ['view_jobs'], ofRoot: true, show: activity },
];

const asked = [
  ...screens.flatMap(({ rights }) => rights),
  'manage_account_settings',
  'add_student_to_course',
  'remove_student_from_course',
  'manage_courses_add',
  'manage_courses_conclude',
  'manage_courses_delete',
  'manage_courses_publish',
  'undelete_courses',
];

const institution = document.body.dataset.institution ?? '';
const name = document.body.dataset.name ?? '';
const rightsOf = new Map<number, Promise<Record<string, boolean>>>();
const rightsIn = (account: number): Promise<Record<string, boolean>> => {
  const known =
    rightsOf.get(account) ??
    getJson<Record<string, boolean>>(`/accounts/${account}/permissions?${asked.map((one) => `permissions[]=${one}`).join('&')}`);
  rightsOf.set(account, known);
  known.catch(() => rightsOf.delete(account));
  return known;
};

const mayShow = ({ rights, ofRoot }: Screen, held: Readonly<Record<string, boolean>>, account: ConsoleAccount) =>
  rights.some((one) => held[one]) && (!ofRoot || account.parent_account_id === null);

const title = h('h1', { tabindex: -1, id: 'title' });
const content = h('div', { id: 'content' });
const menu = h('ul');
const chosen = h('select', {
  id: 'account',
  onchange: () => {
    location.hash = screenHref(Number(chosen.value), location.hash.split('?')[0]?.split('/')[2] ?? 'people');
  },
});

let accounts: readonly ConsoleAccount[] = [];
let me: ScreenContext['me'] = { id: 0, name };
let leaving = new AbortController();

async function show(isFirst = false): Promise<void> {
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  for (const dialog of document.querySelectorAll('dialog')) dialog.close();
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?');
  const [accountId, screenName, ...rest] = path.split('/');
  const account = accounts.find(({ id }) => String(id) === accountId) ?? accounts[0];
  if (!account) return;
  chosen.value = String(account.id);
  try {
    const rights = await rightsIn(account.id);
    if (signal.aborted) return;
    const shown = screens.filter((screen) => mayShow(screen, rights, account));
    const screen = shown.find((one) => one.name === screenName) ?? shown[0];
    menu.replaceChildren(
      ...shown.map((one) =>
        h('li', {}, h('a', { href: screenHref(account.id, one.name), 'aria-current': one === screen ? 'page' : undefined }, one.title)),
      ),
    );
    if (!screen) {
      title.textContent = account.name;
      content.replaceChildren(
        blank('No permissions', 'Your role in this account has no permissions for this console. Ask an administrator.'),
      );
      return;
    }
    const kind = rest[0] && screen.one ? screen.one : screen;
    const entitle = (words: string) => {
      title.textContent = words;
      document.title = `${words} · ${institution}`;
    };
    entitle(kind.title);
    content.replaceChildren(h('p', { class: 'quiet' }, 'Loading …'));
    content.setAttribute('aria-busy', 'true');
    if (!isFirst) title.focus();
    const place: ScreenContext = {
      account,
      rootId: account.root_account_id ?? account.id,
      rights,
      me,
      rest,
      entitle,
      query: new URLSearchParams(query),
      signal,
    };
    const inside = await kind.show(place);
    if (signal.aborted) return;
    content.replaceChildren();
    appendChildren(content, [inside]);
  } catch (error) {
    if (!signal.aborted) content.replaceChildren(trouble(error, () => void show()));
  } finally {
    if (!signal.aborted) content.removeAttribute('aria-busy');
  }
}

const onlyOne = h('p', { class: 'part' });
const choice = h('div', { class: 'field' }, h('label', { for: 'account' }, 'Account'), chosen);

/** Reads the accounts that the caller may manage, and fills the account menu. */
async function readAccounts(): Promise<void> {
  accounts = await askAll<ConsoleAccount>('/manageable_accounts?per_page=100', undefined, 10);
  const { value } = chosen;
  chosen.replaceChildren(
    ...accounts.map((account) => h('option', { value: account.id, selected: String(account.id) === value }, account.name)),
  );
  const [first] = accounts;
  choice.hidden = accounts.length < 2;
  onlyOne.hidden = !choice.hidden || !first?.parent_account_id;
  onlyOne.textContent = first?.name ?? '';
}

async function begin(): Promise<void> {
  const whole = document.getElementById('console');
  if (!whole) return;
  try {
    [, me] = await Promise.all([readAccounts(), getJson<ScreenContext['me']>('/users/self')]);
  } catch (error) {
    whole.replaceChildren(
      h(
        'main',
        { id: 'main' },
        h('h1', {}, 'Console'),
        trouble(error, () => location.reload()),
      ),
    );
    return;
  }
  whole.replaceChildren(
    h(
      'header',
      {},
      h('p', { class: 'house' }, institution),
      onlyOne,
      choice,
      h('nav', { 'aria-label': 'Console' }, menu),
      h('p', { class: 'who' }, h('span', {}, me.name), h('a', { href: '/logout' }, 'Sign out')),
    ),
    h('main', { id: 'main' }, title, content),
    h('div', { id: 'said', role: 'status' }),
  );
  addEventListener('hashchange', () => void show());
  addEventListener('accounts', () => void readAccounts());
  // Handled here, because fragments of the URL are screens.
  document.querySelector('.skip')?.addEventListener('click', (event) => {
    event.preventDefault();
    title.focus();
  });
  await show(true);
}

void begin();
