// GraphQL at /api/graphql: what clients ask, errors, limits, and what a query costs.

import { beforeAll, expect, test } from 'vitest';
import { as, ground, ok } from '../support/api';
import { aCourse, type BuiltCourse, type Person } from '../support/ground';

let course: BuiltCourse;
let student: Person;
let teacher: Person;
let stranger: Person;
let essay: number;

// biome-ignore lint/suspicious/noExplicitAny: tests read responses untyped.
type Any = any;

const send = (person: Person | undefined, query: string, variables: object = {}, more: object = {}) =>
  as(person).post('/api/graphql', { query, variables, ...more }, { json: true });
const ask = async (person: Person, query: string, variables: object = {}): Promise<Any> => {
  const body = ok(await send(person, query, variables));
  expect(body.errors, JSON.stringify(body.errors)).toBeUndefined();
  return body.data;
};

beforeAll(async () => {
  ({ course, student, teacher, stranger } = await aCourse(ground, { name: 'Ecology', syllabus_body: '<p>Boots</p>' }));
  const asTeacher = as(teacher);
  const at = `/courses/${course.id}`;
  essay = ok(
    await asTeacher.post(`${at}/assignments`, {
      assignment: { name: 'Essay', submission_types: ['online_text_entry'], points_possible: 10, published: true },
    }),
    201,
  ).id;
  ok(await as(student).post(`${at}/assignments/${essay}/submissions`, { submission: { submission_type: 'online_text_entry', body: 'Moss' } }), 201);
});

test('a teacher reads the submissions of a course with their students', async () => {
  const data = await ask(
    teacher,
    'query($id: ID!) { course(id: $id) { _id name assignmentsConnection { nodes { _id name pointsPossible submissionsConnection { nodes { score state user { _id name } } } } } } }',
    { id: String(course.id) },
  );
  expect(data.course).toEqual({
    _id: String(course.id),
    name: 'Ecology',
    assignmentsConnection: {
      nodes: [
        {
          _id: String(essay),
          name: 'Essay',
          pointsPossible: 10,
          submissionsConnection: { nodes: [{ score: null, state: 'submitted', user: { _id: String(student.id), name: student.name } }] },
        },
      ],
    },
  });
});
