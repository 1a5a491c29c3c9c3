// The graph shows what REST shows: the same values in the fields that both have, and nothing that REST does not show to the same caller.

import { beforeAll, expect, test } from 'vitest';
import { type AccessRole, askAs, leaks, legibly, personFor } from '../support/access';
import { type AnonymousScene, anAnonymousScene } from '../support/anonymous_scene';
import { as, ok } from '../support/api';
import { type FullScene, sceneWords } from '../support/full_scene';
import { leavesOf, objectsIn, queriesAbout } from '../support/graph_queries';
import type { Person } from '../support/ground';
import { linksIn } from '../support/linking';

let scene: AnonymousScene;
beforeAll(async () => {
  scene = await anAnonymousScene();
}, 120_000);

// biome-ignore lint/suspicious/noExplicitAny: tests read responses untyped.
type Any = any;

const askGraph = (person: Person, query: string) => askAs('POST', '/api/graphql', person, { query });

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const textOf = (value: unknown) =>
  value === null || value === undefined ? null : typeof value === 'object' ? JSON.stringify(value) : String(value);

/** The object in REST, by type: its address, and what the list of its fields includes. */
const addresses: Readonly<Record<string, (id: number, scene: FullScene) => string | undefined>> = {
  Account: (id) => `/accounts/${id}`,
  Course: (id) => `/courses/${id}?include[]=syllabus_body&include[]=course_image`,
  Section: (id) => `/sections/${id}?include[]=total_students`,
  User: (id) => `/users/${id}`,
  Assignment: (id, { course }) => `/courses/${course.id}/assignments/${id}`,
  AssignmentGroup: (id, { course }) => `/courses/${course.id}/assignment_groups/${id}`,
  Submission: (id, { course }) => `/courses/${course.id}/assignments/${Math.floor(id / 2 ** 26)}/submissions/${id % 2 ** 26}`,
  Module: (id, { course }) => `/courses/${course.id}/modules/${id}`,
  ModuleItem: (id, { course, ids }) => (id === ids.itemOfHidden ? undefined : `/courses/${course.id}/modules/${ids.module}/items/${id}`),
  Page: (id, { course }) => `/courses/${course.id}/pages/page_id:${id}`,
  Quiz: (id, { course }) => `/courses/${course.id}/quizzes/${id}`,
  File: (id) => `/files/${id}`,
  Folder: (id) => `/folders/${id}`,
  Discussion: (id, { course, ids }) =>
    [ids.groupTopic, ids.otherTopic].includes(id) ? undefined : `/courses/${course.id}/discussion_topics/${id}`,
  Group: (id) => `/groups/${id}`,
  GroupSet: (id) => `/group_categories/${id}`,
  Rubric: (id, { course, ids }) => (id === ids.rubric ? `/courses/${course.id}/rubrics/${id}` : undefined),
  LearningOutcome: (id) => `/outcomes/${id}`,
  LearningOutcomeGroup: (id, { course }) => `/courses/${course.id}/outcome_groups/${id}`,
  Term: (id) => `/accounts/1/terms/${id}`,
  Progress: (id) => `/progress/${id}`,
};

/** Fields that have another name in REST. */
const renamed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Account: { sisId: 'sis_account_id' },
  Course: { sisId: 'sis_course_id', imageUrl: 'image_download_url', applyGroupWeights: 'apply_assignment_group_weights' },
  Section: { sisId: 'sis_section_id', userCount: 'total_students' },
  User: { sisId: 'sis_user_id' },
  Assignment: {
    title: 'name',
    state: 'workflow_state',
    canUnpublish: 'unpublishable',
    moderatedGradingEnabled: 'moderated_grading',
    isNewQuiz: 'is_quiz_lti_assignment',
    sisId: 'sis_assignment_id',
  },
  AssignmentGroup: { sisId: 'sis_source_id' },
  Submission: { state: 'workflow_state', deductedPoints: 'points_deducted' },
  ModuleItem: { url: 'html_url' },
  File: { title: 'display_name', contentType: 'content-type' },
  Group: { sisId: 'sis_group_id' },
  GroupSet: { memberLimit: 'group_limit', sisId: 'sis_group_category_id' },
  Term: { sisId: 'sis_term_id' },
  Progress: { state: 'workflow_state' },
};

/** Fields whose value says the same in other words than the key of REST with their name. */
const reworded: Readonly<Record<string, readonly string[]>> = {
  Course: ['state', 'name', 'courseNickname'],
  Assignment: ['lockInfo', 'modules', 'type', 'submissionTypes', 'isNewQuiz'],
  Submission: ['attempt', 'status', 'submissionStatus', 'gradingStatus'],
  ModuleItem: ['type'],
  Page: ['type'],
  Quiz: ['type'],
  File: ['type', 'locked'],
  Discussion: ['type', 'anonymousState', 'contextId', 'contextType'],
  GroupSet: ['selfSignup', 'autoLeader'],
  User: ['email'],
};

const roles = ['root', 'teacher', 'student', 'observer', 'sectionTa', 'stranger'] as const;

/** Those who see less than others in the course, or nothing. */
const limited = ['student', 'observer', 'sectionTa', 'stranger'] as const satisfies readonly AccessRole[];

/** The fields of an object that differ from REST, and how many were compared. */
async function differences(type: string, id: number, person: Person): Promise<{ readonly wrong: string[]; readonly compared: string[] }> {
  const address = addresses[type]?.(id, scene);
  if (address === undefined) return { wrong: [], compared: [] };
  const rest = await as(person).get(address);
  const names = leavesOf(type);
  const query = `{ node(id: "${btoa(`${type}-${id}`)}") { ... on ${type} { ${names.join(' ')} } } }`;
  const answer = ok(await as(person).post('/api/graphql', { query }, { json: true }));
  if (answer.errors) return { wrong: [`${type} ${id}: ${JSON.stringify(answer.errors)}`], compared: [] };
  const shown: Any = answer.data.node;
  // Users of a shared course have a profile, where REST refuses the user itself.
  if (rest.status >= 400)
    return { wrong: shown && type !== 'User' ? [`${type} ${id} is shown, but REST answers ${rest.status}`] : [], compared: [] };
  if (!shown)
    return rest.body.access_restricted_by_date ? { wrong: [], compared: [] } : { wrong: [`${type} ${id} is missing`], compared: [] };
  const compared = names.filter((name) => {
    if (['id', '_id'].includes(name) || reworded[type]?.includes(name)) return false;
    return rest.body[renamed[type]?.[name] ?? snake(name)] !== undefined;
  });
  const wrong = compared.flatMap((name) => {
    const expected = textOf(rest.body[renamed[type]?.[name] ?? snake(name)]);
    const isSame = textOf(shown[name]) === expected || (shown[name] === false && expected === null);
    return isSame ? [] : [`${type} ${id}.${name}: ${textOf(shown[name])}, but REST shows ${expected}`];
  });
  return { wrong: [...wrong, ...(shown._id === String(rest.body.id) ? [] : [`${type} ${id} has the id ${shown._id}`])], compared };
}

test('every field that both have is equal, for callers of every kind', { timeout: 240_000 }, async () => {
  const wrong: string[] = [];
  const compared = new Set<string>();
  for (const role of roles)
    for (const [type, id] of objectsIn(scene)) {
      const found = await differences(type, id, scene[role]);
      wrong.push(...found.wrong.map((one) => `${role}: ${one}`));
      for (const name of found.compared) compared.add(`${type}.${name}`);
    }
  expect(wrong).toEqual([]);
  expect([...new Set([...compared].map((name) => name.split('.')[0]))].sort()).toEqual(Object.keys(addresses).sort());
  expect(compared.size).toBeGreaterThan(200);
});

test('the graph shows no one a text that they must not read', { timeout: 400_000 }, async () => {
  const broken: string[] = [];
  const shown = new Set<string>();
  const queries = objectsIn(scene).flatMap(([type, id]) => queriesAbout(type, id).map((query) => ({ type, id, query })));
  for (const role of limited) {
    const person = personFor(scene, role) as Person;
    for (const { type, id, query } of queries) {
      const { status, text } = await askGraph(person, query);
      const body = JSON.parse(text) as Any;
      if (status !== 200 || (body.errors && !JSON.stringify(body.errors).includes('queryTooCostly')))
        broken.push(`${role} ${type} ${id}: ${status} ${JSON.stringify(body.errors).slice(0, 300)}`);
      if (body.data?.node) shown.add(type);
      // A locked file is shown by its id, without its content.
      const named = type === 'File' ? [sceneWords.locked] : [];
      for (const word of leaks(role, `${text}\n${legibly(text)}`, scene).filter((one) => !named.includes(one as never)))
        broken.push(`${role} ${type} ${id} shows ${word}`);
    }
  }
  expect(broken).toEqual([]);
  // Some objects are for administrators only; that the others are shown proves that the queries find what they ask for.
  const ofAdmins = ['Account', 'Term', 'GradingPeriodGroup'];
  const types = new Set(objectsIn(scene).map(([type]) => type));
  expect([...types].filter((type) => !shown.has(type) && !ofAdmins.includes(type))).toEqual([]);
});

test('the graph links no anonymous student with the work that graders see', { timeout: 120_000 }, async () => {
  const { students, work, moderated, realId, anonymousSubmission, facts, course, teacher, ta } = scene;
  const objects = [work, moderated].flatMap((assignment) => [
    ['Assignment', assignment.id] as const,
    ...students.flatMap((student) => [
      ['Submission', realId(assignment, student)] as const,
      ['Submission', anonymousSubmission(assignment, student)] as const,
    ]),
  ]);
  const broken: string[] = [];
  for (const grader of [teacher, ta])
    for (const query of [
      ...objects.flatMap(([type, id]) => queriesAbout(type, id)),
      ...students.map(({ id }) => `{ submission(assignmentId: "${work.id}", userId: "${id}") { _id body score user { name } } }`),
      `{ course(id: "${course.id}") { submissionsConnection { nodes { _id userId anonymousId body score user { _id name } assignment { _id } } } } }`,
    ]) {
      const { text } = await askGraph(grader, query);
      const links = linksIn(text, query, facts);
      if (links.length > 0) broken.push(`${query.slice(0, 120)} → ${links.join(', ')}`);
    }
  expect(broken).toEqual([]);
});
