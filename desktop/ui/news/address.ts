// The address at which a change can be seen.

import type { NewsItem } from '../../contract/news.ts';
import { dayOf } from '../../language/dates.ts';
import { addressOfReading, type CourseTab, firstTab, hrefOf } from '../routes.ts';

const tabs: Partial<Record<NewsItem['of'], CourseTab>> = {
  module: 'modules',
  assignment_group: 'grades',
  folder: 'files',
  file: 'files',
  page: 'pages',
  assignment: 'assignments',
  discussion_topic: 'discussions',
};

type Address = (item: NewsItem) => string | null;

const courseAddress = (course_id: number, tab = firstTab(course_id)): string => hrefOf({ at: 'course', course_id, tab });

/** The tab that lists items of this kind. */
const inTab: Address = ({ of, course_id }) => (course_id === null ? null : courseAddress(course_id, tabs[of]));

const readingOf =
  (kind: 'assignment' | 'page' | 'file' | 'discussion_topic'): Address =>
  ({ of_id, course_id, earlier, pages }) => {
    if (course_id === null) return null;
    const reference = { kind, course_id, id: of_id };
    if (earlier) return hrefOf({ at: 'versions', reference, key: earlier });
    // A file opens at the page that has changed.
    const page = pages?.changed[0];
    return addressOfReading(reference, page === undefined ? undefined : { page, words: '' });
  };

const ofCourse: Address = ({ what, of_id, earlier }) => {
  if (what !== 'syllabus') return courseAddress(of_id);
  const reference = { kind: 'syllabus', course_id: of_id, id: of_id } as const;
  return earlier ? hrefOf({ at: 'versions', reference, key: earlier }) : courseAddress(of_id, 'syllabus');
};

/** Kinds with a screen that is in no course. */
const addresses: Partial<Record<NewsItem['of'], Address>> = {
  calendar_event: ({ to }) => hrefOf({ at: 'calendar', view: 'agenda', month: to ? monthOf(to) : null }),
  conversation: ({ of_id }) => hrefOf({ at: 'inbox', id: of_id }),
  account_notification: () => hrefOf({ at: 'today' }),
  group: ({ of_id }) => courseAddress(-of_id),
  course: ofCourse,
};

/** Single items of a course. */
const inCourse: Partial<Record<NewsItem['of'], Address>> = {
  enrollment: inTab,
  module: inTab,
  assignment_group: inTab,
  folder: inTab,
  assignment: readingOf('assignment'),
  page: readingOf('page'),
  file: readingOf('file'),
  discussion_topic: readingOf('discussion_topic'),
};

const gone: ReadonlySet<NewsItem['what']> = new Set(['gone', 'event gone', 'course gone', 'group gone']);

/** Null for deleted items. A changed text opens next to its earlier version. */
export function newsAddress(item: NewsItem): string | null {
  const isMany = item.titles !== undefined;
  if (gone.has(item.what) && !isMany) return null;
  const address = addresses[item.of] ?? (isMany ? inTab : inCourse[item.of]);
  return address?.(item) ?? null;
}

const monthOf = (at: string): string => dayOf(new Date(at)).slice(0, 7);
