// Which pages a wiki has, and which of them an address means.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import { readId } from '../../contexts/references';
import { shared } from '../../database/shared';
import { pages } from '../../domains/pages/table';
import { slugOf } from './names';

/** The wiki of a course or of a group. */
export interface WikiContext {
  readonly context_type: 'Course' | 'Group';
  readonly context_id: number;
}

/** Literal, to match the partial index of live pages. */
const isThere = sql.raw("pages.workflow_state <> 'deleted'");

export const presentPages = (wiki: WikiContext, id?: number): SQL | undefined =>
  and(
    eq(pages.context_type, wiki.context_type),
    eq(pages.context_id, wiki.context_id),
    isThere,
    id === undefined ? undefined : eq(pages.id, id),
  );

/** The wiki as a condition on these columns. */
const ofWiki = ({ context_type, context_id }: WikiContext, table = ''): SQL =>
  sql`${sql.raw(`${table}context_type = '${context_type}' and ${table}context_id`)} = ${shared(context_type === 'Course' ? 'course' : 'group', context_id)}`;

const where = (wiki: WikiContext, condition: SQL): SQL =>
  sql`(select id from pages where ${ofWiki(wiki)} and workflow_state <> 'deleted' and ${condition})`;

const former = (wiki: WikiContext, urls: readonly SQL[]): SQL =>
  sql`(select p.id from former_page_urls f join pages p on p.id = f.page_id and p.workflow_state <> 'deleted'
    where ${ofWiki(wiki, 'f.')} and f.url in (${sql.join([...urls], sql`, `)}) limit 1)`;

/**
 * A select of the page id for a URL parameter, or null: `page_id:7`, else a current slug, else a former slug, else a number.
 * A page whose slug is `7` takes precedence over page 7.
 */
export function pageIdOf(wiki: WikiContext, given: string): SQL {
  const byNumber = /^page_id:(\d+)$/.exec(given)?.[1];
  if (byNumber !== undefined) return sql`select ${where(wiki, sql`id = ${readId(byNumber) ?? 0}`)}`;
  const [asGiven, slug] = [shared('term', given), shared('slug', slugOf(given))];
  const candidates = [
    where(wiki, sql`url = ${asGiven}`),
    where(wiki, sql`url = ${slug}`),
    former(wiki, [asGiven, slug]),
    where(wiki, sql`id = ${shared('item', readId(given) ?? 0)}`),
  ];
  return sql`select coalesce(${sql.join(candidates, sql`, `)})`;
}

export const frontPageId = (wiki: WikiContext): SQL => sql`select ${where(wiki, sql`front_page = 1`)}`;
