// Routes: the address after `#` names the screen. Links are ordinary links.

import { useSyncExternalStore } from 'react';
import type { AuthoredPlace } from '../contract/authoring.ts';
import type { Reference } from '../contract/reading.ts';
import type { VersionKey } from '../contract/versions.ts';
import { isMonth } from './calendar/months.ts';

const courseTabs = [
  'modules',
  'syllabus',
  'pages',
  'assignments',
  'quizzes',
  'discussions',
  'files',
  'announcements',
  'grades',
  'outcomes',
  'people',
] as const;
export type CourseTab = (typeof courseTabs)[number];

/** A group, whose number is negative, has only these tabs. */
const groupTabs: readonly CourseTab[] = ['pages', 'discussions', 'files', 'announcements', 'people'];
export const courseTabsOf = (course_id: number): readonly CourseTab[] => (course_id < 0 ? groupTabs : courseTabs);
export const firstTab = (course_id: number): CourseTab => courseTabsOf(course_id)[0] ?? 'pages';

/** The starred and archived conversations. */
export type InboxScope = 'starred' | 'archived';

export type DeskRoute =
  | { readonly at: 'today' }
  | { readonly at: 'courses' }
  | { readonly at: 'course'; readonly course_id: number; readonly tab: CourseTab }
  | { readonly at: 'files' }
  | { readonly at: 'choose' }
  | { readonly at: 'announcements' }
  | { readonly at: 'search'; readonly text: string }
  | { readonly at: 'inbox'; readonly id: number | null; readonly shelf?: InboxScope }
  | { readonly at: 'sync' }
  | { readonly at: 'settings' }
  | { readonly at: 'outbox' }
  | { readonly at: 'bookmarks' }
  | { readonly at: 'calendar'; readonly view: 'month' | 'agenda'; readonly month: string | null }
  | { readonly at: 'read'; readonly reference: Reference; readonly spot?: Spot }
  /** A student's work in the grading view; null: the first student who is to be graded. */
  | { readonly at: 'grade'; readonly course_id: number; readonly assignment_id: number; readonly user_id: number | null }
  | { readonly at: 'quiz'; readonly course_id: number; readonly id: number }
  /** The running attempt at a quiz. */
  | { readonly at: 'attempt'; readonly course_id: number; readonly id: number }
  /** A page or the description of an assignment, as its author changes it; a new one has a negative id. */
  | { readonly at: 'author'; readonly place: AuthoredPlace }
  /** What is graded in the folders of a course. */
  | { readonly at: 'folders'; readonly course_id: number }
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

/** The place of an address, from what follows its first part; undefined: there is no such place. */
type Parse = (rest: readonly string[]) => DeskRoute | undefined;

const parses: ReadonlyMap<string | undefined, Parse> = new Map<string | undefined, Parse>([
  ['courses', courseFrom],
  ['read', readingFrom],
  ['versions', versionsFrom],
  ['search', (rest) => ({ at: 'search', text: decoded(rest.join('/')) })],
  ['calendar', ([view, month]) => ({ at: 'calendar', view: view === 'agenda' ? view : 'month', month: isMonth(month) ? month : null })],
  ['inbox', inboxFrom],
  ['grade', gradeFrom],
  ['author', authoredFrom],
  ['quiz', (rest) => quizFrom('quiz', rest)],
  ['attempt', (rest) => quizFrom('attempt', rest)],
  ['folders', ([course_id]) => (Number(course_id) ? { at: 'folders', course_id: Number(course_id) } : undefined)],
  ...(['files', 'choose', 'announcements', 'sync', 'settings', 'outbox', 'bookmarks'] as const).map((at) => [at, () => ({ at })] as const),
]);

export function placeFrom(hash: string): DeskRoute {
  const [at, ...rest] = hash.replace(/^#\//, '').split('/');
  return parses.get(at)?.(rest) ?? { at: 'today' };
}

function courseFrom([id, tab]: readonly string[]): DeskRoute {
  if (!id) return { at: 'courses' };
  const course_id = Number(id);
  return { at: 'course', course_id, tab: courseTabsOf(course_id).find((name) => name === tab) ?? firstTab(course_id) };
}

function referenceFrom([kind, course_id, id]: readonly string[], kinds: readonly Reference['kind'][]): Reference | undefined {
  const known = kinds.find((name) => name === kind);
  return known && { kind: known, course_id: Number(course_id), id: Number(id) };
}

function readingFrom(rest: readonly string[]): DeskRoute | undefined {
  const reference = referenceFrom(rest, readable);
  if (!reference) return undefined;
  const page = Number(rest[3]);
  const spot = Number.isInteger(page) && page > 0 ? { page, words: decoded(rest.slice(4).join('/')) } : undefined;
  return { at: 'read', reference, ...(spot && { spot }) };
}

function versionsFrom(rest: readonly string[]): DeskRoute | undefined {
  const reference = referenceFrom(rest, versioned);
  return reference && { at: 'versions', reference, key: isVersionKey(rest[3]) ? rest[3] : null };
}

function inboxFrom([id]: readonly string[]): DeskRoute {
  return id === 'starred' || id === 'archived' ? { at: 'inbox', id: null, shelf: id } : { at: 'inbox', id: Number(id) || null };
}

function gradeFrom([course_id, assignment_id, user_id]: readonly string[]): DeskRoute | undefined {
  if (!Number(course_id) || !Number(assignment_id)) return undefined;
  return { at: 'grade', course_id: Number(course_id), assignment_id: Number(assignment_id), user_id: Number(user_id) || null };
}

function authoredFrom([kind, course_id, id]: readonly string[]): DeskRoute | undefined {
  if ((kind !== 'page' && kind !== 'assignment') || !Number(course_id) || !Number(id)) return undefined;
  return { at: 'author', place: { kind, course_id: Number(course_id), id: Number(id) } };
}

function quizFrom(at: 'quiz' | 'attempt', [course_id, id]: readonly string[]): DeskRoute | undefined {
  return Number(course_id) && Number(id) ? { at, course_id: Number(course_id), id: Number(id) } : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function hrefOf(place: DeskRoute): string {
  switch (place.at) {
    case 'course':
      return `#/courses/${place.course_id}/${place.tab}`;
    case 'search':
      return place.text === '' ? '#/search' : `#/search/${encodeURIComponent(place.text)}`;
    case 'calendar':
      return `#/calendar/${place.view}${place.month === null ? '' : `/${place.month}`}`;
    case 'inbox':
      return `#/inbox${place.shelf ? `/${place.shelf}` : place.id === null ? '' : `/${place.id}`}`;
    case 'versions': {
      const { kind, course_id, id } = place.reference;
      return `#/versions/${kind}/${course_id}/${id}${place.key === null ? '' : `/${place.key}`}`;
    }
    case 'grade':
      return `#/grade/${place.course_id}/${place.assignment_id}${place.user_id === null ? '' : `/${place.user_id}`}`;
    case 'author':
      return `#/author/${place.place.kind}/${place.place.course_id}/${place.place.id}`;
    case 'folders':
      return `#/folders/${place.course_id}`;
    case 'quiz':
    case 'attempt':
      return `#/${place.at}/${place.course_id}/${place.id}`;
    case 'read':
      return addressOfReading(place.reference, place.spot);
    default:
      return `#/${place.at}`;
  }
}

export function addressOfReading({ kind, course_id, id }: Reference, spot?: Spot): string {
  if (kind === 'syllabus') return `#/courses/${course_id}/syllabus`;
  const words = spot?.words ? `/${encodeURIComponent(spot.words)}` : '';
  return `#/read/${kind}/${course_id}/${id}${spot ? `/${spot.page}${words}` : ''}`;
}

/** A caller that does not know the course of a file links to it by its id alone. */
export const addressOfFile = (id: number, course_id = 0) => addressOfReading({ kind: 'file', course_id, id });

export const go = (place: DeskRoute) => {
  location.hash = hrefOf(place);
};

const onMove = (result: () => void) => {
  window.addEventListener('hashchange', result);
  return () => window.removeEventListener('hashchange', result);
};

export const useAddress = () => useSyncExternalStore(onMove, () => location.hash);
