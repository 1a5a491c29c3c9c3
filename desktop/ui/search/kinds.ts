// What is found, in words, and where it opens.

import type { FoundKind, Hit } from '../channels.ts';
import type { IconName } from '../parts/Icon.tsx';
import { addressOf, addressOfReading } from '../place.ts';

export const kindWords: Readonly<Record<FoundKind, { readonly one: string; readonly many: string; readonly icon: IconName }>> = {
  page: { one: 'Page', many: 'Pages', icon: 'page' },
  assignment: { one: 'Assignment', many: 'Assignments', icon: 'assignment' },
  discussion: { one: 'Discussion', many: 'Discussions', icon: 'discussion' },
  announcement: { one: 'Announcement', many: 'Announcements', icon: 'announcements' },
  file: { one: 'File', many: 'Files', icon: 'files' },
  message: { one: 'Conversation', many: 'Conversations', icon: 'inbox' },
  note: { one: 'Note', many: 'Notes', icon: 'note' },
  event: { one: 'Event', many: 'Events', icon: 'event' },
  module: { one: 'Module', many: 'Modules', icon: 'courses' },
  course: { one: 'Course', many: 'Courses', icon: 'courses' },
};

export const foundKinds = Object.keys(kindWords) as readonly FoundKind[];

export function addressOfHit({ kind, id, course_id }: Hit): string {
  if (kind === 'message') return addressOf({ at: 'inbox', id });
  if (kind === 'course') return addressOf({ at: 'course', course_id: id, tab: 'modules' });
  if (kind === 'module' && course_id !== null) return addressOf({ at: 'course', course_id, tab: 'modules' });
  if (kind === 'note' || kind === 'event' || kind === 'module' || course_id === null) return addressOf({ at: 'today' });
  return addressOfReading({ kind: kind === 'discussion' || kind === 'announcement' ? 'discussion_topic' : kind, course_id, id });
}
