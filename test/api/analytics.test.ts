// Analytics of courses and their students.

import { wireTime } from '@carrel/shared/wire/fields';
import { countViews } from '@carrel/worker/domains/analytics/count';
import { refreshAnalytics } from '@carrel/worker/domains/analytics/refresh';
import { enrollments } from '@carrel/worker/domains/enrollments/table';
import { storeViews } from '@carrel/worker/domains/page_views/recorder';
import { takeInViews } from '@carrel/worker/domains/page_views/take_in';
import type { RecordedView } from '@carrel/worker/domains/page_views/view';
import { sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { as, base, ground, many, nth, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';
import { addViews, aView, platform, primary, viewsTakenIn } from '../support/page_views';

type Scene = Awaited<ReturnType<typeof aCourse>>;

/** The minutes of the chore of analytics, hours apart. */
let ticks = Date.parse('2026-12-01T00:00:00Z');
async function refreshed(): Promise<void> {
  ticks += 5 * 3_600_000;
  while ((await refreshAnalytics(primary(), wireTime(ticks))) > 0);
}
async function counted(): Promise<void> {
  while ((await countViews(primary())) > 0);
}

const viewOf = (course: { id: number }, person: { id: number }, at: string, rest: string, more: Partial<RecordedView> = {}) =>
  aView(person.id, at, { context_type: 'Course', context_id: course.id, url: `${base}/api/v1/courses/${course.id}${rest}`, ...more });

const at = (course: { id: number }, rest: string) => `/courses/${course.id}/analytics${rest}`;

test('activity is counted by day, hour and category, and once, however often a chore is stopped', async () => {
  const { course, student, student2, teacher } = await aCourse(ground);
  const views = [
    viewOf(course, student, '2026-11-02T08:10:00Z', ''),
    viewOf(course, student, '2026-11-02T08:50:00Z', '/assignments/3'),
    viewOf(course, student, '2026-11-02T09:00:00Z', '/assignments/3/submissions', { participated: true, http_method: 'POST' }),
    viewOf(course, student, '2026-11-09T09:30:00Z', '/discussion_topics?only_announcements=true'),
    viewOf(course, student2, '2026-11-02T08:10:00Z', '/pages/home'),
    viewOf(course, teacher, '2026-11-02T23:59:59Z', '/gradebook_history/days'),
    // Not the student's own activity, or not in the course.
    viewOf(course, student, '2026-11-02T08:11:00Z', '', { real_user_id: teacher.id }),
    aView(student.id, '2026-11-02T08:12:00Z'),
  ];
  await storeViews(platform, views, 'stopped');
  const FILES = new Proxy(platform.FILES, {
    get: (files, name: 'put') =>
      name === ('delete' as string)
        ? () => Promise.reject(new Error('stopped'))
        : (...all: never[]) => (files[name] as unknown as (...all: unknown[]) => unknown).call(files, ...all),
  });
  await expect(takeInViews({ ...platform, FILES }, primary(), '2026-11-10T00:00:00Z')).rejects.toThrow('stopped');
  // Two runs at the same time, after one that was stopped before it had deleted the batch.
  await Promise.all([1, 2].map(() => takeInViews(platform, primary(), '2026-11-10T00:01:00Z')));
  await Promise.all([1, 2].map(() => counted()));
  const activity = () => as(teacher).get(at(course, '/activity'));
  expect(ok(within(await activity(), 2))).toEqual([
    { date: '2026-11-02', views: 5, participations: 1 },
    { date: '2026-11-09', views: 1, participations: 0 },
  ]);
  // More of an hour that is counted already.
  await addViews([viewOf(course, student, '2026-11-02T08:59:00Z', '/tabs')], '2026-11-10T00:02:00Z');
  await counted();
  const own = ok(within(await as(student).get(at(course, '/users/self/activity')), 2));
  expect(own).toEqual({
    page_views: { '2026-11-02T08:00:00Z': 3, '2026-11-02T09:00:00Z': 1, '2026-11-09T09:00:00Z': 1 },
    participations: [{ created_at: '2026-11-02T09:00:00Z', url: `${base}/api/v1/courses/${course.id}/assignments/3/submissions` }],
  });
  expect(Object.keys(own.page_views)).toEqual(Object.keys(own.page_views).toSorted());
  expect(ok(await as(teacher).get(at(course, `/users/${student2.id}/activity`))).page_views).toEqual({ '2026-11-02T08:00:00Z': 1 });
});

test('a request of a student counts for its course', async () => {
  const { course, student, teacher } = await aCourse(ground);
  ok(await as(student).get(`/courses/${course.id}/assignments`));
  const essay = ok(
    await as(teacher).post(`/courses/${course.id}/assignments`, {
      assignment: { name: 'Essay', published: true, submission_types: ['online_text_entry'] },
    }),
    201,
  );
  const path = `/courses/${course.id}/assignments/${essay.id}/submissions`;
  ok(await as(student).post(path, { submission: { submission_type: 'online_text_entry', body: 'x' } }), 201);
  ok(await as(student).put(`${path}/${student.id}`, { comment: { text_comment: 'Here it is.' } }));
  await viewsTakenIn();
  await counted();
  const { page_views, participations } = ok(await as(teacher).get(at(course, `/users/${student.id}/activity`)));
  expect(Object.values(page_views as Record<string, number>).reduce((sum, count) => sum + count, 0)).toBe(3);
  expect(participations.map(({ url }: { url: string }) => url).toSorted()).toEqual([
    `${base}/api/v1${path}`,
    `${base}/api/v1${path}/${student.id}`,
  ]);
  // The time of a submission would tell graders whose anonymous submission it is.
  ok(await as(teacher).put(`/courses/${course.id}/assignments/${essay.id}`, { assignment: { anonymous_grading: true } }));
  expect(ok(await as(teacher).get(at(course, `/users/${student.id}/activity`))).participations).toEqual([]);
  expect(ok(await as(student).get(at(course, '/users/self/activity'))).participations).toHaveLength(2);
});

test('messages between a student and the instructors are counted by day, others are not', async () => {
  const { course, student, student2, teacher, ta, observer } = await aCourse(ground);
  const write = async (from: Person, to: readonly Person[], more: object = {}) =>
    ok(
      await as(from).post('/conversations', {
        recipients: to.map(({ id }) => String(id)),
        body: 'Hello',
        context_code: `course_${course.id}`,
        ...more,
      }),
      201,
    )[0];
  await write(teacher, [student]);
  const thread = await write(student, [ta, student2], { group_conversation: true });
  ok(await as(ta).post(`/conversations/${thread.id}/add_message`, { body: 'Yes' }));
  ok(await as(student2).post(`/conversations/${thread.id}/add_message`, { body: 'Me, too' }));
  await write(student, [student2]);
  const today = wireTime(Date.now()).slice(0, 10);
  const path = (person: Person) => at(course, `/users/${person.id}/communication`);
  const days = ok(within(await as(teacher).get(path(student)), 2));
  expect(days).toEqual({ [today]: { instructorMessages: 2, studentMessages: 1 } });
  expect(ok(await as(observer).get(path(student)))).toEqual(days);
  expect(ok(await as(student2).get(at(course, '/users/self/communication')))).toEqual({
    [today]: { instructorMessages: 1, studentMessages: 1 },
  });
});

/** A course with an assignment that five students have different work in, and their figures. */
async function aTerm() {
  const scene = await aCourse(ground);
  const { course, teacher, student, student2 } = scene;
  const others = await Promise.all(['Ann Other', 'Ben Other', 'Cem Other'].map((name) => ground.person({ name })));
  const east = await ground.section(course, { name: 'East' });
  for (const person of others) await ground.enroll(course, person, 'student', { section_id: east });
  const give = async (assignment: object) =>
    ok(
      await as(teacher).post(`/courses/${course.id}/assignments`, {
        assignment: { points_possible: 10, published: true, submission_types: ['online_text_entry'], ...assignment },
      }),
      201,
    );
  const essay = await give({ name: 'Essay', due_at: '2026-10-01T12:00:00Z' });
  const paper = await give({ name: 'On paper', submission_types: ['on_paper'] });
  const quiz = await give({ name: 'Later', due_at: '2098-01-01T00:00:00Z' });
  const grade = async (assignment: { id: number }, person: Person, posted_grade: string | number, more: object = {}) =>
    ok(
      await as(teacher).put(`/courses/${course.id}/assignments/${assignment.id}/submissions/${person.id}`, {
        submission: { posted_grade, ...more },
      }),
    );
  const submit = async (assignment: { id: number }, person: Person) =>
    ok(
      await as(person).post(`/courses/${course.id}/assignments/${assignment.id}/submissions`, {
        submission: { submission_type: 'online_text_entry', body: 'x' },
      }),
      201,
    );
  return { ...scene, others, east, essay, paper, quiz, grade, submit, all: [student, student2, ...others] };
}

let term: Awaited<ReturnType<typeof aTerm>>;
beforeAll(async () => {
  term = await aTerm();
  const { all, essay, quiz, grade, submit, others } = term;
  for (const [nth, person] of all.entries()) await grade(quiz, person, [10, 20, 30, 40, 50][nth] ?? 0);
  await submit(essay, term.student);
  await submit(quiz, term.student2);
  await grade(essay, others[0] as Person, '', { excuse: true });
  await refreshed();
}, 60_000);

test('the assignments of a course are listed by due date, with quartiles and tardiness', async () => {
  const { course, teacher, essay, paper, quiz } = term;
  const list = ok(within(await as(teacher).get(at(course, '/assignments'), { async: true }), 2));
  expect(list).toEqual([
    {
      assignment_id: essay.id,
      title: 'Essay',
      points_possible: 10,
      due_at: '2026-10-01T12:00:00Z',
      unlock_at: null,
      muted: false,
      multiple_due_dates: false,
      non_digital_submission: false,
      module_ids: [],
      min_score: null,
      max_score: null,
      first_quartile: null,
      median: null,
      third_quartile: null,
      tardiness_breakdown: { on_time: 0, late: 0.2, missing: 0.6, floating: 0.2, total: 5 },
    },
    expect.objectContaining({
      assignment_id: quiz.id,
      min_score: 10,
      max_score: 50,
      first_quartile: 15,
      median: 30,
      third_quartile: 45,
      tardiness_breakdown: { on_time: 1, late: 0, missing: 0, floating: 0, total: 5 },
    }),
    expect.objectContaining({
      assignment_id: paper.id,
      non_digital_submission: true,
      tardiness_breakdown: expect.objectContaining({ floating: 1 }),
    }),
  ]);
});

interface Summary {
  readonly id: number;
  readonly page_views: number;
  readonly participations: number;
}
const idsOf = (list: readonly Summary[]) => list.map(({ id }) => id);

test('student summaries are sorted by stored figures and paged, with levels and maxima of the whole course', async () => {
  const { course, teacher, student, student2, others, all, observer } = term;
  const [ann, ben, cem] = others as [Person, Person, Person];
  const clicks = [
    [cem, 5],
    [student2, 10],
    [ben, 20],
    [student, 40],
    [ann, 80],
  ] as const;
  await addViews(
    clicks.flatMap(([person, count]) =>
      Array.from({ length: count }, (_, nth) =>
        viewOf(course, person, '2026-11-03T08:00:00Z', '/pages/home', { participated: person === ben && nth < 3, http_method: 'PUT' }),
      ),
    ),
    '2026-11-11T00:00:00Z',
  );
  await counted();
  await refreshed();
  const path = at(course, '/student_summaries');
  const sorted = async (sort_column?: string) => idsOf(ok(await as(teacher).get(path, { sort_column })));
  const byViews = clicks.map(([{ id }]) => id);
  expect(await sorted('page_views')).toEqual(byViews);
  expect(await sorted('page_views_descending')).toEqual(byViews.toReversed());
  expect((await sorted('participations_descending'))[0]).toBe(ben.id);
  expect(await sorted('score')).toEqual(idsOf(all as never));
  expect(await sorted('score_descending')).toEqual(idsOf(all as never).toReversed());
  expect(await sorted('unknown')).toEqual([ann, ben, cem, student, student2].map(({ id }) => id));
  expect(await sorted('name_descending')).toEqual([student2, student, cem, ben, ann].map(({ id }) => id));
  expect(idsOf((await as(teacher).pages(path, { sort_column: 'page_views_descending', per_page: 2 })) as Summary[])).toEqual(
    byViews.toReversed(),
  );
  const [own] = ok(within(await as(teacher).get(path, { student_id: ann.id }), 2));
  expect(own).toEqual({
    id: ann.id,
    page_views: 80,
    max_page_views: 80,
    max_page_view: 80,
    page_views_level: 3,
    participations: 0,
    max_participations: 3,
    participations_level: 0,
    tardiness_breakdown: { on_time: 1, late: 0, missing: 0, floating: 1, total: 2 },
  });
  expect(ok(await as(teacher).get(path, { student_id: student.id }))[0]).toMatchObject({
    page_views_level: 2,
    tardiness_breakdown: { on_time: 1, late: 1, missing: 0, floating: 0, total: 2 },
  });
  expect(ok(await as(teacher).get(path, { student_id: observer.id }))).toEqual([]);
});

test('a student who leaves is no longer listed, and one who changes sections keeps the counts', async () => {
  const scene = await aCourse(ground);
  const { course, teacher, student, student2, enrollment_ids } = scene;
  await addViews([viewOf(course, student, '2026-11-03T08:00:00Z', '')], '2026-11-12T00:00:00Z');
  await counted();
  const list = async () => ok(await as(teacher).get(at(course, '/student_summaries'), { sort_column: 'page_views' })) as Summary[];
  await ground.end(enrollment_ids.student2);
  expect(idsOf(await list())).toEqual([student.id]);
  const section_id = await ground.section(course, { name: 'Other' });
  await ground.end(enrollment_ids.student);
  expect(await list()).toEqual([]);
  ok(await as(teacher).get(at(course, `/users/${student.id}/activity`)), 404);
  await ground.enroll(course, student, 'student', { section_id });
  await ground.enroll(course, student2, 'student', { section_id, enrollment_state: 'completed' });
  expect((await list()).map(({ id, page_views }) => [id, page_views])).toEqual([
    [student2.id, 0],
    [student.id, 1],
  ]);
});

test('students and observers see their own analytics only, and staff without the permission none', async () => {
  const { course, student, student2, observer, stranger, teacher, designer, ta } = term;
  const paths = ['/activity', '/assignments', '/communication'];
  for (const rest of paths) {
    const path = (person: Person) => at(course, `/users/${person.id}${rest}`);
    for (const person of [student, observer, teacher, ta]) ok(await as(person).get(path(student)));
    for (const person of [student, observer, stranger, designer]) ok(await as(person).get(path(student2)), 401);
    ok(await as(teacher).get(path(teacher)), 404);
    ok(await as(teacher).get(path(observer)), 404);
    ok(await as(student).get(at(course, `/users/self${rest}`)));
  }
  for (const rest of ['/activity', '/assignments', '/student_summaries']) {
    ok(await as(teacher).get(at(course, rest)));
    for (const person of [student, observer, stranger, designer]) ok(await as(person).get(at(course, rest)), 401);
  }
});

test('a student whose role has the permission sees the course, no other student, and no scores that are hidden or too few', async () => {
  const { course, student, student2, essay, quiz, grade, all, others } = term;
  const admin = await ground.admin();
  const [role] = ok(await as(admin).get('/accounts/1/roles')).filter(
    (one: { base_role_type: string }) => one.base_role_type === 'StudentEnrollment',
  );
  const allow = (enabled: boolean) =>
    as(admin).put(`/accounts/1/roles/${role.id}`, { permissions: { view_analytics: { explicit: true, enabled } } });
  ok(await allow(true));
  try {
    expect(ok(await as(student).get(at(course, '/student_summaries'), { sort_column: 'score' }))).toMatchObject([{ id: student.id }]);
    expect(ok(await as(student).get(at(course, '/student_summaries'), { student_id: student2.id }))).toEqual([]);
    ok(await as(student).get(at(course, `/users/${student2.id}/assignments`)), 401);
    const list = async () => {
      const found = ok(await as(student).get(at(course, '/assignments'))) as { assignment_id: number }[];
      return new Map(found.map((one) => [one.assignment_id, one]));
    };
    const before = await list();
    expect(before.get(quiz.id)).toMatchObject({ min_score: 10, median: 30 });
    expect(before.get(essay.id), 'fewer than five').not.toHaveProperty('median');
    // A grade that its student does not see counts for graders only.
    ok(await as(term.teacher).put(`/courses/${course.id}/assignments/${essay.id}`, { assignment: { post_manually: true } }));
    for (const person of all.filter((one) => one !== others[0])) await grade(essay, person, 9);
    await refreshed();
    expect((await list()).get(essay.id)).toMatchObject({ muted: true });
    expect((await list()).get(essay.id)).not.toHaveProperty('median');
    const own = ok(await as(student).get(at(course, '/users/self/assignments'))) as { assignment_id: number }[];
    expect(own.find((one) => one.assignment_id === essay.id)).toMatchObject({ status: 'late', submission: { posted_at: null } });
    expect(own.find((one) => one.assignment_id === essay.id)).not.toHaveProperty('submission.score');
    expect(own.find((one) => one.assignment_id === quiz.id)).toMatchObject({ status: 'on_time', submission: { score: 10 } });
    const seen = ok(await as(term.teacher).get(at(course, `/users/${student.id}/assignments`))) as { assignment_id: number }[];
    expect(seen.find((one) => one.assignment_id === essay.id)).toMatchObject({ median: 9, submission: { score: 9 } });
    // Nor does the status reveal it.
    const { paper, teacher, ta } = term;
    ok(await as(teacher).put(`/courses/${course.id}/assignments/${paper.id}`, { assignment: { post_manually: true } }));
    await grade(paper, student, 7);
    const ofPaper = async (person: Person) => {
      const found = ok(await as(person).get(at(course, `/users/${student.id}/assignments`))) as { assignment_id: number }[];
      return found.find((one) => one.assignment_id === paper.id);
    };
    expect(await ofPaper(student)).toMatchObject({ status: 'floating' });
    expect(await ofPaper(teacher)).toMatchObject({ status: 'on_time', submission: { score: 7 } });
    const [helper] = ok(await as(admin).get('/accounts/1/roles')).filter(
      (one: { base_role_type: string }) => one.base_role_type === 'TaEnrollment',
    );
    const grading = (enabled: boolean) =>
      as(admin).put(`/accounts/1/roles/${helper.id}`, {
        permissions: { manage_grades: { explicit: true, enabled }, view_all_grades: { explicit: true, enabled } },
      });
    ok(await grading(false));
    expect(await ofPaper(ta), 'staff who do not see grades').toMatchObject({ status: 'floating' });
    expect(await ofPaper(ta)).not.toHaveProperty('submission.score');
    ok(await grading(true));
    ok(await as(term.teacher).put(`/courses/${course.id}/settings`, { hide_distribution_graphs: true }));
    expect((await list()).get(quiz.id), 'the course hides distributions').not.toHaveProperty('median');
  } finally {
    ok(await allow(false));
  }
});

test('a section-restricted teacher sees the students and figures of the section', async () => {
  const { course, east, others, student, essay, quiz, paper } = term;
  const limited = await ground.person({ name: 'Lim Ited' });
  await ground.enroll(course, limited, 'teacher', { section_id: east, limited: true });
  for (const sort_column of ['name', 'page_views', 'score']) {
    const list = ok(within(await as(limited).get(at(course, '/student_summaries'), { sort_column }), 2)) as Summary[];
    expect(idsOf(list).toSorted()).toEqual(idsOf(others as never).toSorted());
  }
  ok(await as(limited).get(at(course, `/users/${student.id}/activity`)), 404);
  ok(await as(limited).get(at(course, `/users/${student.id}/assignments`)), 404);
  ok(await as(limited).get(at(course, `/users/${others[0]?.id}/assignments`)));
  const list = ok(within(await as(limited).get(at(course, '/assignments')), 2)) as { assignment_id: number }[];
  expect(list.map(({ assignment_id }) => assignment_id)).toEqual([essay.id, quiz.id, paper.id]);
  expect(list[1]).toMatchObject({ min_score: 30, max_score: 50, median: 40, tardiness_breakdown: { on_time: 1, total: 3 } });
});

test('dates of overrides decide what is late, and assignments for others are left out', async () => {
  const { course, teacher, student, student2 } = (await aCourse(ground)) as Scene;
  const give = async (assignment: object) =>
    ok(
      await as(teacher).post(`/courses/${course.id}/assignments`, {
        assignment: { published: true, points_possible: 1, submission_types: ['online_text_entry'], ...assignment },
      }),
      201,
    ).id as number;
  const later = '2097-01-01T01:00:00Z';
  const moved = await give({
    name: 'Moved',
    due_at: '2026-10-01T00:00:00Z',
    assignment_overrides: [{ student_ids: [student.id], title: 'Later', due_at: later }],
  });
  const only = await give({
    name: 'Only',
    only_visible_to_overrides: true,
    assignment_overrides: [{ student_ids: [student2.id], title: 'One', due_at: '2026-10-02T00:00:00Z' }],
  });
  await refreshed();
  const [first, second] = ok(await as(teacher).get(at(course, '/assignments')));
  expect([first, second].map(({ assignment_id }) => assignment_id)).toEqual([moved, only]);
  expect(first).toMatchObject({ multiple_due_dates: true, tardiness_breakdown: { missing: 0.5, floating: 0.5, total: 2 } });
  expect(second).toMatchObject({ tardiness_breakdown: { missing: 1, total: 1 } });
  const own = ok(within(await as(student).get(at(course, '/users/self/assignments')), 2));
  expect(own).toMatchObject([{ assignment_id: moved, due_at: later, status: 'floating', excused: false }]);
  expect(own[0]).not.toHaveProperty('submission');
  const summary = async (person: Person) =>
    ok(await as(teacher).get(at(course, '/student_summaries'), { student_id: person.id }))[0].tardiness_breakdown;
  expect(await summary(student)).toEqual({ on_time: 0, late: 0, missing: 0, floating: 1, total: 1 });
  expect(await summary(student2)).toEqual({ on_time: 0, late: 0, missing: 2, floating: 0, total: 2 });
});

test('a due date that passes changes the figures without a write', async () => {
  const { course, teacher } = await aCourse(ground);
  const due_at = wireTime(ticks + 60 * 3_600_000);
  ok(
    await as(teacher).post(`/courses/${course.id}/assignments`, {
      assignment: { name: 'Soon', published: true, submission_types: ['online_url'], due_at },
    }),
    201,
  );
  const shares = async () => ok(await as(teacher).get(at(course, '/assignments')))[0].tardiness_breakdown;
  await refreshed();
  expect(await shares()).toMatchObject({ missing: 0, floating: 1 });
  ticks += 70 * 3_600_000;
  await refreshed();
  expect(await shares()).toMatchObject({ missing: 1, floating: 0 });
});

test('the figures of a course with more students than a step computes are complete', async () => {
  const course = await ground.course();
  const teacher = await ground.person();
  await ground.enroll(course, teacher, 'teacher');
  const [first, count] = [5_000_000, 620];
  await many(count, enrollments, {
    user_id: sql`${first} + n`,
    course_id: course.id,
    course_section_id: course.section_id,
    type: 'StudentEnrollment',
    role_id: 3,
    enrollment_state: 'active',
    sortable_name: nth('S'),
  });
  const viewed = Array.from({ length: 310 }, (_, at) => viewOf(course, { id: first + 1 + at }, '2026-11-04T08:00:00Z', ''));
  await addViews([...viewed, ...viewed.slice(0, 1).map((one) => ({ ...one, uuid: 'another' }))], '2026-11-13T00:00:00Z');
  await counted();
  await refreshed();
  const levels = async (student_id: number) =>
    ok(await as(teacher).get(at(course, '/student_summaries'), { student_id }))[0] as { page_views_level: number; max_page_views: number };
  expect(await levels(first + 1)).toMatchObject({ page_views: 2, page_views_level: 3, max_page_views: 2 });
  expect(await levels(first + 310)).toMatchObject({ page_views: 1, page_views_level: 3 });
  expect(await levels(first + 620)).toMatchObject({ page_views: 0, page_views_level: 0, max_page_views: 2 });
});

test('a request in a group of a course counts for the course', async () => {
  const { course, student, teacher } = await aCourse(ground);
  const category = ok(await as(teacher).post(`/courses/${course.id}/group_categories`, { name: 'Teams' }));
  const group = ok(await as(teacher).post(`/group_categories/${category.id}/groups`, { name: 'One' }));
  ok(await as(teacher).post(`/groups/${group.id}/memberships`, { user_id: student.id }));
  ok(await as(student).post(`/groups/${group.id}/discussion_topics`, { title: 'Plan', message: 'm' }));
  await viewsTakenIn();
  await counted();
  const { participations } = ok(await as(student).get(at(course, '/users/self/activity')));
  expect(participations).toMatchObject([{ url: `${base}/api/v1/groups/${group.id}/discussion_topics` }]);
});
