// An ePortfolio for its page: sections and pages in order, and the text of one page.

import { eq, type SQL, sql } from 'drizzle-orm';
import { readId } from '../../contexts/references';
import { withHost } from '../../html/addresses';
import type { Call } from '../../http/call';
import { signedIn } from '../../site/page';
import { mostPortfolioPages, mostSections, type PageEntry, type PortfolioContents, type SectionEntry } from './editing';
import { editableEPortfolio, readableEPortfolio } from './policy';
import { eportfolios, eportfolio_pages as pages, eportfolio_sections as sections } from './table';

export const stringOf = (given: unknown): string | undefined => (typeof given === 'string' ? given : undefined);

/** The page shown by default: the first of the first section. */
const firstPage = (id: number): SQL => sql`(select p.id from eportfolio_pages p left join eportfolio_sections s on s.id = p.section_id
  where p.eportfolio_id = ${id} order by s.position, s.id, p.position, p.id limit 1)`;

interface Shown extends PageEntry {
  readonly content: string | null;
}

/** An ePortfolio that the caller may read, with the text of one of its pages. */
export async function loadShown(call: Pick<Call, 'db' | 'me' | 'user' | 'tree' | 'origin'>, id: number) {
  const { db, me, user, tree } = call;
  if (!user || user.id < 0) return undefined;
  const page = readId(stringOf(tree.page) ?? '');
  const shown = sql`eportfolio_pages.id = coalesce((select p.id from eportfolio_pages p where p.id = ${page ?? 0} and p.eportfolio_id = ${id}), ${firstPage(id)})`;
  const [found, changed, ofSections, ofPages] = await db.perform([
    db.build.select().from(eportfolios).where(readableEPortfolio(id, user)),
    db.build.select({ id: eportfolios.id }).from(eportfolios).where(editableEPortfolio(id, me)),
    db.build
      .select({ id: sections.id, name: sections.name })
      .from(sections)
      .where(eq(sections.eportfolio_id, id))
      .orderBy(sections.position, sections.id)
      .limit(mostSections + 1),
    db.build
      .select({
        id: pages.id,
        section_id: pages.section_id,
        name: pages.name,
        is_shown: sql<number>`(${shown})`.as('is_shown'),
        content: sql<string | null>`case when ${shown} then eportfolio_pages.content end`.as('content'),
      })
      .from(pages)
      .where(eq(pages.eportfolio_id, id))
      .orderBy(pages.position, pages.id)
      .limit(mostPortfolioPages + 1),
  ]);
  const portfolio = found[0];
  if (!portfolio) return undefined;
  const current = ofPages.find((one) => one.is_shown === 1);
  return {
    ...portfolio,
    owner: user.name,
    isMine: user.isMe && signedIn(call) !== undefined,
    isChangeable: changed.length > 0 && signedIn(call) !== undefined,
    sections: ofSections as readonly SectionEntry[],
    pages: ofPages as readonly PageEntry[],
    shown: current && ({ ...current, content: withHost(current.content, call.origin) } as Shown),
  } satisfies PortfolioContents & Record<string, unknown>;
}

export type LoadedPortfolio = NonNullable<Awaited<ReturnType<typeof loadShown>>>;
