// Sends malformed input to endpoints and reports every response that breaks the rules: no internal error, no write by a refused request, no trip over
// budget.

import { SELF } from 'cloudflare:test';
import type { Endpoint } from '@carrel/worker/http/endpoint';
import { expect } from 'vitest';
import { base } from './api';
import { endpoints, fillPath, pathValuesIn, subjectOf } from './every_endpoint';
import { aFullScene, type FullScene } from './full_scene';
import { seeded } from './garbage';
import type { Person } from './ground';
import { deletesLast, type Shot, shotHeaders, shotsAt } from './shots';

export { knownIn } from './shots';

interface Tally {
  requests: number;
  scenes: number;
  readonly statuses: Map<number, number>;
  readonly broken: string[];
}

const shorten = (text: string, to = 300) => (text.length > to ? `${text.slice(0, to)}… (${text.length})` : text);

/** These write even when they refuse: they count password attempts, or insert nothing but still start the table's id sequence. */
const writesAnyway = /^\/login\/(canvas|session\/)|\/logins\/\d+|\/observees$/;

async function shoot(shot: Shot, tally: Tally): Promise<number> {
  const response = await SELF.fetch(`${base}${shot.address}`, {
    method: shot.method,
    redirect: 'manual',
    headers: shotHeaders(shot),
    ...(shot.body !== undefined && { body: shot.body }),
  } as never);
  // File contents may be binary, and the runtime warns when `text()` is used on them.
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
  else if (
    status >= 400 &&
    !['', '{}', 'require_initial_post', 'Cannot find launch settings'].includes(text) &&
    !/message|error|role="alert"/.test(text)
  )
    complain('a refusal without words');
  return status;
}

const statusOf = async (address: string, person: Person): Promise<number> => {
  const response = await SELF.fetch(`${base}${address}`, { redirect: 'manual', headers: { Authorization: `Bearer ${person.token}` } });
  await response.arrayBuffer();
  return response.status;
};

const reads = new Map(endpoints.filter(({ method }) => method === 'GET').map((endpoint) => [endpoint.path, endpoint]));

/** The address of the object that an endpoint is about, or of its container. */
function readOf({ path }: Endpoint): Endpoint | undefined {
  for (let above = path; above !== ''; above = above.slice(0, above.lastIndexOf('/'))) {
    const read = reads.get(above);
    if (read) return read;
  }
  return undefined;
}

/** Whether users can still open the course, and nothing on the endpoint's path is deleted. */
async function isWhole(scene: FullScene, gone: readonly string[], endpoint?: Endpoint): Promise<boolean> {
  const course = `/api/v1/courses/${scene.course.id}`;
  if ((await statusOf(course, scene.teacher)) !== 200) return false;
  if (endpoint === undefined || gone.length === 0) return true;
  const there = `${fillPath(endpoint, pathValuesIn(endpoint, scene))}/`;
  if (gone.some((address) => there.startsWith(`${address}/`)) || (await statusOf(course, scene.student)) !== 200) return false;
  const read = readOf(endpoint);
  return read === undefined || (await statusOf(fillPath(read, pathValuesIn(read, scene)), scene.root)) === 200;
}

/** Sends malformed input to each of these, in a new scene when one was destroyed. */
async function bombard(endpoints: readonly Endpoint[], seed: number, rounds = 1): Promise<Tally> {
  const tally: Tally = { requests: 0, scenes: 1, statuses: new Map(), broken: [] };
  const dice = seeded(seed);
  const ordered = deletesLast(endpoints);
  let scene = await aFullScene();
  let gone: string[] = [];
  for (const [at, endpoint] of ordered.entries()) {
    let isSpent = false;
    for (const shot of shotsAt(endpoint, scene, rounds, dice)) {
      const status = await shoot(shot, tally);
      if (endpoint.method === 'DELETE' && status < 300) isSpent = true;
    }
    if (isSpent) gone.push(fillPath(endpoint, pathValuesIn(endpoint, scene)));
    // A valid write may have deleted the course.
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

/** The endpoints of a part; `rest` are those that no part names, including new ones. */
function endpointsOf(part: keyof typeof parts | 'rest'): Endpoint[] {
  const named: readonly string[] = part === 'rest' ? Object.values(parts).flat() : parts[part];
  return endpoints.filter((endpoint) => named.includes(subjectOf(endpoint)) === (part !== 'rest'));
}

/** Checks for a part that no input causes an internal error. */
export async function holdsOut(part: keyof typeof parts | 'rest', seed: number): Promise<void> {
  const { requests, scenes, statuses, broken } = await bombard(endpointsOf(part), seed);
  console.log(`${part}: ${requests} requests in ${scenes} scenes, ${JSON.stringify(Object.fromEntries(statuses))}`);
  expect(broken).toEqual([]);
}
