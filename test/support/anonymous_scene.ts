// An assignment with anonymous grading in the full scene: two students have submitted, commented, reviewed each other and been graded, each with content
// that no other has.

import { env } from 'cloudflare:test';
import { anonymousId, anonymousNumber } from '@carrel/worker/crypto/anonymous_id';
import { as, ground, ok } from './api';
import { aFullScene } from './full_scene';
import type { Person } from './ground';
import type { AnonymousStudent } from './linking';
import { upload } from './upload';

const most = 2 ** 26;

/** Ids that no other number in a response equals. */
async function spreadIds(): Promise<void> {
  const tables = ['users', 'files', 'submission_comments', 'rubric_assessments', 'provisional_grades'];
  for (const [nth, table] of tables.entries()) {
    const first = 41_000_000 + nth * 1_000_000;
    await env.DB.prepare('update sqlite_sequence set seq = ? where name = ?').bind(first, table).run();
    await env.DB.prepare(
      'insert into sqlite_sequence (name, seq) select ?, ? where not exists (select 1 from sqlite_sequence where name = ?)',
    )
      .bind(table, first, table)
      .run();
  }
}

export type AnonymousScene = Awaited<ReturnType<typeof anAnonymousScene>>;

export async function anAnonymousScene() {
  const scene = await aFullScene();
  await spreadIds();
  const { course, teacher, root } = scene;
  const at = `/courses/${course.id}`;
  const students: Person[] = [];
  for (const [nth, name] of ['Quill Zephyrine', 'Brisk Xanthippe'].entries()) {
    const person = await ground.person({ name, sis_user_id: `SIS-ZX-${nth}` });
    await ground.enroll(course, person, 'student');
    students.push(person);
  }
  const create = async (more: object) =>
    ok(
      await as(teacher).post(`${at}/assignments`, {
        assignment: {
          published: true,
          points_possible: 10,
          submission_types: ['online_text_entry', 'online_upload'],
          anonymous_grading: true,
          ...more,
        },
      }),
      201,
    );
  const work = await create({ name: 'Anonymous essay', peer_reviews: true });
  const moderated = await create({ name: 'Anonymous moderated', moderated_grading: true, grader_count: 2 });
  const { rubric, rubric_association } = ok(
    await as(teacher).post(`${at}/rubrics`, {
      rubric: { title: 'Anonymous rubric', criteria: [{ description: 'Method', ratings: [{ points: 10 }] }] },
      rubric_association: { association_id: work.id, association_type: 'Assignment' },
    }),
  );
  const path = `${at}/assignments/${work.id}`;
  const realId = (assignment: { id: number }, { id }: Person) => assignment.id * most + id;
  const place = (assignment: { id: number }) => ({ secret: env.SIGNING_SECRET, assignment_id: assignment.id });
  const anonymous = (assignment: { id: number }, { id }: Person) => anonymousId(place(assignment), id);
  const anonymousSubmission = (assignment: { id: number }, { id }: Person) =>
    2 ** 52 + assignment.id * most + anonymousNumber(place(assignment), id);
  const facts: AnonymousStudent[] = [];
  const files: { id: number; url: string }[] = [];
  for (const [nth, student] of students.entries()) {
    const word = ['ALPHAWORK', 'BETAWORK'][nth] as string;
    const file = await upload(student, `${path}/submissions/self/files`, { name: `${student.name} thesis.txt` }, `${word} bytes`);
    files.push(file);
    const body = `<p>${word} body <a href="/users/${student.id}/files/${file.id}/download">x</a></p>`;
    ok(await as(student).post(`${path}/submissions`, { submission: { submission_type: 'online_text_entry', body } }), 201);
    ok(await as(student).post(`${path}/submissions`, { submission: { submission_type: 'online_upload', file_ids: [file.id] } }), 201);
    const said = ok(await as(student).put(`${path}/submissions/${student.id}`, { comment: { text_comment: `${word} remark` } }));
    ok(
      await as(student).post(`${at}/assignments/${moderated.id}/submissions`, {
        submission: { submission_type: 'online_text_entry', body: `${word} moderated` },
      }),
      201,
    );
    const submitted_at = `2026-0${nth + 3}-17T0${nth + 1}:11:13Z`;
    await env.DB.prepare('update submissions set submitted_at = ? where user_id = ?').bind(submitted_at, student.id).run();
    facts.push({
      named: [student.id, student.name, student.login, `SIS-ZX-${nth}`, realId(work, student), realId(moderated, student)],
      work: [
        word,
        file.id,
        said.submission_comments[0].id,
        submitted_at,
        ...[work, moderated].flatMap((one) => [`"${anonymous(one, student)}"`, anonymousSubmission(one, student)]),
        // Scores that nothing else has.
        7.3125 + nth,
        6.1875 + nth,
      ],
    });
  }
  const [first, second] = students as [Person, Person];
  for (const [author, assessor] of [
    [first, second],
    [second, first],
  ] as const) {
    ok(await as(root).post(`${path}/submissions/${realId(work, author)}/peer_reviews`, { user_id: assessor.id }));
    ok(await as(assessor).put(`${path}/submissions/${author.id}`, { comment: { text_comment: 'A review' } }));
  }
  return { ...scene, path, work, moderated, rubric, rubric_association, students, facts, files, anonymous, anonymousSubmission, realId };
}
