// Imports of rubrics from CSV files, and exports to them: every endpoint, in the order of the API reference. Carrel's own: the export.

import { idField, listOf, optional } from '@carrel/shared/wire/fields';
import { and, eq, sql } from 'drizzle-orm';
import { readId } from '../../../contexts/references';
import { among } from '../../../database/ids';
import { attachedFile } from '../../../http/attached_file';
import type { Call } from '../../../http/call';
import { get, post } from '../../../http/endpoint';
import { claimRow } from '../../../http/idempotency';
import { rows } from '../../../http/listing';
import { badParameter, problem } from '../../../http/problem';
import { judged, list, oneOr, type Reply, rawResponse, row, settled } from '../../../http/reply';
import { planListing } from '../../../http/serializer';
import type { RubricContext } from '../associations/policy';
import { rubric } from '../json';
import { rubricsIn } from '../policy';
import { rubric_imports, rubrics } from '../table';
import { rubricImport } from './json';
import { rubricsResponse } from './lines';
import { templateResponse } from './template';

/** In bytes; the file is a row of the database until it is imported. */
const largest = 500_000;

const contextOf = ({ course, account }: Pick<Call, 'course' | 'account'>): RubricContext =>
  course ? { type: 'Course', id: course.id } : { type: 'Account', id: account?.id ?? 0 };

const importsOf = ({ type, id }: RubricContext) => and(eq(rubric_imports.context_type, type), eq(rubric_imports.context_id, id));

/** The import of the path, by its id or as `latest`. */
function importAt(call: Pick<Call, 'course' | 'account'> & { readonly path: { readonly import_id: string } }) {
  const all = importsOf(contextOf(call));
  if (call.path.import_id !== 'latest') return and(all, eq(rubric_imports.id, readId(call.path.import_id) ?? 0));
  return sql`${rubric_imports.id} = (select max(rubric_imports.id) from rubric_imports where ${all})`;
}

const importNotFound = () => problem(404, 'Import not found');

/** Stores the file and queues its import. */
async function receive(call: Call): Promise<Reply> {
  const { db, env, me, now, idempotency } = call;
  const { name, bytes } = await attachedFile(call.request, largest, 'No file attached');
  const { type, id } = contextOf(call);
  const results = await db.perform([
    db.build.insert(rubric_imports).values({
      context_type: type,
      context_id: id,
      user_id: me.id,
      filename: name || 'rubrics.csv',
      size: bytes.length,
      csv: new TextDecoder().decode(bytes),
      created_at: now,
      updated_at: now,
    }),
    db.build.select().from(rubric_imports).where(eq(rubric_imports.id, sql`last_insert_rowid()`)),
    ...(idempotency ? [claimRow(db, { user_id: me.id, idempotency, now, row_ids: sql`(select json_array(last_insert_rowid()))` })] : []),
  ]);
  const [made] = results[1] as (typeof rubric_imports.$inferSelect)[];
  if (made) await env.WORK.send({ job: 'rubric_import', ids: [made.id] });
  return settled(row(made));
}

/** Rubrics of one file. */
const most = 100;

/** Writes the rubrics of the context, or some of them, as a file for an import. */
async function download(call: Call & { readonly params: { readonly rubric_ids?: readonly number[] } }): Promise<Reply> {
  const { db, params } = call;
  const asked = params.rubric_ids && [...new Set(params.rubric_ids)];
  const { where, ...listing } = rubricsIn(contextOf(call));
  const chosen = { ...listing, where: and(where, asked && among(rubrics.id, asked)), limit: most + 1 };
  const plan = planListing(rubric, chosen, call);
  const found = plan.tell(await db.perform(plan.statements)).map(({ row: it }) => it);
  if (asked && found.length < asked.length) throw badParameter('rubric_ids', 'has a rubric that is not listed here');
  if (found.length > most) throw badParameter('rubric_ids', `is needed here, with at most ${most} rubrics`);
  return rawResponse(rubricsResponse(found));
}

const ofContexts = (['/courses/:course_id', '/accounts/:account_id'] as const).flatMap((place) => {
  const all = `${place}/rubrics/upload` as const;
  return [
    get(
      `${place}/rubrics/download`,
      {
        can: 'manage_rubrics',
        params: { rubric_ids: optional(listOf(idField('rubric'))) },
        returns: { json: null },
        summary: 'Export rubrics to a CSV file',
      },
      (call) => download(call),
    ),

    post(all, { can: 'manage_rubrics', rawBody: true, returns: rubricImport, summary: 'Import rubrics from a CSV file' }, (call) =>
      receive(call),
    ),

    get(`${all}/:import_id`, { can: 'manage_rubrics', fresh: true, returns: rubricImport, summary: 'Get an import of rubrics' }, (call) =>
      oneOr(rows(rubric_imports, { where: importAt(call) }), importNotFound),
    ),

    get(`${all}/:import_id/rubrics`, { can: 'manage_rubrics', returns: [rubric], summary: 'List the rubrics of an import' }, (call) => {
      const it = call.db.build.select({ id: rubric_imports.id }).from(rubric_imports).where(importAt(call));
      const decide = (known: readonly unknown[]) => {
        if (known.length === 0) throw importNotFound();
      };
      return judged(
        it,
        decide,
        list(rows(rubrics, { where: sql`${rubrics.rubric_import_id} = (${it}) and ${rubrics.workflow_state} = 'active'` })),
      );
    }),
  ];
});

export const rubricImportRoutes = [
  get('/rubrics/upload_template', { can: 'user', returns: { json: null }, summary: 'Get a template for imports of rubrics' }, () =>
    rawResponse(templateResponse()),
  ),

  ...ofContexts,
];
