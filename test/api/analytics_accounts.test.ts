// Analytics of accounts: figures of the courses of a term, as the chores have stored them.

import { wireTime } from '@carrel/shared/wire/fields';
import { countViews } from '@carrel/worker/domains/analytics/count';
import { refreshAnalytics } from '@carrel/worker/domains/analytics/refresh';
import { refreshAccounts } from '@carrel/worker/domains/analytics/refresh_accounts';
import { beforeAll, expect, test } from 'vitest';
import { as, base, ground, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';
import { addViews, aView, primary } from '../support/page_views';

const views = ['activity', 'grades', 'statistics', 'statistics_by_subaccount'] as const;

async function scene() {
  const faculty = await ground.account({ name: 'Science' });
  const branch = await ground.account({ name: 'Physics', parent_account_id: faculty.id });
  const other = await ground.term({ name: 'Spring', sis_term_id: 'spring' });
  const course = (given: object) => aCourse(ground, { account_id: branch.id, ...given });
  const here = await course({});
  const ended = await course({ workflow_state: 'completed' });
  await course({ workflow_state: 'claimed' });
  const spring = await course({ enrollment_term_id: other.id, account_id: faculty.id });
  // The same student in both courses of the term, and a teacher of both.
  await ground.enroll(ended.course, here.student, 'student', { enrollment_state: 'completed' });
  await ground.enroll(here.course, spring.student, 'student');
  return { faculty, branch, other, here, ended, spring, admin: await ground.admin({ account_id: faculty.id }) };
}

let at: Awaited<ReturnType<typeof scene>>;
const now = '2027-01-01T00:00:00Z';
const later = (hours: number) => wireTime(Date.parse(now) + hours * 3_600_000);

async function refreshed(time: string, few?: number): Promise<void> {
  while ((await refreshAnalytics(primary(), time)) > 0);
  while ((await refreshAccounts(primary(), time, few)) > 0);
}

beforeAll(async () => {
  at = await scene();
  const { here, ended, spring } = at;
  const { teacher, course, student, student2 } = here;
  const assignment = ok(
    await as(teacher).post(`/courses/${course.id}/assignments`, { assignment: { name: 'A', points_possible: 10, published: true } }),
    201,
  );
  const grade = (person: Person, posted_grade: number) =>
    as(teacher).put(`/courses/${course.id}/assignments/${assignment.id}/submissions/${person.id}`, { submission: { posted_grade } });
  for (const [person, points] of [
    [student, 8.45],
    [spring.student, 8.5],
    [student2, 12],
  ] as const)
    ok(await grade(person, points));
  ok(await as(teacher).post(`/courses/${course.id}/discussion_topics`, { title: 'T', message: 'm', published: true }));
  const view = (to: { id: number }, person: Person, time: string, rest: string) =>
    aView(person.id, time, { context_type: 'Course', context_id: to.id, url: `${base}/api/v1/courses/${to.id}${rest}` });
  await addViews(
    [
      view(course, student, '2026-11-04T08:00:00Z', '/files'),
      view(course, student2, '2026-11-05T08:00:00Z', '/files'),
      view(ended.course, ended.student, '2026-11-05T08:00:00Z', '/modules'),
      view(spring.course, spring.student, '2026-11-06T08:00:00Z', ''),
    ],
    now,
  );
  while ((await countViews(primary())) > 0);
  await refreshed(now);
}, 60_000);

const figures = async (which: string, view: (typeof views)[number], account = at.faculty) =>
  ok(within(await as(at.admin).get(`/accounts/${account.id}/analytics/${which}/${view}`), 2));

test('statistics count the courses of the default term by state, or those of a term, in the tree', async () => {
  expect(await figures('current', 'statistics')).toEqual({
    courses: 1,
    subaccounts: 1,
    teachers: 1,
    students: 3,
    discussion_topics: 1,
    media_objects: 0,
    attachments: 0,
    assignments: 1,
  });
  expect(await figures('completed', 'statistics')).toMatchObject({ courses: 1, teachers: 1, students: 3, assignments: 0 });
  // A student of both courses counts once.
  expect(await figures('terms/1', 'statistics')).toMatchObject({ courses: 2, teachers: 2, students: 5 });
  expect(await figures('terms/sis_term_id:spring', 'statistics')).toMatchObject({ courses: 1, students: 2 });
  expect(await figures('terms/current', 'statistics')).toEqual(await figures('current', 'statistics'));
  expect(await figures('terms/completed', 'statistics')).toEqual(await figures('completed', 'statistics'));
  expect(await figures('terms/1', 'statistics', at.branch)).toMatchObject({ courses: 2, subaccounts: 0 });
  expect(await figures(`terms/${at.other.id}`, 'statistics', at.branch)).toMatchObject({ courses: 0, teachers: 0 });
  const { accounts } = await figures('current', 'statistics_by_subaccount');
  expect(accounts).toEqual([expect.objectContaining({ id: at.branch.id, name: 'Physics', courses: 1, students: 3 })]);
  expect(accounts[0]).not.toHaveProperty('subaccounts');
});

test('grades are rounded, and those outside of 0 to 100 are not counted', async () => {
  const grades = await figures('current', 'grades');
  expect(Object.keys(grades)).toHaveLength(101);
  expect(Object.entries(grades).filter(([, count]) => (count as number) > 0)).toEqual([['85', 2]]);
});

test('activity is summed by date and by category', async () => {
  expect(await figures('current', 'activity')).toMatchObject({
    by_date: { '2026-11-04': 1, '2026-11-05': 1 },
    by_category: { files: 2, general: 0, other: 0 },
  });
  const both = await figures('terms/1', 'activity');
  expect(both.by_date).toEqual({ '2026-11-04': 1, '2026-11-05': 2 });
  expect(Object.keys(both.by_category)).toHaveLength(13);
  expect(await figures(`terms/${at.other.id}`, 'activity')).toMatchObject({ by_date: { '2026-11-06': 1 }, by_category: { general: 1 } });
});

test('only administrators with the permission read them, of terms that exist', async () => {
  const { admin, faculty, branch, here, other } = at;
  const elsewhere = await ground.admin({ account_id: (await ground.account()).id });
  for (const view of views) {
    const path = `/accounts/${faculty.id}/analytics/current/${view}`;
    for (const person of [here.teacher, here.student, elsewhere]) ok(await as(person).get(path), 401);
    ok(await as(admin).get(`/accounts/${branch.id}/analytics/completed/${view}`));
    ok(await as(admin).get(`/accounts/1/analytics/current/${view}`), 401);
    ok(await as(admin).get(`/accounts/${faculty.id}/analytics/terms/999999/${view}`), 404);
    ok(await as(admin).get(`/accounts/${faculty.id}/analytics/terms/guessed/${view}`), 404);
    ok(await as(admin).get(`/accounts/${faculty.id}/analytics/terms/${other.id}/${view}`));
  }
});

test('figures of a small institution are computed again in each run, those of a large one some hours later', async () => {
  const { faculty, here } = at;
  await aCourse(ground, { account_id: faculty.id });
  await refreshed(later(1));
  expect(await figures('current', 'statistics')).toMatchObject({ courses: 2 });
  ok(await as(await ground.admin()).del(`/courses/${here.course.id}`, { event: 'delete' }));
  await refreshed(later(6), 1);
  expect(await figures('current', 'statistics')).toMatchObject({ courses: 2 });
  await refreshed(later(8), 1);
  expect(await figures('current', 'statistics')).toMatchObject({ courses: 1, assignments: 0 });
});
