// The label of each kind of result, and where it opens.

import type { FoundKind, Hit } from '../../contract/search.ts';
import type { MessageKey } from '../../language/texts.ts';
import type { IconName } from '../parts/Icon.tsx';
import { addressOfReading, hrefOf } from '../routes.ts';

export const kindWords: Readonly<Record<FoundKind, { readonly one: MessageKey; readonly many: MessageKey; readonly icon: IconName }>> = {
  page: { one: 'kind.page', many: 'tab.pages', icon: 'page' },
  assignment: { one: 'kind.assignment', many: 'tab.assignments', icon: 'assignment' },
  discussion: { one: 'kind.discussion', many: 'tab.discussions', icon: 'discussion' },
  announcement: { one: 'kind.announcement', many: 'announcements.title', icon: 'announcements' },
  file: { one: 'kind.file', many: 'tab.files', icon: 'files' },
  message: { one: 'kind.message', many: 'kind.messages', icon: 'inbox' },
  note: { one: 'kind.note', many: 'kind.notes', icon: 'note' },
  event: { one: 'kind.event', many: 'kind.events', icon: 'event' },
  module: { one: 'kind.module', many: 'tab.modules', icon: 'courses' },
  course: { one: 'course', many: 'courses.title', icon: 'courses' },
};

/** A page of a file opens at the searched words. */
export function addressOfHit({ kind, id, course_id, page }: Hit, words: string): string {
  if (kind === 'file' && course_id !== null) {
    const spot = page === null ? undefined : { page, words: words.replaceAll('"', '').trim() };
    return addressOfReading({ kind, course_id, id }, spot);
  }
  if (kind === 'message') return hrefOf({ at: 'inbox', id });
  if (kind === 'course') return hrefOf({ at: 'course', course_id: id, tab: 'modules' });
  if (kind === 'module' && course_id !== null) return hrefOf({ at: 'course', course_id, tab: 'modules' });
  // Announcements of the institution belong to no course.
  if (kind === 'announcement' && course_id === null) return hrefOf({ at: 'announcements' });
  if (kind === 'note' || kind === 'event' || kind === 'module' || course_id === null) return hrefOf({ at: 'today' });
  return addressOfReading({ kind: kind === 'discussion' || kind === 'announcement' ? 'discussion_topic' : kind, course_id, id });
}
