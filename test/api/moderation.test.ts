// Moderated grading: provisional grades of several graders, selected and published by the final grader.

import { env } from 'cloudflare:test';
import { anonymousId } from '@carrel/worker/crypto/anonymous_id';
import { expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';
import { upload } from '../support/upload';

async function aScene(more: object = {}, graders = 2) {
  const scene = await aCourse(ground);
  const others = await Promise.all(Array.from({ length: graders }, () => ground.person({ name: 'Gil Grader' })));
  for (const person of others) await ground.enroll(scene.course, person, 'ta');
  const assignment = {
    name: 'Essay',
    published: true,
    points_possible: 10,
    submission_types: ['online_text_entry'],
    moderated_grading: true,
    grader_count: 2,
    final_grader_id: scene.teacher.id,
    ...more,
  };
  const made = ok(within(await as(scene.teacher).post(`/courses/${scene.course.id}/assignments`, { assignment }), 3), 201);
  return { ...scene, others: others as [Person, Person], made, at: `/courses/${scene.course.id}/assignments/${made.id}` };
}
type Scene = Awaited<ReturnType<typeof aScene>>;

const grade = ({ at }: Scene, by: Person, student: Person, submission: object, more: object = {}) =>
  as(by).put(`${at}/submissions/${student.id}?include[]=provisional_grades`, { submission: { provisional: true, ...submission }, ...more });
const provisionalOf = async ({ at }: Scene, by: Person, student: Person, rest = '') =>
  ok(within(await as(by).get(`${at}/submissions/${student.id}?include[]=provisional_grades${rest}`), 2)).provisional_grades;
const needs = async ({ at }: Scene, by: Person, student: Person) =>
  ok(within(await as(by).get(`${at}/provisional_grades/status?student_id=${student.id}`), 2)).needs_provisional_grade;

const idsOf = ({ made }: Scene, { id }: Person) => anonymousId({ secret: env.SIGNING_SECRET, assignment_id: made.id }, id);

test('graders grade provisionally, and the final grader selects and publishes', async () => {
  const scene = await aScene();
  const { teacher, student, student2, at } = scene;
  const [first, second] = scene.others;
  expect(scene.made).toMatchObject({ moderated_grading: true, grader_count: 2, final_grader_id: teacher.id, post_manually: true });
  ok(await as(student).post(`${at}/submissions`, { submission: { submission_type: 'online_text_entry', body: 'x' } }), 201);
  expect(await needs(scene, first, student)).toBe(true);
  const one = ok(within(await grade(scene, first, student, { posted_grade: '6' }, { comment: { text_comment: 'from the first' } }), 3));
  expect(one).toMatchObject({ score: null, grade: null, workflow_state: 'submitted' });
  expect(one.provisional_grades).toMatchObject([
    { score: 6, grade: '6', final: false, scorer_id: first.id, grade_matches_current_submission: true, graded_anonymously: false },
  ]);
  ok(await grade(scene, first, student, { posted_grade: '7' }));
  ok(await grade(scene, second, student, { posted_grade: '9' }, { comment: { text_comment: 'from the second' } }));
  ok(await grade(scene, second, student2, { posted_grade: '4' }));
  expect(await needs(scene, first, student)).toBe(false);
  const { anonymous_id } = ok(await as(teacher).get(`${at}/anonymous_submissions/${idsOf(scene, student)}`));
  const named = (by: Person) => as(by).get(`${at}/anonymous_provisional_grades/status?anonymous_id=${anonymous_id}`);
  expect(ok(within(await named(first), 2))).toEqual({ needs_provisional_grade: false });
  expect((await named(student)).status).toBe(401);

  const all = await provisionalOf(scene, teacher, student, '&include[]=submission_comments');
  expect(all).toMatchObject([
    { score: 7, scorer_id: first.id, submission_comments: [{ comment: 'from the first', author_id: first.id }] },
    { score: 9, scorer_id: second.id },
  ]);
  const own = await provisionalOf(scene, first, student);
  expect(own[0]).toMatchObject({ score: 7 });
  expect(own[1]).not.toHaveProperty('score');
  expect(ok(await as(student).get(`${at}/submissions/${student.id}?include[]=provisional_grades`))).not.toHaveProperty(
    'provisional_grades',
  );
  expect((await as(student).get(`${at}/provisional_grades/status?student_id=${student.id}`)).status).toBe(401);

  const select = (by: Person, id: number) => as(by).put(`${at}/provisional_grades/${id}/select`);
  expect((await select(teacher, all[1].provisional_grade_id)).status).toBe(400);
  const added = ok(within(await as(teacher).post(`${at}/moderated_students`, { student_ids: [student.id, student2.id] }), 3));
  expect(added.map((user: Person) => user.id)).toEqual([student.id, student2.id]);
  expect(ok(await as(teacher).post(`${at}/moderated_students`, { student_ids: [student.id] }))).toEqual([]);
  expect(ok(within(await as(teacher).get(`${at}/moderated_students`), 2))).toHaveLength(2);
  expect((await as(teacher).post(`${at}/moderated_students`, { student_ids: [first.id] })).status).toBe(400);
  expect((await as(first).get(`${at}/moderated_students`)).status).toBe(401);
  expect((await as(teacher).post(`${at}/provisional_grades/publish`)).status).toBe(422);
  expect((await select(first, all[1].provisional_grade_id)).status).toBe(401);
  expect(ok(within(await select(teacher, all[0].provisional_grade_id), 3))).toEqual({
    assignment_id: scene.made.id,
    student_id: student.id,
    selected_provisional_grade_id: all[0].provisional_grade_id,
  });
  const bulk = { provisional_grade_ids: [all[1].provisional_grade_id] };
  expect(ok(within(await as(teacher).put(`${at}/provisional_grades/bulk_select`, bulk), 3))).toMatchObject([{ student_id: student.id }]);
  expect(ok(await as(teacher).put(`${at}/provisional_grades/bulk_select`, bulk))).toEqual([]);
  expect((await as(teacher).put(`${at}/provisional_grades/bulk_select`, { provisional_grade_ids: [999_999] })).status).toBe(400);
  const [listed] = ok(within(await as(teacher).get(`${at}/gradeable_students?include[]=provisional_grades`), 2));
  expect(listed).toMatchObject({ id: student.id, in_moderation_set: true, selected_provisional_grade_id: all[1].provisional_grade_id });
  expect(listed.provisional_grades).toHaveLength(2);

  expect((await as(first).post(`${at}/provisional_grades/publish`)).status).toBe(401);
  expect(ok(await as(teacher).post(`${at}/post_grades`), 400).message).toMatch(/not published yet/);
  const isPublished = async () => ok(await as(teacher).get(`${at}?include[]=grades_published`)).grades_published;
  expect(await isPublished()).toBe(false);
  expect(ok(within(await as(teacher).post(`${at}/provisional_grades/publish`), 3))).toEqual({ message: 'OK' });
  expect(await isPublished()).toBe(true);
  const done = ok(await as(teacher).get(`${at}/submissions/${student.id}?include[]=submission_comments`));
  expect(done).toMatchObject({ score: 9, workflow_state: 'graded', posted_at: null, grader_id: second.id });
  expect(done.submission_comments).toMatchObject([{ comment: 'from the second', author_id: second.id }]);
  expect(ok(await as(teacher).get(`${at}/submissions/${student2.id}`))).toMatchObject({ score: 4, posted_at: null });
  const hidden = ok(await as(student).get(`${at}/submissions/${student.id}?include[]=submission_comments`));
  expect(hidden).not.toHaveProperty('score');
  expect(hidden.submission_comments).toEqual([]);
  const { events } = ok(await as(await ground.admin()).get(`/audit/grade_change/assignments/${scene.made.id}`));
  const logged = events.map((event: { grade_after: string; links: object }) => [event.grade_after, event.links]);
  expect(logged).toContainEqual(['9', expect.objectContaining({ student: String(student.id), grader: String(second.id) })]);
  const history = ok(await as(teacher).get(`/courses/${scene.course.id}/gradebook_history/feed`, { user_id: student.id }));
  expect(history[0]).toMatchObject({ current_grade: '9', grader_id: second.id, current_grader: 'Gil Grader' });
  expect((await as(teacher).post(`${at}/provisional_grades/publish`)).status).toBe(400);
  expect((await select(teacher, all[0].provisional_grade_id)).status).toBe(400);
  expect(await needs(scene, second, student)).toBe(false);
  expect(ok(await as(teacher).put(`${at}/submissions/${student.id}`, { submission: { posted_grade: 8 } })).score).toBe(8);
});

test('a grade that is not provisional is refused until the grades are published', async () => {
  const scene = await aScene();
  const { teacher, student, course, made, at } = scene;
  for (const submission of [{ posted_grade: 5 }, { excuse: true }, { late_policy_status: 'late' }])
    expect((await as(teacher).put(`${at}/submissions/${student.id}`, { submission })).status).toBe(401);
  const entry = { [student.id]: { posted_grade: 5 } };
  expect((await as(teacher).post(`${at}/submissions/update_grades`, { grade_data: entry })).status).toBe(401);
  expect((await as(teacher).post(`/courses/${course.id}/submissions/update_grades`, { grade_data: { [made.id]: entry } })).status).toBe(
    401,
  );
  expect(ok(await as(teacher).get(`${at}/submissions/${student.id}`)).score).toBe(null);
  expect((await grade(scene, scene.others[0], student, { posted_grade: 5, final: true })).status).toBe(401);
  expect((await grade(scene, scene.others[0], student, { excuse: true })).status).toBe(400);
  expect((await grade(scene, student, student, { posted_grade: 5 })).status).toBe(401);
  const final = ok(await grade(scene, teacher, student, { posted_grade: 5, final: true }));
  expect(final.provisional_grades).toMatchObject([{ score: 5, final: true, scorer_id: teacher.id }]);
});

test('no more graders than the assignment allows grade it, even at the same moment', async () => {
  const scene = await aScene({}, 5);
  const { student, teacher } = scene;
  const answers = await Promise.all(scene.others.map((person) => grade(scene, person, student, { posted_grade: 5 })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 400, 400, 400]);
  expect(await provisionalOf(scene, teacher, student)).toHaveLength(2);
  const without = scene.others.find((_, at) => answers[at]?.status === 400) as Person;
  expect(await needs(scene, without, student)).toBe(false);
});

test('a user who selects grades but does not grade selects them, unless the assignment has a final grader', async () => {
  const scene = await aScene({ final_grader_id: null });
  const { teacher, student, course, at } = scene;
  const admin = await ground.admin();
  const permissions = { manage_grades: { explicit: true, enabled: false }, select_final_grade: { explicit: true, enabled: true } };
  const role = ok(
    await as(admin).post('/accounts/1/roles', { label: `Selector ${course.id}`, base_role_type: 'TaEnrollment', permissions }),
  );
  const selector = await ground.person({ name: 'Sel Selector' });
  const enrollment = { user_id: selector.id, type: 'TaEnrollment', role_id: role.id, enrollment_state: 'active' };
  ok(await as(admin).post(`/courses/${course.id}/enrollments`, { enrollment }));
  const [one] = ok(await grade(scene, scene.others[0], student, { posted_grade: 5 })).provisional_grades;
  const set = () => as(selector).get(`${at}/moderated_students`);
  expect(ok(within(await as(selector).post(`${at}/moderated_students`, { student_ids: [student.id] }), 3))).toHaveLength(1);
  expect(ok(within(await set(), 2))).toMatchObject([{ id: student.id }]);
  const ids = { provisional_grade_ids: [one.provisional_grade_id] };
  const selected = { student_id: student.id, selected_provisional_grade_id: one.provisional_grade_id };
  expect(ok(await as(selector).put(`${at}/provisional_grades/bulk_select`, ids))).toMatchObject([selected]);
  expect(ok(await as(selector).put(`${at}/provisional_grades/${one.provisional_grade_id}/select`))).toMatchObject(selected);
  ok(await as(selector).post(`${at}/provisional_grades/publish`), 401);
  ok(await as(selector).get(`${at}/provisional_grades/status?student_id=${student.id}`), 401);
  ok(await as(teacher).put(at, { assignment: { final_grader_id: teacher.id } }));
  ok(await set(), 401);
});

test('two final graders who publish at the same moment publish once', async () => {
  const scene = await aScene();
  const { student, teacher, at } = scene;
  ok(await grade(scene, scene.others[0], student, { posted_grade: 5 }, { comment: { text_comment: 'once' } }));
  const answers = await Promise.all([1, 2].map(() => as(teacher).post(`${at}/provisional_grades/publish`)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  const done = ok(await as(teacher).get(`${at}/submissions/${student.id}?include[]=submission_comments`));
  expect(done.submission_comments).toHaveLength(1);
});

test('names of graders are hidden as the assignment says', async () => {
  const scene = await aScene({ graders_anonymous_to_graders: true, grader_names_visible_to_final_grader: false });
  const { teacher, student } = scene;
  const [first, second] = scene.others;
  for (const person of [first, second]) ok(await grade(scene, person, student, { posted_grade: 5 }, { comment: { text_comment: 'x' } }));
  const rest = '&include[]=submission_comments';
  for (const [by, hidden] of [
    [teacher, [first, second]],
    [first, [second]],
  ] as const) {
    const seen = await provisionalOf(scene, by, student, rest);
    expect(seen).toHaveLength(2);
    for (const one of seen) if (one.anonymous_grader_id) expect(one.submission_comments).toMatchObject([{ author_id: null, author: {} }]);
    for (const person of hidden) expect(seen.map((one: { scorer_id?: number }) => one.scorer_id)).not.toContain(person.id);
  }
  const admin = await ground.admin();
  expect((await provisionalOf(scene, admin, student)).map((one: { scorer_id: number }) => one.scorer_id)).toEqual([first.id, second.id]);
});

test('files and recordings of provisional comments are shown to graders, and are on the submission once grades are published', async () => {
  const scene = await aScene();
  const { teacher, student, at } = scene;
  const [first] = scene.others;
  ok(await as(student).post(`${at}/submissions`, { submission: { submission_type: 'online_text_entry', body: 'x' } }), 201);
  const note = await upload(first, `${at}/submissions/${student.id}/comments/files`, { name: 'note.txt' });
  const comment = { text_comment: 'Listen', media_comment_id: 'm-1', media_comment_type: 'audio', file_ids: [note.id] };
  ok(await grade(scene, first, student, { posted_grade: '6' }, { comment }));
  ok(await grade(scene, first, student, {}, { comment: { media_comment_id: 'm-2' } }));
  const [one] = await provisionalOf(scene, teacher, student, '&include[]=submission_comments');
  const shown = [
    { comment: 'Listen', attempt: 1, media_comment: { media_id: 'm-1', media_type: 'audio' }, attachments: [{ id: note.id }] },
    { comment: '', attempt: 1, media_comment: { media_id: 'm-2', media_type: 'video' } },
  ];
  expect(one.submission_comments).toMatchObject(shown);
  ok(within(await as(teacher).post(`${at}/provisional_grades/publish`), 3));
  const done = ok(await as(teacher).get(`${at}/submissions/${student.id}?include[]=submission_comments`));
  expect(done.submission_comments).toMatchObject(shown);
});

test('the number of graders and the final grader are checked', async () => {
  const scene = await aScene();
  const { teacher, ta, student, designer, course, at } = scene;
  const put = (assignment: object, by = teacher) => as(by).put(at, { assignment });
  for (const grader_count of [0, -1, 4]) expect((await put({ grader_count })).body.errors).toHaveProperty('grader_count');
  for (const final_grader_id of [student.id, designer.id])
    expect((await put({ final_grader_id })).body.errors).toHaveProperty('final_grader_id');
  expect((await as(teacher).post(`/courses/${course.id}/assignments`, { assignment: { name: 'x', moderated_grading: true } })).status).toBe(
    400,
  );
  expect((await put({ name: 'y' }, designer)).status).toBe(401);
  expect(ok(within(await put({ grader_count: 3, final_grader_id: ta.id }), 3))).toMatchObject({ grader_count: 3, final_grader_id: ta.id });
  expect((await put({ name: 'y' })).status).toBe(401);
  const off = ok(await put({ moderated_grading: false }, ta));
  expect(off).toMatchObject({ moderated_grading: false, grader_count: 0, final_grader_id: null });
  expect((await as(teacher).get(`${at}/moderated_students`)).status).toBe(400);
  expect(ok(await as(teacher).put(`${at}/submissions/${student.id}`, { submission: { posted_grade: 8, provisional: true } })).score).toBe(
    8,
  );
});

test('a provisional comment to a group does not grade its members where each is graded individually', async () => {
  const start = await aCourse(ground);
  const { teacher, student, student2, course } = start;
  const category = ok(await as(teacher).post(`/courses/${course.id}/group_categories`, { name: 'Teams' }));
  const group = ok(await as(teacher).post(`/group_categories/${category.id}/groups`, { name: 'Team' }));
  ok(await as(teacher).put(`/groups/${group.id}`, { members: [student.id, student2.id] }));
  const assignment = {
    name: 'Essay',
    published: true,
    points_possible: 10,
    moderated_grading: true,
    grader_count: 1,
    group_category_id: category.id,
  };
  const gradedAs = async (grade_group_students_individually: boolean) => {
    const body = { assignment: { ...assignment, grade_group_students_individually } };
    const made = ok(await as(teacher).post(`/courses/${course.id}/assignments`, body), 201);
    const scene = { ...start, others: [teacher, teacher] as [Person, Person], made, at: `/courses/${course.id}/assignments/${made.id}` };
    ok(await grade(scene, teacher, student, { posted_grade: 5 }, { comment: { text_comment: 'to all', group_comment: true } }));
    const rest = '&include[]=submission_comments';
    return [await provisionalOf(scene, teacher, student, rest), await provisionalOf(scene, teacher, student2, rest)];
  };
  const comments = { submission_comments: [{ comment: 'to all' }] };
  expect(await gradedAs(false)).toMatchObject([[{ score: 5, ...comments }], [{ score: 5, ...comments }]]);
  expect(await gradedAs(true)).toMatchObject([[{ score: 5, ...comments }], [{ score: null, ...comments }]]);
});

test('graders assess provisionally by the rubric; students and other graders do not see it, and publishing copies the selected one', async () => {
  const scene = await aScene({ graders_anonymous_to_graders: true });
  const { teacher, student, student2, course, at } = scene;
  const [first, second] = scene.others;
  const ratings = { 0: { description: 'Good', points: 5 }, 1: { description: 'Poor', points: 0 } };
  const rubric = { title: 'Essays', criteria: { 0: { description: 'Style', points: 5, ratings } } };
  const rubric_association = { association_id: scene.made.id, association_type: 'Assignment', purpose: 'grading', use_for_grading: true };
  const made = ok(await as(teacher).post(`/courses/${course.id}/rubrics`, { rubric, rubric_association }));
  const [{ id: criterion }] = made.rubric.criteria;
  const assessments = `/courses/${course.id}/rubric_associations/${made.rubric_association.id}/rubric_assessments`;
  const include = '&include[]=rubric_assessment';

  const one = ok(
    within(await grade(scene, first, student, {}, { rubric_assessment: { [criterion]: { points: 4, comments: 'Lively' } } }), 3),
  );
  expect(one.provisional_grades).toMatchObject([{ score: 4, scorer_id: first.id }]);
  const sent = (more: object, rest: object = {}) => ({
    rubric_assessment: { user_id: student.id, [`criterion_${criterion}`]: { points: 2 }, ...more },
    ...rest,
  });
  expect((await as(second).post(assessments, sent({}))).status).toBe(401);
  const anonymously = sent({ assessment_type: 'provisional_grade' }, { graded_anonymously: true });
  const two = ok(within(await as(second).post(assessments, anonymously), 3));
  expect(two).toMatchObject({ assessment_type: 'provisional_grade', artifact_type: 'ModeratedGrading::ProvisionalGrade', score: 2 });
  expect(two.assessor_id).toBe(second.id);
  expect((await provisionalOf(scene, teacher, student)).map((it: { graded_anonymously: boolean }) => it.graded_anonymously)).toEqual([
    false,
    true,
  ]);
  const changed = { rubric_assessment: { assessment_type: 'provisional_grade', [`criterion_${criterion}`]: { points: 3 } } };
  expect(ok(within(await as(second).put(`${assessments}/${two.id}`, changed), 3))).toMatchObject({ id: two.id, score: 3 });
  expect((await as(first).put(`${assessments}/${two.id}`, changed)).status).toBe(404);
  expect((await as(first).del(`${assessments}/${two.id}`)).status).toBe(401);
  expect((await as(second).post(assessments, sent({}, { provisional: true, final: true }))).status).toBe(401);
  expect((await as(student2).post(assessments, sent({}, { provisional: true }))).status).toBe(401);

  const all = await provisionalOf(scene, teacher, student, include);
  expect(all).toMatchObject([
    {
      score: 4,
      rubric_assessments: [{ score: 4, assessor_id: first.id, data: [{ criterion_id: criterion, points: 4, comments: 'Lively' }] }],
    },
    { score: 3, graded_anonymously: false, rubric_assessments: [{ id: two.id, score: 3, assessor_id: second.id }] },
  ]);
  expect((await provisionalOf(scene, teacher, student))[0]).not.toHaveProperty('rubric_assessments');
  expect(await provisionalOf(scene, second, student, include)).toMatchObject([{ score: 3, rubric_assessments: [{ id: two.id }] }]);
  const seen = [
    await as(student).get(`${at}/submissions/${student.id}?include[]=rubric_assessment&include[]=full_rubric_assessment`),
    await as(teacher).get(`/courses/${course.id}/rubrics/${made.rubric.id}?include[]=assessments&style=full`),
    await as(second).get(`${at}/submissions/${student.id}?include[]=rubric_assessment&include[]=full_rubric_assessment`),
  ];
  for (const answer of seen) expect(JSON.stringify(ok(answer))).not.toMatch(/Lively|provisional_grade"/);

  const final = ok(within(await as(teacher).post(assessments, sent({}, { provisional: true, final: true })), 3));
  expect(final).toMatchObject({ assessment_type: 'provisional_grade', score: 2 });
  ok(await as(teacher).post(`${at}/moderated_students`, { student_ids: [student.id] }));
  ok(await as(teacher).put(`${at}/provisional_grades/${all[0].provisional_grade_id}/select`));
  ok(within(await as(teacher).post(`${at}/provisional_grades/publish`), 3));
  const rated = ok(await as(teacher).get(`${at}/submissions/${student.id}?include[]=rubric_assessment&include[]=full_rubric_assessment`));
  expect(rated.rubric_assessment).toMatchObject({ [criterion]: { points: 4, comments: 'Lively' } });
  expect(rated.full_rubric_assessment).toMatchObject({ assessor_id: first.id, assessment_type: 'grading', artifact_type: 'Submission' });
  expect((await as(second).post(assessments, sent({ assessment_type: 'provisional_grade' }))).status).toBe(400);
  expect(ok(await as(teacher).post(assessments, sent({})))).toMatchObject({ assessment_type: 'grading', score: 2 });
});
