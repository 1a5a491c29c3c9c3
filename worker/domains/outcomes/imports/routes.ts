// Imports of outcomes from CSV files: every endpoint, in the order of the API reference.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import { readId } from '../../../contexts/references';
import { attachedFile } from '../../../http/attached_file';
import type { Call } from '../../../http/call';
import { get, post } from '../../../http/endpoint';
import { claimRow } from '../../../http/idempotency';
import { rows } from '../../../http/listing';
import { found, notFound, Problem, problem } from '../../../http/problem';
import { answer, oneOr, type Reply, row, settled } from '../../../http/reply';
import { textOfError } from '../../../steps';
import { outcomeContextOf } from '../context';
import { makeRoot } from '../groups/writes';
import { onlyOutcomeGroup } from '../policy';
import { learning_outcome_groups, outcome_imports } from '../table';
import { outcomeImport } from './json';

/** In bytes; the file is a row of the database until it is imported. */
const largest = 500_000;

const importsOf = (call: Pick<Call, 'course' | 'account'>): SQL => {
  const type = call.course ? 'Course' : 'Account';
  return and(eq(outcome_imports.context_type, type), eq(outcome_imports.context_id, outcomeContextOf(call).id)) as SQL;
};

/** The import of the path, by its id or as `latest`. */
function importAt(call: Pick<Call, 'course' | 'account'> & { readonly path: { readonly outcome_import_id: string } }): SQL {
  const all = importsOf(call);
  const { outcome_import_id: named } = call.path;
  if (named !== 'latest') return and(all, eq(outcome_imports.id, readId(named) ?? 0)) as SQL;
  return sql`${outcome_imports.id} = (select max(outcome_imports.id) from outcome_imports where ${all})`;
}

const importNotFound = () => problem(404, 'Outcome import not found');

/** @throws Problem 400 for a file that is not UTF-8 */
function textOf(bytes: Uint8Array, type: string): string {
  const refuse = () => new Problem(400, { error: 'Invalid content type, UTF-8 required' });
  const charset = /;\s*charset="?([^";\s]+)/i.exec(type)?.[1]?.toLowerCase() ?? 'utf-8';
  if (charset !== 'utf-8' && charset !== 'utf8') throw refuse();
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refuse();
  }
}

/** Stores the file and queues its import. @param group the group below which to import */
async function receive(call: Call, group?: string): Promise<Reply> {
  const { db, env, me, now, idempotency, request } = call;
  const context = outcomeContextOf(call);
  const { bytes, form } = await attachedFile(request, largest, 'No file attached');
  const type = form?.get('import_type') ?? call.url.searchParams.get('import_type');
  if (type && type !== 'instructure_csv') throw problem(400, 'import_type must be instructure_csv');
  const csv = textOf(bytes, request.headers.get('content-type') ?? '');
  const id = group === undefined ? null : (readId(group) ?? 0);
  const isThere = id === null ? sql`1` : sql`exists (select 1 from ${learning_outcome_groups} where ${onlyOutcomeGroup(context, id)})`;
  const results = await db
    .perform([
      makeRoot(db, context, now),
      db.build.insert(outcome_imports).values({
        context_type: context.type === 'Course' ? 'Course' : 'Account',
        // Without the group, the batch fails.
        context_id: sql`case when ${isThere} then cast(${context.id} as integer) end`,
        user_id: me.id,
        learning_outcome_group_id: id,
        csv,
        created_at: now,
        updated_at: now,
      }),
      db.build.select().from(outcome_imports).where(eq(outcome_imports.id, sql`last_insert_rowid()`)),
      ...(idempotency ? [claimRow(db, { user_id: me.id, idempotency, now, row_ids: sql`(select json_array(last_insert_rowid()))` })] : []),
    ])
    .catch((error: unknown) => {
      throw /NOT NULL constraint failed: outcome_imports\.context_id/.test(textOfError(error)) ? notFound() : error;
    });
  const [made] = results[2] as (typeof outcome_imports.$inferSelect)[];
  await env.WORK.send({ job: 'outcome_import', ids: [found(made).id] });
  return settled(row(made));
}

const may = ['import_outcomes', 'manage_outcomes'] as const;

export const outcomeImportRoutes = (['/accounts/:account_id', '/courses/:course_id'] as const).flatMap((place) => {
  const all = `${place}/outcome_imports` as const;
  return [
    post(all, { can: 'import_outcomes', rawBody: true, returns: outcomeImport, summary: 'Import outcomes from a CSV file' }, (call) =>
      receive(call),
    ),

    post(
      `${all}/group/:learning_outcome_group_id`,
      { can: 'import_outcomes', rawBody: true, returns: outcomeImport, summary: 'Import outcomes from a CSV file into a group' },
      (call) => receive(call, call.path.learning_outcome_group_id),
    ),

    get(`${all}/:outcome_import_id`, { can: may, fresh: true, returns: outcomeImport, summary: 'Get an import of outcomes' }, (call) =>
      oneOr(rows(outcome_imports, { where: importAt(call) }), importNotFound),
    ),

    get(
      `${all}/:outcome_import_id/created_group_ids`,
      { can: may, fresh: true, returns: { json: null }, summary: 'List the groups that an import of outcomes created' },
      async (call) => {
        const it = call.db.build.select({ id: outcome_imports.id }).from(outcome_imports).where(importAt(call));
        const [known, groups] = await call.db.perform([
          it,
          call.db.build
            .select({ id: learning_outcome_groups.id })
            .from(learning_outcome_groups)
            .where(sql`${learning_outcome_groups.outcome_import_id} = (${it})`)
            .orderBy(learning_outcome_groups.id),
        ]);
        if (known.length === 0) throw importNotFound();
        return answer(groups.map(({ id }) => id));
      },
    ),
  ];
});
