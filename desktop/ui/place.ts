// Routes: the address after `#` names the screen. Links are ordinary links.

import { useSyncExternalStore } from 'react';
import type { Reference } from '../contract/reading.ts';
import type { VersionKey } from '../contract/versions.ts';
import { isMonth } from './calendar/months.ts';

const courseTabs = ['modules', 'syllabus', 'pages', 'assignments', 'discussions', 'files', 'announcements', 'grades'] as const;
export type CourseTab = (typeof courseTabs)[number] | 'people';

/** A group, whose number is negative, has only these tabs. */
const groupTabs: readonly CourseTab[] = ['pages', 'discussions', 'files', 'announcements', 'people'];
export const tabsOf = (course_id: number): readonly CourseTab[] => (course_id < 0 ? groupTabs : courseTabs);
export const firstTab = (course_id: number): CourseTab => tabsOf(course_id)[0] ?? 'pages';

/** The starred and archived conversations. */
export type LetterShelf = 'starred' | 'archived';

export type Place =
  | { readonly at: 'today' }
  | { readonly at: 'courses' }
  | { readonly at: 'course'; readonly course_id: number; readonly tab: CourseTab }
  | { readonly at: 'files' }
  | { readonly at: 'choose' }
  | { readonly at: 'announcements' }
  | { readonly at: 'search'; readonly text: string }
  | { readonly at: 'inbox'; readonly id: number | null; readonly shelf?: LetterShelf }
  | { readonly at: 'sync' }
  | { readonly at: 'settings' }
  | { readonly at: 'outbox' }
  | { readonly at: 'bookmarks' }
  | { readonly at: 'calendar'; readonly view: 'month' | 'agenda'; readonly month: string | null }
  | { readonly at: 'read'; readonly reference: Reference; readonly spot?: Spot }
  /** The earlier versions of a text; with a key, one of them. */
  | { readonly at: 'versions'; readonly reference: Reference; readonly key: VersionKey | null };

/** A place in a file: its page, and the words that were searched. */
export interface Spot {
  readonly page: number;
  readonly words: string;
}

const isVersionKey = (given: string | undefined): given is VersionKey => /^(r\d+|k[0-9a-f]+)$/.test(given ?? '');
const versioned: readonly Reference['kind'][] = ['page', 'assignment', 'discussion_topic', 'syllabus', 'file'];
const readable: readonly Reference['kind'][] = ['page', 'assignment', 'discussion_topic', 'file'];

export function placeFrom(hash: string): Place {
  const [at, ...rest] = hash.replace(/^#\//, '').split('/');
  if (at === 'courses' && rest[0]) {
    const course_id = Number(rest[0]);
    const tab = tabsOf(course_id).find((name) => name === rest[1]) ?? firstTab(course_id);
    return { at: 'course', course_id, tab };
  }
  const kind = readable.find((name) => name === rest[0]);
  if (at === 'read' && kind) {
    const reference = { kind, course_id: Number(rest[1]), id: Number(rest[2]) };
    const page = Number(rest[3]);
    return Number.isInteger(page) && page > 0
      ? { at: 'read', reference, spot: { page, words: decoded(rest.slice(4).join('/')) } }
      : { at: 'read', reference };
  }
  const worded = versioned.find((name) => name === rest[0]);
  if (at === 'versions' && worded)
    return {
      at,
      reference: { kind: worded, course_id: Number(rest[1]), id: Number(rest[2]) },
      key: isVersionKey(rest[3]) ? rest[3] : null,
    };
  if (at === 'search') return { at, text: decoded(rest.join('/')) };
  if (at === 'calendar') {
    const view = rest[0] === 'agenda' ? 'agenda' : 'month';
    return { at, view, month: isMonth(rest[1]) ? rest[1] : null };
  }
  if (at === 'inbox') {
    const shelf = rest[0] === 'starred' || rest[0] === 'archived' ? rest[0] : undefined;
    return shelf ? { at, id: null, shelf } : { at, id: Number(rest[0]) || null };
  }
  if (
    at === 'courses' ||
    at === 'files' ||
    at === 'choose' ||
    at === 'announcements' ||
    at === 'sync' ||
    at === 'settings' ||
    at === 'outbox' ||
    at === 'bookmarks'
  )
    return { at };
  return { at: 'today' };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function addressOf(place: Place): string {
  if (place.at === 'course') return `#/courses/${place.course_id}/${place.tab}`;
  if (place.at === 'search') return place.text === '' ? '#/search' : `#/search/${encodeURIComponent(place.text)}`;
  if (place.at === 'calendar') return `#/calendar/${place.view}${place.month === null ? '' : `/${place.month}`}`;
  if (place.at === 'inbox') return `#/inbox${place.shelf ? `/${place.shelf}` : place.id === null ? '' : `/${place.id}`}`;
  if (place.at === 'versions') {
    const { kind, course_id, id } = place.reference;
    return `#/versions/${kind}/${course_id}/${id}${place.key === null ? '' : `/${place.key}`}`;
  }
  if (place.at === 'read') return addressOfReading(place.reference, place.spot);
  return `#/${place.at}`;
}

export function addressOfReading({ kind, course_id, id }: Reference, spot?: Spot): string {
  if (kind === 'syllabus') return `#/courses/${course_id}/syllabus`;
  const words = spot?.words ? `/${encodeURIComponent(spot.words)}` : '';
  return `#/read/${kind}/${course_id}/${id}${spot ? `/${spot.page}${words}` : ''}`;
}

/** A caller that does not know the course of a file links to it by its id alone. */
export const addressOfFile = (id: number, course_id = 0) => addressOfReading({ kind: 'file', course_id, id });

export const go = (place: Place) => {
  location.hash = addressOf(place);
};

const onMove = (told: () => void) => {
  window.addEventListener('hashchange', told);
  return () => window.removeEventListener('hashchange', told);
};

export const useAddress = () => useSyncExternalStore(onMove, () => location.hash);
