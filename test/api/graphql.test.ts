// GraphQL at /api/graphql: what clients ask, errors, limits, what a query costs, and mutations.

import { env, SELF } from 'cloudflare:test';
import { limits } from '@carrel/worker/graphql/limits';
import { schemaOf } from '@carrel/worker/graphql/schema';
import { buildClientSchema, getIntrospectionQuery, printSchema, validateSchema } from 'graphql';
import { beforeAll, expect, test } from 'vitest';
import { as, base, ground, ok } from '../support/api';
import { aCourse, type BuiltCourse, type Person } from '../support/ground';

let course: BuiltCourse;
let student: Person;
let student2: Person;
let teacher: Person;
let stranger: Person;
let admin: Person;
let essay: number;
let topic: number;

// biome-ignore lint/suspicious/noExplicitAny: tests read responses untyped.
type Any = any;

const send = (person: Person | undefined, query: string, variables: object = {}, headers: Record<string, string> = {}) =>
  as(person).post('/api/graphql', { query, variables }, { json: true, headers });
const bodyOf = async (person: Person, query: string, variables: object = {}): Promise<Any> => ok(await send(person, query, variables));
/** The data of a query that has no errors. */
const ask = async (person: Person, query: string, variables: object = {}): Promise<Any> => {
  const body = await bodyOf(person, query, variables);
  expect(body.errors, JSON.stringify(body.errors)).toBeUndefined();
  return body.data;
};
const gid = (type: string, id: number | string) => btoa(`${type}-${id}`);
const submissionOf = (person: Person) => essay * 2 ** 26 + person.id;

beforeAll(async () => {
  ({ course, student, student2, teacher, stranger } = await aCourse(ground, { name: 'Ecology', syllabus_body: '<p>Boots</p>' }));
  admin = await ground.admin();
  const at = `/courses/${course.id}`;
  const create = async (person: Person, path: string, body: object) => {
    const answer = await as(person).post(path, body);
    return ok(answer, answer.status);
  };
  const work = { submission_types: ['online_text_entry'], points_possible: 10, published: true };
  essay = (await create(teacher, `${at}/assignments`, { assignment: { name: 'Essay', ...work } })).id;
  await create(teacher, `${at}/assignments`, { assignment: { name: 'Draft', ...work, published: false } });
  await create(student, `${at}/assignments/${essay}/submissions`, { submission: { submission_type: 'online_text_entry', body: 'Moss' } });
  await create(teacher, `${at}/pages`, { wiki_page: { title: 'Reading', body: 'x', published: true } });
  const module = await create(teacher, `${at}/modules`, { module: { name: 'Week 1' } });
  ok(await as(teacher).put(`${at}/modules/${module.id}`, { module: { published: true } }));
  await create(teacher, `${at}/modules/${module.id}/items`, { module_item: { type: 'Assignment', content_id: essay } });
  const completion_requirement = { type: 'must_view' };
  await create(teacher, `${at}/modules/${module.id}/items`, { module_item: { type: 'Page', page_url: 'reading', completion_requirement } });
  topic = (await create(teacher, `${at}/discussion_topics`, { title: 'Talk', message: 'x', published: true })).id;
  await create(teacher, `${at}/group_categories`, { name: 'Teams' });
}, 60_000);

test('the schema is valid, and clients that generate code can ask for it', async () => {
  expect(validateSchema(schemaOf())).toEqual([]);
  const body = await ask(student, getIntrospectionQuery());
  expect(printSchema(buildClientSchema(body)).length).toBe(printSchema(schemaOf()).length);
  expect(await ask(student, '{ __type(name: "Course") { name kind } }')).toEqual({ __type: { name: 'Course', kind: 'OBJECT' } });
});

test('a teacher reads the submissions of a course with their students', async () => {
  const data = await ask(
    teacher,
    'query($id: ID!) { course(id: $id) { _id name assignmentsConnection { nodes { _id name pointsPossible submissionsConnection { nodes { score state user { _id name } } } } } } }',
    { id: String(course.id) },
  );
  const submission = { score: null, state: 'submitted', user: { _id: String(student.id), name: student.name } };
  expect(data.course).toMatchObject({ _id: String(course.id), name: 'Ecology' });
  expect(data.course.assignmentsConnection.nodes).toEqual([
    { _id: String(essay), name: 'Essay', pointsPossible: 10, submissionsConnection: { nodes: [submission] } },
    expect.objectContaining({ name: 'Draft', submissionsConnection: { nodes: [] } }),
  ]);
});

test('a student sees the own submission only, and no draft', async () => {
  const query = `{ course(id: "${course.id}") { assignmentsConnection { nodes { name submissionsConnection(filter: {states: [submitted, unsubmitted]}) { nodes { body user { _id } } } } } } }`;
  const nodes = async (person: Person) => (await ask(person, query)).course.assignmentsConnection.nodes;
  expect(await nodes(student)).toEqual([
    { name: 'Essay', submissionsConnection: { nodes: [{ body: 'Moss', user: { _id: String(student.id) } }] } },
  ]);
  expect(await nodes(student2)).toEqual([
    { name: 'Essay', submissionsConnection: { nodes: [{ body: null, user: { _id: String(student2.id) } }] } },
  ]);
});

test('what is missing and what is forbidden are null without an error', async () => {
  const query = `{ course(id: "${course.id}") { name } missing: course(id: "999999") { name } no: course(id: "x") { name }
    assignment(id: "${essay}") { name } submission(id: "${submissionOf(student)}") { body } legacyNode(_id: "${course.id}", type: Course) { id }
    node(id: "${gid('Assignment', essay)}") { id } nothing: node(id: "x") { id } user: legacyNode(_id: "${student.id}", type: User) { id } }`;
  const nothing = await ask(stranger, query);
  expect(Object.values(nothing)).toEqual(Object.keys(nothing).map(() => null));
});

test('all courses with their terms, enrollments and grades', async () => {
  ok(await as(teacher).put(`/courses/${course.id}/assignments/${essay}/submissions/${student2.id}`, { submission: { posted_grade: '8' } }));
  const { allCourses } = await ask(
    teacher,
    '{ allCourses { _id name term { name } enrollmentsConnection { nodes { type user { name } grades { currentScore } } } } }',
  );
  expect(allCourses).toHaveLength(1);
  expect(allCourses[0].term.name).toBe('Default Term');
  const nodes = allCourses[0].enrollmentsConnection.nodes as Any[];
  expect(nodes.find(({ user }) => user.name === student2.name)).toEqual({
    type: 'StudentEnrollment',
    user: { name: student2.name },
    grades: { currentScore: 80 },
  });
});

test('an administrator pages through the courses of an account and a term', async () => {
  for (const name of ['A', 'B', 'C']) await ground.course({ name });
  const query =
    'query($c: String) { account(id: "1") { coursesConnection(first: 2, after: $c) { pageInfo { hasNextPage hasPreviousPage endCursor } edges { cursor } nodes { _id } } } }';
  const seen: string[] = [];
  for (let cursor: string | null = null, more = true; more; ) {
    const { coursesConnection: page }: Any = (await ask(admin, query, { c: cursor })).account;
    expect(page.nodes.length).toBeLessThanOrEqual(2);
    expect(page.edges.at(-1).cursor).toBe(page.pageInfo.endCursor);
    seen.push(...page.nodes.map((node: Any) => node._id));
    [cursor, more] = [page.pageInfo.endCursor, page.pageInfo.hasNextPage];
  }
  const rest = (await as(admin).pages('/accounts/1/courses')).map(({ id }) => String(id));
  expect(seen).toEqual(rest);
  const first: Any = (await ask(admin, query)).account.coursesConnection;
  const second = await ask(admin, query, { c: first.edges[0].cursor });
  expect(second.account.coursesConnection.nodes.map((node: Any) => node._id)).toEqual(rest.slice(1, 3));
  const { term } = await ask(admin, '{ term(id: "1") { coursesConnection(last: 1) { nodes { _id } pageInfo { hasPreviousPage } } } }');
  expect(term.coursesConnection).toEqual({ nodes: [{ _id: rest.at(-1) }], pageInfo: { hasPreviousPage: true } });
});

test('a cursor of another list and negative sizes are named', async () => {
  for (const [args, message] of [
    ['after: "x"', 'after is not a cursor of this list'],
    ['before: "x"', 'before is not a cursor of this list'],
    ['first: -1', 'first must not be negative'],
    [`after: "${btoa(JSON.stringify([0, 'bookmark:none']))}"`, 'after is not a cursor of this list'],
  ] as const) {
    const body = await bodyOf(teacher, `{ course(id: "${course.id}") { pagesConnection(${args}) { nodes { _id } } } }`);
    expect(body.data.course.pagesConnection).toBeNull();
    expect(body.errors).toMatchObject([{ message, path: ['course', 'pagesConnection'] }]);
  }
});

test('modules show their content, and looking at it does not complete it', async () => {
  const query = `{ course(id: "${course.id}") { modulesConnection { nodes { name moduleItems { _id url content { title type ... on Assignment { pointsPossible } ... on Page { _id } } } progression { workflowState } } } } }`;
  const contents = [
    { title: 'Essay', type: 'Assignment', pointsPossible: 10 },
    { title: 'Reading', type: 'Page' },
  ];
  for (const person of [teacher, student]) {
    const [module] = (await ask(person, query)).course.modulesConnection.nodes;
    expect(module.moduleItems.map(({ content }: Any) => content)).toMatchObject(contents);
  }
  const [module] = ok(await as(student).get(`/courses/${course.id}/modules`, { include: ['items'] }));
  expect(module.items[1].completion_requirement).toEqual({ type: 'must_view', completed: false });
});

test('users, sections and group sets of a course, and a user by id', async () => {
  const { course: found } = await ask(
    teacher,
    `{ course(id: "${gid('Course', course.id)}") { usersConnection(filter: {enrollmentTypes: [StudentEnrollment]}, sort: {field: name}) { nodes { name email } } sectionsConnection { nodes { _id name } } groupSetsConnection { nodes { name selfSignup } } permissions { manageGrades becomeUser } } }`,
  );
  const names = ok(await as(teacher).get(`/courses/${course.id}/users`, { enrollment_type: ['student'], include: ['email'] }));
  expect(found.usersConnection.nodes).toEqual(names.map(({ name, email }: Any) => ({ name, email })));
  expect(found.sectionsConnection.nodes).toHaveLength(1);
  expect(found.groupSetsConnection.nodes).toEqual([{ name: 'Teams', selfSignup: 'disabled' }]);
  expect(found.permissions).toEqual({ manageGrades: true, becomeUser: false });
  const { legacyNode } = await ask(
    student,
    `{ legacyNode(_id: "${student.id}", type: User) { ... on User { name enrollments { course { name } } } } }`,
  );
  expect(legacyNode).toEqual({ name: student.name, enrollments: [{ course: { name: 'Ecology' } }] });
});

test('a submission by its assignment and student', async () => {
  const query = `{ submission(assignmentId: "${gid('Assignment', essay)}", userId: "${student.id}") { _id id body attempt assignment { name } enrollmentsConnection { nodes { type } } } }`;
  const { submission } = await ask(teacher, query);
  expect(submission).toEqual({
    _id: String(submissionOf(student)),
    id: gid('Submission', submissionOf(student)),
    body: 'Moss',
    attempt: 1,
    assignment: { name: 'Essay' },
    enrollmentsConnection: { nodes: [{ type: 'StudentEnrollment' }] },
  });
  expect((await ask(student2, query)).submission).toBeNull();
});

test('invalid queries are answered with 200 and the reason, at its place', async () => {
  const cases: readonly (readonly [query: string, error: object])[] = [
    ['', { message: 'No query string was present' }],
    ['{ course(', { message: expect.stringContaining('Syntax Error'), locations: [{ line: 1, column: 10 }] }],
    ['{ courses { id } }', { extensions: { code: 'undefinedField', typeName: 'Query', fieldName: 'courses' } }],
    ['{ course(id: "1", nr: 2) { id } }', { extensions: expect.objectContaining({ code: 'argumentNotAccepted', argumentName: 'nr' }) }],
    ['{ course(id: "1") }', { extensions: expect.objectContaining({ code: 'selectionMismatch' }) }],
    ['{ node { id } }', { extensions: expect.objectContaining({ code: 'missingRequiredArguments' }) }],
    ['query($x: Int) { course(id: $x) { id } }', { extensions: { code: 'variableMismatch' } }],
    ['{ legacyNode(_id: "1", type: Cat) { id } }', { extensions: expect.objectContaining({ code: 'argumentLiteralsIncompatible' }) }],
  ];
  for (const [query, error] of cases) {
    const body = await bodyOf(student, query);
    expect(body.errors[0], query).toMatchObject(error);
    expect(body).not.toHaveProperty('data');
  }
  const several = await as(student).post('/api/graphql', { query: 'query A { __typename } query B { __typename }', operationName: 'C' });
  expect(ok(several).errors[0].message).toContain('Unknown operation named "C"');
  expect((await bodyOf(student, 'query($x: ID!) { course(id: $x) { id } }')).errors[0].message).toContain('$x');
  expect((await bodyOf(student, '{ assignment { name } }')).errors[0].message).toBe('Must specify exactly one of id or sisId');
});

test('garbage in place of the query or its variables is no fault of the service', async () => {
  for (const given of [
    { query: 7 },
    { query: '{ __typename }', variables: 'x' },
    { query: '{ __typename }', variables: [1] },
    { query: ['a'] },
    {},
  ]) {
    const { status } = await as(student).post('/api/graphql', given, { json: true });
    expect([200, 400], JSON.stringify(given)).toContain(status);
  }
  const form = await as(student).post('/api/graphql', {
    query: 'query($id: ID!) { course(id: $id) { name } }',
    variables: JSON.stringify({ id: course.id }),
  });
  expect(ok(form)).toEqual({ data: { course: { name: 'Ecology' } } });
});

test('a query beyond the limits is refused with the limit', async () => {
  const deep = `{ course(id: "${course.id}") ${'{ account { coursesConnection { nodes '.repeat(6)} { _id } ${'} } }'.repeat(6)} }`;
  expect((await bodyOf(admin, deep)).errors[0].message).toContain(`max depth of ${limits.depth}`);
  const wide = `{ ${Array.from({ length: limits.fields + 1 }, (_, n) => `a${n}: __typename`).join(' ')} }`;
  expect((await bodyOf(student, wide)).errors[0].message).toContain(`max complexity of ${limits.fields}`);
  const costly = `{ ${Array.from({ length: limits.reads + 10 }, (_, n) => `a${n}: node(id: "${gid('Course', n + 1)}") { id }`).join(' ')} }`;
  const body = await bodyOf(teacher, costly);
  expect(body.errors[0]).toMatchObject({ extensions: { code: 'queryTooCostly' } });
  const many = `mutation { ${Array.from({ length: limits.mutations + 1 }, (_, n) => `a${n}: createModule(input: {courseId: "1", name: "x"}) { module { _id } }`).join(' ')} }`;
  expect((await bodyOf(teacher, many)).errors[0].extensions.code).toBe('queryTooCostly');
});

test('a small query for a large response ends with one error', async () => {
  const shown = 'type { ofType { ofType { name } } fields { name args { name } type { name ofType { name } } } }';
  const query = `{ ${Array.from({ length: 60 }, (_, nth) => `a${nth}: __schema { types { fields { ${shown} } } }`).join(' ')} }`;
  const body = await bodyOf(student, query);
  expect(body).toEqual({ errors: [expect.objectContaining({ extensions: { code: 'queryTooCostly' } })] });
  expect(body.errors[0].message).toContain(`${limits.values} values`);
});

test('the round trips of a query depend on its depth, not on the number of objects', { timeout: 60_000 }, async () => {
  const other = await aCourse(ground, { name: 'Many' });
  const nest = `assignmentsConnection { nodes { name submissionsConnection { nodes { body user { name } commentsConnection { nodes { comment } } } } } }`;
  const queryOf = (id: number) => `{ course(id: "${id}") { name ${nest} } }`;
  const make = (n: number) =>
    as(other.teacher).post(`/courses/${other.course.id}/assignments`, {
      assignment: { name: `Work ${n}`, submission_types: ['online_text_entry'], published: true },
    });
  const tripsOf = async (person: Person, query: string) => {
    const answer = await send(person, query);
    expect(ok(answer).errors).toBeUndefined();
    return answer.cost;
  };
  await make(0);
  const one = await tripsOf(other.teacher, queryOf(other.course.id));
  for (let n = 1; n < 30; n++) await make(n);
  const thirty = await tripsOf(other.teacher, queryOf(other.course.id));
  expect(thirty.d1_trips).toBe(one.d1_trips);
  // One trip for the caller, and at most two for each of the three levels that are read.
  expect(thirty.d1_trips).toBeLessThanOrEqual(1 + 2 * 3);
  const twice = await tripsOf(
    other.teacher,
    `{ a: course(id: "${other.course.id}") { name ${nest} pagesConnection { nodes { title } } filesConnection { nodes { displayName } } } b: course(id: "${other.course.id}") { name ${nest} } }`,
  );
  expect(twice.d1_trips).toBeLessThanOrEqual(1 + 2 * 3);
  const wide = `{ allCourses { name modulesConnection { nodes { moduleItems { content { title } } } } pagesConnection { nodes { title } } quizzesConnection { nodes { title } } discussionsConnection { nodes { title discussionEntriesConnection { nodes { message } } } } sectionsConnection { nodes { name } } } }`;
  expect((await tripsOf(teacher, wide)).d1_trips).toBeLessThanOrEqual(1 + 2 * 3);
});

test('without a token there is an error, and a cookie counts only from a page of this service', async () => {
  expect((await send(undefined, '{ __typename }')).status).toBe(401);
  const Cookie = `carrel_session=${await ground.session(teacher)}`;
  const post = (headers: Record<string, string>, query: string) =>
    SELF.fetch(`${base}/api/graphql`, {
      method: 'POST',
      headers: { Cookie, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ query }),
    });
  const make = `mutation { createModule(input: {courseId: "${course.id}", name: "Cookie"}) { module { name } } }`;
  expect((await post({}, make)).status).toBe(401);
  expect((await post({ Origin: 'https://evil.example' }, make)).status).toBe(401);
  expect(await (await post({ Origin: base }, make)).json()).toEqual({ data: { createModule: { module: { name: 'Cookie' } } } });
});

test('a scoped token reads what its scopes allow by REST', async () => {
  const key = ok(
    await as(admin).post('/accounts/1/developer_keys', {
      developer_key: {
        name: 'Scoped',
        scopes: ['url:POST|/api/graphql', 'url:GET|/api/v1/courses/:id'],
        require_scopes: true,
        redirect_uris: [`${base}/back`],
      },
    }),
  );
  const scoped = await ground.person();
  await ground.enroll(course, scoped, 'teacher');
  await env.DB.prepare('update tokens set developer_key_id = ?, scopes = ? where user_id = ?')
    .bind(key.id, JSON.stringify(['url:POST|/api/graphql', 'url:GET|/api/v1/courses/:id']), scoped.id)
    .run();
  const body = await bodyOf(scoped, `{ course(id: "${course.id}") { name pagesConnection { nodes { title } } } }`);
  expect(body.data.course).toEqual({ name: 'Ecology', pagesConnection: null });
  expect(body.errors).toMatchObject([{ message: 'Insufficient scopes on access token.', path: ['course', 'pagesConnection'] }]);
});

test('a teacher creates and updates an assignment; what REST refuses is in the payload', async () => {
  const create = `mutation($input: CreateAssignmentInput!) { createAssignment(input: $input) { assignment { _id name pointsPossible state dueAt peerReviews { enabled } } errors { attribute message } } }`;
  const input = {
    courseId: String(course.id),
    name: 'Report',
    pointsPossible: 5,
    state: 'unpublished',
    dueAt: '2099-01-01T12:00:00Z',
    peerReviews: { enabled: true },
  };
  const { createAssignment: made } = await ask(teacher, create, { input });
  expect(made).toMatchObject({
    assignment: { name: 'Report', pointsPossible: 5, state: 'unpublished', dueAt: '2099-01-01T12:00:00Z', peerReviews: { enabled: true } },
    errors: null,
  });
  expect(ok(await as(teacher).get(`/courses/${course.id}/assignments/${made.assignment._id}`)).name).toBe('Report');
  const update = `mutation($input: UpdateAssignmentInput!) { updateAssignment(input: $input) { assignment { name state } errors { attribute message } } }`;
  const { updateAssignment } = await ask(teacher, update, {
    input: { id: gid('Assignment', made.assignment._id), name: 'Final report', state: 'published' },
  });
  expect(updateAssignment).toEqual({ assignment: { name: 'Final report', state: 'published' }, errors: null });
  const wrong = await ask(teacher, update, {
    input: { id: made.assignment._id, unlockAt: '2099-02-01T00:00:00Z', lockAt: '2099-01-01T00:00:00Z' },
  });
  expect(wrong.updateAssignment.assignment).toBeNull();
  expect(wrong.updateAssignment.errors.length).toBeGreaterThan(0);
  const byStudent = await bodyOf(student, create, { input });
  expect(byStudent).toMatchObject({ data: { createAssignment: null }, errors: [{ message: 'insufficient permission' }] });
  const byStranger = await bodyOf(stranger, update, { input: { id: String(essay), name: 'Mine' } });
  expect(byStranger.data.updateAssignment).toBeNull();
  expect(byStranger.errors[0].message).toMatch(/^(not found|insufficient permission)$/);
});

test('grading goes through the writes of REST: the log, the comment and the policy', async () => {
  const id = String(submissionOf(student));
  const grade = `mutation { updateSubmissionGrade(input: {submissionId: "${id}", score: 9}) { submission { score grade state } errors { message } } }`;
  expect((await ask(teacher, grade)).updateSubmissionGrade).toEqual({
    submission: { score: 9, grade: '9', state: 'graded' },
    errors: null,
  });
  const log = ok(await as(admin).get(`/audit/grade_change/assignments/${essay}`)).events as Any[];
  expect(log.some(({ grade_after }) => grade_after === '9')).toBe(true);
  const comment = `mutation { createSubmissionComment(input: {submissionId: "${id}", comment: "Well done"}) { submissionComment { comment author { _id } } errors { message } } }`;
  expect((await ask(teacher, comment)).createSubmissionComment).toEqual({
    submissionComment: { comment: 'Well done', author: { _id: String(teacher.id) } },
    errors: null,
  });
  const policy = `mutation { setAssignmentPostPolicy(input: {assignmentId: "${essay}", postManually: true}) { postPolicy { postManually } } }`;
  expect((await ask(teacher, policy)).setAssignmentPostPolicy).toEqual({ postPolicy: { postManually: true } });
  const ofCourse = `mutation { setCoursePostPolicy(input: {courseId: "${course.id}", postManually: true}) { postPolicy { postManually course { _id } } } }`;
  expect((await ask(teacher, ofCourse)).setCoursePostPolicy).toEqual({
    postPolicy: { postManually: true, course: { _id: String(course.id) } },
  });
  expect((await bodyOf(student, ofCourse)).errors[0].message).toBe('insufficient permission');
  const hide = `mutation { hideAssignmentGrades(input: {assignmentId: "${essay}"}) { progress { state } assignment { name } } }`;
  expect((await ask(teacher, hide)).hideAssignmentGrades).toMatchObject({ progress: { state: 'queued' }, assignment: { name: 'Essay' } });
  expect((await bodyOf(student, grade)).errors[0].message).toBe('insufficient permission');
  const status = `mutation { updateSubmissionGradeStatus(input: {submissionId: "${id}", latePolicyStatus: "late"}) { submission { statusTag } } }`;
  expect((await ask(teacher, status)).updateSubmissionGradeStatus).toEqual({ submission: { statusTag: 'late' } });
});

test('an override of a final grade, where the course allows it', async () => {
  const enrollment = ok(await as(teacher).get(`/courses/${course.id}/enrollments`, { user_id: student.id }))[0].id;
  const override = `mutation { setOverrideScore(input: {enrollmentId: "${enrollment}", overrideScore: 77.5}) { grades { overrideScore } errors { message } } }`;
  expect((await bodyOf(teacher, override)).errors[0].message).toBe('insufficient permission');
  ok(await as(teacher).put(`/courses/${course.id}/settings`, { allow_final_grade_override: true }));
  expect((await ask(teacher, override)).setOverrideScore).toEqual({ grades: { overrideScore: 77.5 }, errors: null });
});

test('an outcome gets a friendly description in its own context, as by REST', async () => {
  const at = `/courses/${course.id}`;
  const [root] = ok(await as(teacher).get(`${at}/outcome_groups`));
  const { outcome } = ok(await as(teacher).post(`${at}/outcome_groups/${root.id}/outcomes`, { title: 'Reads maps' }));
  const describe = (contextId: number | string, description: string, who = teacher) =>
    bodyOf(
      who,
      'mutation($input: SetFriendlyDescriptionInput!) { setFriendlyDescription(input: $input) { outcomeFriendlyDescription { description contextType } errors { attribute } } }',
      { input: { contextId: String(contextId), contextType: 'Course', outcomeId: gid('LearningOutcome', outcome.id), description } },
    );
  const { data } = await describe(gid('Course', course.id), 'I can read a map');
  expect(data.setFriendlyDescription).toEqual({
    outcomeFriendlyDescription: { description: 'I can read a map', contextType: 'Course' },
    errors: null,
  });
  expect(ok(await as(teacher).get(`/outcomes/${outcome.id}`)).friendly_description).toBe('I can read a map');
  const { friendlyDescription } = (
    await ask(
      teacher,
      `{ learningOutcome(id: "${outcome.id}") { friendlyDescription(contextId: "${course.id}", contextType: "Course") { description } } }`,
    )
  ).learningOutcome;
  expect(friendlyDescription).toEqual({ description: 'I can read a map' });
  const elsewhere = await describe((await ground.course()).id, 'x');
  expect(elsewhere.data.setFriendlyDescription).toEqual({ outcomeFriendlyDescription: null, errors: [{ attribute: 'contextId' }] });
  expect((await describe(course.id, 'x'.repeat(256))).data.setFriendlyDescription.errors).toEqual([{ attribute: 'friendlyDescription' }]);
  expect((await describe(course.id, 'x', student)).data.setFriendlyDescription).toBeNull();
  ok(await as(teacher).put(`/outcomes/${outcome.id}`, { friendly_description: '' }));
  expect(ok(await as(teacher).get(`/outcomes/${outcome.id}`)).friendly_description).toBeNull();
});

test('discussions: a student replies, reads and subscribes', async () => {
  const post = `mutation { createDiscussionEntry(input: {discussionTopicId: "${topic}", message: "<p>Hello</p>"}) { discussionEntry { _id message author { _id } discussionTopic { title } } errors { message } } }`;
  const { discussionEntry } = (await ask(student, post)).createDiscussionEntry;
  expect(discussionEntry).toMatchObject({
    message: '<p>Hello</p>',
    author: { _id: String(student.id) },
    discussionTopic: { title: 'Talk' },
  });
  const reply = `mutation { createDiscussionEntry(input: {discussionTopicId: "${topic}", parentEntryId: "${discussionEntry._id}", message: "Hi"}) { discussionEntry { parentId } } }`;
  expect((await ask(teacher, reply)).createDiscussionEntry.discussionEntry.parentId).toBe(discussionEntry._id);
  const read = `mutation { updateDiscussionEntryParticipant(input: {discussionEntryId: "${discussionEntry._id}", read: true}) { discussionEntry { entryParticipant { read } } } subscribeToDiscussionTopic(input: {discussionTopicId: "${topic}", subscribed: true}) { discussionTopic { subscribed } } }`;
  expect(await ask(student2, read)).toEqual({
    updateDiscussionEntryParticipant: { discussionEntry: { entryParticipant: { read: true } } },
    subscribeToDiscussionTopic: { discussionTopic: { subscribed: true } },
  });
  const entries = `{ node(id: "${gid('Discussion', topic)}") { ... on Discussion { discussionEntriesConnection { nodes { message discussionSubentriesConnection { nodes { message } } } } } } }`;
  expect((await ask(student2, entries)).node.discussionEntriesConnection.nodes).toMatchObject([
    { message: '<p>Hello</p>', discussionSubentriesConnection: { nodes: [{ message: expect.stringContaining('Hi') }] } },
  ]);
  expect((await bodyOf(stranger, post)).errors[0].message).toMatch(/^(not found|insufficient permission)$/);
  const remove = `mutation { deleteDiscussionEntry(input: {id: "${discussionEntry._id}"}) { discussionEntry { deleted } } }`;
  expect((await bodyOf(student2, remove)).errors[0].message).toBe('insufficient permission');
  const started = `mutation { createDiscussionTopic(input: {contextId: "${course.id}", contextType: Course, title: "New", message: "x", published: true}) { discussionTopic { _id title published } } }`;
  expect((await ask(teacher, started)).createDiscussionTopic.discussionTopic).toMatchObject({ title: 'New', published: true });
});

test('conversations: write, answer, mark and delete', async () => {
  const write = `mutation { createConversation(input: {recipients: ["${teacher.id}"], subject: "Question", body: "When?", contextCode: "course_${course.id}"}) { conversations { conversation { _id subject conversationMessagesConnection { nodes { body author { _id } } } } } errors { message } } }`;
  const [{ conversation }] = (await ask(student, write)).createConversation.conversations;
  expect(conversation).toMatchObject({
    subject: 'Question',
    conversationMessagesConnection: { nodes: [{ body: 'When?', author: { _id: String(student.id) } }] },
  });
  const answer = `mutation { addConversationMessage(input: {conversationId: "${conversation._id}", body: "Soon", recipients: ["${student.id}"]}) { conversationMessage { body author { _id } } } }`;
  expect((await ask(teacher, answer)).addConversationMessage.conversationMessage).toEqual({
    body: 'Soon',
    author: { _id: String(teacher.id) },
  });
  const star = `mutation { updateConversationParticipants(input: {conversationIds: ["${conversation._id}"], starred: true}) { conversationParticipants { label } } }`;
  expect((await ask(student, star)).updateConversationParticipants.conversationParticipants).toEqual([{ label: 'starred' }]);
  expect((await bodyOf(stranger, star)).errors[0].message).toBe('not found');
  const remove = `mutation { deleteConversations(input: {ids: ["${conversation._id}"]}) { conversationIds } }`;
  expect((await ask(student, remove)).deleteConversations.conversationIds).toEqual([conversation._id]);
  expect((await as(student).get(`/conversations/${conversation._id}`)).status).toBe(404);
});

test('a group in a set, and a retried mutation with an idempotency key happens once', async () => {
  const { course: found } = await ask(teacher, `{ course(id: "${course.id}") { groupSets { _id } } }`);
  const make = `mutation { createGroupInSet(input: {groupSetId: "${found.groupSets[0]._id}", name: "Team"}) { group { _id name } errors { message } } }`;
  const headers = { 'Idempotency-Key': 'once' };
  const first = ok(await send(teacher, make, {}, headers)).data.createGroupInSet.group;
  expect(ok(await send(teacher, make, {}, headers)).data.createGroupInSet.group).toEqual(first);
  expect(first.name).toBe('Team');
  // Mutations of one request have different keys, however long the key is.
  const twin = `createGroupInSet(input: {groupSetId: "${found.groupSets[0]._id}", name: "Twin"}) { group { _id } }`;
  const { one, two } = ok(await send(teacher, `mutation { one: ${twin} two: ${twin} }`, {}, { 'Idempotency-Key': 'k'.repeat(255) })).data;
  expect(one.group._id).not.toBe(two.group._id);
});
