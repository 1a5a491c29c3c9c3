// Describes changes in words.

import type { ChangedPages, ChangedRows, ChangedWords, NewsItem, NewsWhat } from '../contract/news.ts';
import { daysBetween, moment } from './dates.ts';
import { inLocale, type MessageKey, t } from './texts.ts';

const plain: Partial<Record<NewsWhat, MessageKey>> = {
  'course new': 'news.courseNew',
  'course gone': 'news.courseGone',
  'group new': 'news.groupNew',
  'group gone': 'news.groupGone',
  section: 'news.section',
  syllabus: 'news.syllabus',
  'page new': 'news.pageNew',
  'file new': 'news.fileNew',
  'file replaced': 'news.fileReplaced',
  'discussion new': 'news.discussionNew',
  'event gone': 'news.eventGone',
  'handing in': 'news.handingIn',
  gone: 'news.gone',
  opened: 'news.opened',
  text: 'news.text',
  rubric: 'news.rubric',
  excused: 'news.excused',
  'excuse gone': 'news.excuseGone',
  late: 'news.late',
  missing: 'news.missing',
};

const counted: Partial<Record<NewsWhat, MessageKey>> = {
  replies: 'news.replies',
  'module new': 'news.moduleNew',
  'module items': 'news.moduleItems',
  'module left': 'news.moduleLeft',
  requirements: 'news.requirements',
};

interface Dated {
  readonly set: MessageKey;
  readonly moved: MessageKey;
  readonly gone: MessageKey;
}

const dated: Partial<Record<NewsWhat, Dated>> = {
  due: { set: 'news.dueSet', moved: 'news.dueMoved', gone: 'news.dueGone' },
  opens: { set: 'news.opensSet', moved: 'news.opensMoved', gone: 'news.opensGone' },
  closes: { set: 'news.closesSet', moved: 'news.closesMoved', gone: 'news.closesGone' },
  'event moved': { set: 'news.eventSet', moved: 'news.eventMoved', gone: 'news.eventUndated' },
};

/** For several items in one line. */
const many: Partial<Record<NewsWhat, MessageKey>> = {
  'file new': 'news.files.new',
  'file replaced': 'news.files.replaced',
  'file moved': 'news.files.moved',
  'page new': 'news.pages.new',
  'discussion new': 'news.discussions.new',
  'assignment new': 'news.assignments.new',
  'event new': 'news.events.new',
  'event gone': 'news.events.gone',
  gone: 'news.many.gone',
  renamed: 'news.many.renamed',
  opened: 'news.many.opened',
  shut: 'news.many.shut',
  text: 'news.many.text',
  points: 'news.many.points',
};
const manyDated: Partial<Record<NewsWhat, MessageKey>> = {
  due: 'news.many.due',
  opens: 'news.many.opens',
  closes: 'news.many.closes',
  'event moved': 'news.many.events',
};

type Words = (item: NewsItem, now: Date) => string;

const others: Partial<Record<NewsWhat, Words>> = {
  'assignment new': ({ to }, now) => (to ? t('news.assignmentNewDue', { when: moment(to, now) }) : t('news.assignmentNew')),
  'event new': ({ to }, now) => (to ? t('news.eventNewAt', { when: moment(to, now) }) : t('news.eventNew')),
  'event place': ({ from, to }) => (to ? t('news.eventPlace', { place: to }) : t('news.eventPlaceGone', { place: from ?? '' })),
  announcement: ({ who }) => (who ? t('news.announcementBy', { who }) : t('news.announcement')),
  comment: ({ who, student }) =>
    who ? t(student ? 'news.studentCommentBy' : 'news.commentBy', { who }) : t(student ? 'news.studentComment' : 'news.comment'),
  answer: ({ who }) => (who ? t('news.answerBy', { who }) : t('news.answer')),
  message: ({ who, count }) => (who ? t('news.messageBy', { count, who }) : t('news.message', { count })),
  'file moved': ({ to }) => (to ? t('news.fileMoved', { folder: to }) : t('news.fileMovedSomewhere')),
  shut: ({ to }, now) => (to ? t('news.shutUntil', { when: moment(to, now) }) : t('news.shut')),
  renamed: ({ from }) => t('news.renamed', { from: from ?? '' }),
  points: ({ from, to }) => t('news.points', { from: amountOf(from), to: amountOf(to) }),
  weight: ({ from, to }) => t('news.weight', { from: amountOf(from), to: amountOf(to) }),
  attempts: ({ to }) => (Number(to) > 0 ? t('news.attempts', { count: Number(to) }) : t('news.attemptsFree')),
  grade: ({ to }) => t('news.grade', { grade: to ?? '' }),
  'grade changed': ({ from, to }) => t('news.gradeChanged', { from: from ?? '', to: to ?? '' }),
  'grade gone': ({ from }) => t('news.gradeGone', { grade: from ?? '' }),
};

/** Without the item's title; with the name of an observed student. */
export function newsWords(item: NewsItem, now = new Date()): string {
  const words = changeWords(item, now);
  return item.student?.name ? t('news.ofStudent', { name: item.student.name, words }) : words;
}

function changeWords(item: NewsItem, now: Date): string {
  const { what, from, to, count } = item;
  if (item.titles && item.of !== 'module') return manyWords(item);
  if (item.pages) return pagesWords(item.pages);
  if (item.rows) return rowsWords(item.rows);
  if (item.text) return textWords(item.text, what);
  const plainKey = plain[what];
  if (plainKey) return t(plainKey);
  const countKey = counted[what];
  if (countKey) return t(countKey, { count });
  const dates = dated[what];
  if (dates) return dateWords(dates, from, to, now);
  return others[what]?.(item, now) ?? t('news.text');
}

/** Points and percentages in the user's number format. */
const amountOf = (given: string | null): string =>
  given === null || given.trim() === '' ? '–' : Number.isNaN(Number(given)) ? given : number().format(Number(given));

const listed = inLocale((locale) => new Intl.ListFormat(locale, { type: 'conjunction' }));
const number = inLocale((locale) => new Intl.NumberFormat(locale));
/** More rows than this are counted instead of named. */
const mostListed = 5;

function pagesWords({ changed, added, removed }: ChangedPages): string {
  const count = changed.length;
  const pages = listed().format(changed.map((page) => number().format(page)));
  return joined(
    count > 0 && t(count > mostListed ? 'news.pagesMany' : 'news.pagesChanged', { count, pages }),
    added > 0 && t('news.pagesAdded', { count: added }),
    removed > 0 && t('news.pagesRemoved', { count: removed }),
  );
}

const joined = (...parts: readonly (string | false)[]): string => parts.filter(Boolean).join(' · ');

function textWords({ inserted, deleted, paragraphs_added, paragraphs_removed }: ChangedWords, what: NewsWhat): string {
  const words = joined(
    paragraphs_added > 0 && t('news.paragraphsAdded', { count: paragraphs_added }),
    paragraphs_removed > 0 && t('news.paragraphsRemoved', { count: paragraphs_removed }),
    inserted > 0 && t('versions.inserted', { count: inserted }),
    deleted > 0 && t('versions.deleted', { count: deleted }),
  );
  return what === 'syllabus' ? t('news.syllabusWords', { words }) : t('news.textWords', { words });
}

function rowsWords({ added, removed, changed }: ChangedRows): string {
  const rows = (names: readonly string[]) => listed().format(names.map((name) => t('news.rowNamed', { name })));
  return (
    joined(
      added.length > 0 && t('news.rowsAdded', { count: added.length, rows: rows(added) }),
      removed.length > 0 && t('news.rowsRemoved', { count: removed.length, rows: rows(removed) }),
      changed.length > 0 && t('news.rowsChanged', { count: changed.length, rows: rows(changed) }),
    ) || t('news.rubric')
  );
}

function dateWords({ set, moved, gone }: Dated, from: string | null, to: string | null, now: Date): string {
  if (to === null) return t(gone);
  if (from === null) return t(set, { when: moment(to, now) });
  return t(moved, { ...shift(from, to), when: moment(to, now) });
}

const shift = (from: string, to: string): { readonly days: number; readonly way: 'later' | 'earlier' } => ({
  days: Math.abs(daysBetween(from, to)),
  way: to > from ? 'later' : 'earlier',
});

function manyWords({ what, count, from, to }: NewsItem): string {
  const dates = manyDated[what];
  if (dates)
    return from && to ? t(dates, { count, ...shift(from, to), is: 'moved' }) : t(dates, { count, days: 0, way: 'later', is: 'set' });
  return t(many[what] ?? 'news.many.text', { count });
}

/** The titles of several items, as many as fit. */
export function newsTitles({ titles = [] }: Pick<NewsItem, 'titles'>): string {
  const shown = titles.slice(0, titles.length > mostListed ? mostListed - 1 : mostListed);
  const more = titles.length - shown.length;
  return listed().format([...shown, ...(more > 0 ? [t('news.andMore', { count: more })] : [])]);
}
