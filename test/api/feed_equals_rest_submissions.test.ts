// The feed agrees with GET requests while submissions are made, commented on, graded and read.

import { expect, test } from 'vitest';
import { as } from '../support/api';
import type { Person } from '../support/ground';
import { sendContent } from '../support/upload';
import { aWatchedCourse, wrote } from '../support/watched_course';

const text = { submission: { submission_type: 'online_text_entry', body: '<p>Mine</p>' } };
const note = { name: 'note.txt', size: 4 };

async function aScene() {
  const scene = await aWatchedCourse(['teacher', 'student', 'student2']);
  const { at, teacher } = scene;
  const assign = async (name: string) =>
    wrote(
      await as(teacher).post(`${at}/assignments`, {
        assignment: { name, published: true, points_possible: 10, submission_types: ['online_text_entry', 'online_upload'] },
      }),
    ).id as number;
  const hasGrade = (part: 'student' | 'student2', id: number) =>
    [...scene.seenBy(part).values()].find((one) => one.assignment_id === id && 'attempt' in one)?.score;
  return { ...scene, assign, hasGrade };
}

/** Every write to a user's submission, below `/courses/…` or `/sections/…`. */
async function writeAll(scene: Awaited<ReturnType<typeof aScene>>, below: string, essay: number, person: Person) {
  const { teacher, admin } = scene;
  const work = `${below}/assignments/${essay}/submissions`;
  wrote(await as(person).post(work, text));
  await scene.agree('a submission');
  const spoken = wrote(await as(person).put(`${work}/self`, { comment: { text_comment: 'May I?' } })).submission_comments[0];
  await scene.agree('a comment');
  wrote(await as(person).put(`${work}/self/comments/${spoken.id}`, { comment: 'May I, please?' }));
  await scene.agree('its edit');
  wrote(await as(person).del(`${work}/self/comments/${spoken.id}`));
  const attached = wrote((await sendContent(wrote(await as(teacher).post(`${work}/${person.id}/comments/files`, note)), 'note')) as never);
  wrote(await as(teacher).put(`${work}/${person.id}`, { comment: { file_ids: [attached.id] }, submission: { posted_grade: '7' } }));
  const mine = wrote((await sendContent(wrote(await as(person).post(`${work}/self/files`, note)), 'mine')) as never);
  wrote(await as(person).post(work, { submission: { submission_type: 'online_upload', file_ids: [mine.id] } }));
  await scene.agree('a comment deleted, one with an attachment, a submitted file');
  for (const path of ['read', 'read/grade', 'rubric_comments/read', 'rubric_assessments/read', 'document_annotations/read'])
    wrote(await as(person).put(`${work}/self/${path}`));
  wrote(await as(person).del(`${work}/self/read`));
  wrote(await as(person).put(`${below}/submissions/bulk_mark_read`, {}));
  wrote(await as(admin).put(`${below}/submissions/${person.id}/clear_unread`));
  await scene.agree('read marks');
  wrote(await as(teacher).post(`${work}/update_grades`, { grade_data: { [person.id]: { posted_grade: 8, text_comment: 'Good' } } }));
  await scene.agree('grades of an assignment');
  wrote(await as(teacher).post(`${below}/submissions/update_grades`, { grade_data: { [essay]: { [person.id]: { posted_grade: 9 } } } }));
  await scene.agree('grades of the course');
}

test('in the course', async () => {
  const scene = await aScene();
  const essay = await scene.assign('Essay');
  await scene.agree('an assignment');
  await writeAll(scene, scene.at, essay, scene.student);
  expect(scene.hasGrade('student', essay)).toBe(9);
});

test('in a section', async () => {
  const scene = await aScene();
  const essay = await scene.assign('Essay');
  await scene.agree('an assignment');
  await writeAll(scene, `/sections/${scene.course.section_id}`, essay, scene.student2);
  expect(scene.hasGrade('student2', essay)).toBe(9);
});

test('another grade while a graded student has submitted again', async () => {
  const scene = await aScene();
  const { at, teacher, student, student2 } = scene;
  const work = `${at}/assignments/${await scene.assign('Essay')}/submissions`;
  wrote(await as(student).post(work, text));
  wrote(await as(teacher).put(`${work}/${student.id}`, { submission: { posted_grade: 4 } }));
  wrote(await as(student).post(work, text));
  await scene.agree('the graded submission made again');
  wrote(await as(teacher).put(`${work}/${student2.id}`, { submission: { posted_grade: 5 } }));
  await scene.agree('a grade of the other student');
});

test('grades hidden, posted, removed; a grader who leaves', async () => {
  const scene = await aScene();
  const { at, teacher, student, student2, admin, enrollment_ids } = scene;
  const essay = await scene.assign('Essay');
  const work = `${at}/assignments/${essay}/submissions`;
  wrote(await as(teacher).put(`${at}/assignments/${essay}`, { assignment: { post_manually: true } }));
  wrote(await as(student).post(work, text));
  wrote(await as(student2).post(work, text));
  wrote(await as(teacher).put(`${work}/${student.id}`, { submission: { posted_grade: 4 }, comment: { text_comment: 'Hm' } }));
  await scene.agree('a grade hidden');
  wrote(await as(teacher).put(`${work}/${student.id}`, { submission: { excuse: true } }));
  wrote(await as(teacher).put(`${work}/${student2.id}`, { submission: { late_policy_status: 'missing' } }));
  await scene.agree('excused, and missing');
  wrote(await as(teacher).put(`${at}/assignments/${essay}`, { assignment: { points_possible: 20, due_at: '2026-01-01T00:00:00Z' } }));
  await scene.agree('an assignment with more points, past its due date');
  wrote(await as(teacher).del(`${at}/enrollments/${enrollment_ids.student2}`, { task: 'deactivate' }));
  await scene.agree('a student deactivated');
  wrote(await as(admin).put(`/users/${teacher.id}`, { user: { short_name: 'Dr T' } }));
  await scene.agree('a teacher renamed');
});
