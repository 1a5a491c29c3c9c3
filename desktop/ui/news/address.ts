// The address at which a change can be seen.

import type { NewsItem } from '../../contract/news.ts';
import { dayOf } from '../../language/dates.ts';
import { addressOf, addressOfReading, type CourseTab, firstTab } from '../place.ts';

const tabs: Partial<Record<NewsItem['of'], CourseTab>> = {
  module: 'modules',
  assignment_group: 'grades',
  folder: 'files',
  file: 'files',
  page: 'pages',
  assignment: 'assignments',
  discussion_topic: 'discussions',
};

/** Null for deleted items. A changed text opens next to its earlier version. */
export function newsAddress(item: NewsItem): string | null {
  const { what, of, of_id, course_id, pages, earlier, to } = item;
  const isMany = item.titles !== undefined;
  if (what === 'course gone' || what === 'group gone') return null;
  if (of === 'calendar_event')
    return what === 'event gone' && !isMany ? null : addressOf({ at: 'calendar', view: 'agenda', month: to ? monthOf(to) : null });
  if (of === 'conversation') return addressOf({ at: 'inbox', id: of_id });
  if (of === 'account_notification') return addressOf({ at: 'today' });
  if (of === 'group') return addressOf({ at: 'course', course_id: -of_id, tab: firstTab(-of_id) });
  if (of === 'course' && what === 'syllabus')
    return addressOf(
      earlier
        ? { at: 'versions', reference: { kind: 'syllabus', course_id: of_id, id: of_id }, key: earlier }
        : { at: 'course', course_id: of_id, tab: 'syllabus' },
    );
  if (of === 'course') return addressOf({ at: 'course', course_id: of_id, tab: firstTab(of_id) });
  if (course_id === null) return null;
  const tab = tabs[of];
  if (of === 'enrollment') return addressOf({ at: 'course', course_id, tab: firstTab(course_id) });
  if (isMany || of === 'module' || of === 'assignment_group' || of === 'folder')
    return what === 'gone' && !isMany ? null : addressOf({ at: 'course', course_id, tab: tab ?? firstTab(course_id) });
  if (what === 'gone' || !(of === 'assignment' || of === 'page' || of === 'file' || of === 'discussion_topic')) return null;
  const reference = { kind: of, course_id, id: of_id } as const;
  if (earlier) return addressOf({ at: 'versions', reference, key: earlier });
  // A file opens at the page that has changed.
  const page = pages?.changed[0];
  return addressOfReading(reference, page === undefined ? undefined : { page, words: '' });
}

const monthOf = (at: string): string => dayOf(new Date(at)).slice(0, 7);
