// The feed agrees with GET requests while submissions are made, commented on, graded and read.

import { env } from 'cloudflare:workers';
import { postGrades } from '@carrel/worker/domains/submissions/posting/posting';
import type { Platform } from '@carrel/worker/platform';
import { tick } from '@carrel/worker/schedule';
import { expect, test } from 'vitest';
import { as, ground } from '../support/api';
import type { Person } from '../support/ground';
import { sendContent } from '../support/upload';
import { aWatchedCourse, wrote } from '../support/watched_course';

const platform = env as unknown as Platform;
const text = { submission: { submission_type: 'online_text_entry', body: '<p>Mine</p>' } };
const note = { name: 'note.txt', size: 4 };

async function aScene() {
  const scene = await aWatchedCourse(['teacher', 'student', 'student2', 'observer']);
  const { at, teacher } = scene;
  const assign = async (name: string) =>
    wrote(
      await as(teacher).post(`${at}/assignments`, {
        assignment: { name, published: true, points_possible: 10, submission_types: ['online_text_entry', 'online_upload'] },
      }),
    ).id as number;
  const hasGrade = (part: 'student' | 'student2' | 'observer', id: number) =>
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
  expect(scene.hasGrade('observer', essay)).toBe(9);
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

test('a rubric, its edits, and assessments by it', async () => {
  const scene = await aScene();
  const { at, teacher, student, student2 } = scene;
  const essay = await scene.assign('Essay');
  const target = { association_id: essay, association_type: 'Assignment' };
  const criteria = [{ description: 'Method', ratings: [{ points: 5, description: 'Good' }] }];
  const made = wrote(
    await as(teacher).post(`${at}/rubrics`, { rubric: { criteria }, rubric_association: { ...target, use_for_grading: true } }),
  );
  await scene.agree('a rubric');
  const [{ id: criterion }] = made.rubric.data;
  const uses = `${at}/rubric_associations`;
  const use = `${uses}/${made.rubric_association.id}`;
  const work = `${at}/assignments/${essay}/submissions/${student.id}`;
  wrote(await as(teacher).put(work, { rubric_assessment: { [criterion]: { points: 5 } } }));
  const rated = { user_id: student2.id, [`criterion_${criterion}`]: { points: 4, comments: 'Fine' } };
  const assessment = wrote(await as(teacher).post(`${use}/rubric_assessments`, { rubric_assessment: rated }));
  await scene.agree('two assessments');
  expect(scene.hasGrade('student2', essay)).toBe(4);
  wrote(
    await as(teacher).put(`${at}/rubrics/${made.rubric.id}`, {
      rubric: { criteria: [{ ...criteria[0], id: criterion, description: 'New' }] },
    }),
  );
  wrote(
    await as(teacher).put(`${use}/rubric_assessments/${assessment.id}`, {
      rubric_assessment: { ...rated, [`criterion_${criterion}`]: { points: 3 } },
    }),
  );
  await scene.agree('an edit of both');
  wrote(await as(teacher).put(use, { rubric_association: { hide_points: true } }));
  await scene.agree('points hidden');
  wrote(await as(teacher).del(`${use}/rubric_assessments/${assessment.id}`));
  await scene.agree('an assessment deleted');
  const other = wrote(await as(teacher).post(`${at}/rubrics`, { rubric: { title: 'Other', criteria } })).rubric;
  wrote(await as(teacher).post(uses, { rubric_association: { ...target, rubric_id: other.id } }));
  await scene.agree('another rubric');
  wrote(await as(teacher).del(use));
  await scene.agree('no rubric');
  wrote(
    await as(teacher).post(uses, {
      rubric_association: { ...target, rubric_id: wrote(await as(teacher).post(`${at}/rubrics`, {})).rubric.id },
    }),
  );
  const [last] = wrote(await as(teacher).get(`${at}/rubrics`));
  wrote(await as(teacher).del(`${at}/rubrics/${last.id}`));
  await scene.agree('a rubric deleted');
});

test('grades hidden, posted, removed; a grader who leaves', async () => {
  const scene = await aScene();
  const { at, teacher, student, student2, admin, enrollment_ids } = scene;
  const essay = await scene.assign('Essay');
  const work = `${at}/assignments/${essay}/submissions`;
  wrote(await as(teacher).put(`${at}/assignments/${essay}`, { assignment: { post_manually: true, due_at: '2030-01-01T00:00:00Z' } }));
  wrote(await as(student).post(work, text));
  wrote(await as(student2).post(work, text));
  wrote(await as(teacher).put(`${work}/${student.id}`, { submission: { posted_grade: 4 }, comment: { text_comment: 'Hm' } }));
  await scene.agree('a grade hidden');
  wrote(await as(teacher).put(`${work}/${student.id}`, { submission: { excuse: true } }));
  wrote(await as(teacher).put(`${work}/${student2.id}`, { submission: { late_policy_status: 'missing' } }));
  await scene.agree('excused, and missing');
  for (const [does, what] of [
    ['post_grades', 'grades posted'],
    ['hide_grades', 'grades hidden again'],
  ] as const) {
    const { id: progress_id } = wrote(await as(teacher).post(`${at}/assignments/${essay}/${does}`));
    await postGrades({ job: 'post_grades', progress_id }, platform);
    await scene.agree(what);
  }
  const assignment_extensions = [{ user_id: student2.id, extra_attempts: 2 }];
  wrote(await as(teacher).post(`${at}/assignments/${essay}/extensions`, { assignment_extensions }));
  await scene.agree('extra attempts');
  const more = [{ user_id: student2.id, extra_attempts: 3 }];
  wrote(await as(teacher).post(`/sections/${scene.course.section_id}/assignments/${essay}/extensions`, { assignment_extensions: more }));
  await scene.agree('extra attempts');
  wrote(await as(teacher).put(`${at}/assignments/${essay}/submissions/${student2.id}/reassign`));
  await scene.agree('another attempt that a grader asks for');
  wrote(await as(teacher).put(`/sections/${scene.course.section_id}/assignments/${essay}/submissions/${student2.id}/reassign`));
  wrote(await as(teacher).put(`${at}/assignments/${essay}`, { assignment: { points_possible: 20, due_at: '2026-01-01T00:00:00Z' } }));
  await scene.agree('an assignment with more points, past its due date');
  wrote(await as(teacher).del(`${at}/enrollments/${enrollment_ids.student2}`, { task: 'deactivate' }));
  await scene.agree('a student deactivated');
  wrote(await as(admin).put(`/users/${teacher.id}`, { user: { short_name: 'Dr T' } }));
  await scene.agree('a teacher renamed');
});

test('a late policy that lowers a grade and gives a missing score', async () => {
  const scene = await aScene();
  const { at, teacher, student } = scene;
  const essay = await scene.assign('Essay');
  wrote(await as(student).post(`${at}/assignments/${essay}/submissions`, text));
  wrote(await as(teacher).put(`${at}/assignments/${essay}/submissions/${student.id}`, { submission: { posted_grade: 4 } }));
  await scene.agree('a grade in time');
  const late = { late_submission_deduction_enabled: true, late_submission_deduction: 1 };
  wrote(await as(teacher).post(`${at}/late_policy`, { late_policy: late }));
  const missing = { missing_submission_deduction_enabled: true, missing_submission_deduction: 50 };
  wrote(await as(teacher).patch(`${at}/late_policy`, { late_policy: missing }));
  wrote(await as(teacher).put(`${at}/assignments/${essay}`, { assignment: { due_at: '2026-01-01T00:00:00Z', points_possible: 10 } }));
  await tick(platform, Date.now() + 60_000);
  await scene.agree('a grade lowered, and a missing score');
});

test('an observer receives the work of the observed student, and nothing of other students or courses', async () => {
  const scene = await aScene();
  const { at, teacher, student, student2, observer, admin } = scene;
  const essay = await scene.assign('Essay');
  const elsewhere = await ground.course({ name: 'Elsewhere' });
  await ground.enroll(elsewhere, teacher, 'teacher');
  await ground.enroll(elsewhere, student, 'student');
  await ground.enroll(elsewhere, student2, 'student');
  await ground.enroll(elsewhere, observer, 'observer', { observes: student2 });
  scene.watchToo(elsewhere);
  const assignment = { name: 'Other essay', published: true, submission_types: ['online_text_entry'] };
  const other = wrote(await as(teacher).post(`/courses/${elsewhere.id}/assignments`, { assignment })).id as number;
  await scene.agree('another course, in which the observer observes another student');
  const own = wrote(await as(student).post(`${at}/assignments/${essay}/submissions`, text)).id as number;
  const foreign = wrote(await as(student).post(`/courses/${elsewhere.id}/assignments/${other}/submissions`, text)).id as number;
  const silent = wrote(await as(student2).post(`${at}/assignments/${essay}/submissions`, text)).id as number;
  wrote(await as(student).post('/planner_notes', { title: 'Mine alone', todo_date: '2026-05-01' }));
  const told = (await scene.toldTo('observer')).map(({ kind, id }) => `${kind} ${id}`);
  expect(told).toContain(`submission ${own}`);
  expect(told.filter((one) => [`submission ${foreign}`, `submission ${silent}`].includes(one) || one.startsWith('planner_note'))).toEqual(
    [],
  );
  await scene.agree('work of both students');
  wrote(await as(admin).del(`/users/${observer.id}/observees/${student.id}`));
  await scene.agree('the end of the observation');
  expect(scene.seenBy('observer').has(`submission ${own}`)).toBe(false);
});

test('an observer of two students who no longer observes one of them loses the work of that one', async () => {
  const scene = await aScene();
  const { at, course, student, student2, observer, admin } = scene;
  await ground.enroll(course, observer, 'observer', { observes: student2 });
  const work = `${at}/assignments/${await scene.assign('Essay')}/submissions`;
  const [first, second] = [wrote(await as(student).post(work, text)).id, wrote(await as(student2).post(work, text)).id];
  await scene.agree('work of both students');
  expect([first, second].map((id) => scene.seenBy('observer').has(`submission ${id}`))).toEqual([true, true]);
  wrote(await as(admin).del(`/users/${observer.id}/observees/${student.id}`));
  await scene.agree('the end of one observation');
  expect([first, second].map((id) => scene.seenBy('observer').has(`submission ${id}`))).toEqual([false, true]);
});
