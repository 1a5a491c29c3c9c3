// Writes the HTML of copies after all link targets exist.

import { lookUp } from '@carrel/shared/wire/look_up';
import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm';
import { theIds } from '../../database/ids';
import type { Database, Statement } from '../../database/open';
import { freshVersion } from '../../database/version';
import type { Route } from '../../rules/copied_kind';
import { kindFacts } from '../../rules/copied_kinds';
import { linksFollowTexts } from '../../rules/copied_tool_links';
import { notifyOfUpdate } from '../../rules/notify';
import { type LinkTargets, type Mentioned, mentionedIn, mentionedInDocument, relinkedDocument, relinkedHtml } from './relink';
import { followersOf } from './step_statements';
import type { CopiedKind } from './table';

/** Reads the copies of the items that the texts link to. */
async function destinations(db: Database, mentioned: readonly Mentioned[], { from, to }: Route): Promise<LinkTargets> {
  const pairs = mentioned.flatMap(({ ids }) => [...ids].flatMap(([kind, some]) => [...some].map((id) => [kind, id] as const)));
  const urls = mentioned.flatMap((one) => [...one.urls]);
  if (pairs.length === 0 && urls.length === 0) return { id: () => undefined, url: () => undefined };
  const [items, pages] = await db.perform([
    db.build.all<{ kind: CopiedKind; source_id: number; item_id: number }>(
      sql`select l.kind, l.source_id, l.item_id from json_each(${JSON.stringify(pairs)}) p cross join copied_items l where l.course_id = ${to} and l.kind = p.value ->> 0 and l.source_id = p.value ->> 1`,
    ),
    db.build.all<{ url: string; here: string }>(
      sql`select p.url as url, t.url as here from pages p join copied_items l on l.course_id = ${to} and l.kind = 'page' and l.source_id = p.id join pages t on t.id = l.item_id
        where p.context_type = 'Course' and p.context_id = ${from} and p.workflow_state <> 'deleted' and p.url in (select value from json_each(${JSON.stringify(urls)}))`,
    ),
  ]);
  const ids = new Map(items.map(({ kind, source_id, item_id }) => [`${kind} ${source_id}`, item_id]));
  const urlOf = new Map(pages.map(({ url, here }) => [url, here]));
  return { id: (kind, id) => ids.get(`${kind} ${id}`), url: (url) => urlOf.get(url) };
}

/** A copy with the texts of its original. */
interface Source {
  readonly item_id: number;
  readonly html: string | null;
  /** JSON. */
  readonly document: string | null;
}

/** Documents without links stay as they are, to the byte. */
const relinkedJson = (json: string, { from, to }: Route, where: LinkTargets): string =>
  /\/(?:courses|files)\//.test(json) ? JSON.stringify(relinkedDocument(JSON.parse(json), from, to, where)) : json;

/** Writes the texts of some copies; pages get a revision. */
export async function textsStep(db: Database, kind: CopiedKind, ids: readonly number[], route: Route): Promise<Statement[]> {
  const { table, text, document } = kindFacts[kind];
  if (!text && !document) return [];
  const name = sql.raw(getTableName(table));
  const of = (column: string | undefined) => sql.raw(column ? `o.${column}` : 'null');
  const [found] = await db.perform([
    db.build.all<Source>(
      sql`select l.item_id, ${of(text)} as html, ${of(document)} as document from copied_items l join ${name} o on o.id = l.source_id
        where l.course_id = ${route.to} and l.kind = ${kind} and l.copy_id = ${route.copy_id} and l.source_id in (select value from json_each(${JSON.stringify(ids)}))`,
    ),
  ]);
  if (found.length === 0) return [];
  const { from, to } = route;
  const where = await destinations(
    db,
    found.flatMap((one) => [
      ...(one.html === null ? [] : [mentionedIn(one.html, from)]),
      ...(one.document === null ? [] : [mentionedInDocument(JSON.parse(one.document), from)]),
    ]),
    route,
  );
  const texts = JSON.stringify(
    found.map((one) => [
      one.item_id,
      one.html === null ? null : relinkedHtml(one.html, from, to, where),
      one.document === null ? null : relinkedJson(one.document, route, where),
    ]),
  );
  const written = [
    ...(text ? [[text, sql.raw('n.value ->> 1')] as const] : []),
    ...(document ? [[document, sql.raw('n.value ->> 2')] as const] : []),
  ];
  const list = (parts: readonly SQL[], between: string) => sql.join([...parts], sql.raw(between));
  const differs = list(
    written.map(([column, value]) => sql`${name}.${sql.raw(column)} is not ${value}`),
    ' or ',
  );
  return [
    ...(route.notifies
      ? notifyOfUpdate(
          db,
          table,
          {
            set: Object.fromEntries(written),
            from: sql`json_each(${texts}) n join ${name} on ${name}.id = n.value ->> 0`,
            where: sql`true`,
          },
          route.now,
        )
      : []),
    db.build.run(
      sql`update ${name} set ${list(
        // An attempt may have been started meanwhile: the version that it keeps is without the texts.
        [...written, ...(lookUp(getTableColumns(table), 'version') ? [['version', sql.raw(freshVersion)] as const] : [])].map(
          ([column, value]) => sql`${sql.raw(column)} = ${value}`,
        ),
        ', ',
      )} from json_each(${texts}) n where ${name}.id = n.value ->> 0 and (${differs})`,
    ),
    ...linksFollowTexts(
      db,
      found.flatMap(({ html, document: json }) => [html, json]),
      route,
    ),
    ...followersOf(db, kind, theIds(found.map(({ item_id }) => item_id))),
    ...(kind === 'page'
      ? [
          db.build.run(
            sql`insert into page_revisions (page_id, revision_id, url, title, body, edited_by_id, updated_at)
              select p.id, coalesce((select max(r.revision_id) from page_revisions r where r.page_id = p.id), 0) + 1, p.url, p.title, p.body, ${route.user_id}, ${route.now}
              from json_each(${texts}) n join pages p on p.id = n.value ->> 0
              where not exists (select 1 from page_revisions r where r.page_id = p.id and r.title = p.title and r.body is p.body
                and r.revision_id = (select max(page_revisions.revision_id) from page_revisions where page_revisions.page_id = p.id))`,
          ),
        ]
      : []),
  ];
}

/** Copies the syllabus, with its links rewritten. */
export async function syllabusStep(db: Database, route: Route): Promise<Statement[]> {
  const [[course]] = await db.perform([
    db.build.all<{ html: string | null }>(sql`select syllabus_body as html from courses where id = ${route.from}`),
  ]);
  const html = course?.html ?? null;
  const result =
    html === null ? null : relinkedHtml(html, route.from, route.to, await destinations(db, [mentionedIn(html, route.from)], route));
  return [
    db.build.run(sql`update courses set syllabus_body = ${result}, updated_at = ${route.now} where id = ${route.to}`),
    ...linksFollowTexts(db, [html], route),
  ];
}
