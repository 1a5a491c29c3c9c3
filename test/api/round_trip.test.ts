// Returned objects are accepted back unchanged, as JSON and as a form: clients read an object, change one key and send all of it.

import { pairsOf } from '@carrel/shared/wire/form';
import type { Endpoint } from '@carrel/worker/http/endpoint';
import { beforeAll, expect, test } from 'vitest';
import { as, ok } from '../support/api';
import { endpoints, fillPath, type PathValue, pathValuesIn, titleOf } from '../support/every_endpoint';
import { type Declared, declared } from '../support/fields_of';
import { aFullScene, type FullScene } from '../support/full_scene';
import type { Person } from '../support/ground';

type Body = Record<string, unknown>;

const shapeOf = ({ path }: Endpoint) => path.replace(/:[a-z_]+/g, ':');
const reads = new Set(endpoints.filter(({ method }) => method === 'GET').map(shapeOf));
const puts = endpoints.filter(({ method }) => method === 'PUT');

/** Updates without a matching read. */
const withoutRead: readonly (readonly [RegExp, string])[] = [
  [/\/(read|read_all|read\/:item|clear_unread|bulk_mark_read|subscribed|done)$/, 'marks what was read or done'],
  [
    /\/(abort|abort_all_pending|restore|restore_states|reactivate|relock|moderate|select|bulk_select|merge_into\/.*|reassign|what_if_grades\/reset)$/,
    'an action',
  ],
  [/\/what_if_grades$/, 'the score is read as `student_entered_score` of the submission'],
  [/\/(restrict_item|update_associations|usage_rights|bulk_update|last_attended)$/, 'sets something of other things'],
  [/\/observees\/:observee$/, 'adds a link, and takes no parameters'],
  [
    /^\/accounts\/:account_id\/courses$|custom_gradebook_column_data$|final_grade_overrides$|^\/courses\/:course_id\/modules$|^\/conversations$|^\/users\/:user_id\/eportfolios$/,
    'acts on many',
  ],
  [/^\/courses\/:course_id\/assignments\/overrides$/, 'the read needs the overrides by their ids'],
  [/\/outcome_groups\/:id\/outcomes\/:outcome_id$/, 'adds a link'],
  [/\/questions\/:id\/(un)?flag$/, 'marks a question of an attempt'],
  [/\/quizzes\/:quiz_id\/submissions\/:id$/, 'takes scores by question, which only a completed attempt has'],
  [/\/sessions\/:session_id$/, 'takes scores by question, which only a completed attempt has'],
  [/\/tool_configuration$/, 'requires the configuration'],
  [/\/line_items\/:id$/, 'needs the token of a tool'],
  [/\/uploads\/:id\/parts\/:number$/, 'receives bytes'],
  [/\/quiz_media\/:uuid$/, 'receives an image'],
  [/\/media_tracks$/, 'takes a list of all tracks'],
  [/\/media_(objects|attachments)\/:\w+$/, 'requires a title, which a recording has only once it was given one'],
  [/\/comments\/:id$/, 'comments are read inside their submission'],
  [/\/notification_preference_categories\/:category$/, 'categories are read as the preferences in them'],
];

/** The object with an id in a list under a name. */
const inList = (name: string, wanted: number) => (answer: unknown) =>
  (answer as Record<string, Body[]>)[name]?.find(({ id }) => id === wanted);

/** The read of an object that has no address of its own. */
const readElsewhere: Readonly<Record<string, (scene: FullScene) => readonly [string, (list: Body[]) => Body | undefined]>> = {
  '/accounts/:account_id/logins/:id': ({ student, login_id }) => [
    `/users/${student.id}/logins`,
    (list) => list.find(({ id }) => id === login_id),
  ],
  '/courses/:course_id/collaborations/:id': ({ course, ids }) => [
    `/courses/${course.id}/collaborations`,
    inList('collaborations', ids.collaboration),
  ],
  '/groups/:group_id/collaborations/:id': ({ ids }) => [
    `/groups/${ids.group}/collaborations`,
    inList('collaborations', ids.groupCollaboration),
  ],
  '/courses/:course_id/custom_gradebook_columns/:id': ({ course, ids }) => [
    `/courses/${course.id}/custom_gradebook_columns`,
    (list) => list.find(({ id }) => id === ids.gradebookColumn),
  ],
  '/courses/:course_id/custom_gradebook_columns/:id/data/:user_id': ({ course, student, ids }) => [
    `/courses/${course.id}/custom_gradebook_columns/${ids.gradebookColumn}/data`,
    (list) => list.find(({ user_id }) => user_id === student.id),
  ],
  '/courses/:course_id/rubric_associations/:id': ({ course, ids }) => [
    `/courses/${course.id}/rubrics/${ids.rubric}?include[]=associations`,
    inList('associations', ids.rubric_association),
  ],
  '/courses/:any_course/rubric_associations/:rubric_association_id/rubric_assessments/:id': ({ course, ids }) => [
    `/courses/${course.id}/rubrics/${ids.rubric}?include[]=assessments&style=full`,
    inList('assessments', ids.assessment),
  ],
  '/courses/:course_id/tabs/:tab_id': ({ course }) => [`/courses/${course.id}/tabs`, (list) => list.find(({ id }) => id === 'pages')],
  '/courses/:course_id/discussion_topics/:topic_id/entries/:entry_id': ({ course, ids }) => [
    `/courses/${course.id}/discussion_topics/${ids.topic}/entry_list?ids[]=${ids.entry}`,
    ([entry]) => entry,
  ],
  '/groups/:group_id/discussion_topics/:topic_id/entries/:entry_id': ({ ids }) => [
    `/groups/${ids.group}/discussion_topics/${ids.groupTopic}/entry_list?ids[]=${ids.groupEntry}`,
    ([entry]) => entry,
  ],
};

/** Other objects at the same addresses, with fields that are empty or set differently in the first. */
const others: Readonly<Record<string, (scene: FullScene) => readonly Readonly<Record<string, PathValue | undefined>>[]>> = {
  '/accounts/:account_id': () => [{ account_id: 1 }],
  '/courses/:course_id/assignments/:assignment_id': ({ ids }) => [
    { assignment_id: ids.hiddenAssignment },
    { assignment_id: ids.notForStudent },
    { assignment_id: ids.emptyAssignment },
  ],
  '/courses/:course_id/discussion_topics/:topic_id': ({ ids }) =>
    [ids.announcement, ids.later, ids.elsewhereAnnounced, ids.postFirst, ids.hiddenTopic].map((topic_id) => ({ topic_id })),
  '/courses/:course_id/pages/:url': ({ urls }) => [{ url: urls.front }, { url: urls.hiddenPage }],
  '/courses/:course_id/modules/:id': ({ ids }) => [{ id: ids.hiddenModule }],
  '/courses/:course_id/modules/:module_id/items/:id': ({ ids }) => [
    { id: ids.item },
    { id: ids.hiddenItem },
    { module_id: ids.hiddenModule, id: ids.itemOfHidden },
  ],
  '/calendar_events/:event': ({ ids }) => [{ event: ids.ownEvent }, { event: `assignment_${ids.assignment}` }],
  '/files/:id': ({ ids }) => [{ id: ids.hiddenFile }, { id: ids.ownFile }, { id: ids.groupFile }],
  '/folders/:id': ({ ids }) => [{ id: ids.hiddenFolder }, { id: ids.groupFolder }, { id: ids.ownFolder }],
  '/courses/:course_id': ({ ids, elsewhere }) => [{ course_id: ids.unpublishedCourse }, { course_id: elsewhere.course.id }],
  '/users/:user_id': ({ teacher, root }) => [{ user_id: teacher.id }, { user_id: root.id }],
  '/users/:user_id/features/flags/:feature': () => [{ feature: 'high_contrast' }],
};

/** Fields that only the root account has. */
const ofRoot = /^\/accounts\/:account_id\/(authentication_providers|custom_grade_statuses|logins|sso_settings|terms|webhook_subscriptions)/;

/** Fields that an update may change although it was given the read values. */
const mayChange: Readonly<Record<string, RegExp>> = {
  '/courses/:course_id/quizzes/:id': /^it\[version_number\]/,
  // An inherited flag is set here afterwards.
  '/accounts/:account_id/features/flags/:feature': /^it\[context_(type|id)\]/,
  '/users/:user_id/features/flags/:feature': /^it\[context_(type|id)\]/,
};

/** The response as the update declares its parameters: inside its group or list, or as it is. */
function asDeclared({ options }: Endpoint, answer: Body | Body[]): Body {
  const params = Object.entries(options.params ?? {});
  const isGroup = (name: string) => declared(options.params?.[name] as never).wrapped?.type === 'object';
  if (Array.isArray(answer)) return { [params[0]?.[0] ?? '']: answer };
  const [name] = params.find(([one]) => isGroup(one)) ?? [];
  if (name === undefined || params.some(([one]) => !isGroup(one) && one in answer)) return answer;
  const inside = answer[name];
  return Array.isArray(inside) ? { [name]: inside[0] } : inside === undefined ? { [name]: answer } : answer;
}

const volatile = /_?updated_at$|^last_(activity|request)_at$/;

/** Names and values of the persistent fields, as a form writes them. */
const pairsIn = (value: unknown): Map<string, string> =>
  new Map(
    pairsOf({ it: value })
      .filter(([name]) => !volatile.test(/\[?([^[\]]*)\]?$/.exec(name)?.[1] ?? ''))
      .map(([name, text]) => [name, text.replace(/verifier=\w+/g, '')]),
  );

function changes(before: unknown, after: unknown, allowed: RegExp | undefined): string {
  const [from, to] = [pairsIn(before), pairsIn(after)];
  const names = [...new Set([...from.keys(), ...to.keys()])].filter((name) => from.get(name) !== to.get(name) && !allowed?.test(name));
  return names.map((name) => `${name}: ${from.get(name)} → ${to.get(name)}`).join(', ');
}

let scene: FullScene;
beforeAll(async () => {
  scene = await aFullScene();
  const { student, course, ids, urls } = scene;
  ok(await as(student).put(`/users/self/colors/course_${course.id}`, { hexcode: '#abcdef' }));
  ok(await as(student).put(`/users/self/custom_data/fruits/apple?ns=org.example`, { data: { kind: 'red' } }), 201);
  ok(await as(student).put(`/groups/${ids.group}/pages/${urls.groupPage}`, { wiki_page: { front_page: true } }));
}, 60_000);

/** Reads an object, sends it back in both encodings and reads it again; returns whether an update was accepted. */
async function roundTrips(put: Endpoint, address: string, person: Person, broken: string[]): Promise<boolean> {
  const client = as(person);
  const [place, pick] = readElsewhere[put.path]?.(scene) ?? [address, undefined];
  const query = put.path.includes('custom_data') ? '?ns=org.example' : '';
  const read = async () => {
    const { status, body } = await client.get(`${place}${query}`);
    return status === 200 ? (pick ? pick(body) : body) : undefined;
  };
  const before = await read();
  if (before === undefined) return false;
  let isTaken = false;
  for (const json of [true, false]) {
    const { status, body } = await client.put(`${address}${query}`, asDeclared(put, before), { json });
    // A user who may update may also make an update without changes.
    const isRight = status !== 401 && status !== 403;
    if (!isRight && (await client.put(`${address}${query}`, asDeclared(put, {}), { json: true })).status >= 300) continue;
    const how = `${person.name}: PUT ${address} as ${json ? 'JSON' : 'a form'}`;
    if (status >= 300) broken.push(`${how} → ${status} ${JSON.stringify(body)}`);
    else isTaken = true;
  }
  const difference = isTaken ? changes(before, await read(), mayChange[put.path]) : '';
  if (difference) broken.push(`${person.name}: PUT ${address} changed ${difference}`);
  return isTaken;
}

test('every update has a matching read of the same object, or an exception', () => {
  const isExplained = ({ path }: Endpoint) => path in readElsewhere || withoutRead.some(([path_, reason]) => reason && path_.test(path));
  expect(puts.filter((put) => !reads.has(shapeOf(put)) && !isExplained(put)).map(titleOf)).toEqual([]);
});

test('returned objects are accepted back unchanged', { timeout: 120_000 }, async () => {
  const broken: string[] = [];
  const untaken: string[] = [];
  for (const put of puts.filter(({ path }) => !withoutRead.some(([one]) => one.test(path)))) {
    const usual = { ...pathValuesIn(put, scene), ...(ofRoot.test(put.path) && { account_id: 1 }) };
    const taken: boolean[] = [];
    for (const other of [{}, ...(others[put.path]?.(scene) ?? [])]) {
      const address = fillPath(put, { ...usual, ...other }).replace(/^\/api\/v1/, '');
      // Without the permission to change SIS ids, and with it.
      const teaches = await roundTrips(put, address, scene.teacher, broken);
      const runs = (!teaches || Object.keys(other).length === 0) && (await roundTrips(put, address, scene.root, broken));
      taken.push(teaches, runs, !(teaches || runs) && (await roundTrips(put, address, scene.student, broken)));
    }
    if (!taken.includes(true)) untaken.push(titleOf(put));
  }
  expect({ broken, untaken }).toEqual({ broken: [], untaken: [] });
});

/** Names, and the main values of updates: blanks are refused. */
const needed =
  /^(account_calendars|email|frequency|hexcode|label|message|name|nickname|notification_preferences|ns|password|purpose|state|subject|title|todo_date|unique_id|visible)$/;

/** Updates that require the object. */
const requireObject = /^\/polls\//;

/** Every optional parameter with the same value, including those in groups. */
const filledWith = (fields: Readonly<Record<string, Declared>>, value: unknown): Body =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([name]) => !needed.test(name))
      .map(([name, { wrapped }]) => [name, wrapped?.entries ? filledWith(wrapped.entries, value) : value]),
  );

test('null and blank clear what can be cleared, and are ignored elsewhere', { timeout: 120_000 }, async () => {
  const broken: string[] = [];
  for (const put of puts.filter(({ path }) => ![requireObject, ...withoutRead.map(([one]) => one)].some((one) => one.test(path)))) {
    const address = fillPath(put, { ...pathValuesIn(put, scene), ...(ofRoot.test(put.path) && { account_id: 1 }) }).replace(
      /^\/api\/v1/,
      '',
    );
    const fields = (put.options.params ?? {}) as unknown as Readonly<Record<string, Declared>>;
    for (const value of [null, '']) {
      const body = filledWith(fields, value);
      if (Object.keys(body).every((name) => name === 'data' || name === 'locking_account_id' || name === 'auto_subscribe')) continue;
      for (const person of [scene.teacher, scene.root]) {
        const answer = await as(person).put(address, body, { json: true });
        if (answer.status === 400 || answer.status > 404)
          broken.push(`PUT ${put.path} with ${JSON.stringify(value)} → ${answer.status} ${JSON.stringify(answer.body)}`);
        if (answer.status < 300) break;
      }
    }
  }
  expect(broken).toEqual([]);
});
