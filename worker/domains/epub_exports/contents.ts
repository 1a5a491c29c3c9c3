// The modules of a book, its syllabus, and its order.

import { and, eq, sql } from 'drizzle-orm';
import type { XmlChild } from '../../cartridge/xml/read';
import { xml } from '../../cartridge/xml/write';
import { hidesTab } from '../../contexts/course';
import type { BookEntry } from '../../epub/book';
import { type BookAddresses, bookMarkup } from '../../epub/xhtml';
import { isBound, judgeLocks } from '../modules/locks';
import { seenItems, visibleModules } from '../modules/policy';
import { isHeldBack } from '../modules/progress/decide';
import { noFacts, selectHolderFacts } from '../modules/progress/facts';
import { module_items, modules } from '../modules/table';
import { addressOutside } from './addresses';
import { type BookPlan, type Chapter, type ChapterKind, chapterPath } from './plan';
import type { BookReader } from './reader';

const kindOf: Readonly<Record<string, ChapterKind>> = {
  Page: 'page',
  Assignment: 'assignment',
  Quiz: 'quiz',
  Discussion: 'discussion_topic',
};

type ModuleLine = { readonly chapter: Chapter } | { readonly title: string; readonly address?: string; readonly isHeading: boolean };

export interface BookModule {
  readonly id: number;
  readonly name: string;
  readonly lines: readonly ModuleLine[];
}

const inModules = sql.raw("'ExternalUrl', 'SubHeader', 'File'");

/** The modules as the reader sees them; what is locked for them is left out. */
export async function bookModules(reader: BookReader, { chapters }: BookPlan): Promise<BookModule[]> {
  const { db, course, me, now, origin } = reader;
  const held = sql`select i.type, i.module_id, i.id, i.id, i.position from module_items i where i.course_id = ${course.id} and i.type in (${inModules}) and i.workflow_state = 'active'`;
  const [seen, items, facts] = await db.perform([
    db.build
      .select({ id: modules.id, name: modules.name })
      .from(modules)
      .where(visibleModules(course, reader))
      .orderBy(modules.position, modules.id),
    db.build
      .select()
      .from(module_items)
      .where(and(eq(module_items.course_id, course.id), seenItems(course, reader)))
      .orderBy(module_items.position, module_items.id),
    isBound(course) ? selectHolderFacts(db, me.id, held) : noFacts(db),
  ]);
  const judged = judgeLocks(facts, now);
  const isLocked = (module_id: number, position: number): boolean => {
    const [module, progression] = [judged.facts.get(module_id), judged.progressions.get(module_id)];
    return module !== undefined && progression !== undefined && isHeldBack(module, progression, position, now);
  };
  const known = new Map(chapters.map((one) => [`${one.of} ${one.id}`, one]));
  const lineOf = ({ type, content_id, title, external_url, module_id, position }: (typeof items)[number]): ModuleLine[] => {
    const chapter = known.get(`${kindOf[type]} ${content_id}`);
    if (chapter) return [{ chapter }];
    if (!['ExternalUrl', 'SubHeader', 'File'].includes(type) || isLocked(module_id, position)) return [];
    const address = type === 'File' ? `/courses/${course.id}/files/${content_id}` : (external_url ?? '');
    return [{ title, address: addressOutside(address, origin), isHeading: type === 'SubHeader' }];
  };
  return seen.map(({ id, name }) => ({ id, name, lines: items.filter(({ module_id }) => module_id === id).flatMap(lineOf) }));
}

export const modulePath = ({ id }: Pick<BookModule, 'id'>): string => `module-${id}.xhtml`;

const moment = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;

export const dueLine = ({ due_at, points }: { readonly due_at: string | null; readonly points?: number | null }): XmlChild[] => {
  const words = [...(due_at ? [`Due ${moment(due_at)}`] : []), ...(points == null ? [] : [`${points} points`])];
  return words.length > 0 ? [xml('p', {}, words.join(' · '))] : [];
};

const linkTo = (chapter: Chapter) => xml('a', { href: chapterPath(chapter) }, chapter.title);
const listOfLines = (lines: readonly XmlChild[]): XmlChild[] => (lines.length > 0 ? [xml('ul', {}, lines)] : []);

/** The lines of a module below its headings. */
export function moduleContent({ lines }: BookModule): XmlChild[] {
  const content: XmlChild[] = [];
  let items: XmlChild[] = [];
  for (const line of lines) {
    if ('chapter' in line) items.push(xml('li', {}, linkTo(line.chapter)));
    else if (line.isHeading) {
      content.push(...listOfLines(items), xml('h2', {}, line.title));
      items = [];
    } else items.push(xml('li', {}, line.address === undefined ? line.title : xml('a', { href: line.address }, line.title)));
  }
  return [...content, ...listOfLines(items)];
}

/** Whether the reader may see the text of the syllabus. */
export const showsSyllabus = ({ course }: BookReader): boolean => course.readsAsAdmin || !hidesTab(course, 'syllabus');

/** The syllabus, and everything with a date in its order. */
export function syllabusContent(reader: BookReader, { chapters }: BookPlan, text: string, to: BookAddresses): XmlChild[] {
  const { course, origin } = reader;
  const dated = chapters.filter(({ due_at }) => due_at !== null).sort((one, other) => (one.due_at ?? '').localeCompare(other.due_at ?? ''));
  const address = addressOutside(`/courses/${course.id}`, origin);
  return [
    ...(showsSyllabus(reader) ? bookMarkup(text, to) : []),
    ...listOfLines(dated.map((one) => xml('li', {}, `${moment(one.due_at ?? '')}: `, linkTo(one)))),
    xml('p', {}, xml('a', { href: address }, course.name)),
  ];
}

export const filesPath = 'files.xhtml';

/** The files in the archive beside the book, with links for readers who have only the book. */
export function filesContent({ course, origin }: BookReader, { companions }: BookPlan, archive: string): XmlChild[] {
  const lines = companions.map(({ id, name }) =>
    xml('li', {}, xml('a', { href: addressOutside(`/courses/${course.id}/files/${id}`, origin) }, name)),
  );
  return [xml('p', {}, `These files are in the archive ${archive}:`), ...listOfLines(lines)];
}

const groups: readonly { readonly title: string; readonly has: (chapter: Chapter) => boolean }[] = [
  { title: 'Assignments', has: ({ of }) => of === 'assignment' },
  { title: 'Discussions', has: ({ of, isAnnouncement }) => of === 'discussion_topic' && !isAnnouncement },
  { title: 'Quizzes', has: ({ of }) => of === 'quiz' },
  { title: 'Pages', has: ({ of }) => of === 'page' },
  { title: 'Announcements', has: ({ isAnnouncement }) => isAnnouncement },
];

/** The table of contents: by modules, then by kinds what is in none. */
export function bookContents(plan: BookPlan, found: readonly BookModule[]): BookEntry[] {
  const placed = new Set<string>();
  const entryOf = (chapter: Chapter): BookEntry[] => {
    const href = chapterPath(chapter);
    if (placed.has(href)) return [];
    placed.add(href);
    return [{ title: chapter.title, href }];
  };
  const byModules = found.map((module) => ({
    title: module.name,
    href: modulePath(module),
    entries: module.lines.flatMap((line) => ('chapter' in line ? entryOf(line.chapter) : [])),
  }));
  const byKinds = groups.flatMap(({ title, has }): BookEntry[] => {
    const entries = plan.chapters.filter((one) => has(one) && !one.isUnlisted).flatMap(entryOf);
    const [first] = entries;
    return first ? [{ title, href: first.href, entries }] : [];
  });
  const files = plan.companions.length > 0 ? [{ title: 'Files', href: filesPath }] : [];
  return [{ title: 'Syllabus', href: 'syllabus.xhtml' }, ...byModules, ...byKinds, ...files];
}
