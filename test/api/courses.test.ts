// Courses: access, changes, and lists.

import { env } from 'cloudflare:test';
import { courses } from '@carrel/worker/domains/courses/table';
import { expect, test } from 'vitest';
import { as, ground, many, nth, ok, within } from '../support/api';
import { aCourse } from '../support/ground';

const names = (courses: { name: string }[]) => courses.map((course) => course.name);

test("a user's courses are listed by name with that user's enrollments", async () => {
  const { course, student, teacher } = await aCourse(ground, { name: 'Botany' });
  const astronomy = await ground.course({ name: 'astronomy' });
  await ground.enroll(astronomy, student, 'student', { enrollment_state: 'invited' });
  const listed = ok(within(await as(student).get('/courses'), 2));
  expect(names(listed)).toEqual(['astronomy', 'Botany']);
  expect(listed[1]).toMatchObject({
    id: course.id,
    workflow_state: 'available',
    time_zone: 'Etc/UTC',
    storage_quota_mb: 500,
    default_view: 'modules',
    blueprint: false,
    enrollments: [{ type: 'student', role: 'StudentEnrollment', role_id: 3, user_id: student.id, enrollment_state: 'active' }],
  });
  expect(listed[1]).not.toHaveProperty('sis_course_id');
  expect(ok(await as(teacher).get('/courses'))).toHaveLength(1);
  ok(await as().get('/courses'), 401);
});

test('one course is returned to users who may read it', async () => {
  const { course, student, stranger } = await aCourse(ground);
  const shown = ok(
    within(await as(student).get(`/courses/${course.id}`, { include: ['term', 'teachers', 'total_students', 'permissions'] }), 2),
  );
  expect(shown).toMatchObject({
    id: course.id,
    term: { id: 1, name: 'Default Term' },
    total_students: 2,
    teachers: [{ display_name: 'Tara Teacher' }],
    permissions: { create_discussion_topic: true, create_announcement: false },
  });
  ok(await as(stranger).get(`/courses/${course.id}`), 401);
  ok(await as(student).get('/courses/999999'), 404);
});

test('which courses are listed depends on states, types and dates', async () => {
  const { course, student, teacher } = await aCourse(ground);
  const past = await ground.course({ enrollment_term_id: (await ground.term({ end_at: '2026-01-31T00:00:00Z' })).id });
  const future = await ground.course({ enrollment_term_id: (await ground.term({ start_at: '2036-01-31T00:00:00Z' })).id });
  const draft = await ground.course({ workflow_state: 'claimed' });
  const over = await ground.course({ workflow_state: 'completed' });
  for (const one of [past, future, draft, over]) {
    await ground.enroll(one, student, 'student');
    await ground.enroll(one, teacher, 'teacher');
  }
  const ids = async (person: typeof student, query: object = {}) =>
    ok(within(await as(person).get('/courses', query), 2))
      .map((one: { id: number }) => one.id)
      .sort();
  expect(await ids(student)).toEqual([course.id, past.id, future.id].sort());
  expect(await ids(teacher)).toEqual([course.id, past.id, future.id, draft.id].sort());
  expect(await ids(student, { enrollment_state: 'active' })).toEqual([course.id]);
  expect(await ids(student, { enrollment_state: 'invited_or_pending' })).toEqual([future.id]);
  expect(await ids(student, { enrollment_state: 'completed' })).toEqual([past.id, over.id].sort());
  expect(await ids(teacher, { state: ['unpublished'] })).toEqual([draft.id]);
  expect(await ids(teacher, { state: ['completed'] })).toEqual([over.id]);
  expect(await ids(teacher, { enrollment_type: 'student' })).toEqual([]);
  expect(await ids(teacher, { enrollment_role_id: 4 })).toHaveLength(4);
  expect(ok(await as(student).get('/courses', { enrollment_state: 'odd' }))).toEqual(ok(await as(student).get('/courses')));
});

test('a course outside its dates is a stub for students', async () => {
  const { student, teacher } = await aCourse(ground);
  const future = await ground.course({
    enrollment_term_id: (await ground.term({ start_at: '2036-01-31T00:00:00Z' })).id,
    settings: { restrict_student_future_view: true },
  });
  await ground.enroll(future, student, 'student');
  await ground.enroll(future, teacher, 'teacher');
  const mine = ok(await as(student).get('/courses'));
  expect(mine).toContainEqual({ id: future.id, access_restricted_by_date: true });
  expect(ok(await as(student).get('/courses', { enrollment_state: 'invited_or_pending' }))).toEqual([]);
  ok(await as(student).get(`/courses/${future.id}`), 401);
});

test('includes are added, and only for users who may see them', async () => {
  const { course, student, teacher } = await aCourse(ground, { syllabus_body: '<p>Plan</p>' });
  const include = [
    'syllabus_body',
    'term',
    'account',
    'sections',
    'storage_quota_used_mb',
    'total_students',
    'favorites',
    'teachers',
    'concluded',
    'needs_grading_count',
    'total_scores',
    'current_grading_period_scores',
    'tabs',
    'course_progress',
  ];
  const [mine] = ok(within(await as(student).get('/courses', { include }), 2));
  expect(mine).toMatchObject({
    syllabus_body: '<p>Plan</p>',
    account: { id: 1 },
    sections: [{ id: course.section_id, enrollment_role: 'StudentEnrollment' }],
    storage_quota_used_mb: 0,
    total_students: 2,
    is_favorite: false,
    concluded: false,
    enrollments: [{ computed_current_score: null, has_grading_periods: false, current_period_computed_current_score: null }],
    course_progress: { error: { message: expect.stringContaining('not module based') } },
  });
  expect(mine).not.toHaveProperty('needs_grading_count');
  expect(ok(await as(teacher).get('/courses', { include }))[0].needs_grading_count).toBe(0);
  expect(ok(await as(teacher).get('/courses', { include: ['teachers'], teacher_limit: 0 }))[0].teacher_count).toBe(1);
});

test('an administrator creates a course in an account, with a section and an assignment group', async () => {
  const admin = await ground.admin();
  const { teacher } = await aCourse(ground);
  const faculty = await ground.account();
  const made = ok(
    within(
      await as(admin).post(`/accounts/${faculty.id}/courses`, {
        course: {
          name: 'Intro to Chemistry 101',
          sis_course_id: 'CHEM101',
          is_public: 'true',
          time_zone: 'America/Denver',
          start_at: '2026-01-01',
        },
        enroll_me: true,
      }),
      3,
    ),
  );
  expect(made).toMatchObject({
    name: 'Intro to Chemistry 101',
    course_code: 'Intro101',
    account_id: faculty.id,
    sis_course_id: 'CHEM101',
    is_public: true,
    time_zone: 'America/Denver',
    workflow_state: 'unpublished',
    start_at: null,
    open_enrollment: false,
    conclude_at: null,
  });
  expect(made).not.toHaveProperty('enrollments');
  expect(ok(await as(admin).get(`/courses/${made.id}/assignment_groups`))).toHaveLength(1);
  expect(ok(await as(admin).get('/courses'))[0].enrollments).toMatchObject([{ type: 'teacher', enrollment_state: 'active' }]);
  expect(ok(await as(admin).post('/accounts/1/courses', { course: { sis_course_id: 'CHEM101' } }), 400).errors.sis_source_id[0].type).toBe(
    'taken',
  );
  expect(ok(await as(admin).post('/accounts/1/courses', { course: { name: 'x'.repeat(256) } }), 400).errors.name[0].type).toBe('too_long');
  ok(await as(admin).post('/accounts/1/courses', { course: { enrollment_term_id: 999 } }), 404);
  ok(await as(teacher).post('/accounts/1/courses', { course: { name: 'Mine' } }), 401);
  expect(ok(await as(admin).post('/courses', { course: { name: 'By hand' }, offer: true })).workflow_state).toBe('available');
});

test('a deleted course is restored by its SIS id on request', async () => {
  const admin = await ground.admin();
  const first = ok(await as(admin).post('/accounts/1/courses', { course: { name: 'Old', sis_course_id: 'R1' } }));
  ok(await as(admin).del(`/courses/${first.id}`, { event: 'delete' }));
  ok(await as(admin).post('/accounts/1/courses', { course: { name: 'New', sis_course_id: 'R1' } }), 400);
  const again = ok(
    await as(admin).post('/accounts/1/courses', { course: { name: 'New', sis_course_id: 'R1' }, enable_sis_reactivation: true }),
  );
  expect(again).toMatchObject({ id: first.id, name: 'New', workflow_state: 'unpublished' });
  ok(await as(admin).post('/accounts/1/courses', { course: { name: 'New', sis_course_id: 'R1' }, enable_sis_reactivation: true }), 400);
});

test('a teacher updates the fields that teachers may change', async () => {
  const { course, teacher, student, ta } = await aCourse(ground);
  const at = `/courses/${course.id}`;
  const changed = ok(
    within(
      await as(teacher).put(at, {
        course: {
          name: 'Renamed',
          default_view: 'wiki',
          syllabus_body: '<p onclick="x()">Hi</p>',
          hide_final_grades: true,
          course_color: 'f00',
          sis_course_id: 'NO',
        },
      }),
      3,
    ),
  );
  expect(changed).toMatchObject({ name: 'Renamed', default_view: 'wiki', hide_final_grades: true, course_color: '#f00' });
  expect(ok(await as(teacher).get(at, { include: ['syllabus_body'] }))).toMatchObject({ syllabus_body: '<p>Hi</p>' });
  ok(await as(student).put(at, { course: { name: 'Mine' } }), 401);
  ok(await as(teacher).put(at, { course: { default_view: 'odd' } }), 400);
  ok(await as(teacher).put(at, { course: { image_id: 1, image_url: 'http://x' } }), 400);
  ok(await as(teacher).put(at, { course: { event: 'explode' } }), 400);
  // Where the institution forbids it, a teacher's new name is ignored.
  const admin = await ground.admin();
  const forbidding = (value: boolean) =>
    as(admin).put('/accounts/1', { account: { settings: { prevent_course_renaming_by_teachers: value } } });
  ok(await forbidding(true));
  expect(ok(await as(teacher).put(at, { course: { name: 'Again', course_code: 'A 2' } }))).toMatchObject({
    name: 'Renamed',
    course_code: 'A 2',
  });
  expect(ok(await as(admin).put(at, { course: { name: 'Again' } })).name).toBe('Again');
  ok(await forbidding(false));
  // An unknown grading scheme is ignored.
  expect(ok(await as(teacher).put(at, { course: { grading_standard_id: 77 } })).grading_standard_id).toBeNull();
  expect(ok(await as(teacher).put(at, { course: { grading_standard_enabled: true } })).grading_standard_id).toBe(0);
  expect(ok(await as(teacher).put(at, { course: { grading_standard_id: '' } })).grading_standard_id).toBeNull();
  ok(await as(ta).put(at, { course: { syllabus_body: 'by the TA' } }));
  ok(await as(ta).put(at, { course: { name: 'by the TA' } }), 401);
});

test('manually changed fields are kept if the caller asks for it', async () => {
  const { course, teacher } = await aCourse(ground);
  const admin = await ground.admin();
  const at = `/courses/${course.id}`;
  const dates = { restrict_enrollments_to_course_dates: true, end_at: '2030-06-30T00:00:00Z' };
  ok(await as(teacher).put(at, { course: { name: 'By hand', grade_passback_setting: 'disabled', ...dates } }));
  const machine = {
    name: 'By a machine',
    course_code: 'M 1',
    conclude_at: '2031-01-01T00:00:00Z',
    restrict_enrollments_to_course_dates: false,
    grade_passback_setting: 'nightly_sync',
    is_public: true,
  };
  const gently = { course: machine, override_sis_stickiness: false };
  const kept = { name: 'By hand', end_at: dates.end_at };
  const changed = { course_code: 'M 1', restrict_enrollments_to_course_dates: false, is_public: true };
  expect(ok(within(await as(admin).put(at, gently), 3))).toMatchObject({ ...kept, ...changed });
  expect(ok(await as(admin).get(`${at}/settings`)).grade_passback_setting).toBe('disabled');
  expect(ok(await as(admin).put(at, { ...gently, course: { ...machine, event: 'conclude' } }))).toMatchObject({ name: 'By hand' });
  ok(await as(await ground.person()).put(at, gently), 401);
  const { restrict_enrollments_to_course_dates: _, ...rest } = machine;
  expect(ok(await as(admin).put(at, { course: rest }))).toMatchObject({ name: 'By a machine', end_at: null });
  expect(ok(await as(admin).get(`${at}/settings`)).grade_passback_setting).toBe('nightly_sync');
});

test('events publish, conclude, reopen and delete a course', async () => {
  const admin = await ground.admin();
  const { course, teacher, student } = await aCourse(ground, { workflow_state: 'claimed' });
  const at = `/courses/${course.id}`;
  const newcomer = await ground.person();
  ok(await as(teacher).post(`${at}/enrollments`, { enrollment: { user_id: newcomer.id } }));
  ok(await as(student).get(at), 401);
  const offered = within(await as(teacher).put(at, { course: { event: 'offer' } }), 3);
  expect(ok(offered).workflow_state).toBe('available');
  expect(offered.cost.object_calls).toBe(1);
  expect(ok(await as(teacher).get(`${at}/enrollments`, { user_id: newcomer.id }))[0].enrollment_state).toBe('invited');
  expect(ok(await as(teacher).put(at, { offer: true })).workflow_state).toBe('available');
  expect(ok(await as(teacher).put(at, { course: { event: 'conclude' } })).workflow_state).toBe('completed');
  ok(await as(teacher).post(`${at}/enrollments`, { enrollment: { user_id: newcomer.id } }), 401);
  ok(await as(admin).post(`${at}/enrollments`, { enrollment: { user_id: newcomer.id } }), 400);
  expect(ok(await as(admin).put(at, { course: { event: 'offer' } })).workflow_state).toBe('available');
  // Other parameters sent with an event are applied, too.
  const faculty = await ground.account();
  ok(await as(admin).put(at, { course: { event: 'claim', image_id: 999_999 } }), 400);
  ok(await as(admin).put(at, { course: { event: 'claim', blueprint: true } }), 400);
  ok(await as(teacher).put(at, { course: { event: 'claim', account_id: faculty.id } }), 401);
  const moved = ok(await as(admin).put(at, { course: { event: 'conclude', account_id: faculty.id } }));
  expect(moved).toMatchObject({ account_id: faculty.id, workflow_state: 'completed' });
  expect(ok(await as(admin).put(at, { course: { event: 'offer' } })).workflow_state).toBe('available');
  expect(ok(await as(teacher).put(at, { course: { event: 'claim' } })).workflow_state).toBe('unpublished');
  ok(await as(student).put(at, { course: { event: 'offer' } }), 401);
});

test('deleting a course hides it with its enrollments; undeleting restores them', async () => {
  const admin = await ground.admin();
  const { course, teacher, student, stranger } = await aCourse(ground);
  await ground.enroll(course, stranger, 'student', { enrollment_state: 'deleted' });
  const at = `/courses/${course.id}`;
  ok(await as(teacher).del(at), 400);
  ok(await as(teacher).del(at, { event: 'explode' }), 400);
  ok(await as(student).del(at, { event: 'delete' }), 401);
  ok(await as(teacher).del(at, { event: 'delete' }), 401);
  expect(ok(within(await as(admin).del(at, { event: 'delete' }), 3))).toEqual({ delete: true });
  ok(await as(teacher).get(at), 404);
  ok(await as(admin).get(at), 404);
  expect(ok(await as(admin).get(at, { include: ['all_courses'] })).workflow_state).toBe('deleted');
  expect(ok(await as(student).get('/courses'))).toEqual([]);
  const deleted = ok(within(await as(student).get('/courses', { state: ['deleted', 'available'] }), 2));
  expect(deleted).toMatchObject([{ id: course.id, workflow_state: 'deleted', enrollments: [{ enrollment_state: 'deleted' }] }]);
  expect(ok(await as(stranger).get('/courses', { state: ['deleted'] }))).toEqual([]);
  expect(ok(await as(admin).put(at, { course: { event: 'undelete' } })).workflow_state).toBe('unpublished');
  expect(ok(await as(admin).get(`${at}/enrollments`))).toEqual([]);
  expect(ok(within(await as(admin).del(at, { event: 'conclude' }), 3))).toEqual({ conclude: true });
});

test('all settings are returned, and change one by one', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const at = `/courses/${course.id}/settings`;
  expect(ok(within(await as(student).get(at), 2))).toMatchObject({
    allow_student_discussion_topics: true,
    default_due_time: '23:59:59',
    image: null,
  });
  const changed = ok(
    within(await as(teacher).put(at, { allow_student_discussion_topics: false, home_page_announcement_limit: 5, unknown: 1 }), 3),
  );
  expect(changed).toMatchObject({ allow_student_discussion_topics: false, home_page_announcement_limit: 5, hide_final_grades: false });
  expect(ok(await as(teacher).put(at, { allow_student_discussion_topics: true })).home_page_announcement_limit).toBe(5);
  ok(await as(teacher).put(at, { home_page_announcement_limit: 16 }), 400);
  ok(await as(student).put(at, { hide_final_grades: true }), 401);
});

test('permissions are returned by name', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const at = `/courses/${course.id}/permissions`;
  expect(ok(await as(teacher).get(at, { permissions: ['manage_grades', 'read', 'fly'] }))).toEqual({
    manage_grades: true,
    read: true,
    fly: false,
  });
  const all = ok(within(await as(student).get(at), 2));
  expect(all).toMatchObject({ read: true, manage_grades: false, post_to_forum: true, participate_as_student: true });
});

test('an account lists its courses and those of sub-accounts, filtered, searched and sorted', async () => {
  const admin = await ground.admin();
  const faculty = await ground.account();
  const institute = await ground.account({ name: 'Institute', parent_account_id: faculty.id });
  const { teacher } = await aCourse(ground, { account_id: faculty.id, name: 'Zoology' });
  await ground.course({
    account_id: institute.id,
    name: 'algebra',
    course_code: 'MATH-2',
    sis_course_id: 'S-ALG',
    workflow_state: 'claimed',
  });
  await ground.course({ account_id: institute.id, name: 'Gone', workflow_state: 'deleted' });
  const listed = async (query: object = {}) => names(ok(within(await as(admin).get(`/accounts/${faculty.id}/courses`, query), 2)));
  expect(await listed()).toEqual(['Zoology', 'algebra']);
  ok(await as(admin).put(`/accounts/${faculty.id}`, { account: { default_storage_quota_mb: 700 } }));
  expect(ok(await as(admin).get('/accounts/1/courses', { search_term: 'algebra' }))[0]).toMatchObject({
    storage_quota_mb: 700,
    sis_course_id: 'S-ALG',
  });
  expect(await listed({ sort: 'course_name' })).toEqual(['algebra', 'Zoology']);
  expect(await listed({ sort: 'course_name', order: 'desc' })).toEqual(['Zoology', 'algebra']);
  expect(await listed({ sort: 'teacher' })).toEqual(['algebra', 'Zoology']);
  expect(await listed({ published: true })).toEqual(['Zoology']);
  expect(await listed({ published: false })).toEqual(['algebra']);
  expect(await listed({ state: ['deleted'] })).toEqual(['Gone']);
  expect(await listed({ with_enrollments: true })).toEqual(['Zoology']);
  expect(await listed({ hide_enrollmentless_courses: 1 })).toEqual(['Zoology']);
  expect(await listed({ enrollment_type: ['teacher'] })).toEqual(['Zoology']);
  expect(await listed({ by_teachers: [teacher.id] })).toEqual(['Zoology']);
  expect(await listed({ by_subaccounts: [institute.id] })).toEqual(['algebra']);
  expect(await listed({ search_term: 'th-2' })).toEqual(['algebra']);
  expect(await listed({ search_term: 's-alg' })).toEqual(['algebra']);
  expect(await listed({ search_term: 'tara', search_by: 'teacher' })).toEqual(['Zoology']);
  expect(await listed({ completed: true })).toEqual([]);
  expect(await listed({ starts_before: '2026-01-01' })).toEqual(['Zoology', 'algebra']);
  expect(await listed({ blueprint: true })).toEqual([]);
  ok(await as(admin).get(`/accounts/${faculty.id}/courses`, { search_term: 'x' }), 400);
  ok(await as(teacher).get(`/accounts/${faculty.id}/courses`), 401);
  const [one] = ok(await as(admin).get(`/accounts/${faculty.id}/courses`, { include: ['term', 'teachers', 'account_name', 'concluded'] }));
  expect(one).toMatchObject({ term: { id: 1 }, teachers: [{ display_name: 'Tara Teacher' }], account_name: 'Faculty', concluded: false });
  expect(one).not.toHaveProperty('enrollments');
});

test('ten thousand courses cost no more than ten', async () => {
  const { student } = await aCourse(ground);
  const admin = await ground.admin();
  const small = within(await as(student).get('/courses'), 2);
  const few = within(await as(admin).get('/accounts/1/courses'), 2);
  await many(10_000, courses, {
    account_id: 1,
    root_account_id: 1,
    enrollment_term_id: 1,
    name: nth('Course '),
    uuid: nth('uuid'),
    workflow_state: 'available',
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
  });
  expect(within(await as(student).get('/courses'), 2).cost.rows_read).toBeLessThan(small.cost.rows_read + 10);
  for (const query of [{}, { sort: 'course_name' }]) {
    const page = within(await as(admin).get('/accounts/1/courses', { ...query, per_page: 100 }), 2);
    expect(ok(page)).toHaveLength(100);
    expect(page.cost.rows_read).toBeLessThan(3 * 100 + few.cost.rows_read);
    const next = await as(admin).get(page.links.next as string);
    expect(next.cost.rows_read).toBeLessThan(3 * 100 + few.cost.rows_read);
    expect(ok(next)).toHaveLength(100);
  }
});

/** Queued jobs end a moment later. */
async function finished(person: Parameters<typeof as>[0], progress: { id: number }) {
  for (let tries = 0; tries < 400; tries++) {
    const now = ok(await as(person).get(`/progress/${progress.id}`));
    if (now.workflow_state === 'completed' || now.workflow_state === 'failed') return now;
    await new Promise((resume) => setTimeout(resume, 50));
  }
  throw new Error('the work is not done');
}

test('an account with ten thousand courses lists them as cheaply as the whole institution does', async () => {
  const admin = await ground.admin();
  const faculty = await ground.account();
  const institute = await ground.account({ parent_account_id: faculty.id });
  const few = within(await as(admin).get(`/accounts/${faculty.id}/courses`), 2);
  for (const { id } of [faculty, institute])
    await many(5_000, courses, {
      account_id: id,
      root_account_id: 1,
      enrollment_term_id: 1,
      name: nth('Course '),
      uuid: nth(`of${id}`),
      workflow_state: 'available',
      created_at: '2026-01-01T00:00:00Z',
      updated_at: '2026-01-01T00:00:00Z',
    });
  let page = within(await as(admin).get(`/accounts/${institute.id}/courses`, { per_page: 100 }), 2);
  for (let n = 0; n < 3; n++) page = within(await as(admin).get(page.links.next as string), 2);
  expect(page.body).toHaveLength(100);
  expect(page.cost.rows_read).toBeLessThan(5 * 100 + few.cost.rows_read);
  const ids: number[] = [];
  for (let next: string | undefined = `/accounts/${faculty.id}/courses?per_page=100`; next && ids.length < 600; ) {
    const answer = await as(admin).get(next);
    ids.push(...ok(answer).map((one: { id: number }) => one.id));
    next = answer.links.next;
  }
  expect(ids).toEqual(Array.from({ length: 600 }, (_, n) => (ids[0] as number) + n));
});

test('an administrator publishes many courses at once, in the background', async () => {
  const admin = await ground.admin();
  const { teacher } = await aCourse(ground);
  const drafts = await Promise.all([1, 2, 3].map((n) => ground.course({ workflow_state: 'claimed', sis_course_id: `DRAFT/${n}` })));
  const at = '/accounts/1/courses';
  const course_ids = [...drafts.slice(1).map(({ id }) => id), 'sis_course_id:DRAFT/1'];
  const queued = ok(within(await as(admin).put(at, { course_ids, event: 'offer' }), 3));
  expect(queued).toMatchObject({ tag: 'course_batch_update', context_type: 'Account', context_id: 1, user_id: admin.id });
  expect(await finished(admin, queued)).toMatchObject({ workflow_state: 'completed', completion: 100 });
  for (const { id } of drafts) expect(ok(await as(admin).get(`/courses/${id}`)).workflow_state).toBe('available');
  ok(await as(admin).put(at, { event: 'offer' }), 400);
  ok(await as(admin).put(at, { course_ids, event: 'explode' }), 400);
  ok(await as(admin).put(at, { course_ids: Array.from({ length: 501 }, (_, n) => n), event: 'offer' }), 403);
  ok(await as(teacher).put(at, { course_ids, event: 'offer' }), 401);
});

test('an administrator of one account cannot change courses outside of it by an event', async () => {
  const faculty = await ground.account();
  const department = await ground.account({ parent_account_id: faculty.id });
  const beside = await ground.account({ name: 'Another faculty' });
  const dean = await ground.admin({ account_id: faculty.id });
  const root = await ground.admin();
  const events = { offer: ['claimed', 'available'], conclude: ['available', 'completed'], delete: ['available', 'deleted'] } as const;
  const changed = async (event: string, before: 'claimed' | 'available', isDeleted = false) => {
    const courses = [department, beside].map(({ id: account_id }) => ground.course({ account_id, workflow_state: before }));
    const course_ids = (await Promise.all(courses)).map(({ id }) => id);
    if (isDeleted) await finished(root, ok(await as(root).put('/accounts/1/courses', { course_ids, event: 'delete' })));
    const work = await finished(dean, ok(await as(dean).put(`/accounts/${faculty.id}/courses`, { course_ids, event })));
    expect(work, event).toMatchObject({ workflow_state: 'completed', message: '1 courses processed, 1 not found' });
    const { results } = await env.DB.prepare(`select id, workflow_state from courses where id in (${course_ids})`).all();
    const stateOf = new Map(results.map(({ id, workflow_state }) => [id, workflow_state]));
    return course_ids.map((id) => stateOf.get(id));
  };
  for (const [event, [before, after]] of Object.entries(events)) expect(await changed(event, before), event).toEqual([after, before]);
  expect(await changed('undelete', 'available', true)).toEqual(['claimed', 'deleted']);
});

test('tabs are listed in order; empty and hidden ones only for staff', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const at = `/courses/${course.id}/tabs`;
  const ids = async (person: typeof student) => ok(within(await as(person).get(at), 2)).map((tab: { id: string }) => tab.id);
  expect(await ids(student)).toEqual(['home', 'grades', 'people', 'syllabus']);
  expect((await ids(teacher)).slice(-3)).toEqual(['conferences', 'collaborations', 'settings']);
  expect(ok(await as(teacher).get(at))[1]).toEqual({
    id: 'announcements',
    html_url: `/courses/${course.id}/announcements`,
    full_url: `https://carrel.test/courses/${course.id}/announcements`,
    position: 2,
    label: 'Announcements',
    type: 'internal',
    visibility: 'admins',
    unused: true,
  });
  expect(ok(within(await as(teacher).put(`${at}/people`, { position: 2 }), 3))).toMatchObject({ id: 'people', position: 2 });
  expect(ok(await as(teacher).put(`${at}/grades`, { hidden: true }))).toMatchObject({ hidden: true, visibility: 'admins' });
  expect(await ids(student)).toEqual(['home', 'people', 'syllabus']);
  expect(ok(await as(student).get(`/courses/${course.id}`, { include: ['tabs'] })).tabs).toHaveLength(3);
  ok(await as(teacher).put(`${at}/home`, { hidden: true }), 400);
  ok(await as(teacher).put(`${at}/people`, { position: 1 }), 400);
  ok(await as(teacher).put(`${at}/people`, { position: 99 }), 400);
  ok(await as(teacher).put(`${at}/wormholes`, { position: 2 }), 404);
  ok(await as(student).put(`${at}/people`, { position: 2 }), 401);
});

test('a public course is visible to everyone, without a token', async () => {
  const open = await ground.course({ is_public: true, name: 'Open' });
  expect(ok(within(await as().get(`/courses/${open.id}`), 2))).toMatchObject({ name: 'Open', enrollments: [] });
  ok(await as().get(`/courses/${(await ground.course()).id}`), 401);
});

test('resetting a course moves its users to a new one, and the content stays in the old one', async () => {
  const admin = await ground.admin();
  const { course, teacher, student } = await aCourse(ground, { name: 'Again', sis_course_id: 'AGAIN' });
  ok(await as(student).post(`/users/self/favorites/courses/${course.id}`));
  ok(await as(teacher).post(`/courses/${course.id}/assignment_groups`, { name: 'Labs' }));
  ok(await as(teacher).post(`/courses/${course.id}/reset_content`), 401);
  const headers = { 'Idempotency-Key': 'reset' };
  const fresh = ok(within(await as(admin).post(`/courses/${course.id}/reset_content`, undefined, { headers }), 3));
  expect(fresh).toMatchObject({ name: 'Again', sis_course_id: 'AGAIN', workflow_state: 'unpublished' });
  expect(fresh.id).not.toBe(course.id);
  ok(await as(admin).get(`/courses/${course.id}`), 404);
  expect(ok(await as(teacher).get(`/courses/${fresh.id}/enrollments`))).toHaveLength(6);
  expect(ok(await as(teacher).get(`/courses/${fresh.id}/assignment_groups`))).toHaveLength(1);
  ok(await as(teacher).put(`/courses/${fresh.id}`, { offer: true }));
  expect(ok(await as(student).get('/users/self/favorites/courses'))[0].id).toBe(fresh.id);
});

test('an account returns one of its courses, and a preview is sanitised', async () => {
  const { course, teacher } = await aCourse(ground);
  const admin = await ground.admin();
  expect(ok(await as(admin).get(`/accounts/1/courses/${course.id}`))).toMatchObject({ id: course.id });
  const { html } = ok(await as(teacher).post(`/courses/${course.id}/preview_html`, { html: '<p>Hello</p><script>alert(1)</script>' }));
  expect(html).toBe('<p>Hello</p>');
});

test('the courses of a user are listed by nickname, page by page, and follow renames', async () => {
  const { student, teacher } = await aCourse(ground, { name: 'M first' });
  const made: { id: number }[] = [];
  for (const name of ['Beta', 'alpha', 'Gamma', 'delta']) {
    const one = await ground.course({ name });
    made.push(one);
    await ground.enroll(one, student, 'student');
    await ground.enroll(one, teacher, 'teacher');
  }
  const names = async (by: typeof student) => (await as(by).pages('/courses', { per_page: 2 })).map(({ name }) => name);
  expect(await names(student)).toEqual(['alpha', 'Beta', 'delta', 'Gamma', 'M first']);
  ok(await as(student).put(`/users/self/course_nicknames/${made[1]?.id}`, { nickname: 'omega' }));
  ok(await as(student).put(`/users/self/course_nicknames/${made[2]?.id}`, { nickname: 'Aleph' }));
  ok(await as(teacher).put(`/courses/${made[3]?.id}`, { course: { name: 'Anew' } }));
  expect(await names(student)).toEqual(['Aleph', 'Anew', 'Beta', 'M first', 'omega']);
  expect(await names(teacher)).toEqual(['alpha', 'Anew', 'Beta', 'Gamma', 'M first']);
});
