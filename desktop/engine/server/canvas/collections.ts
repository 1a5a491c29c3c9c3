// The lists that are requested from a Canvas server: together they contain what the feed would.

import type { Kind } from '@carrel/shared/sync/protocol';
import { addressOfPlace } from '../../model/places';
import type { Cache } from '../../store/cache';
import type { CanvasRow } from './kept_pages';
import type { Pace } from './pace';

/** The list of one kind of items in one place. */
export interface CanvasCollection {
  readonly kind: Kind;
  /** The id of a course, the negative id of a group, or null for the user's own items. */
  readonly place: number | null;
  readonly addresses: readonly string[];
  /** Adds the fields that the list leaves out. */
  readonly complete?: (rows: readonly CanvasRow[], pace: Pace, cache: Cache) => Promise<CanvasRow[]>;
}

export type CollectionName = Pick<CanvasCollection, 'kind' | 'place'>;
export const collectionNameOf = ({ kind, place }: CollectionName): string => (place === null ? kind : `${kind} ${place}`);

export const courseCollection: CanvasCollection = {
  kind: 'course',
  place: null,
  addresses: ['/api/v1/courses?include[]=term&include[]=syllabus_body'],
};
export const groupCollection: CanvasCollection = {
  kind: 'group',
  place: null,
  addresses: ['/api/v1/users/self/groups?include[]=favorites'],
};

export const ownCollections = (userId: number): CanvasCollection[] => [
  { kind: 'planner_override', place: null, addresses: ['/api/v1/planner/overrides'] },
  { kind: 'account_notification', place: null, addresses: ['/api/v1/accounts/self/users/self/account_notifications'] },
  { kind: 'bookmark', place: null, addresses: ['/api/v1/users/self/bookmarks'] },
  { kind: 'planner_note', place: null, addresses: ['/api/v1/planner_notes'] },
  { kind: 'conversation', place: null, addresses: ['', 'archived', 'sent'].map((scope) => `/api/v1/conversations?scope=${scope}`) },
  {
    kind: 'enrollment',
    place: null,
    addresses: [`/api/v1/users/self/enrollments?${query('state', enrollmentStates)}&include[]=observed_users`],
  },
  { kind: 'calendar_event', place: null, addresses: [eventsOf(`user_${userId}`)] },
  { kind: 'folder', place: null, addresses: ['/api/v1/users/self/folders'] },
  { kind: 'file', place: null, addresses: ['/api/v1/users/self/files'] },
];

/** @param students the ids of the students whom the user observes there */
export function collectionsOf(place: number, students: readonly number[] = []): CanvasCollection[] {
  const at = addressOfPlace(place);
  const shared: CanvasCollection[] = [
    { kind: 'discussion_topic', place, addresses: [`${at}/discussion_topics`, `${at}/discussion_topics?only_announcements=true`] },
    { kind: 'calendar_event', place, addresses: [eventsOf(place < 0 ? `group_${-place}` : `course_${place}`)] },
    { kind: 'page', place, addresses: [`${at}/pages?include[]=body`], complete: withBodies(at) },
    { kind: 'folder', place, addresses: [`${at}/folders`] },
    { kind: 'file', place, addresses: [`${at}/files`] },
  ];
  if (place < 0) return shared;
  return [
    { kind: 'assignment', place, addresses: [`${at}/assignments`] },
    {
      kind: 'submission',
      place,
      addresses: [
        `${at}/students/submissions?${query('include', submissionsWith)}${students.map((id) => `&student_ids[]=${id}`).join('')}`,
      ],
    },
    { kind: 'assignment_group', place, addresses: [`${at}/assignment_groups`] },
    { kind: 'module', place, addresses: [`${at}/modules?include[]=items&include[]=content_details`], complete: withItems(at) },
    ...shared,
  ];
}

const submissionsWith = ['submission_comments', 'rubric_assessment'];
const enrollmentStates = ['active', 'invited', 'completed', 'inactive'];
const query = (name: string, values: readonly string[]) => values.map((value) => `${name}[]=${value}`).join('&');
const eventsOf = (code: string) => `/api/v1/calendar_events?type=event&all_events=true&context_codes[]=${code}`;

/** Modules with very many items are listed without them. */
const withItems =
  (at: string): CanvasCollection['complete'] =>
  (modules, pace) =>
    Promise.all(
      modules.map(async (module) =>
        Array.isArray(module.items)
          ? module
          : { ...module, items: await pace.all(`${at}/modules/${module.id}/items?include[]=content_details`) },
      ),
    );

/** Older servers list pages without their bodies: the bodies of changed pages are requested one by one. */
const withBodies =
  (at: string): CanvasCollection['complete'] =>
  async (pages, pace, cache) => {
    const complete: CanvasRow[] = [];
    for (const page of pages) {
      const known = cache.get<CanvasRow>('page', Number(page.page_id));
      if ('body' in page || page.locked_for_user) complete.push(page);
      else if (known?.updated_at === page.updated_at && 'body' in (known ?? {})) complete.push({ ...page, body: known?.body });
      else complete.push({ ...page, ...(await pace.one(`${at}/pages/${encodeURIComponent(String(page.url))}`)) });
    }
    return complete;
  };
