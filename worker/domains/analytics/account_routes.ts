// Analytics of an account: every endpoint, in the order of the API reference. Figures are those that the chore has stored.

import { AccountActivity, AccountStatistics, StatisticsBySubaccount } from '@carrel/shared/resources/analytics';
import type { Resource } from '@carrel/shared/resources/resource';
import { lookUp } from '@carrel/shared/wire/look_up';
import { type SQL, sql } from 'drizzle-orm';
import { idOf } from '../../contexts/references';
import type { Database } from '../../database/open';
import { get } from '../../http/endpoint';
import { found } from '../../http/problem';
import { answer } from '../../http/reply';
import { viewCategories } from '../page_views/tally';
import type { AccountScope } from './refresh_accounts';
import type { AccountFigures } from './table';

const none: AccountFigures = {
  courses: 0,
  teachers: 0,
  students: 0,
  discussion_topics: 0,
  media_objects: 0,
  attachments: 0,
  assignments: 0,
  grades: {},
  by_date: {},
  by_category: {},
};

const figuresIn = (text: string | null): AccountFigures => (text === null ? none : (JSON.parse(text) as AccountFigures));

const defaultTerm = sql`select id from terms where is_default = 1`;

interface Wanted {
  /** A select of its id. */
  readonly term: SQL;
  readonly scope: AccountScope;
}

/** `current` and `completed` are courses of the default term, also in place of a term. */
function wantedOf(word: string): Wanted {
  if (word === 'current' || word === 'completed') return { term: defaultTerm, scope: word };
  return { term: idOf('term', word), scope: 'all' };
}

const stored = (account: SQL, { scope }: Wanted): SQL =>
  sql`(select f.figures from account_figures f where f.account_id = ${account} and f.term_id = t.id and f.scope = ${scope})`;

interface AccountRow {
  readonly figures: string | null;
  readonly subaccounts: number;
}

/** The account's own figures. @throws Problem 404 for an unknown term */
async function accountFigures(
  db: Database,
  account_id: number,
  wanted: Wanted,
): Promise<AccountFigures & { readonly subaccounts: number }> {
  const [[row]] = await db.perform([
    db.build.all<AccountRow>(sql`select ${stored(sql`${account_id}`, wanted)} as figures,
      (select count(*) from accounts a where a.parent_account_id = ${account_id} and a.workflow_state = 'active') as subaccounts
      from terms t where t.id = (${wanted.term}) and t.workflow_state = 'active'`),
  ]);
  const { figures, subaccounts } = found(row);
  return { ...figuresIn(figures), subaccounts };
}

interface Subaccount {
  readonly id: number;
  readonly name: string;
  readonly figures: string | null;
}

const countsOf = ({ courses, teachers, students, discussion_topics, media_objects, attachments, assignments }: AccountFigures) => ({
  ...{ courses, teachers, students, discussion_topics, media_objects, attachments, assignments },
});

async function subaccountStatistics(db: Database, account_id: number, wanted: Wanted) {
  const [terms, accounts] = await db.perform([
    db.build.all<{ id: number }>(sql`select t.id from terms t where t.id = (${wanted.term}) and t.workflow_state = 'active'`),
    db.build.all<Subaccount>(sql`select a.id, a.name, ${stored(sql.raw('a.id'), wanted)} as figures
      from terms t cross join accounts a where t.id = (${wanted.term}) and a.parent_account_id = ${account_id} and a.workflow_state = 'active' order by a.id`),
  ]);
  found(terms[0]);
  return { accounts: accounts.map(({ id, name, figures }) => ({ id, name, ...countsOf(figuresIn(figures)) })) };
}

const everyGrade = Array.from({ length: 101 }, (_, grade) => String(grade));
const filled = (names: readonly string[], counts: Readonly<Record<string, number>>) =>
  Object.fromEntries(names.map((name) => [name, lookUp(counts, name) ?? 0]));
const sortedByName = (counts: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(counts).toSorted(([one], [other]) => (one < other ? -1 : 1)));

const views = {
  activity: (db: Database, account_id: number, wanted: Wanted) =>
    accountFigures(db, account_id, wanted).then(({ by_date, by_category }) => ({
      by_date: sortedByName(by_date),
      by_category: filled(viewCategories, by_category),
    })),
  grades: (db: Database, account_id: number, wanted: Wanted) =>
    accountFigures(db, account_id, wanted).then(({ grades }) => filled(everyGrade, grades)),
  statistics: (db: Database, account_id: number, wanted: Wanted) =>
    accountFigures(db, account_id, wanted).then((figures) => ({ ...countsOf(figures), subaccounts: figures.subaccounts })),
  statistics_by_subaccount: subaccountStatistics,
};
type View = keyof typeof views;

const described: Record<View, { readonly json: Resource | null; readonly summary: string }> = {
  activity: { json: AccountActivity, summary: 'Get the activity of the courses of an account' },
  grades: { json: null, summary: 'Get the distribution of grades of an account' },
  statistics: { json: AccountStatistics, summary: 'Get the statistics of an account' },
  statistics_by_subaccount: { json: StatisticsBySubaccount, summary: 'Get the statistics of the accounts directly below an account' },
};

const base = '/accounts/:account_id/analytics';

export const accountAnalyticsRoutes = (Object.keys(views) as View[]).flatMap((view) => {
  const { json, summary } = described[view];
  return [
    ...(['current', 'completed'] as const).map((scope) =>
      get(
        `${base}/${scope}/${view}`,
        { can: 'view_analytics', returns: { json }, summary: `${summary}: ${scope} courses` },
        async ({ db, account }) => answer(await views[view](db, account.id, wantedOf(scope))),
      ),
    ),
    get(
      `${base}/terms/:term/${view}`,
      { can: 'view_analytics', returns: { json }, summary: `${summary}: courses of a term` },
      async ({ db, account, path }) => answer(await views[view](db, account.id, wantedOf(path.term))),
    ),
  ];
});
