// Account reports: every endpoint, in the order of the API reference.

import { AccountReportType } from '@carrel/shared/resources/account_report';
import { lookUp } from '@carrel/shared/wire/look_up';
import { and, eq, inArray, ne, sql } from 'drizzle-orm';
import { randomText } from '../../database/tokens';
import type { Call } from '../../http/call';
import { del, get, post, put } from '../../http/endpoint';
import { descending, rows } from '../../http/listing';
import { pageOf } from '../../http/page';
import { found, Problem, problem } from '../../http/problem';
import { list, one, pageOfRows, write } from '../../http/reply';
import { downloadAddress } from '../files/json';
import { accountReport, type ReportWithColumns, reportJson } from './json';
import { reportParameters, reportRequestOf } from './report_request';
import { account_reports } from './table';
import { type ReportType, reportTypes } from './types';

export const about = { title: 'Account reports', description: 'Reports of an account as files.' };

const base = '/accounts/:account_id/reports';
const can = 'read_reports';

/** @throws Problem 404 for an unknown report */
function typeOf(name: string): ReportType {
  const type = Object.hasOwn(reportTypes, name) ? lookUp(reportTypes, name) : undefined;
  if (!type) throw new Problem(404, { error: 'invalid report name' });
  return type;
}

const isThere = ne(account_reports.workflow_state, 'deleted');
const ofAccount = ({ account, path }: { account: { id: number }; path: { report: string } }) =>
  and(eq(account_reports.account_id, account.id), eq(account_reports.report, path.report));
type Named = { account: { id: number }; path: { report: string }; id: number };
const itself = (call: Named) => and(eq(account_reports.id, call.id), ofAccount(call));
const unfinished = inArray(account_reports.workflow_state, ['created', 'running', 'compiling']);

/** Stops the job early, which then deletes its pieces. */
const toldToStop = (call: Pick<Call, 'afterwards' | 'env'>, id: number) =>
  call.afterwards(() => call.env.WORK.send({ job: 'account_report', ids: [id] }));

const escaped = (words: string) => words.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const html = ({ description, parameters: known }: ReportType) => ({
  description_html: `<p>${escaped(description)}</p>`,
  params_html: `<ul>${Object.entries(known)
    .map(([name, { description: words }]) => `<li><label>${name} <input name="parameters[${name}]"></label> ${escaped(words)}</li>`)
    .join('')}</ul>`,
});

type LastRun = Omit<ReportWithColumns, 'parameters'> & {
  readonly parameters: string;
  readonly file_id: number | null;
  readonly file_uuid: string;
};

export const reportRoutes = [
  get(
    base,
    {
      can,
      include: ['description_html', 'params_html'],
      returns: { json: AccountReportType },
      summary: 'List available reports',
    },
    async (call) => {
      const { db, account, origin, include } = call;
      const [last] = await db.perform([
        db.build.all<LastRun>(
          sql`select r.id, r.report, r.workflow_state, r.parameters, r.progress, r.current_line, r.message, r.created_at, r.started_at, r.ended_at, r.file_id, f.uuid as file_uuid
            from json_each(${JSON.stringify(Object.keys(reportTypes))}) j
            cross join account_reports r on r.id = (select x.id from account_reports x where x.account_id = ${account.id} and x.report = j.value and x.workflow_state <> 'deleted' order by x.id desc limit 1)
            left join files f on f.id = r.file_id and f.workflow_state = 'available'`,
        ),
      ]);
      const result = Object.entries(reportTypes).map(([report, type]) => {
        const run = last.find((one) => one.report === report);
        const address = run?.file_uuid ? downloadAddress({ id: run.file_id ?? 0, uuid: run.file_uuid }, origin) : undefined;
        const words = html(type);
        return {
          report,
          title: type.title,
          parameters: type.parameters,
          last_run: run ? reportJson({ ...run, parameters: JSON.parse(run.parameters) }, address) : null,
          ...(include.has('description_html') && { description_html: words.description_html }),
          ...(include.has('params_html') && { params_html: words.params_html }),
        };
      });
      return pageOfRows(...pageOf(result, call.page));
    },
  ),

  post(
    `${base}/:report`,
    { can, params: { parameters: reportParameters }, returns: accountReport, summary: 'Start a report' },
    async (call) => {
      const { db, me, account, now, path } = call;
      const type = typeOf(path.report);
      const given = Object.fromEntries(
        Object.entries(call.params.parameters ?? {}).filter(
          ([name, value]) => value !== undefined && value !== null && (Object.hasOwn(type.parameters, name) || name === 'skip_message'),
        ),
      );
      const wish = await reportRequestOf(call, { ...call.params.parameters }, type);
      const uuid = randomText(24);
      // If the message is lost, the scheduled run sends another.
      call.afterwards(async () => {
        const [[made]] = await db.aside.perform([
          db.build.select({ id: account_reports.id }).from(account_reports).where(eq(account_reports.uuid, uuid)),
        ]);
        if (made) await call.env.WORK.send({ job: 'account_report', ids: [made.id] });
      });
      return write(
        [
          db.build.insert(account_reports).values({
            account_id: account.id,
            user_id: me.id,
            uuid,
            report: path.report,
            parameters: given,
            wish,
            created_at: now,
            updated_at: now,
          }),
        ],
        one(rows(account_reports, { where: eq(account_reports.uuid, uuid) })),
      );
    },
  ),

  get(`${base}/:report`, { can, returns: [accountReport], summary: 'List the runs of a report' }, (call) => {
    typeOf(call.path.report);
    return list(rows(account_reports, { where: and(ofAccount(call), isThere), order: descending(account_reports.id) }));
  }),

  get(`${base}/:report/:id`, { can, fresh: true, returns: accountReport, summary: 'Get a report' }, (call) => {
    typeOf(call.path.report);
    return one(rows(account_reports, { where: and(itself(call), isThere) }));
  }),

  del(`${base}/:report/:id`, { can, returns: accountReport, summary: 'Delete a report' }, async (call) => {
    const { db, now } = call;
    const [[before]] = await db.perform([
      db.build
        .select({ file_id: account_reports.file_id })
        .from(account_reports)
        .where(and(itself(call), isThere)),
    ]);
    found(before);
    toldToStop(call, call.id);
    return write(
      [
        db.build.run(
          sql`update files set workflow_state = 'deleted', updated_at = ${now} where id = (select file_id from account_reports where id = ${call.id}) and workflow_state = 'available'`,
        ),
        db.build
          .update(account_reports)
          .set({ workflow_state: 'deleted', updated_at: now, ended_at: sql`coalesce(ended_at, ${now})` })
          .where(itself(call)),
      ],
      one(rows(account_reports, { where: itself(call) })),
    );
  }),

  put(`${base}/:report/:id/abort`, { can, returns: accountReport, summary: 'Abort a report' }, async (call) => {
    const { db, now } = call;
    const [[before]] = await db.perform([
      db.build
        .select({ state: account_reports.workflow_state })
        .from(account_reports)
        .where(and(itself(call), isThere)),
    ]);
    const { state } = found(before);
    if (!['created', 'running', 'compiling'].includes(state)) throw problem(400, 'the report has already ended');
    toldToStop(call, call.id);
    return write(
      [
        db.build
          .update(account_reports)
          .set({ workflow_state: 'aborted', updated_at: now, ended_at: now })
          .where(and(itself(call), unfinished)),
      ],
      one(rows(account_reports, { where: itself(call) })),
    );
  }),
];
