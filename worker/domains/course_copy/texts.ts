// Writes the HTML of copies after all link targets exist.

import { getTableName, sql } from 'drizzle-orm';
import { theIds } from '../../database/ids';
import type { Database, Statement } from '../../database/open';
import type { Route } from '../../rules/copied_kind';
import { kindFacts } from '../../rules/copied_kinds';
import { notifyOfUpdate } from '../../rules/notify';
import { type LinkTargets, mentionedIn, relinkedHtml } from './relink';
import { followersOf } from './step_statements';
import type { CopiedKind } from './table';

/** Reads the copies of the items that the texts link to. */
async function destinations(db: Database, texts: readonly string[], { from, to }: Route): Promise<LinkTargets> {
  const mentioned = texts.map((html) => mentionedIn(html, from));
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

/** Writes the texts of some copies; pages get a revision. */
export async function textsStep(db: Database, kind: CopiedKind, ids: readonly number[], route: Route): Promise<Statement[]> {
  const { table, text } = kindFacts[kind];
  if (!text) return [];
  const name = sql.raw(getTableName(table));
  const column = sql.raw(text);
  const [found] = await db.perform([
    db.build.all<{ item_id: number; html: string | null }>(
      sql`select l.item_id, o.${column} as html from copied_items l join ${name} o on o.id = l.source_id
        where l.course_id = ${route.to} and l.kind = ${kind} and l.copy_id = ${route.copy_id} and l.source_id in (select value from json_each(${JSON.stringify(ids)}))`,
    ),
  ]);
  if (found.length === 0) return [];
  const where = await destinations(
    db,
    found.flatMap(({ html }) => html ?? []),
    route,
  );
  const texts = JSON.stringify(
    found.map(({ item_id, html }) => [item_id, html === null ? null : relinkedHtml(html, route.from, route.to, where)]),
  );
  return [
    ...(route.notifies
      ? notifyOfUpdate(
          db,
          table,
          {
            set: { [text]: sql`n.value ->> 1` },
            from: sql`json_each(${texts}) n join ${name} on ${name}.id = n.value ->> 0`,
            where: sql`true`,
          },
          route.now,
        )
      : []),
    db.build.run(
      sql`update ${name} set ${column} = n.value ->> 1 from json_each(${texts}) n where ${name}.id = n.value ->> 0 and ${name}.${column} is not n.value ->> 1`,
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
  const result = html === null ? null : relinkedHtml(html, route.from, route.to, await destinations(db, [html], route));
  return [db.build.run(sql`update courses set syllabus_body = ${result}, updated_at = ${route.now} where id = ${route.to}`)];
}
