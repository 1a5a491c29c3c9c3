// Sends garbage to endpoints and tells every answer that breaks the rules: no error of ours, nothing written by what was refused, no trip too many.

import { SELF } from 'cloudflare:test';
import { pairsOf } from '@carrel/shared/wire/form';
import type { Endpoint } from '@carrel/worker/http/endpoint';
import { expect } from 'vitest';
import { base } from './api';
import { endpoints, fill, namesIn, subjectOf } from './every_endpoint';
import { aFullScene, type FullScene } from './full_scene';
import { bodiesOf, type Dice, seeded } from './garbage';
import type { Person } from './ground';
import { asFiles, spoiledBodies, spoiledPlaces, spoiledQueries } from './spoiled';

/** What the scene has under a parameter's name, so that garbage travels in good company. */
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

export interface Tally {
  requests: number;
  scenes: number;
  readonly statuses: Map<number, number>;
  readonly broken: string[];
}

interface Shot {
  readonly method: string;
  readonly address: string;
  readonly person: Person;
  readonly type?: string;
  readonly body?: string;
}

const shorten = (text: string, to = 300) => (text.length > to ? `${text.slice(0, to)}… (${text.length})` : text);

/** What counts the tries of a password; and what writes a line for a ticket in the statement that finds none, which numbers the table's first row. */
const writesAnyway = /^\/login\/(canvas|session\/)|\/logins\/\d+|\/observees$/;

async function shoot(shot: Shot, tally: Tally): Promise<number> {
  const response = await SELF.fetch(`${base}${shot.address}`, {
    method: shot.method,
    redirect: 'manual',
    headers: { Authorization: `Bearer ${shot.person.token}`, ...(shot.type !== undefined && { 'Content-Type': shot.type }) },
    ...(shot.body !== undefined && { body: shot.body }),
  } as never);
  // Bytes of files come, too, and the runtime warns of `text()` on them.
  const text = new TextDecoder().decode(await response.arrayBuffer());
  const { status } = response;
  tally.requests += 1;
  tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
  const cost = Object.fromEntries(
    [...(response.headers.get('server-timing') ?? '').matchAll(/(\w+);dur=(\d+)/g)].map(([, name, count]) => [name, Number(count)]),
  ) as Record<string, number>;
  const complain = (what: string) =>
    tally.broken.push(
      `${what}: ${shot.method} ${shorten(shot.address, 400)} by ${shot.person.name} ${shot.type ?? ''} ${shorten(shot.body ?? '')} → ${status} ${shorten(text, 500)}`,
    );
  if (status >= 500) complain('an error of ours');
  else if (status >= 400 && (cost.rows_written ?? 0) > 0 && !writesAnyway.test(shot.address))
    complain(`refused, yet ${cost.rows_written} rows written`);
  else if ((cost.d1_trips ?? 0) > 3) complain(`${cost.d1_trips} trips`);
  else if (status >= 400 && !['', '{}', 'require_initial_post'].includes(text) && !/message|error|role="alert"/.test(text))
    complain('a refusal without words');
  return status;
}

const encoded = (body: Record<string, unknown>, dice: Dice): { type: string; body: string } | undefined => {
  if (dice.chance(0.75)) return { type: 'application/json', body: JSON.stringify(body) };
  try {
    return { type: 'application/x-www-form-urlencoded', body: new URLSearchParams(pairsOf(body)).toString() };
  } catch {
    return undefined;
  }
};

/** What an endpoint is sent, in an order of its own. */
function* shotsAt(endpoint: Endpoint, scene: FullScene, rounds: number, dice: Dice): Generator<Shot> {
  const named = namesIn(endpoint, scene);
  const there = fill(endpoint, named);
  const { method } = endpoint;
  const people = [scene.teacher, scene.root, scene.student];
  const isRead = method === 'GET';
  const { body, count } = bodiesOf(endpoint.options.params ?? {}, knownIn(scene), dice);
  for (const name of Object.keys(named))
    for (let turn = 0; turn < 2; turn++)
      yield {
        method,
        address: fill(
          endpoint,
          {
            ...Object.fromEntries(Object.entries(named).map(([key, value]) => [key, encodeURIComponent(value)])),
            [name]: dice.pick(spoiledPlaces),
          },
          true,
        ),
        person: dice.pick(people),
      };
  for (let turn = 0; turn < (isRead ? 5 : 2); turn++)
    yield { method, address: `${there}?${dice.pick(spoiledQueries)}`, person: dice.pick(people) };
  if (!isRead) {
    for (let turn = 0; turn < 3; turn++) yield { method, address: there, person: dice.pick(people), ...dice.pick(spoiledBodies) };
    yield { method, address: there, person: dice.pick(people), ...asFiles(Object.keys(endpoint.options.params ?? {}).slice(0, 3)) };
  }
  const turns = count === 0 ? 1 : Math.ceil(Math.min(count, isRead ? 8 : 20) * rounds);
  for (let turn = 0; turn < turns; turn++) {
    const person = people[turn % (method === 'DELETE' ? 3 : 2)] as Person;
    const given = body(turn);
    if (isRead) {
      const query = new URLSearchParams(pairsOf(given)).toString();
      if (query.length < 200_000) yield { method, address: `${there}?${query}`, person };
    } else {
      const sent = encoded(given, dice);
      if (sent) yield { method, address: there, person, ...sent };
    }
  }
}

const statusOf = async (address: string, person: Person): Promise<number> => {
  const response = await SELF.fetch(`${base}${address}`, { redirect: 'manual', headers: { Authorization: `Bearer ${person.token}` } });
  await response.arrayBuffer();
  return response.status;
};

const reads = new Map(endpoints.filter(({ method }) => method === 'GET').map((endpoint) => [endpoint.path, endpoint]));

/** What tells of the thing that an endpoint is about, or else of what it is in. */
function readOf({ path }: Endpoint): Endpoint | undefined {
  for (let above = path; above !== ''; above = above.slice(0, above.lastIndexOf('/'))) {
    const read = reads.get(above);
    if (read) return read;
  }
  return undefined;
}

/** Whether people get into the course, and nothing that the endpoint's address leads through is gone. */
async function isWhole(scene: FullScene, gone: readonly string[], endpoint?: Endpoint): Promise<boolean> {
  const course = `/api/v1/courses/${scene.course.id}`;
  if ((await statusOf(course, scene.teacher)) !== 200) return false;
  if (endpoint === undefined || gone.length === 0) return true;
  const there = `${fill(endpoint, namesIn(endpoint, scene))}/`;
  if (gone.some((address) => there.startsWith(`${address}/`)) || (await statusOf(course, scene.student)) !== 200) return false;
  const read = readOf(endpoint);
  return read === undefined || (await statusOf(fill(read, namesIn(read, scene)), scene.root)) === 200;
}

const depth = ({ method, path }: Endpoint) => (method === 'DELETE' ? path.split('/').length : Number.POSITIVE_INFINITY);

/** Sends garbage to each of these, in fresh scenes where one was spent. */
async function bombard(endpoints: readonly Endpoint[], seed: number, rounds = 1): Promise<Tally> {
  const tally: Tally = { requests: 0, scenes: 1, statuses: new Map(), broken: [] };
  const dice = seeded(seed);
  // What deletes comes last, so that the others find the scene whole; and what is in a thing goes before the thing.
  const ordered = [...endpoints].sort((a, b) => (depth(a) === depth(b) ? 0 : depth(b) - depth(a)));
  let scene = await aFullScene();
  let gone: string[] = [];
  for (const [at, endpoint] of ordered.entries()) {
    let isSpent = false;
    for (const shot of shotsAt(endpoint, scene, rounds, dice)) {
      const status = await shoot(shot, tally);
      if (endpoint.method === 'DELETE' && status < 300) isSpent = true;
    }
    if (isSpent) gone.push(fill(endpoint, namesIn(endpoint, scene)));
    // A write that fits may have taken the course away, too.
    if (await isWhole(scene, gone, ordered[at + 1])) continue;
    scene = await aFullScene();
    tally.scenes += 1;
    gone = [];
  }
  return tally;
}

const parts = {
  files: ['files', 'folders', 'files_api', 'file_contents', 'images', 'usage_rights', 'content_licenses'],
  content: ['pages', 'front_page', 'modules', 'module_item_redirect', 'module_item_sequence', 'bulk_user_progress'],
  talk: ['discussion_topics', 'announcements', 'conversations', 'search', 'activity_stream', 'calendar_events', 'planner', 'planner_notes'],
  work: ['assignments'],
  courses: [
    'courses',
    'sections',
    'crosslist',
    'enrollments',
    'assignment_groups',
    'submissions',
    'students',
    'graded_submissions',
    'tabs',
  ],
  accounts: [
    'accounts',
    'account_calendars',
    'account_notifications',
    'admins',
    'brand_variables',
    'comm_messages',
    'communication_channels',
    'eportfolios',
    'features',
    'register',
    'roles',
    'root_accounts',
    'settings',
    'sub_accounts',
    'terms',
  ],
} as const;

/** The endpoints of a part; `rest` are those that no part names, new ones among them. */
function endpointsOf(part: keyof typeof parts | 'rest'): Endpoint[] {
  const named: readonly string[] = part === 'rest' ? Object.values(parts).flat() : parts[part];
  return endpoints.filter((endpoint) => named.includes(subjectOf(endpoint)) === (part !== 'rest'));
}

/** Holds a part to it that nothing a client sends makes an error of ours. */
export async function holdsOut(part: keyof typeof parts | 'rest', seed: number): Promise<void> {
  const { requests, scenes, statuses, broken } = await bombard(endpointsOf(part), seed);
  console.log(`${part}: ${requests} requests in ${scenes} scenes, ${JSON.stringify(Object.fromEntries(statuses))}`);
  expect(broken).toEqual([]);
}
