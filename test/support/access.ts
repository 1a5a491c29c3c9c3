// The roles of the access matrix, what each must never read, and requests to every endpoint as each of them.

import { SELF } from 'cloudflare:test';
import type { Resource } from '@carrel/shared/resources/resource';
import type { Endpoint } from '@carrel/worker/http/endpoint';
import { serializerOf } from '@carrel/worker/http/perform';
import { base } from './api';
import { fillPath, type PathValue, pathValuesIn } from './every_endpoint';
import { type FullScene, sceneWords } from './full_scene';
import { bodiesOf, seeded } from './garbage';
import type { Person } from './ground';
import { knownIn } from './hostile';

const { unpublished, work, own, locked, course, announced, gated, answered, sis, integration, login, email, held, heldScore, heldShare } =
  sceneWords;

/** Identifiers of the second student in other systems. */
const personal = [sis, integration, login, email];
/** A grade that is not posted. */
const unposted = [held, heldScore, heldShare];
const outside = [...unposted, unpublished, work, own, locked, course, announced, gated, answered, ...personal];
const watching = [...unposted, unpublished, work, own, locked, ...personal];
const learning = [...watching, gated];
const others = [...learning, answered];
/** Account roles without permissions for grades, SIS ids, logins and addresses. */
const administering = [...unposted, work, own, answered, ...personal];
const but = (...allowed: string[]) => administering.filter((word) => !allowed.includes(word));

/** Texts that must not appear in any response to these roles. */
export const forbidden = {
  nobody: outside,
  stranger: outside,
  branchAdmin: outside,
  student: learning,
  // Modules do not lock content for observers.
  observer: watching,
  designer: administering,
  // Received the conversation that is private to others, and the messages name the second student.
  ta: [sis, integration],
  teacher: [own],
  sectionTa: administering,
  sectionStudent: others,
  unlinked: [...watching, answered],
  inactive: outside,
  concluded: others,
  invited: others,
  adminAbove: [own],
  // Announcements of an account appear in its sub-accounts.
  adminBelow: outside.filter((word) => word !== announced),
  view_user_logins: but(login),
  read_sis: but(sis, integration),
  read_email_addresses: but(email),
  registrar: but(work, answered, ...unposted),
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type AccessRole = keyof typeof forbidden;
export const accessRoles = Object.keys(forbidden) as AccessRole[];
/** Roles for which searches for hidden words are tried as well. */
const searching: ReadonlySet<AccessRole> = new Set<AccessRole>(['nobody', 'stranger', 'student', 'observer', 'designer', 'teacher']);
export const searches = (role: AccessRole) => searching.has(role);
/** Roles for which everything hidden is requested by its address; the others request what belongs to the second student. */
const trying: ReadonlySet<AccessRole> = new Set<AccessRole>([...searching, 'branchAdmin', 'sectionTa']);

/** Roles that differ from the registrar only in the identifiers they may see. */
const identifying: ReadonlySet<AccessRole> = new Set<AccessRole>(['view_user_logins', 'read_sis', 'read_email_addresses']);
const identifier = /"(\w*sis_\w*|\w*integration_id|login_id|unique_id|email|address)":/;
/** Whether a response of the endpoint can include what the role is about: undeclared fields are removed. */
export function concerns(role: AccessRole, { options: { returns } }: Endpoint): boolean {
  if (!identifying.has(role)) return true;
  const resource =
    serializerOf(returns)?.resource ?? ('json' in returns && !('table' in returns) ? (returns.json as Resource | null) : null);
  return !resource || identifier.test(JSON.stringify(resource.field));
}

/** Roles that can only guess the addresses of the course. */
export const isOutside = (role: AccessRole) => (forbidden[role] as readonly string[]).includes(course);

/** The text marker that says who may open a file by its uuid. Locked files have it in their listing, because the lock applies anyway. */
const wordOfFile: Readonly<Partial<Record<keyof FullScene['uuids'], string>>> = {
  file: course,
  image: course,
  otherFile: unpublished,
  othersFile: own,
  handedInFile: work,
};

/** What a response includes that the role may not read: forbidden words, and uuids of files that it may not open. */
export function leaks(role: AccessRole, text: string, { uuids }: FullScene): string[] {
  const hidden: readonly string[] = forbidden[role];
  const keys = Object.entries(wordOfFile).flatMap(([name, word]) =>
    hidden.includes(word) ? [uuids[name as keyof FullScene['uuids']]] : [],
  );
  return [...hidden, ...keys].filter((word) => text.includes(word));
}

interface Told {
  readonly status: number;
  readonly text: string;
  /** The body, all headers and opaque values, as they are and with base64 and percent-encoding decoded. */
  readonly legible: string;
}

function unpacked(word: string): string {
  try {
    return atob(word.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return '';
  }
}

function unescaped(text: string): string {
  try {
    return text.includes('%') ? decodeURIComponent(text) : '';
  } catch {
    return '';
  }
}

/** A text and its parts with base64 and percent-encoding decoded. */
export function legibly(text: string): string {
  const plain = `${text}\n${unescaped(text)}`;
  const packed = new Set([...(plain.match(/[\w-]{16,}/g) ?? []), ...(plain.match(/[A-Za-z\d+/]{16,}/g) ?? [])]);
  return [plain, ...[...packed].map((word) => unpacked(word.slice(0, word.length - (word.length % 4 === 1 ? 1 : 0))))].join('\n');
}

const legibleHeaders = new Map<string, string>();

/** Most headers of a response are those of the one before. */
function legibleHeader(header: string): string {
  const known = legibleHeaders.get(header) ?? legibly(header);
  if (legibleHeaders.size > 5000) legibleHeaders.clear();
  legibleHeaders.set(header, known);
  return known;
}

/** Body values that clients pass on unread. */
const opaque = /"(?:cursor|bookmark|token|next)":\s*"([^"]+)"/g;

export async function askAs(method: string, address: string, person?: Person, body?: object): Promise<Told> {
  const response = await SELF.fetch(`${base}${address}`, {
    method,
    redirect: 'manual',
    headers: { ...(person && { Authorization: `Bearer ${person.token}` }), ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  } as never);
  // A Link header repeats the request, so it is no finding.
  const asked = (address.split('?')[1] ?? '').split('&').filter((pair) => pair !== '');
  const headers = [...response.headers].map(([name, value]) =>
    asked.reduce((left, pair) => left.replaceAll(pair, ''), `${name}: ${value}`),
  );
  const content = new TextDecoder().decode(await response.arrayBuffer());
  const text = `${content}${response.headers.get('location') ?? ''}`;
  const passedOn = [...content.matchAll(opaque)].map(([, value = '']) => value);
  return { status: response.status, text, legible: [content, ...headers.map(legibleHeader), ...passedOn.map(legibly)].join('\n') };
}

export const personFor = (scene: FullScene, role: AccessRole): Person | undefined => (role === 'nobody' ? undefined : scene[role]);
export const isRead = ({ method }: Endpoint) => method === 'GET';

/** A valid body, for endpoints that need one. */
export const bodyFor = (endpoint: Endpoint, scene: FullScene, seed: number): object | undefined =>
  isRead(endpoint) || endpoint.method === 'DELETE'
    ? undefined
    : bodiesOf(endpoint.options.params ?? {}, knownIn(scene), seeded(seed)).body(0);

/** Path values that are hidden or belong to another student. */
const hiddenPlaces: Readonly<Record<string, (scene: FullScene) => readonly PathValue[]>> = {
  assignment_id: ({ ids }) => [ids.hiddenAssignment, ids.notForStudent, ids.gatedAssignment, ids.heldAssignment],
  topic_id: ({ ids }) => [ids.otherTopic, ids.hiddenTopic, ids.later, ids.elsewhereAnnounced, ids.postFirst, ids.gatedTopic],
  url: ({ urls }) => [urls.hiddenPage, urls.gatedPage],
  module_id: ({ ids }) => [ids.hiddenModule, ids.gatedModule],
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
  poll_id: ({ ids }) => [ids.hiddenPoll],
};

const hiddenIds: Readonly<Record<string, (scene: FullScene) => readonly PathValue[]>> = {
  conversations: ({ ids }) => [ids.othersConversation],
  polls: ({ ids }) => [ids.hiddenPoll],
  poll_sessions: ({ ids }) => [ids.hiddenPollSession],
  planner_notes: ({ ids }) => [ids.othersNote],
  receipts: ({ ids }) => [ids.othersSubmission],
  bookmarks: ({ ids }) => [ids.othersBookmark],
  eportfolios: ({ ids }) => [ids.othersEportfolio],
  files: ({ ids }) => [ids.otherFile, ids.hiddenFile, ids.fileInHidden, ids.othersFile, ids.gatedFile, ids.handedInFile],
  appointment_groups: ({ ids }) => [ids.unpublishedAppointments],
  folders: ({ ids }) => [ids.otherFolder, ids.hiddenFolder, ids.othersFolder],
  modules: ({ ids }) => [ids.hiddenModule],
  items: ({ ids }) => [ids.hiddenItem, ids.itemOfHidden],
  module_item_redirect: ({ ids }) => [ids.hiddenItem, ids.itemOfHidden],
};

/** The addresses of an endpoint with one path value that is hidden from the role. */
export function hiddenAddresses(endpoint: Endpoint, scene: FullScene, role: AccessRole): string[] {
  const named = pathValuesIn(endpoint, scene);
  const before = endpoint.path.split('/:id')[0]?.split('/').at(-1) ?? '';
  const names = Object.keys(named).filter((name) => trying.has(role) || name === 'user_id');
  return names.flatMap((name) => {
    const places = name === 'id' ? hiddenIds[before] : hiddenPlaces[name];
    return (places?.(scene) ?? []).map((place) => fillPath(endpoint, { ...named, [name]: place }));
  });
}

const broadQueries = new WeakMap<Endpoint, Map<string, string>>();

/** All optional includes of a list. */
export function broadQuery(endpoint: Endpoint, scene: FullScene, search = '', calendar = scene.student.id): string {
  const known = broadQueries.get(endpoint) ?? new Map<string, string>();
  broadQueries.set(endpoint, known);
  const key = `${scene.course.id} ${calendar} ${search}`;
  const query = known.get(key) ?? broadQueryOf(endpoint, [`course_${scene.course.id}`, `user_${calendar}`], search);
  known.set(key, query);
  return query;
}

function broadQueryOf(endpoint: Endpoint, codes: readonly string[], search: string): string {
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
