// The feed agrees with GET requests while assignments and their dates change.

import { expect, test } from 'vitest';
import { as, ground, ok } from '../support/api';
import { aWatchedCourse, wrote } from '../support/watched_course';

const soon = '2026-12-01T12:00:00Z';
const later = '2026-12-24T12:00:00Z';

test('assignment groups: weighted, merged into another, deleted with their assignments', async () => {
  const scene = await aWatchedCourse(['teacher', 'student']);
  const { at, teacher, course } = scene;
  const group = async (name: string) => wrote(await as(teacher).post(`${at}/assignment_groups`, { name }));
  const [labs, essays] = [await group('Labs'), await group('Essays')];
  const assign = async (name: string, assignment_group_id: number) =>
    wrote(await as(teacher).post(`${at}/assignments`, { assignment: { name, assignment_group_id, published: true, points_possible: 3 } }));
  const kept = await assign('Kept', labs.id);
  const dropped = await assign('Dropped', essays.id);
  await scene.agree('two groups');
  wrote(await as(teacher).put(`${at}/assignment_groups/${labs.id}`, { name: 'Workshops', group_weight: 40, position: 1 }));
  await scene.agree('a group changed');
  wrote(await as(teacher).del(`${at}/assignment_groups/${labs.id}`, { move_assignments_to: course.assignment_group_id }));
  await scene.agree('a group deleted, its assignments moved');
  expect(scene.seenBy('student').get(`assignment ${kept.id}`)?.assignment_group_id).toBe(course.assignment_group_id);
  wrote(await as(teacher).del(`${at}/assignment_groups/${essays.id}`));
  await scene.agree('a group deleted with its assignments');
  expect(scene.seenBy('student').has(`assignment ${dropped.id}`)).toBe(false);
});

test('dates: of one assignment, of many, of overrides', async () => {
  const scene = await aWatchedCourse(['teacher', 'student', 'student2', 'observer']);
  const { at, teacher, student, student2, course } = scene;
  const assign = async (name: string) =>
    wrote(
      await as(teacher).post(`${at}/assignments`, {
        assignment: { name, published: true, points_possible: 3, submission_types: ['online_text_entry'] },
      }),
    );
  const [essay, lab] = [await assign('Essay'), await assign('Lab')];
  for (const person of [student, student2])
    wrote(
      await as(person).post(`${at}/assignments/${essay.id}/submissions`, {
        submission: { submission_type: 'online_text_entry', body: 'Mine' },
      }),
    );
  await scene.agree('two assignments');
  const seen = (who: 'student' | 'student2', one: { id: number }) => scene.seenBy(who).get(`assignment ${one.id}`)?.due_at;

  wrote(
    await as(teacher).put(`${at}/assignments/${essay.id}/date_details`, {
      due_at: '2026-01-01T12:00:00Z',
      assignment_overrides: [{ student_ids: [student.id], due_at: soon }],
    }),
  );
  await scene.agree('its dates');
  expect([seen('student', essay), seen('student2', essay)]).toEqual([soon, '2026-01-01T12:00:00Z']);
  wrote(
    await as(teacher).put(`${at}/assignments/bulk_update`, [{ id: lab.id, all_dates: [{ base: true, due_at: soon }] }], { json: true }),
  );
  await scene.agree('dates of many');
  expect(seen('student', lab)).toBe(soon);

  const [one, two] = wrote(
    await as(teacher).post(`${at}/assignments/overrides`, {
      assignment_overrides: [
        { assignment_id: lab.id, student_ids: [student2.id], due_at: later },
        { assignment_id: lab.id, course_section_id: course.section_id, lock_at: later },
      ],
    }),
  );
  await scene.agree('many overrides');
  wrote(
    await as(teacher).put(`${at}/assignments/overrides`, {
      assignment_overrides: [
        { id: one.id, assignment_id: lab.id, student_ids: [student.id], due_at: later },
        { id: two.id, assignment_id: lab.id, lock_at: '2026-12-26T12:00:00Z' },
      ],
    }),
  );
  await scene.agree('many overrides changed');
  expect([seen('student', lab), seen('student2', lab)]).toEqual([later, soon]);
  wrote(
    await as(teacher).put(`${at}/assignments/${lab.id}/overrides/${one.id}`, {
      assignment_override: { student_ids: [student2.id], due_at: soon, unlock_at: '2026-01-01T00:00:00Z' },
    }),
  );
  await scene.agree('an override changed');
  const copy = wrote(await as(teacher).post(`${at}/assignments/${lab.id}/duplicate`));
  await scene.agree('a copy');
  expect(scene.seenBy('teacher').has(`assignment ${copy.id}`)).toBe(true);
  expect(scene.seenBy('student').has(`assignment ${copy.id}`)).toBe(false);
});

test('grading periods: made, moved, closed and deleted', async () => {
  const scene = await aWatchedCourse(['teacher', 'student']);
  const { at, teacher } = scene;
  const assign = async (due_at: string) =>
    wrote(await as(teacher).post(`${at}/assignments`, { assignment: { name: 'Essay', due_at, published: true, points_possible: 3 } }));
  const essay = await assign('2020-02-01T12:00:00Z');
  const period = { title: 'Spring', start_date: '2020-01-01T00:00:00Z', end_date: '2020-06-01T00:00:00Z' };
  await scene.agree('an assignment without periods');
  const titles = () =>
    (scene.seenBy('student').get(`course ${scene.course.id}`)?.grading_periods as { title: string }[] | null)?.map(({ title }) => title);

  const admin = await ground.admin();
  const term = ok(await as(admin).get(`/courses/${scene.course.id}`)).enrollment_term_id;
  const sets = '/accounts/1/grading_period_sets';
  const { grading_period_set: set } = wrote(await as(admin).post(sets, { grading_period_set: { title: 'Year' } }));
  wrote(await as(admin).patch(`/grading_period_sets/${set.id}/grading_periods/batch_update`, { grading_periods: [period] }));
  wrote(await as(admin).patch(`${sets}/${set.id}`, { enrollment_term_ids: [term] }));
  const other = wrote(
    await as(admin).patch(`/grading_period_sets/${set.id}/grading_periods/batch_update`, {
      grading_periods: [{ ...period, start_date: '2020-06-01T00:00:00Z', end_date: '2020-07-01T00:00:00Z' }],
    }),
  );
  wrote(await as(admin).del(`/accounts/1/grading_periods/${other.grading_periods[1].id}`));
  await scene.agree('the periods of the term');
  expect(titles()).toEqual(['Spring']);
  wrote(await as(admin).del(`${sets}/${set.id}`));
  await scene.agree('no set');
  expect(titles()).toBe(undefined);

  const saved = wrote(await as(teacher).patch(`${at}/grading_periods/batch_update`, { grading_periods: [period] }));
  await scene.agree('a closed period');
  const isClosed = () => scene.seenBy('student').get(`assignment ${essay.id}`)?.in_closed_grading_period;
  expect(isClosed()).toBe(true);
  expect(titles()).toEqual(['Spring']);
  const [{ id }] = saved.grading_periods;
  wrote(await as(teacher).put(`${at}/grading_periods/${id}`, { grading_periods: [{ start_date: '2020-03-01T00:00:00Z' }] }));
  await scene.agree('a period that starts later');
  expect(isClosed()).toBe(false);
  wrote(await as(teacher).del(`${at}/grading_periods/${id}`));
  await scene.agree('no period');
});

test('New Quizzes: their assignments', async () => {
  const scene = await aWatchedCourse(['teacher', 'student', 'observer']);
  const { at, teacher } = scene;
  const newQuizzes = `/api/quiz/v1${at}/quizzes`;
  const quiz = wrote(await as(teacher).post(newQuizzes, { quiz: { title: 'Cells', published: true, points_possible: 4 } }));
  await scene.agree('a New Quiz');
  const seen = () => scene.seenBy('student').get(`assignment ${quiz.id}`);
  expect(seen()).toMatchObject({ name: 'Cells', is_quiz_lti_assignment: true });
  wrote(await as(teacher).patch(`${newQuizzes}/${quiz.id}`, { quiz: { title: 'Organs', quiz_settings: { shuffle_answers: true } } }));
  await scene.agree('another title');
  expect(seen()?.name).toBe('Organs');
  wrote(await as(teacher).del(`${newQuizzes}/${quiz.id}`));
  await scene.agree('a deleted New Quiz');
});
