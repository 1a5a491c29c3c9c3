// What has changed, said as a person would say it.

import type { ChangedPages, NewsItem, NewsWhat } from '../views/news.ts';
import { daysBetween, moment } from '../words/dates.ts';
import { inLocale, type Key, t } from '../words/texts.ts';

const plain: Partial<Record<NewsWhat, Key>> = {
  'course new': 'news.courseNew',
  'course gone': 'news.courseGone',
  'page new': 'news.pageNew',
  'file new': 'news.fileNew',
  'file replaced': 'news.fileReplaced',
  'discussion new': 'news.discussionNew',
  'event gone': 'news.eventGone',
  gone: 'news.gone',
  opened: 'news.opened',
  text: 'news.text',
  rubric: 'news.rubric',
  excused: 'news.excused',
  missing: 'news.missing',
};

const counted: Partial<Record<NewsWhat, Key>> = {
  replies: 'news.replies',
  message: 'news.message',
  'module new': 'news.moduleNew',
  'module items': 'news.moduleItems',
};

interface Dated {
  readonly set: Key;
  readonly moved: Key;
  readonly gone: Key;
}

const dated: Partial<Record<NewsWhat, Dated>> = {
  due: { set: 'news.dueSet', moved: 'news.dueMoved', gone: 'news.dueGone' },
  closes: { set: 'news.closesSet', moved: 'news.closesMoved', gone: 'news.closesGone' },
  'event moved': { set: 'news.eventSet', moved: 'news.eventMoved', gone: 'news.eventUndated' },
};

/** Without the title of the thing. */
export function newsWords(item: NewsItem, now = new Date()): string {
  const { what, from, to, count, who } = item;
  if (item.pages) return pagesWords(item.pages);
  const plainKey = plain[what];
  if (plainKey) return t(plainKey);
  const countKey = counted[what];
  if (countKey) return t(countKey, { count });
  const dates = dated[what];
  if (dates) return dateWords(dates, from, to, now);
  switch (what) {
    case 'assignment new':
      return to ? t('news.assignmentNewDue', { when: moment(to, now) }) : t('news.assignmentNew');
    case 'event new':
      return to ? t('news.eventNewAt', { when: moment(to, now) }) : t('news.eventNew');
    case 'announcement':
      return who ? t('news.announcementBy', { who }) : t('news.announcement');
    case 'comment':
      return who ? t('news.commentBy', { who }) : t('news.comment');
    case 'renamed':
      return t('news.renamed', { from: from ?? '' });
    case 'points':
      return t('news.points', { from: from ?? '–', to: to ?? '–' });
    case 'grade':
      return t('news.grade', { grade: to ?? '' });
    case 'grade changed':
      return t('news.gradeChanged', { from: from ?? '', to: to ?? '' });
    default:
      return t('news.text');
  }
}

const listed = inLocale((locale) => new Intl.ListFormat(locale, { type: 'conjunction' }));
const number = inLocale((locale) => new Intl.NumberFormat(locale));
/** More are counted. */
const mostListed = 5;

function pagesWords({ changed, added, removed }: ChangedPages): string {
  const count = changed.length;
  const pages = listed().format(changed.map((page) => number().format(page)));
  return [
    count > 0 && t(count > mostListed ? 'news.pagesMany' : 'news.pagesChanged', { count, pages }),
    added > 0 && t('news.pagesAdded', { count: added }),
    removed > 0 && t('news.pagesRemoved', { count: removed }),
  ]
    .filter(Boolean)
    .join(' · ');
}

function dateWords({ set, moved, gone }: Dated, from: string | null, to: string | null, now: Date): string {
  if (to === null) return t(gone);
  if (from === null) return t(set, { when: moment(to, now) });
  const days = daysBetween(from, to);
  return t(moved, {
    days: Math.abs(days),
    way: days > 0 ? 'later' : days < 0 ? 'earlier' : to > from ? 'later' : 'earlier',
    when: moment(to, now),
  });
}
