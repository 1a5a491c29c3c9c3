// What hostile queries of the graph get: refusals that reveal nothing, within the limits.

import { SELF } from 'cloudflare:test';
import { beforeAll, expect, test } from 'vitest';
import { as, base, ground, ok } from '../support/api';
import { aCourse, type BuiltCourse, type Person } from '../support/ground';

let course: BuiltCourse;
let [student, student2, teacher, stranger]: Person[] = [];
let essay: number;

// biome-ignore lint/suspicious/noExplicitAny: tests read responses untyped.
type Any = any;
const bodyOf = async (person: Person, query: string, variables: object = {}): Promise<Any> =>
  ok(await as(person).post('/api/graphql', { query, variables }, { json: true }));

beforeAll(async () => {
  const built = await aCourse(ground, { name: 'Ecology' });
  ({ course } = built);
  [student, student2, teacher, stranger] = [built.student, built.student2, built.teacher, built.stranger];
  const assignment = { name: 'Essay', submission_types: ['online_text_entry'], points_possible: 10, published: true };
  const made = await as(teacher).post(`/courses/${course.id}/assignments`, { assignment });
  essay = ok(made, made.status).id;
  const submission = { submission_type: 'online_text_entry', body: 'Moss and lichen' };
  const sent = await as(student).post(`/courses/${course.id}/assignments/${essay}/submissions`, { submission });
  ok(sent, sent.status);
}, 60_000);

test('a cookie counts in no GET and in no form of another site', async () => {
  const Cookie = `carrel_session=${await ground.session(teacher as Person)}`;
  const query = `mutation { createModule(input: {courseId: "${course.id}", name: "Forged"}) { module { name } } }`;
  const forged = [
    { method: 'GET', path: `?query=${encodeURIComponent(query)}`, headers: { Cookie } },
    { method: 'POST', path: '', headers: { Cookie, 'Content-Type': 'text/plain' }, body: JSON.stringify({ query }) },
    {
      method: 'POST',
      path: '',
      headers: { Cookie, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ query }).toString(),
    },
  ];
  for (const { path, ...init } of forged)
    expect((await SELF.fetch(`${base}/api/graphql${path}`, init as never)).status).toBeGreaterThanOrEqual(400);
  expect(ok(await as(teacher).get(`/courses/${course.id}/modules`))).toEqual([]);
});

test('a mutation says the same of what is hidden and of what does not exist', async () => {
  const ids = [essay * 2 ** 26 + (student as Person).id, 999_999 * 2 ** 26 + (student as Person).id];
  for (const person of [stranger, student2] as Person[]) {
    const [hidden, missing] = await Promise.all(
      ids.map((id) =>
        bodyOf(
          person,
          `mutation { updateSubmissionSticker(input: {submissionId: "${id}", sticker: "star"}) { submission { _id } errors { message } } }`,
        ),
      ),
    );
    expect(hidden.data).toEqual(missing.data);
    expect([...new Set([hidden, missing].map(({ errors }) => /^(not found|insufficient permission)$/.test(errors[0].message)))]).toEqual([
      true,
    ]);
  }
});

test('a student reaches the work of no one else through lists and relations', async () => {
  const query = `{ course(id: "${course.id}") {
    assignmentsConnection { nodes { submissionsConnection { nodes { body } } } }
    submissionsConnection(studentIds: ["${(student as Person).id}"]) { nodes { body } }
    usersConnection { nodes { viewableSubmissionsConnection { nodes { body } } summaryAnalytics(courseId: "${course.id}") { pageViews { total } } notificationPreferences { channels { path } } courseProgression { requirements { total } } } }
    enrollmentsConnection { nodes { user { viewableSubmissionsConnection { nodes { body } } } grades { currentScore } } }
  } }`;
  expect(JSON.stringify(await bodyOf(student2 as Person, query))).not.toContain('Moss');
  expect(JSON.stringify(await bodyOf(student as Person, query))).toContain('Moss');
});

test('batches, cycles of fragments and variables of a wrong type are refused without a fault', async () => {
  const batch = await as(teacher).post('/api/graphql', [{ query: '{ __typename }' }] as never, { json: true });
  expect(batch.status).toBeLessThan(500);
  const cycle = await bodyOf(teacher as Person, '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }');
  expect(cycle.errors[0].extensions.code).toBe('infiniteLoop');
  for (const id of [{}, [], true, 1.5])
    expect(
      (await bodyOf(teacher as Person, 'query($id: ID!) { course(id: $id) { name } }', { id })).data?.course ?? null,
      String(id),
    ).toBeNull();
  const absent = await bodyOf(
    teacher as Person,
    'mutation { createCommentBankItem(input: {courseId: "1", comment: "x"}) { commentBankItem { _id } errors { message } } }',
  );
  expect(absent.data.createCommentBankItem).toEqual({ commentBankItem: null, errors: [{ message: 'is not supported by this service' }] });
});
