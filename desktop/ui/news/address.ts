// Where what has changed can be looked at.

import { addressOf, addressOfReading, firstTab } from '../place.ts';
import type { NewsItem } from '../views/news.ts';

/** Null for what is gone. */
export function newsAddress({ what, of, of_id, course_id, pages }: NewsItem): string | null {
  if (what === 'gone' || what === 'course gone' || what === 'event gone') return null;
  if (of === 'conversation') return addressOf({ at: 'inbox', id: of_id });
  if (of === 'course') return addressOf({ at: 'course', course_id: of_id, tab: firstTab(of_id) });
  if (of === 'module' && course_id !== null) return addressOf({ at: 'course', course_id, tab: 'modules' });
  if (of === 'account_notification') return addressOf({ at: 'announcements' });
  if (of === 'calendar_event') return addressOf({ at: 'today' });
  if (course_id === null || !(of === 'assignment' || of === 'page' || of === 'file' || of === 'discussion_topic')) return null;
  // A file opens where it has changed.
  const page = pages?.changed[0];
  return addressOfReading({ kind: of, course_id, id: of_id }, page === undefined ? undefined : { page, words: '' });
}
