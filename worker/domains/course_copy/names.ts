// Unused names for copies: read before a step, as JSON by original id.

import { sql } from 'drizzle-orm';
import type { Database } from '../../database/open';
import { copyOf, type Route } from '../../rules/copied_kind';
import { hasCopy } from '../../rules/copied_kinds';
import { firstFree, slugOf } from '../../rules/pages/names';
import { namesInTurn } from '../files/names';
import type { CopiedKind } from './table';

export async function copyNamesFor(db: Database, kind: CopiedKind, ids: readonly number[], route: Route): Promise<string> {
  if (kind === 'page') return JSON.stringify(await namesOfPages(db, ids, route));
  if (kind === 'file') return JSON.stringify(await namesOfFiles(db, ids, route));
  return '{}';
}

/** A page with the same title is a different page. */
async function namesOfPages(db: Database, ids: readonly number[], route: Route) {
  // Slugs with the same prefix: the upper bound uses `.`, which follows `-`, the separator before the number.
  const alike = sql`p.context_type = 'Course' and p.context_id = ${route.to} and p.workflow_state <> 'deleted' and p.url >= o.url and p.url < o.url || '.'`;
  const chosen = sql`o.id in (select value from json_each(${JSON.stringify(ids)})) and not ${hasCopy('page', route)}`;
  const [originals, taken] = await db.perform([
    db.build.all<{ id: number; title: string; url: string }>(sql`select o.id, o.title, o.url from pages o where ${chosen} order by o.id`),
    db.build.all<{ title: string; url: string }>(
      sql`select distinct p.title as title, p.url as url from pages o join pages p on ${alike} where ${chosen}`,
    ),
  ]);
  const titles = new Set(taken.map(({ title }) => title));
  const urls = new Set(taken.map(({ url }) => url));
  const named: Record<string, { title: string; url: string }> = {};
  for (const { id, title: wanted, url: slug } of originals) {
    const title = firstFree(wanted, titles);
    const url = firstFree(title === wanted ? slug : slugOf(title) || slug, urls);
    titles.add(title);
    urls.add(url);
    named[id] = { title, url };
  }
  return named;
}

/** Another file with the same name in the folder keeps its name. */
async function namesOfFiles(db: Database, ids: readonly number[], route: Route) {
  const folder = copyOf('folder', sql`o.folder_id`, route);
  const chosen = sql`o.id in (select value from json_each(${JSON.stringify(ids)})) and not ${hasCopy('file', route)}`;
  const [originals, taken] = await db.perform([
    db.build.all<{ id: number; display_name: string; folder_id: number | null }>(
      sql`select o.id, o.display_name, ${folder} as folder_id from files o where ${chosen} order by o.id`,
    ),
    db.build.all<{ display_name: string; folder_id: number }>(
      sql`select f.display_name, f.folder_id from files f where f.workflow_state = 'available' and f.folder_id in (select ${folder} from files o where ${chosen})`,
    ),
  ]);
  const inFolder = new Map<number | null, Set<string>>();
  for (const { folder_id, display_name } of taken) inFolder.set(folder_id, (inFolder.get(folder_id) ?? new Set()).add(display_name));
  const named: Record<string, { display_name: string }> = {};
  for (const { id, display_name, folder_id } of originals) {
    const names = inFolder.get(folder_id) ?? new Set();
    const name = namesInTurn(display_name, crypto.randomUUID().slice(0, 12)).find((one) => !names.has(one)) ?? display_name;
    inFolder.set(folder_id, names.add(name));
    named[id] = { display_name: name };
  }
  return named;
}
