// A term of grading: created, handed in, graded by rubric, reviewed by peers, late, excused and missing work, posted and exported.

import { expect, inject, test } from 'vitest';
import type { AnyJson } from './at';
import { type Hands, hasMcpServer, throughMcp, throughWrapper, wrapperFor } from './graders';

const built = inject('started');
const cast = built.casts.grading;
const admin = wrapperFor(built.admin);
const teacher = wrapperFor(cast.teacher);
const sue = wrapperFor(cast.student2);
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().replace(/\.\d+/, '');

const criteria = [
  {
    description: 'Argument',
    points: 12,
    ratings: [
      { description: 'Convincing', points: 12 },
      { description: 'Sound', points: 8 },
      { description: 'None', points: 0 },
    ],
  },
  {
    description: 'Style',
    points: 8,
    ratings: [
      { description: 'Clear', points: 8 },
      { description: 'Readable', points: 4 },
      { description: 'Unreadable', points: 0 },
    ],
  },
];

interface Term {
  readonly course_id: number;
  readonly at: string;
  readonly grader: Hands;
  readonly learners: { readonly sam: Hands; readonly sue: Hands };
  /** Enrolled, but without a client: misses work and is excused. */
  readonly absent: { readonly stan: number; readonly eve: number };
}

/** A course with weighted groups whose lowest homework is dropped, a late policy, and four students. */
async function openTerm(name: string, open: typeof throughWrapper): Promise<Term> {
  const course = await admin.post('accounts/1/courses', { course: { name }, offer: true });
  const at = `courses/${course.id}`;
  const eve = await admin.post('accounts/1/users', {
    user: { name: 'Eve Excused' },
    pseudonym: { unique_id: `eve-${course.id}@example.edu` },
    communication_channel: { skip_confirmation: true },
  });
  const enroll = (user_id: number, type: string) =>
    admin.post(`${at}/enrollments`, { enrollment: { user_id, type, enrollment_state: 'active' } });
  await enroll(cast.teacher.id, 'TeacherEnrollment');
  for (const id of [cast.student.id, cast.student2.id, cast.stranger.id, eve.id]) await enroll(id, 'StudentEnrollment');
  await teacher.put(at, { course: { apply_assignment_group_weights: true } });
  await teacher.post(`${at}/late_policy`, {
    late_policy: {
      late_submission_deduction_enabled: true,
      late_submission_deduction: 10,
      missing_submission_deduction_enabled: true,
      missing_submission_deduction: 80,
    },
  });
  const [grader, mine, hers] = await Promise.all([open(cast.teacher), open(cast.student), open(cast.student2)]);
  return { course_id: course.id, at, grader, learners: { sam: mine, sue: hers }, absent: { stan: cast.stranger.id, eve: eve.id } };
}

/** Creates the assignments with their groups, publishes them, and gives Sam two more days for the first problem set. */
async function assignWork({ course_id, at, grader }: Term) {
  const [essays, homework] = [
    await teacher.post(`${at}/assignment_groups`, { name: 'Essays', group_weight: 60 }),
    await teacher.post(`${at}/assignment_groups`, { name: 'Homework', group_weight: 40 }),
  ];
  const assign = async (name: string, group: AnyJson, points_possible: number, due_at: string, more: object) => {
    const { id } = await grader.call('create_assignment', {
      course_id,
      name,
      points_possible,
      due_at,
      submission_types: ['online_text_entry'],
      assignment_group_id: group.id,
    });
    // The item is sent back whole, as the client updates it.
    const item = await teacher.course(course_id).assignments.getOne(id);
    Object.assign(item, { published: true, ...more });
    await item.update();
    expect(item).toMatchObject({ published: true, points_possible, ...more });
    return id as number;
  };
  const essay = await assign('Essay', essays, 10, inHours(168), { peer_reviews: true });
  const late = await assign('Problem set 1', homework, 10, inHours(-30), {});
  const second = await assign('Problem set 2', homework, 10, inHours(96), {});
  const held = await assign('Problem set 3', homework, 10, inHours(120), { post_manually: true });
  await teacher.put(`${at}/assignment_groups/${homework.id}`, { rules: { drop_lowest: 1 } });
  await grader.call('create_assignment_override', {
    course_id,
    assignment_id: late,
    student_ids: [cast.student.id],
    due_at: inHours(48),
  });
  return { essay, late, second, held };
}

type Work = Awaited<ReturnType<typeof assignWork>>;

async function handIn({ course_id, learners: { sam: his, sue: hers } }: Term, { essay, late, second }: Work) {
  const send = (who: Hands, assignment_id: number, body: string) =>
    who.call('submit_assignment', { course_id, assignment_id, submission_type: 'online_text_entry', body });
  await send(his, essay, '<p>A draft</p>');
  expect(await send(his, essay, '<p>On planets</p>')).toMatchObject({ attempt: 2, body: '<p>On planets</p>', late: false });
  await send(hers, essay, '<p>On moons</p>');
  expect(await send(his, late, '<p>1</p>')).toMatchObject({ late: false });
  expect(await send(hers, late, '<p>2</p>')).toMatchObject({ late: true, attempt: 1 });
  await send(his, second, '<p>3</p>');
  await send(hers, second, '<p>4</p>');
}

/** Attaches a rubric to the essay, grades both essays by it, and lets Sue review Sam. */
async function assess({ course_id, at, grader }: Term, essay: number) {
  const { rubric, rubric_association } = await grader.call('create_rubric', {
    course_id,
    title: 'Essay',
    criteria,
    association: { assignment_id: essay, use_for_grading: true, purpose: 'grading' },
  });
  expect(rubric).toMatchObject({ title: 'Essay', points_possible: 20 });
  expect(await grader.call('list_rubrics', { course_id })).toMatchObject([{ id: rubric.id }]);
  const [argument, style] = (await grader.call('get_rubric', { course_id, rubric_id: rubric.id })).data.map(({ id }: AnyJson) => id);
  expect(await teacher.get(`${at}/assignments/${essay}`)).toMatchObject({ points_possible: 20, use_rubric_for_grading: true });
  const byRubric = (user_id: number, points: readonly [number, number]) =>
    teacher.put(`${at}/assignments/${essay}/submissions/${user_id}`, {
      rubric_assessment: { [argument]: { points: points[0], comments: 'Well put' }, [style]: { points: points[1] } },
    });
  expect(await byRubric(cast.student.id, [12, 4])).toMatchObject({ score: 16, workflow_state: 'graded' });
  const created = await teacher.post(`${at}/rubric_associations/${rubric_association.id}/rubric_assessments`, {
    rubric_assessment: {
      user_id: cast.student2.id,
      assessment_type: 'grading',
      [`criterion_${argument}`]: { points: 8 },
      [`criterion_${style}`]: { points: 8 },
    },
  });
  expect(created).toMatchObject({ score: 16, assessment_type: 'grading' });
  expect(await grader.call('get_rubric_assessment', { course_id, assignment_id: essay, user_id: cast.student.id })).toMatchObject({
    score: 16,
    rubric_assessment: { [argument]: { points: 12, comments: 'Well put' }, [style]: { points: 4 } },
  });
  const [his] = (await grader.call('list_submissions', { course_id, assignment_id: essay, include: ['submission_history'] })).filter(
    (one: AnyJson) => one.user_id === cast.student.id,
  );
  expect(his.submission_history.map((one: AnyJson) => [one.attempt, one.body])).toEqual([
    [1, expect.stringContaining('<p>A draft</p>')],
    [2, expect.stringContaining('<p>On planets</p>')],
  ]);
  const review = { course_id, assignment_id: essay, submission_id: his.id };
  expect(await grader.call('create_peer_review', { ...review, user_id: cast.student2.id })).toMatchObject({
    user_id: cast.student.id,
    assessor_id: cast.student2.id,
    asset_id: his.id,
    workflow_state: 'assigned',
  });
  await sue.post(`${at}/rubric_associations/${rubric_association.id}/rubric_assessments`, {
    rubric_assessment: {
      user_id: cast.student.id,
      assessment_type: 'peer_review',
      [`criterion_${argument}`]: { points: 0, comments: 'Not convinced' },
      [`criterion_${style}`]: { points: 0 },
    },
  });
  expect(await grader.call('list_peer_reviews', { course_id, assignment_id: essay })).toMatchObject([{ workflow_state: 'completed' }]);
  expect(await grader.call('get_submission_peer_reviews', review)).toMatchObject([{ assessor_id: cast.student2.id }]);
  // The peer's points are not the grade.
  expect((await teacher.get(`${at}/assignments/${essay}/submissions/${cast.student.id}`)).score).toBe(16);
}

async function gradeHomework({ course_id, at, grader, absent }: Term, { late, second, held }: Work) {
  const grade = (assignment_id: number, user_id: number, points: string) =>
    grader.call('grade_submission', { course_id, assignment_id, user_id, grade: points });
  await grade(late, cast.student.id, '90%');
  // Thirty hours late are two days.
  expect(await grade(late, cast.student2.id, '10')).toMatchObject({ entered_score: 10, points_deducted: 2, score: 8, grade: '8' });
  await grader.call('comment_on_submission', {
    course_id,
    assignment_id: late,
    user_id: cast.student2.id,
    comment: 'Please ask for more time before the date.',
  });
  expect(await teacher.put(`${at}/assignments/${late}/submissions/${absent.eve}`, { submission: { excuse: true } })).toMatchObject({
    excused: true,
    score: null,
  });
  const many = await teacher.post(`${at}/assignments/${second}/submissions/update_grades`, {
    grade_data: { [cast.student.id]: { posted_grade: 7 }, [cast.student2.id]: { posted_grade: 6, text_comment: 'See the solution.' } },
  });
  expect((await teacher.ended(`progress/${many.id}`)).workflow_state).toBe('completed');
  await grade(held, cast.student.id, '10');
  // Without this the clock gives the score, within a minute.
  expect(
    await teacher.put(`${at}/assignments/${late}/submissions/${absent.stan}`, { submission: { late_policy_status: 'missing' } }),
  ).toMatchObject({ missing: true, score: 2, workflow_state: 'graded' });
  expect(await grader.call('get_submission', { course_id, assignment_id: late, user_id: absent.eve })).toMatchObject({ missing: false });
}

async function totalsOf({ at }: Term): Promise<Record<string, readonly (number | null)[]>> {
  const enrollments: AnyJson[] = await teacher.get(`${at}/enrollments`, { type: ['StudentEnrollment'], include: ['grades'] });
  return Object.fromEntries(
    enrollments.map(({ user, grades }) => [
      user.name.split(' ')[0],
      [grades.current_score, grades.final_score, grades.unposted_current_score, grades.unposted_final_score],
    ]),
  );
}

/** Posts, hides and posts again the grades of the third problem set; Sam sees his only while they are posted. */
async function postGrades(term: Term, held: number) {
  const seen = async () => {
    const all: AnyJson[] = await term.learners.sam.call('get_my_submissions', { course_id: term.course_id });
    return all.find((one) => one.assignment_id === held)?.score ?? null;
  };
  const change = async (does: string) => {
    const { id } = await teacher.post(`${term.at}/assignments/${held}/${does}`);
    await teacher.ended(`progress/${id}`);
  };
  expect(await seen()).toBeNull();
  await change('post_grades');
  expect(await seen()).toBe(10);
  await change('hide_grades');
  expect(await seen()).toBeNull();
  await change('post_grades');
}

async function readHistory({ course_id, grader }: Term, { late, essay }: Work) {
  const [day] = await grader.call('list_gradebook_history_days', { course_id });
  expect(day.graders.map((one: AnyJson) => one.name)).toContain('Tara Teacher');
  const graders = await grader.call('get_gradebook_history_day', { course_id, date: day.date });
  const [tara] = graders.filter((one: AnyJson) => one.id === cast.teacher.id);
  expect(tara.assignments.map((one: AnyJson) => one.name)).toEqual(expect.arrayContaining(['Essay', 'Problem set 1', 'Problem set 2']));
  const graded = await grader.call('list_gradebook_history_submissions', {
    course_id,
    date: day.date,
    grader_id: cast.teacher.id,
    assignment_id: late,
  });
  const versions: AnyJson[] = graded.flatMap((one: AnyJson) => one.versions);
  expect(versions).toContainEqual(expect.objectContaining({ user_name: 'Sue Student', new_grade: '8', new_grader: 'Tara Teacher' }));
  const feed = await grader.call('get_gradebook_history_feed', { course_id, assignment_id: essay, user_id: cast.student.id });
  expect(feed[0]).toMatchObject({ assignment_name: 'Essay', current_grade: '16', current_grader: 'Tara Teacher' });
  const { events } = await admin.get(`audit/grade_change/courses/${course_id}`);
  expect(events).toContainEqual(expect.objectContaining({ grade_after: '8', event_type: 'grade_change' }));
}

/** @returns the lines of the grade report of the term, by student */
async function exportGrades({ course_id }: Term): Promise<readonly string[]> {
  const begun = await admin.post('accounts/1/reports/grade_export_csv', {});
  const report = await admin.ended(`accounts/1/reports/grade_export_csv/${begun.id}`);
  expect(report.status).toBe('complete');
  // canvas-api-wrapper reads JSON only.
  const file = await fetch(report.attachment.url, { headers: { Authorization: `Bearer ${built.admin.token}` } });
  const [head = '', ...lines] = (await file.text()).trim().split(/\r?\n/);
  expect(head).toContain('current score');
  // Names are quoted with a comma, so columns are counted from the title that follows them.
  const at = head.split(',').indexOf('course id') + 1;
  return lines.filter((line) => line.split(',')[at] === String(course_id));
}

const clients = [
  ['canvas-api-wrapper', throughWrapper, true],
  ['the MCP server canvas-lms-mcp', throughMcp, hasMcpServer],
] as const;

for (const [name, open, isThere] of clients)
  test.skipIf(!isThere)(`a teacher and students do a term of grading through ${name}`, async () => {
    const term = await openTerm(`Graded through ${name}`, open);
    try {
      const work = await assignWork(term);
      await handIn(term, work);
      await assess(term, work.essay);
      await gradeHomework(term, work);
      // Posted and unposted, current and final: 60 % essay, 40 % homework without its lowest.
      expect(await totalsOf(term)).toEqual({
        Sam: [84, 66, 86, 86],
        Sue: [80, 76, 80, 76],
        Stan: [20, 4, 20, 4],
        Eve: [null, 0, null, 0],
      });
      await postGrades(term, work.held);
      expect((await totalsOf(term)).Sam).toEqual([86, 86, 86, 86]);
      await readHistory(term, work);
      const lines = await exportGrades(term);
      expect(lines).toHaveLength(4);
      expect(lines.find((line) => line.startsWith('"Student, Sam"'))).toContain(',86,86,86,86');
      if (!hasMcpServer || open !== throughMcp) return;
      // Its own calculation of the grade reaches the totals of the service.
      const explained = await term.grader.call('explain_grade', { course_id: term.course_id, student_id: cast.student.id });
      expect(explained.totals).toMatchObject({ current: { matches: true, computed_percentage: 86 }, final: { matches: true } });
      const policy = await term.grader.call('explain_grading_policy', { course_id: term.course_id });
      expect(policy.late_submission_policy).toMatchObject({ enabled: true, deduction_percent: 10, interval: 'day' });
    } finally {
      for (const hands of [term.grader, term.learners.sam, term.learners.sue]) hands.end();
    }
  });
