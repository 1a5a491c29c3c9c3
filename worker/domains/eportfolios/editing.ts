// Form actions of an ePortfolio's page on its sections and pages. All positions are rewritten together, so that they have no gaps.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import { among } from '../../database/ids';
import type { Statement } from '../../database/open';
import { storableHtml } from '../../html/kept';
import type { Call } from '../../http/call';
import { eportfolio_pages as pages, eportfolio_sections as sections } from './table';
import { deleteEPortfolio, updateEPortfolio } from './writes';

export interface SectionEntry {
  readonly id: number;
  readonly name: string;
}
export interface PageEntry {
  readonly id: number;
  readonly section_id: number;
  readonly name: string;
}
/** An ePortfolio as its owner edits it, in order. */
export interface PortfolioContents {
  readonly id: number;
  readonly sections: readonly SectionEntry[];
  readonly pages: readonly PageEntry[];
}

export const mostSections = 50;
export const mostPortfolioPages = 200;
const longestName = 255;
const longestContent = 200_000;

/** A posted form: `do` is the button's name, the other fields are text. */
export type Form = Readonly<Record<'do' | 'section' | 'page' | 'name' | 'content' | 'public', string | undefined>>;

interface Edit {
  readonly contents: PortfolioContents;
  readonly form: Form;
  readonly call: Pick<Call, 'db' | 'now' | 'origin'>;
  readonly section: SectionEntry | undefined;
  readonly page: PageEntry | undefined;
  /** Blank when missing. */
  readonly name: string;
}

/** The statements of an edit, or the reason why it is refused. */
type Outcome = readonly Statement[] | string;

/** The ids with one moved by a step; unchanged at either end. */
export function moved(ids: readonly number[], id: number, step: -1 | 1): number[] {
  const at = ids.indexOf(id);
  const to = at + step;
  if (at < 0 || to < 0 || to >= ids.length) return [...ids];
  const result = ids.filter((one) => one !== id);
  result.splice(to, 0, id);
  return result;
}

const placed = (ids: readonly number[], id: SQL): SQL =>
  sql`(select o.key + 1 from json_each(${JSON.stringify(ids)}) o where o.value = ${id})`;

const orderSections = ({ call: { db, now } }: Edit, ids: readonly number[]): Statement =>
  db.build
    .update(sections)
    .set({ position: placed(ids, sql`eportfolio_sections.id`), updated_at: now })
    .where(among(sections.id, ids));

const orderPages = ({ call: { db, now } }: Edit, ids: readonly number[]): Statement =>
  db.build
    .update(pages)
    .set({ position: placed(ids, sql`eportfolio_pages.id`), updated_at: now })
    .where(among(pages.id, ids));

const idsOf = (entries: readonly { readonly id: number }[]) => entries.map(({ id }) => id);
const missing = 'The ePortfolio was changed in another window. Try again.';

const moveSection =
  (step: -1 | 1) =>
  (edit: Edit): Outcome =>
    edit.section ? [orderSections(edit, moved(idsOf(edit.contents.sections), edit.section.id, step))] : missing;

const movePage =
  (step: -1 | 1) =>
  (edit: Edit): Outcome => {
    const { page, contents } = edit;
    if (!page) return missing;
    const beside = contents.pages.filter((one) => one.section_id === page.section_id);
    return [orderPages(edit, moved(idsOf(beside), page.id, step))];
  };

/** Turns plain text into paragraphs, so that owners need not know HTML. */
export function asHtml(content: string): string {
  if (/<[a-z!/]/i.test(content)) return content;
  const paragraphs = content.split(/\r?\n\s*\r?\n/).filter((part) => part.trim() !== '');
  const escaped = (part: string) =>
    part
      .trim()
      .replace(/&(?![a-z]+;|#)/gi, '&amp;')
      .replace(/</g, '&lt;')
      .replace(/>/g, '&gt;');
  return paragraphs.map((part) => `<p>${escaped(part).replace(/\r?\n/g, '<br>')}</p>`).join('\n');
}

const edits: ReadonlyMap<string, (edit: Edit) => Outcome> = new Map<string, (edit: Edit) => Outcome>([
  [
    'settings',
    ({ contents, form, name, call }) => [
      updateEPortfolio(call, contents.id, { name: name || undefined, public: form.public !== undefined }),
    ],
  ],
  ['delete', ({ contents, call }) => [deleteEPortfolio(call, contents.id)]],

  [
    'add_section',
    ({ contents, name, call: { db, now } }) => {
      if (name === '') return 'Give the section a name.';
      if (contents.sections.length >= mostSections) return `An ePortfolio has at most ${mostSections} sections.`;
      const position = contents.sections.length + 1;
      return [db.build.insert(sections).values({ eportfolio_id: contents.id, position, name, created_at: now, updated_at: now })];
    },
  ],
  [
    'rename_section',
    ({ section, name, call: { db, now } }) => {
      if (!section) return missing;
      if (name === '') return 'Give the section a name.';
      return [db.build.update(sections).set({ name, updated_at: now }).where(eq(sections.id, section.id))];
    },
  ],
  ['move_section_up', moveSection(-1)],
  ['move_section_down', moveSection(1)],
  [
    'delete_section',
    ({ contents, section, call: { db } }) => {
      if (!section) return missing;
      if (contents.sections.length === 1) return 'An ePortfolio has at least one section.';
      return [
        db.build.delete(pages).where(and(eq(pages.eportfolio_id, contents.id), eq(pages.section_id, section.id))),
        db.build.delete(sections).where(eq(sections.id, section.id)),
      ];
    },
  ],

  [
    'add_page',
    ({ contents, section, name, call: { db, now } }) => {
      if (!section) return missing;
      if (name === '') return 'Give the page a name.';
      if (contents.pages.length >= mostPortfolioPages) return `An ePortfolio has at most ${mostPortfolioPages} pages.`;
      const position = contents.pages.filter((one) => one.section_id === section.id).length + 1;
      const values = { eportfolio_id: contents.id, section_id: section.id, position, name, content: '', created_at: now, updated_at: now };
      return [db.build.insert(pages).values(values).returning({ id: pages.id })];
    },
  ],
  [
    'save_page',
    ({ page, name, form, call }) => {
      if (!page) return missing;
      if (name === '') return 'Give the page a name.';
      const content = form.content ?? '';
      if (content.length > longestContent) return 'The text of this page is too long.';
      const set = { name, content: storableHtml(asHtml(content), call), updated_at: call.now };
      return [call.db.build.update(pages).set(set).where(eq(pages.id, page.id))];
    },
  ],
  ['move_page_up', movePage(-1)],
  ['move_page_down', movePage(1)],
  ['delete_page', ({ page, call: { db } }) => (page ? [db.build.delete(pages).where(eq(pages.id, page.id))] : missing)],
]);

/** The statements for a posted form, or the reason why it is refused. */
export function editOf(contents: PortfolioContents, form: Form, call: Edit['call']): Outcome {
  const name = (form.name ?? '').trim();
  if (name.length > longestName) return `A name has at most ${longestName} characters.`;
  const edit = edits.get(form.do ?? '');
  if (!edit) return missing;
  return edit({
    contents,
    form,
    call,
    name,
    section: contents.sections.find(({ id }) => String(id) === form.section),
    page: contents.pages.find(({ id }) => String(id) === form.page),
  });
}
