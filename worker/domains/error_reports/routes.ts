// Error reports: every endpoint, in the order of the API reference; then the pages for those who run the service.

import { LoggedErrorReport } from '@carrel/shared/resources/error_report';
import { json, maybe, object, optional, text } from '@carrel/shared/wire/fields';
import { desc, eq, sql } from 'drizzle-orm';
import { limitOf } from '../../database/at_most';
import type { Call } from '../../http/call';
import { absolute, get, post } from '../../http/endpoint';
import { rows } from '../../http/listing';
import { found, notFound } from '../../http/problem';
import { one, type Reply, write } from '../../http/reply';
import { serializer } from '../../http/serializer';
import { htmlPage, toLogin } from '../../site/page';
import { users } from '../users/table';
import { reportListPage, reportPage } from './page';
import { checkedReport } from './report';
import { error_reports as reports } from './table';

export const about = { title: 'Error reports', description: 'Problems that users report to those who run the service.' };

const logged = serializer({
  resource: LoggedErrorReport,
  table: reports,
  json: ({ id }: { readonly id: number }) => ({ logged: true, id }),
});

const given = object({
  subject: optional(text),
  url: optional(maybe(text)),
  email: optional(maybe(text)),
  comments: optional(maybe(text)),
  http_env: optional(maybe(json)),
});

const atRoot = { within: () => ({ account: sql`select 1` }), can: 'anyone', returns: { json: null } } as const;
const mostShown = 100;

/** Permissions are those at the root account. @throws Problem 404 for callers who do not run the service */
async function forTheService(call: Pick<Call, 'me' | 'url' | 'account'>, page: () => Promise<string>): Promise<Reply> {
  if (!call.me.isKnown) return toLogin(call);
  if (!call.account?.can('view_error_reports')) throw notFound();
  return htmlPage(await page());
}

const withAuthor = ({ db }: Pick<Call, 'db'>) =>
  db.build
    .select({
      id: reports.id,
      subject: reports.subject,
      url: reports.url,
      email: reports.email,
      comments: reports.comments,
      http_env: reports.http_env,
      created_at: reports.created_at,
      user_id: reports.user_id,
      user_name: sql<string | null>`(select ${users.name} from ${users} where ${users.id} = ${reports.user_id})`.as('user_name'),
    })
    .from(reports);

export const errorReportRoutes = [
  post('/error_reports', { can: 'user', params: { error: optional(given) }, returns: logged, summary: 'Report a problem' }, (call) => {
    const { db, me, now, params } = call;
    const values = { ...checkedReport(params.error ?? {}), user_id: me.id, created_at: now, updated_at: now };
    return write([db.build.insert(reports).values(values)], one(rows(reports, { where: sql`${reports.id} = last_insert_rowid()` })));
  }),

  ...absolute(
    get('/error_reports', { ...atRoot, summary: 'Show the newest reports of problems' }, (call) =>
      forTheService(call, async () => {
        const [newest] = await call.db.perform([withAuthor(call).orderBy(desc(reports.id)).limit(limitOf(mostShown))]);
        return reportListPage(newest);
      }),
    ),

    get('/error_reports/:id', { ...atRoot, summary: 'Show a report of a problem' }, (call) =>
      forTheService(call, async () => {
        const [[report]] = await call.db.perform([withAuthor(call).where(eq(reports.id, call.id))]);
        return reportPage(found(report));
      }),
    ),
  ),
];
