// SIS imports: every endpoint, in the order of the API reference.

import { bool, choices, optional, time, wireTime } from '@carrel/shared/wire/fields';
import { and, desc, eq, gte, inArray, type SQL, sql } from 'drizzle-orm';
import type { Call } from '../../http/call';
import { get, post, put } from '../../http/endpoint';
import { descending, rows } from '../../http/listing';
import { found, problem } from '../../http/problem';
import { answer, list, one, write } from '../../http/reply';
import { progressJson } from '../progress/json';
import { queued } from '../progress/queue';
import { mustTakeImports, receiveImport } from './files/receive';
import { sisImport, sisImportError } from './json';
import { importParams } from './options';
import { type ImportState, importStates, sis_import_errors, sis_imports } from './table';

export const about = { title: 'SIS imports', description: 'Imports of users, courses and enrollments from a student information system.' };

const base = '/accounts/:account_id/sis_imports';
const may = ['import_sis', 'manage_sis'] as const;

const pending = ['initializing', 'created'] as const;
const working = ['importing', 'cleanup_batch'] as const;
/** Messages and changes of an import are kept this long. */
const kept = 30 * 86_400_000;
const notOlder = (now: string) => wireTime(Date.parse(now) - kept);

const ofAccount = (account: { id: number }) => eq(sis_imports.account_id, account.id);
/** The unary plus keeps SQLite from walking all of the account's imports for the few in a state. */
const fewOfAccount = (account: { id: number }) => sql`+${sis_imports.account_id} = ${account.id}`;

/** Aborts imports that have not ended. */
const abort = ({ db, now }: Pick<Call, 'db' | 'now'>, where: SQL | undefined) =>
  db.build.update(sis_imports).set({ workflow_state: 'aborted', ended_at: now, updated_at: now }).where(where);

const errorParams = { failure: optional(bool) };
const errorsWhere = ({ now }: Pick<Call, 'now'>, failure: boolean | undefined, where: SQL) =>
  and(where, gte(sis_import_errors.created_at, notOlder(now)), failure ? sql`failure = 1` : undefined);

const restorable: readonly ImportState[] = [
  'imported',
  'imported_with_messages',
  'failed',
  'failed_with_messages',
  'aborted',
  'partially_restored',
];

export const sisImportRoutes = [
  get(
    base,
    {
      can: may,
      params: { created_since: optional(time), created_before: optional(time), workflow_state: choices(...importStates) },
      returns: { wrapped: 'sis_imports', of: sisImport },
      summary: 'List SIS imports',
    },
    ({ account, params }) => {
      const states = params.workflow_state?.filter((state): state is ImportState => (importStates as readonly string[]).includes(state));
      return list(
        rows(sis_imports, {
          where: and(
            states?.length === 1 ? fewOfAccount(account) : ofAccount(account),
            params.created_since ? gte(sis_imports.created_at, params.created_since) : undefined,
            params.created_before ? sql`${sis_imports.created_at} < ${params.created_before}` : undefined,
            states?.length ? inArray(sis_imports.workflow_state, states) : undefined,
          ),
          order: descending(sis_imports.id),
        }),
      );
    },
  ),

  get(
    `${base}/importing`,
    { can: may, returns: { wrapped: 'sis_imports', of: sisImport }, summary: 'List running SIS imports' },
    ({ account }) =>
      list(
        rows(sis_imports, {
          where: and(inArray(sis_imports.workflow_state, [...working]), fewOfAccount(account)),
          order: descending(sis_imports.id),
        }),
      ),
  ),

  post(
    base,
    {
      can: (call) => {
        const isAllowed = call.account?.can('import_sis') ?? false;
        if (isAllowed) mustTakeImports(call);
        return isAllowed;
      },
      rawBody: true,
      params: importParams,
      returns: sisImport,
      summary: 'Create an SIS import',
    },
    (call) => receiveImport(call),
  ),

  get(`${base}/:id`, { can: may, fresh: true, returns: sisImport, summary: 'Get an SIS import' }, ({ account, id }) =>
    one(rows(sis_imports, { where: and(ofAccount(account), eq(sis_imports.id, id)) })),
  ),

  put(`${base}/:id/abort`, { can: may, returns: sisImport, summary: 'Abort an SIS import' }, async (call) => {
    const it = and(ofAccount(call.account), eq(sis_imports.id, call.id));
    const isUnderWay = and(it, inArray(sis_imports.workflow_state, [...pending, ...working]));
    // An import that has already ended is a 404, and nothing is written.
    const [[open]] = await call.db.perform([call.db.build.select({ id: sis_imports.id }).from(sis_imports).where(isUnderWay)]);
    found(open);
    return write(
      [abort(call, isUnderWay)],
      one(rows(sis_imports, { where: and(it, eq(sis_imports.workflow_state, 'aborted'), eq(sis_imports.ended_at, call.now)) })),
    );
  }),

  put(`${base}/abort_all_pending`, { can: may, returns: { json: null }, summary: 'Abort all pending SIS imports' }, (call) =>
    write([abort(call, and(ofAccount(call.account), inArray(sis_imports.workflow_state, [...pending])))], answer({ aborted: true })),
  ),

  put(
    `${base}/:id/restore_states`,
    {
      can: 'manage_sis',
      params: { batch_mode: optional(bool), undelete_only: optional(bool), unconclude_only: optional(bool) },
      returns: progressJson,
      summary: 'Restore workflow states of an SIS import',
    },
    async (call) => {
      const { account, db, id, now, params } = call;
      if (params.undelete_only && params.unconclude_only) throw problem(400, 'cannot set both undelete_only and unconclude_only');
      const [[it]] = await db.perform([
        db.build
          .select()
          .from(sis_imports)
          .where(and(ofAccount(account), eq(sis_imports.id, id)))
          .orderBy(desc(sis_imports.id)),
      ]);
      const { workflow_state, created_at } = found(it);
      if (!restorable.includes(workflow_state)) throw problem(400, 'this import cannot be restored in its current state');
      if (created_at < notOlder(now)) throw problem(400, 'changes of an import can be restored for 30 days only');
      return queued(call, 'sis_restore', {
        context_type: 'SisBatch',
        context_id: id,
        user_id: call.me.id,
        tag: 'sis_batch_state_restore',
        arguments: { sis_import_id: id, ...params },
      });
    },
  ),

  get(
    `${base}/:id/errors`,
    {
      can: may,
      params: errorParams,
      returns: { wrapped: 'sis_import_errors', of: sisImportError },
      summary: 'List errors of an SIS import',
    },
    (call) => {
      const own = sql`${sis_import_errors.sis_import_id} in (select id from sis_imports where id = ${call.id} and account_id = ${call.account.id})`;
      return list(rows(sis_import_errors, { where: errorsWhere(call, call.params.failure, own) }));
    },
  ),

  get(
    '/accounts/:account_id/sis_import_errors',
    {
      can: may,
      params: errorParams,
      returns: { wrapped: 'sis_import_errors', of: sisImportError },
      summary: 'List SIS import errors',
    },
    (call) =>
      list(rows(sis_import_errors, { where: errorsWhere(call, call.params.failure, eq(sis_import_errors.account_id, call.account.id)) })),
  ),
];
