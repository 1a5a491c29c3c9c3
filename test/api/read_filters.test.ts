// Filters and orders of reads: blank and unknown values are ignored (reference 01 A3).

import type { Endpoint } from '@carrel/worker/http/endpoint';
import { beforeAll, expect, test } from 'vitest';
import { askAs, isRead } from '../support/access';
import { endpoints, fillPath, pathValuesIn, titleOf } from '../support/every_endpoint';
import { isChoice, isClosed } from '../support/fields_of';
import { aFullScene, type FullScene } from '../support/full_scene';
import type { Person } from '../support/ground';

const reads = endpoints.filter(isRead);
const paramsOf = ({ options }: Endpoint) => Object.entries(options.params ?? {});

/** Values that the reference refuses. */
const refusedByReference: Readonly<Record<string, string>> = {};

test('no read refuses an unknown value, except where the reference does', () => {
  const closed = reads.flatMap((endpoint) =>
    paramsOf(endpoint)
      .filter(([name, field]) => isClosed(field) && !(`${titleOf(endpoint)} ${name}` in refusedByReference))
      .map(([name]) => `${titleOf(endpoint)} ${name}`),
  );
  expect(closed, 'use choice(…) or choices(…) for what filters or orders a list').toEqual([]);
});

let scene: FullScene;
beforeAll(async () => {
  scene = await aFullScene();
}, 60_000);

/** Parameters that look like filters or orders, but accept any text. */
const wordy =
  /^(bucket|context_type|enrollment_(state|type)|filter(_by|_states)?|group_by|order(_by|_direction)?|only|registration_status|scope|search_by|sort(_by)?|states?|types?|workflow_state)$/;

/** Parameters in which any value has a meaning, or that the reference refuses. */
const meant: Readonly<Record<string, string>> = {
  bucket: '03 §1.1: 400',
  'selective_data type': '06 §1.1: 400',
  'content_list type': '06 §1.1: 400',
  'students/submissions enrollment_state': '03 §6: 400',
  'users/:user_id/enrollments state': '02 §4.1: 400 in the caller’s own list',
  'groups filter': 'a part of the names',
  'conversations filter': 'codes of courses, groups and users',
  asset_type: '05 §1: 400',
  'outcome_rollups sort_by': '04 §15: 400',
};

/** Blanks with a meaning. */
const blanksThatMean: Readonly<Record<string, string>> = {
  search: '05 §6.4: finds everyone',
};

const without = (text: string) =>
  text
    .replace(/"(access_token|receipt|jwt|token|cursor|session_url|updated_at|last_activity_at|last_request_at)":"[^"]*"/g, '""')
    .replace(/verifier=\w+/g, '')
    // Addresses of pages name the filters.
    .replace(/"(current|first|last|next|prev|template)":"[^"]*\?[^"]*"/g, '""');

/** Parameters that some reads require. */
const needed: Readonly<Record<string, (scene: FullScene) => string>> = {
  '/announcements': ({ course }) => `context_codes[]=course_${course.id}`,
  '/audit/grade_change': ({ course }) => `course_id=${course.id}`,
  '/comm_messages': ({ student }) => `user_id=${student.id}`,
  '/courses/:course_id/content_share_users': () => 'search_term=Ta',
  '/courses/:course_id/external_tools/sessionless_launch': ({ ids }) => `id=${ids.externalTool}`,
  '/accounts/:account_id/external_tools/sessionless_launch': ({ ids }) => `id=${ids.accountTool}`,
  '/external_tools/visible_course_nav_tools': ({ course }) => `context_codes[]=course_${course.id}`,
  '/courses/:course_id/outcome_alignments': ({ student }) => `student_id=${student.id}`,
  '/quiz_submissions/:quiz_submission_id/questions/:id/formatted_answer': () => 'answer=12',
  '/courses/:course_id/module_item_sequence': ({ ids }) => `asset_type=ModuleItem&asset_id=${ids.item}`,
  '/courses/:course_id/assignments/overrides': ({ ids }) =>
    `assignment_overrides[][id]=${ids.override}&assignment_overrides[][assignment_id]=${ids.assignment}`,
};

/** Reads without narrowing parameters, or without data in the scene. */
const leftOut = new Set([
  // Read with a ticket that is valid once, or with the token of a tool.
  'GET /courses/:any_course/external_content/chosen/:content_ticket',
  'GET /accounts/:any_account/external_content/chosen/:content_ticket',
  'GET /api/lti/groups/:group_id/names_and_roles',
  // Each response has a new token.
  'GET /api/lti/accounts/:account_id/registration_token',
  // The list includes the test's own requests.
  'GET /users/:user_id/page_views',
  // A redirect to the client, with the protocol's parameters.
  'GET /login/oauth2/auth',
  'GET /login/oauth2/confirm',
  // Requested from the root account below.
  'GET /accounts/:account_id/terms',
  'GET /accounts/:account_id/jobs',
  // The feature is off.
  'GET /courses/:course_id/smartsearch',
  // Only for moderated assignments.
  'GET /courses/:course_id/assignments/:assignment_id/provisional_grades/status',
  'GET /courses/:course_id/assignments/:assignment_id/anonymous_provisional_grades/status',
  // A namespace without data returns 400.
  'GET /users/:user_id/custom_data',
  'GET /users/:user_id/custom_data/:scope+',
  // Pages that a browser opens with a verifier, a session, or the parameters of the protocol.
  'GET /courses/:any_course/external_tools/sessionless_launch',
  'GET /accounts/:any_account/external_tools/sessionless_launch',
  'GET /courses/:course_id/external_tools/retrieve',
  'GET /accounts/:account_id/external_tools/retrieve',
  'GET /courses/:course_id/external_tools/:external_tool_id',
  'GET /accounts/:account_id/external_tools/:external_tool_id',
  'GET /api/lti/authorize_redirect',
  'GET /api/lti/authorize',
  // Services for the tokens of tools.
  'GET /api/lti/courses/:course_id/line_items',
  'GET /api/lti/courses/:course_id/line_items/:id',
  'GET /api/lti/courses/:course_id/line_items/:line_item_id/results',
  'GET /api/lti/courses/:course_id/names_and_roles',
  // The address of an upload that the scene has finished.
  'GET /files/:id/create_success',
]);

type Pair = readonly [name: string, value: string];

/** Filters that name nothing: blank ones, unknown words, and unknown words in lists. */
function worthless(path: string, names: ReturnType<typeof paramsOf>): readonly (readonly Pair[])[] {
  const isMeant = (name: string) => Object.keys(meant).some((key) => name === key || `${path} ${name}`.endsWith(key));
  const choices = names.filter(([, field]) => isChoice(field));
  const words = names.filter(([name, field]) => isChoice(field) || (wordy.test(name) && !isMeant(name)));
  return [
    names.filter(([name]) => !(name in blanksThatMean)).map(([name]): Pair => [name, '']),
    words.map(([name]): Pair => [name, 'no such word']),
    choices.map(([name]): Pair => [`${name}[]`, 'no such word']),
  ];
}

async function callerOf(address: string): Promise<[Person, string] | undefined> {
  for (const person of [scene.root, scene.teacher, scene.student]) {
    const { status, text } = await askAs('GET', address, person);
    if (status === 200) return [person, without(text)];
  }
  return undefined;
}

/** The filters that change the response. All are sent at once first, because they seldom do. */
async function effects(address: string, [person, usual]: readonly [Person, string], pairs: readonly Pair[]): Promise<string[]> {
  const difference = async (some: readonly Pair[]) => {
    const query = new URLSearchParams(some.map(([name, value]): [string, string] => [name, value]));
    const { status, text } = await askAs('GET', `${address}&${query}`, person);
    return status !== 200 || without(text) !== usual ? `${status} ${text.slice(0, 120)}` : undefined;
  };
  if (pairs.length === 0 || !(await difference(pairs))) return [];
  const found: string[] = [];
  for (const pair of pairs) {
    const different = await difference([pair]);
    if (different) found.push(`${pair.join('=')} → ${different}`);
  }
  return found;
}

test('a blank or unknown filter returns the same as none', { timeout: 120_000 }, async () => {
  const broken: string[] = [];
  const unasked: string[] = [];
  for (const endpoint of reads) {
    const need = needed[endpoint.path]?.(scene);
    const names = paramsOf(endpoint).filter(([name]) => !need?.includes(name));
    if (names.length === 0 || leftOut.has(titleOf(endpoint))) continue;
    const address = `${fillPath(endpoint, pathValuesIn(endpoint, scene))}?${need ?? ''}`;
    const caller = await callerOf(address);
    if (!caller) {
      unasked.push(titleOf(endpoint));
      continue;
    }
    for (const pairs of worthless(endpoint.path, names))
      broken.push(...(await effects(address, caller, pairs)).map((effect) => `${titleOf(endpoint)} ${effect}`));
  }
  expect(broken).toEqual([]);
  expect(unasked, 'name what the read needs').toEqual([]);
  const bodyOf = async (path: string) => {
    const { status, text } = await askAs('GET', `/api/v1/accounts/1/${path}`, scene.root);
    return { status, text };
  };
  for (const [path, query] of [
    ['terms', 'workflow_state[]=nonsense&workflow_state[]=&term_name='],
    ['jobs', 'workflow_state=nonsense'],
  ] as const)
    expect(await bodyOf(`${path}?${query}`)).toEqual(await bodyOf(path));
});
