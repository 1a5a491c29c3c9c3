// The requests that a hostile or broken client sends to an endpoint. Deterministic from a seed.

import { pairsOf } from '@carrel/shared/wire/form';
import type { Endpoint } from '@carrel/worker/http/endpoint';
import { fillPath, pathValuesIn } from './every_endpoint';
import type { FullScene } from './full_scene';
import { bodiesOf, type Dice } from './garbage';
import type { Person } from './ground';
import { asFiles, bent, spoiledBodies, spoiledHeaders, spoiledMethods, spoiledPlaces, spoiledQueries } from './spoiled';

/** The scene's value for a parameter name, so that malformed values are sent along with valid ones. */
export const knownIn =
  ({ ids, urls, ...scene }: FullScene) =>
  (name: string): unknown =>
    ({
      user_id: scene.student.id,
      user_ids: scene.student.id,
      student_ids: scene.student.id,
      users: scene.student.id,
      recipients: scene.teacher.id,
      author: scene.student.id,
      course_id: scene.course.id,
      course_ids: scene.course.id,
      account_id: scene.branch.id,
      course_section_id: scene.section2,
      section_id: scene.section2,
      specific_sections: scene.section2,
      context_code: `course_${scene.course.id}`,
      context_codes: `course_${scene.course.id}`,
      context: `course_${scene.course.id}`,
      filter: `course_${scene.course.id}`,
      assignment_id: ids.assignment,
      assignment_ids: ids.assignment,
      assignment_group_id: ids.assignment_group,
      group_category_id: ids.groupCategory,
      group_id: ids.group,
      members: scene.student.id,
      plannable_id: ids.assignment,
      plannable_type: 'assignment',
      content_id: ids.assignment,
      asset_id: ids.assignment,
      asset_type: 'Assignment',
      page_url: urls.page,
      module_id: ids.module,
      module_ids: ids.module,
      parent_folder_id: ids.folder,
      source_file_id: ids.file,
      source_folder_id: ids.hiddenFolder,
      file_ids: ids.file,
      attachment_ids: ids.file,
      order: ids.topic,
      term_id: ids.term,
      enrollment_term_id: ids.term,
      role_id: 3,
      id: 1,
      ids: 1,
      email: 'somebody@example.edu',
      address: 'somebody@example.edu',
      url: 'https://example.edu/x',
      event: 'offer',
      score: '5',
      submission_type: 'online_text_entry',
      type: 'Assignment',
      unique_id: 'somebody-new@example.edu',
      posted_grade: '5',
      start_at: '2030-01-02T03:04:05Z',
      start_date: '2030-01-02',
      end_date: '2030-01-03',
    })[name];

export interface Shot {
  readonly method: string;
  readonly address: string;
  readonly person: Person;
  readonly type?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The headers of a request; its own are last, so that they can replace the caller's token. */
export const shotHeaders = ({ person, type, headers }: Shot): Record<string, string> => ({
  Authorization: `Bearer ${person.token}`,
  ...(type !== undefined && { 'Content-Type': type }),
  ...headers,
});

const encoded = (body: Record<string, unknown>, dice: Dice): { type: string; body: string } | undefined => {
  if (dice.chance(0.75)) return { type: 'application/json', body: JSON.stringify(body) };
  try {
    return { type: 'application/x-www-form-urlencoded', body: new URLSearchParams(pairsOf(body)).toString() };
  } catch {
    return undefined;
  }
};

/** What the service has issued so far: page bookmarks and feed cursors. */
export interface Issued {
  readonly bookmarks: readonly string[];
  readonly cursors: readonly string[];
}

/** Page bookmarks and cursors: valid ones, those of other lists and other users, and spoiled ones. */
function* issuedShots(endpoint: Endpoint, there: string, people: readonly Person[], issued: Issued, dice: Dice): Generator<Shot> {
  const { method } = endpoint;
  if (method !== 'GET') return;
  const isFeed = Object.hasOwn(endpoint.options.params ?? {}, 'cursor');
  for (const [name, texts, turns] of [
    ['page', issued.bookmarks, 2],
    ['cursor', isFeed ? issued.cursors : [], 40],
  ] as const)
    for (let turn = 0; turn < (texts.length === 0 ? 0 : turns); turn++) {
      const text = dice.pick(texts);
      const sent = dice.chance(0.3) ? text : bent(text, Math.floor(dice.next() * 1000));
      yield { method, address: `${there}?${name}=${encodeURIComponent(sent)}`, person: dice.pick(people) };
    }
}

/** Headers, methods and callers that normal clients never send. */
function* strangeShots(endpoint: Endpoint, there: string, scene: FullScene, dice: Dice): Generator<Shot> {
  const { method } = endpoint;
  const person = dice.pick([scene.teacher, scene.root, scene.student]);
  yield { method, address: there, person, headers: dice.pick(spoiledHeaders) };
  if (dice.chance(0.5)) yield { method: dice.pick(spoiledMethods), address: there, person };
  if (method === 'GET' && dice.chance(0.5)) {
    const other = dice.pick([scene.student, scene.observer, scene.teacher, scene.stranger]);
    yield { method, address: `${there}?as_user_id=${other.id}`, person: scene.root };
  }
}

interface Target {
  readonly endpoint: Endpoint;
  readonly scene: FullScene;
  /** The address with ids of the scene. */
  readonly there: string;
  readonly people: readonly Person[];
  readonly dice: Dice;
}

/** Paths with one spoiled id. */
function* placeShots({ endpoint, scene, people, dice }: Target): Generator<Shot> {
  const named = pathValuesIn(endpoint, scene);
  const places = Object.fromEntries(Object.entries(named).map(([key, value]) => [key, encodeURIComponent(value)]));
  for (const name of Object.keys(named))
    for (let turn = 0; turn < 2; turn++) {
      const address = fillPath(endpoint, { ...places, [name]: dice.pick(spoiledPlaces) }, true);
      yield { method: endpoint.method, address, person: dice.pick(people) };
    }
}

/** Queries and bodies that cannot be parsed, or that no endpoint expects. */
function* spoiledShots({ endpoint: { method, options }, there, people, dice }: Target): Generator<Shot> {
  const isRead = method === 'GET';
  for (let turn = 0; turn < (isRead ? 5 : 2); turn++)
    yield { method, address: `${there}?${dice.pick(spoiledQueries)}`, person: dice.pick(people) };
  if (isRead) return;
  for (let turn = 0; turn < 3; turn++) yield { method, address: there, person: dice.pick(people), ...dice.pick(spoiledBodies) };
  yield { method, address: there, person: dice.pick(people), ...asFiles(Object.keys(options.params ?? {}).slice(0, 3)) };
}

/** Declared parameters with values of every kind. */
function* declaredShots({ endpoint: { method, options }, scene, there, people, dice }: Target, rounds: number): Generator<Shot> {
  const isRead = method === 'GET';
  const { body, count } = bodiesOf(options.params ?? {}, knownIn(scene), dice);
  const turns = count === 0 ? 1 : Math.ceil(Math.min(count, isRead ? 8 : 20) * rounds);
  for (let turn = 0; turn < turns; turn++) {
    const person = people[turn % (method === 'DELETE' ? 3 : 2)] as Person;
    const given = body(turn);
    const query = isRead ? new URLSearchParams(pairsOf(given)).toString() : '';
    const sent = isRead ? {} : encoded(given, dice);
    if (sent && query.length < 200_000) yield { method, address: isRead ? `${there}?${query}` : there, person, ...sent };
  }
}

/** The requests to an endpoint, in random order. */
export function* shotsAt(
  endpoint: Endpoint,
  scene: FullScene,
  rounds: number,
  dice: Dice,
  issued: Issued = { bookmarks: [], cursors: [] },
): Generator<Shot> {
  const there = fillPath(endpoint, pathValuesIn(endpoint, scene));
  const people = [scene.teacher, scene.root, scene.student];
  const target = { endpoint, scene, there, people, dice };
  yield* placeShots(target);
  yield* spoiledShots(target);
  yield* strangeShots(endpoint, there, scene, dice);
  yield* issuedShots(endpoint, there, people, issued, dice);
  yield* declaredShots(target, rounds);
}

const depth = ({ method, path }: Endpoint) => (method === 'DELETE' ? path.split('/').length : Number.POSITIVE_INFINITY);

/** Deletions last, so that the other endpoints find the scene complete; items before their containers. */
export const deletesLast = (endpoints: readonly Endpoint[]): Endpoint[] =>
  [...endpoints].sort((a, b) => (depth(a) === depth(b) ? 0 : depth(b) - depth(a)));
