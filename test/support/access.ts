// The people of the access matrix, what each must never read, and requests to every endpoint in their names.

import { SELF } from 'cloudflare:test';
import type { Endpoint } from '@carrel/worker/http/endpoint';
import { base } from './api';
import { fill, namesIn, type Place } from './every_endpoint';
import { type FullScene, words } from './full_scene';
import { bodiesOf, seeded } from './garbage';
import type { Person } from './ground';
import { knownIn } from './hostile';

const { unpublished, work, own, locked, course } = words;

/** Texts that must not come to somebody, whatever they ask. */
export const forbidden = {
  nobody: [unpublished, work, own, locked, course],
  stranger: [unpublished, work, own, locked, course],
  branchAdmin: [unpublished, work, own, locked, course],
  student: [unpublished, work, own, locked],
  observer: [unpublished, work, own, locked],
  designer: [work, own],
  // Has been sent the letter that is private to others.
  ta: [],
  teacher: [own],
  root: [],
} as const;
export type Role = keyof typeof forbidden;
export const roles = Object.keys(forbidden) as Role[];

export interface Told {
  readonly status: number;
  readonly text: string;
}

export async function ask(method: string, address: string, person?: Person, body?: object): Promise<Told> {
  const response = await SELF.fetch(`${base}${address}`, {
    method,
    redirect: 'manual',
    headers: { ...(person && { Authorization: `Bearer ${person.token}` }), ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  } as never);
  const place = response.headers.get('location') ?? '';
  return { status: response.status, text: `${new TextDecoder().decode(await response.arrayBuffer())}${place}` };
}

export const person = (scene: FullScene, role: Role): Person | undefined => (role === 'nobody' ? undefined : scene[role]);
export const isRead = ({ method }: Endpoint) => method === 'GET';
export const titleOf = ({ method, path }: Endpoint) => `${method} ${path}`;

/** A body that fits, for endpoints that want one. */
export const bodyFor = (endpoint: Endpoint, scene: FullScene, seed: number): object | undefined =>
  isRead(endpoint) || endpoint.method === 'DELETE'
    ? undefined
    : bodiesOf(endpoint.options.params ?? {}, knownIn(scene), seeded(seed)).body(0);

/** What is hidden, or belongs to another student, in the places of a path. */
const hiddenPlaces: Readonly<Record<string, (scene: FullScene) => readonly Place[]>> = {
  assignment_id: ({ ids }) => [ids.hiddenAssignment, ids.notForStudent],
  topic_id: ({ ids }) => [ids.otherTopic, ids.hiddenTopic, ids.later, ids.elsewhereAnnounced, ids.postFirst],
  url: ({ urls }) => [urls.hiddenPage],
  module_id: ({ ids }) => [ids.hiddenModule],
  user_id: ({ student2 }) => [student2.id],
  token: ({ ids }) => [ids.othersToken],
  eportfolio_id: ({ ids }) => [ids.othersEportfolio],
  event: ({ ids }) => [ids.othersEvent, ids.otherGroupEvent, `assignment_${ids.hiddenAssignment}`, `assignment_${ids.notForStudent}`],
  folder_id: ({ ids }) => [ids.otherFolder, ids.hiddenFolder, ids.othersFolder],
  dest_folder_id: ({ ids }) => [ids.otherFolder, ids.hiddenFolder, ids.othersFolder],
  full_path: () => [`${locked} folder`],
  path: () => [`${locked} file.txt`, `${locked} folder/${locked} inside.txt`],
  course_id: ({ ids }) => [ids.unpublishedCourse],
  group_id: ({ ids }) => [ids.otherGroup],
};

const hiddenIds: Readonly<Record<string, (scene: FullScene) => readonly Place[]>> = {
  conversations: ({ ids }) => [ids.othersConversation],
  planner_notes: ({ ids }) => [ids.othersNote],
  receipts: ({ ids }) => [ids.othersSubmission],
  bookmarks: ({ ids }) => [ids.othersBookmark],
  eportfolios: ({ ids }) => [ids.othersEportfolio],
  files: ({ ids }) => [ids.otherFile, ids.hiddenFile, ids.fileInHidden, ids.othersFile],
  folders: ({ ids }) => [ids.otherFolder, ids.hiddenFolder, ids.othersFolder],
  modules: ({ ids }) => [ids.hiddenModule],
  items: ({ ids }) => [ids.hiddenItem, ids.itemOfHidden],
  module_item_redirect: ({ ids }) => [ids.hiddenItem, ids.itemOfHidden],
};

/** The addresses of an endpoint in which one name stands for something hidden. */
export function hiddenAddresses(endpoint: Endpoint, scene: FullScene): string[] {
  const named = namesIn(endpoint, scene);
  const before = endpoint.path.split('/:id')[0]?.split('/').at(-1) ?? '';
  return Object.keys(named).flatMap((name) => {
    const places = name === 'id' ? hiddenIds[before] : hiddenPlaces[name];
    return (places?.(scene) ?? []).map((place) => fill(endpoint, { ...named, [name]: place }));
  });
}

/** Everything that a list can be asked to tell. */
export function broadQuery(endpoint: Endpoint, scene: FullScene, search = ''): string {
  const codes = [`course_${scene.course.id}`, `user_${scene.student.id}`];
  const query = new URLSearchParams([
    ['per_page', '100'],
    ...(endpoint.options.include ?? []).map((word): [string, string] => ['include[]', word]),
  ]);
  const has = (name: string) => Object.hasOwn(endpoint.options.params ?? {}, name);
  if (has('context_codes')) for (const code of codes) query.append('context_codes[]', code);
  if (has('all_events')) query.append('all_events', 'true');
  else if (has('start_date') && has('end_date')) {
    query.append('start_date', '2020-01-01');
    query.append('end_date', '2099-12-31');
  }
  if (has('student_ids')) query.append('student_ids[]', 'all');
  if (has('submission_history')) query.append('submission_history', 'true');
  for (const name of ['search_term', 'search', 'partial_title', 'name']) if (search !== '' && has(name)) query.append(name, search);
  return query.toString();
}
