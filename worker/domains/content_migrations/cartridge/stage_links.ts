// Rewrites the links in staged texts, once everything they may lead to is staged. What they lead to outside of the package is reported.

import { getTableName, type SQL, sql } from 'drizzle-orm';
import { type ImportedNames, linkedHtml, unlinkedMark } from '../../../cartridge/links';
import { atMost } from '../../../database/at_most';
import { kindFacts } from '../../../rules/copied_kinds';
import type { ImportedKind } from '../table';
import { type Staging, shortIdentifier } from './staging';

/** Texts of one step; their length together is limited by the size of a page. */
const atOnce = 20;

interface TextPlace {
  readonly table: string;
  readonly column: string;
  readonly title: string;
  /** Rows `o` of the staging course. */
  readonly there: (course: SQL) => SQL;
}

const ofKind = (
  kind: 'learning_outcome' | 'assignment' | 'quiz' | 'quiz_question' | 'page' | 'discussion_topic' | 'calendar_event',
  column?: string,
): TextPlace => {
  const { table, text = '', title, there } = kindFacts[kind];
  return { table: getTableName(table), column: column ?? text, title, there: (course) => there('o', course) };
};

/** In the order in which they are rewritten. */
export const textPlaces = (): readonly TextPlace[] => [
  ofKind('page'),
  ofKind('assignment'),
  ofKind('discussion_topic'),
  ofKind('quiz'),
  ofKind('quiz_question'),
  ofKind('quiz_question', 'data'),
  ofKind('calendar_event'),
  ofKind('learning_outcome'),
  { table: 'courses', column: 'syllabus_body', title: "'the syllabus'", there: (course) => sql`o.id = ${course}` },
];

export interface StagedNames extends ImportedNames {
  readonly isEmpty?: boolean;
}

/** What links can lead to, read once for a delivery. */
export async function stagedNames(staging: Staging): Promise<ImportedNames> {
  const kinds: ImportedKind[] = ['assignment', 'quiz', 'discussion_topic', 'module', 'calendar_event', 'module_item', 'file', 'page'];
  const ids = await staging.known(...kinds);
  const [pages] = await staging.work.db.perform([
    staging.work.db.build.all<{ id: number; url: string }>(
      sql`select p.id, p.url from pages p where p.context_type = 'Course' and p.context_id = ${staging.course}`,
    ),
  ]);
  const urls = new Map(pages.map(({ id, url }) => [id, url]));
  const id = (kind: string, identifier: string) => ids.get(`${kind} ${shortIdentifier(identifier)}`);
  return { id, file: (path) => id('file', `path:${path}`), page: (identifier) => urls.get(id('page', identifier) ?? 0) };
}

/** @returns whether texts of the place were left over, as far as is known */
export async function linkSome(staging: Staging, place: TextPlace, names: ImportedNames): Promise<boolean> {
  const { db } = staging.work;
  const [table, column] = [sql.raw(place.table), sql.raw(place.column)];
  const title = sql.raw(place.title.startsWith("'") ? place.title : `o.${place.title}`);
  const [rows] = await db.perform([
    db.build.all<{ id: number; title: string | null; html: string }>(
      sql`select o.id, ${title} as title, o.${column} as html from ${table} o where ${place.there(sql`${staging.course}`)} and instr(o.${column}, ${unlinkedMark(staging.course)}) > 0 order by o.id limit ${atMost(atOnce)}`,
    ),
  ]);
  const linked = rows.map((row) => ({ ...row, ...linkedHtml(row.html, staging.course, names) }));
  if (linked.length > 0)
    staging.run(
      sql`update ${table} set ${column} = j.value ->> 1 from json_each(${JSON.stringify(linked.map(({ id, html }) => [id, html]))}) j where ${table}.id = j.value ->> 0`,
    );
  for (const { title: name, missing } of linked)
    if (missing.length > 0) staging.issue('warning', `Missing links in ${name ?? 'a text'}: ${missing.slice(0, 10).join(', ')}`);
  return rows.length === atOnce;
}
