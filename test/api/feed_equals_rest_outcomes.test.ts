// The feed agrees with GET requests while outcomes, results and polls are written, and has no one else's results and answers.

import { env } from 'cloudflare:test';
import { importOutcomes } from '@carrel/worker/domains/outcomes/imports/job';
import type { Platform } from '@carrel/worker/platform';
import { expect, test } from 'vitest';
import { as, ground } from '../support/api';
import { aWatchedCourse, finished, wrote } from '../support/watched_course';

const platform = env as unknown as Platform;

test('outcomes of a course: groups, links, imports, and an outcome of the account', async () => {
  const scene = await aWatchedCourse(['teacher', 'student', 'observer', 'stranger']);
  const { at, teacher, admin, course } = scene;
  await scene.agree('a root group');
  const [root] = wrote(await as(teacher).get(`${at}/outcome_groups`));
  const groups = `${at}/outcome_groups`;
  const below = async (id: number, title: string) => wrote(await as(teacher).post(`${groups}/${id}/subgroups`, { title }));
  const writing = await below(root.id, 'Writing');
  const drafts = await below(writing.id, 'Drafts');
  await scene.agree('groups');
  wrote(await as(teacher).put(`${groups}/${writing.id}`, { title: 'Texts', vendor_guid: 'texts' }));
  await scene.agree('a renamed group');
  const { outcome } = wrote(await as(teacher).post(`${groups}/${drafts.id}/outcomes`, { title: 'Argues', description: '<p>Well</p>' }));
  await scene.agree('an outcome');
  const linked = () => [...scene.seenBy('student')].filter(([key]) => key.startsWith('outcome_link ')).map(([, one]) => one);
  expect(linked()).toMatchObject([{ outcome: { title: 'Argues', description: '<p>Well</p>' } }]);
  wrote(await as(teacher).put(`/outcomes/${outcome.id}`, { title: 'Argues well', mastery_points: 2 }));
  await scene.agree('a changed outcome');
  expect(linked()).toMatchObject([{ outcome: { title: 'Argues well', mastery_points: 2 } }]);
  wrote(await as(teacher).put(`${groups}/${writing.id}/outcomes/${outcome.id}`, { move_from: drafts.id }));
  await scene.agree('a moved outcome');
  wrote(await as(teacher).put(`${groups}/${writing.id}`, { title: 'All texts' }));
  await scene.agree('the group of an outcome renamed');

  const [above] = wrote(await as(admin).get('/accounts/1/outcome_groups'));
  const shared = wrote(await as(admin).post(`/accounts/1/outcome_groups/${above.id}/outcomes`, { title: 'Above' })).outcome;
  wrote(await as(teacher).post(`${groups}/${root.id}/outcomes`, { outcome_id: shared.id }));
  await scene.agree('an outcome of the account');
  wrote(await as(admin).put(`/outcomes/${shared.id}`, { title: 'Far above' }));
  await scene.agree('a changed outcome of the account');
  expect(
    linked()
      .map((one) => one.outcome.title)
      .sort(),
  ).toEqual(['Argues well', 'Far above']);
  const of = wrote(await as(admin).post(`/accounts/1/outcome_groups/${above.id}/subgroups`, { title: 'Imported' }));
  wrote(await as(teacher).post(`${groups}/${root.id}/import`, { source_outcome_group_id: of.id }));
  await scene.agree('an imported group');

  const form = new FormData();
  form.set('attachment', new File(['vendor_guid,object_type,title,parent_guids\ng,group,By file,\no,outcome,In a file,g'], 'outcomes.csv'));
  const { id } = wrote(await as(teacher).post(`${at}/outcome_imports`, form));
  await importOutcomes({ job: 'outcome_import', ids: [id] }, platform as never);
  await scene.agree('an import by a file');
  wrote(await as(teacher).del(`${groups}/${root.id}/outcomes/${shared.id}`));
  await scene.agree('an outcome unlinked');
  wrote(await as(teacher).del(`${groups}/${writing.id}`));
  await scene.agree('a group deleted');
  expect([...scene.seenBy('stranger').keys()].filter((key) => key.startsWith('outcome'))).toEqual([]);
  expect(course.id).toBe(root.context_id);
});

test('results of outcomes: of the student alone, and only while the grade is posted', async () => {
  const scene = await aWatchedCourse(['teacher', 'student', 'student2', 'observer']);
  const { at, teacher, student } = scene;
  const [root] = wrote(await as(teacher).get(`${at}/outcome_groups`));
  const { outcome } = wrote(await as(teacher).post(`${at}/outcome_groups/${root.id}/outcomes`, { title: 'Argues' }));
  const assignment = { name: 'Essay', published: true, points_possible: 4, post_manually: true };
  const { id } = wrote(await as(teacher).post(`${at}/assignments`, { assignment }));
  const { rubric, rubric_association: use } = wrote(
    await as(teacher).post(`${at}/rubrics`, {
      rubric: {
        title: 'Essay',
        criteria: [{ description: 'C', learning_outcome_id: outcome.id, ratings: [{ points: 4 }, { points: 0 }] }],
      },
      rubric_association: { association_id: id, association_type: 'Assignment', purpose: 'grading', use_for_grading: true },
    }),
  );
  const rate = async (points: number) =>
    wrote(
      await as(teacher).post(`${at}/rubric_associations/${use.id}/rubric_assessments`, {
        rubric_assessment: { user_id: student.id, assessment_type: 'grading', [`criterion_${rubric.data[0].id}`]: { points } },
      }),
    );
  await rate(3);
  await scene.agree('a result that is not posted');
  const seen = (part: 'student' | 'student2' | 'teacher' | 'observer') =>
    [...scene.seenBy(part)].filter(([key]) => key.startsWith('outcome_result ')).map(([, one]) => one);
  expect(seen('student')).toEqual([]);
  await finished(teacher, wrote(await as(teacher).post(`${at}/assignments/${id}/post_grades`)));
  await scene.agree('a posted result');
  expect(seen('student')).toMatchObject([{ score: 3, links: { user: String(student.id), assignment: `assignment_${id}` } }]);
  expect([...seen('student2'), ...seen('teacher'), ...seen('observer')]).toEqual([]);
  await rate(1);
  await scene.agree('another result');
  expect(seen('student')).toMatchObject([{ score: 1 }]);
  await finished(teacher, wrote(await as(teacher).post(`${at}/assignments/${id}/hide_grades`)));
  await scene.agree('a hidden result');
  expect(seen('student')).toEqual([]);
  await finished(teacher, wrote(await as(teacher).post(`${at}/assignments/${id}/post_grades`)));
  await scene.agree('posted again');
  wrote(await as(teacher).del(`${at}/assignments/${id}`));
  await scene.agree('no assignment');
  expect(seen('student')).toEqual([]);
});

test('poll sessions: while they are open, with the answers that each user may see', async () => {
  const scene = await aWatchedCourse(['teacher', 'ta', 'student', 'student2', 'observer', 'stranger']);
  const { at, teacher, student, student2, course } = scene;
  const [poll] = wrote(await as(teacher).post('/polls', { polls: [{ question: 'Clear?' }] })).polls;
  const own = `/polls/${poll.id}`;
  const choices: { id: number }[] = [];
  for (const text of ['Yes', 'No'])
    choices.push(
      wrote(await as(teacher).post(`${own}/poll_choices`, { poll_choices: [{ text, is_correct: text === 'Yes' }] })).poll_choices[0],
    );
  const begin = async (more: object = {}) =>
    wrote(await as(teacher).post(`${own}/poll_sessions`, { poll_sessions: [{ course_id: course.id, ...more }] })).poll_sessions[0];
  const session = await begin();
  await scene.agree('a session that is not open');
  const path = `${own}/poll_sessions/${session.id}`;
  wrote(await as(teacher).get(`${path}/open`));
  await scene.agree('an open session');
  const seen = (part: Parameters<typeof scene.seenBy>[0], id = session.id) => scene.seenBy(part).get(`poll_session ${id}`);
  expect(seen('student')).toMatchObject({ has_submitted: false, poll_submissions: [] });
  const answer = async (person: typeof student, choice: number, at = path) =>
    wrote(await as(person).post(`${at}/poll_submissions`, { poll_submissions: [{ poll_choice_id: choices[choice]?.id }] }));
  await answer(student, 0);
  await scene.agree('an answer');
  expect(seen('student')).toMatchObject({ has_submitted: true });
  expect(seen('student2')).not.toHaveProperty('results');
  expect(seen('student2')?.poll_submissions).toEqual([]);
  expect(seen('teacher')).toMatchObject({ results: { [choices[0]?.id ?? 0]: 1 } });
  wrote(await as(teacher).put(path, { poll_sessions: [{ has_public_results: true }] }));
  await scene.agree('public results');
  await answer(student2, 1);
  await scene.agree('an answer that all see');
  expect(seen('student')?.poll_submissions).toHaveLength(2);
  wrote(await as(teacher).del(`${own}/poll_choices/${choices[1]?.id}`));
  await scene.agree('a deleted choice');
  wrote(await as(teacher).put(own, { polls: [{ question: 'Really?' }] }));
  wrote(await as(teacher).get(`${path}/close`));
  await scene.agree('a closed session');
  expect(seen('student')).toBe(undefined);

  const section = wrote(await as(scene.admin).post(`${at}/sections`, { course_section: { name: 'Other' } }));
  const other = await begin({ course_section_id: section.id });
  wrote(await as(teacher).get(`${own}/poll_sessions/${other.id}/open`));
  await scene.agree('a session of a section without students');
  expect(seen('student', other.id)).toBe(undefined);
  wrote(
    await as(scene.admin).post(`/sections/${section.id}/enrollments`, {
      enrollment: { user_id: student2.id, type: 'StudentEnrollment', enrollment_state: 'active' },
    }),
  );
  await scene.agree('a student who joins the section');
  expect(seen('student2', other.id)).toMatchObject({ is_published: true });
  const elsewhere = await ground.course();
  await ground.enroll(elsewhere, teacher, 'teacher');
  scene.watchToo(elsewhere);
  wrote(await as(teacher).put(`${own}/poll_sessions/${other.id}`, { poll_sessions: [{ course_id: elsewhere.id }] }));
  await scene.agree('a session of another course');
  expect(seen('student2', other.id)).toBe(undefined);
  wrote(await as(teacher).del(`${own}/poll_sessions/${other.id}`));
  await scene.agree('a deleted session');
  const last = await begin();
  wrote(await as(teacher).get(`${own}/poll_sessions/${last.id}/open`));
  await scene.agree('another open session');
  wrote(await as(teacher).del(own));
  await scene.agree('a deleted poll');
});
