// Courses, sections and enrollments: created, filled, maintained and left by an administrator, a teacher, students and an observer.

import { createHash } from 'node:crypto';
import { expect, inject, test } from 'vitest';
import { type AnyJson, canvasApiFor, names, plainly } from './at';

const built = inject('started');
const cast = built.casts.courses;
const [admin, teacher, student] = [canvasApiFor(built.admin), canvasApiFor(cast.teacher), canvasApiFor(cast.student)];
const here = `courses/${cast.course.id}`;
const soon = '2035-05-01T10:00:00Z';
const ids = (list: readonly AnyJson[]) => names(list, 'id');

test('an administrator creates courses, changes many at once, deletes and restores them', async () => {
  const { ask, all, ended, refusal } = admin;
  const made = await ask('POST', 'accounts/1/courses', {
    course: { name: 'Bryology', course_code: 'BRY 1', sis_course_id: 'BRY1', license: 'cc_by', time_zone: 'Europe/Stockholm' },
    offer: true,
    enroll_me: true,
  });
  expect(made).toMatchObject({ name: 'Bryology', workflow_state: 'available', license: 'cc_by', time_zone: 'Europe/Stockholm' });
  expect(await ask('GET', 'courses/sis_course_id:BRY1', { include: ['term', 'total_students'] })).toMatchObject({
    id: made.id,
    term: { id: 1 },
    total_students: 0,
    enrollments: [{ type: 'teacher', user_id: built.admin.id }],
  });
  expect(await ask('GET', `accounts/1/courses/${made.id}`)).toMatchObject({ course_code: 'BRY 1' });
  const draft = await ask('POST', 'courses', { course: { name: 'Mosses' } });
  expect(draft.workflow_state).toBe('unpublished');
  expect(names(await all('accounts/1/courses', { search_term: 'bryo', sort: 'course_name' }))).toEqual(['Bryology']);
  const course_ids = [made.id, draft.id];
  const offered = await ended(`progress/${(await ask('PUT', 'accounts/1/courses', { course_ids, event: 'offer' })).id}`);
  expect(offered).toMatchObject({ tag: 'course_batch_update', completion: 100 });
  expect(await ask('GET', `courses/${draft.id}`)).toMatchObject({ workflow_state: 'available' });
  expect(
    await ask('PUT', `courses/${made.id}`, { course: { public_description: 'Of mosses', is_public: true, indexed: true } }),
  ).toMatchObject({
    name: 'Bryology',
    is_public: true,
  });
  const open = await ask('GET', 'search/all_courses', { search: 'bryo' });
  expect(open).toMatchObject([{ course: { id: made.id, name: 'Bryology' } }]);
  expect(await ask('DELETE', `courses/${draft.id}`, { event: 'delete' })).toEqual({ delete: true });
  expect(await refusal('GET', `courses/${draft.id}`)).toBe(404);
  expect(await ask('PUT', `courses/${draft.id}`, { course: { event: 'undelete' } })).toMatchObject({ id: draft.id });
  await ask('POST', `courses/${draft.id}/pages`, { wiki_page: { title: 'Gone soon' } });
  const anew = await ask('POST', `courses/${draft.id}/reset_content`);
  expect(anew).toMatchObject({ name: 'Mosses', workflow_state: 'unpublished' });
  expect(await all(`courses/${anew.id}/pages`)).toEqual([]);
  expect(await teacher.refusal('POST', 'accounts/1/courses', { course: { name: 'Mine' } })).toBe(401);
});

test('a teacher sets up a course: settings, tabs and syllabus', async () => {
  const { ask, all, refusal } = teacher;
  const settings = await ask('PUT', `${here}/settings`, { allow_student_discussion_topics: false, home_page_announcement_limit: 3 });
  expect(settings).toMatchObject({ allow_student_discussion_topics: false, home_page_announcement_limit: 3 });
  expect(await student.ask('GET', `${here}/settings`)).toMatchObject({ allow_student_discussion_topics: false });
  expect(await ask('GET', `${here}/permissions`, { permissions: ['manage_grades', 'manage_sis'] })).toEqual({
    manage_grades: true,
    manage_sis: false,
  });
  expect(await ask('PUT', `${here}/tabs/people`, { hidden: true, position: 3 })).toMatchObject({ id: 'people', hidden: true, position: 3 });
  expect(names(await student.all(`${here}/tabs`), 'id')).not.toContain('people');
  expect((await all(`${here}/tabs`)).map(({ position }) => position)).toEqual(expect.arrayContaining([1, 2, 3]));
  const { html } = await ask('POST', `${here}/preview_html`, { html: '<p onclick="x()">Hi<script>x()</script></p>' });
  expect(html).toBe('<p>Hi</p>');
  expect(await ask('PUT', here, { course: { syllabus_body: '<p>The plan</p>', default_view: 'syllabus' } })).toMatchObject({
    default_view: 'syllabus',
  });
  expect((await student.ask('GET', here, { include: ['syllabus_body', 'teachers', 'course_progress'] })).syllabus_body).toBe(
    '<p>The plan</p>',
  );
  expect(names(await all(`${here}/content_licenses`), 'id')).toEqual(names(await all(`course/${cast.course.id}/content_licenses`), 'id'));
  const tested = await ask('GET', `${here}/student_view_student`);
  expect(tested.name).toBe('Test Student');
  expect((await teacher.whole('POST', `${built.url}/${here}/student_view`)).headers.location).toBe(`${built.url}/${here}`);
  expect(await refusal('PUT', here, { course: { grade_passback_setting: 'always' } })).toBe(400);
  expect(await student.refusal('PUT', `${here}/settings`, { hide_final_grades: true })).toBe(401);
});

test('sections are created, renamed, cross-listed and moved back, and deleted', async () => {
  const { ask, all, refusal } = teacher;
  const evening = await ask('POST', `${here}/sections`, { course_section: { name: 'Evening', start_at: soon } });
  expect(names(await all(`${here}/sections`, { include: ['total_students'] }))).toEqual(['Evening', 'Of courses']);
  expect(await ask('GET', `${here}/sections/${evening.id}`)).toMatchObject({ name: 'Evening', start_at: soon, nonxlist_course_id: null });
  expect(await ask('PUT', `sections/${evening.id}`, { course_section: { name: 'Night' } })).toMatchObject({ name: 'Night' });
  expect(await admin.ask('PUT', `${here}/sections/${evening.id}`, { course_section: { sis_section_id: 'NIGHT' } })).toMatchObject({
    name: 'Night',
    sis_section_id: 'NIGHT',
  });
  const late = await admin.ask('POST', 'accounts/1/users', { user: { name: 'Lou Late' }, pseudonym: { unique_id: 'lou@example.edu' } });
  const placed = await admin.ask('POST', 'sections/sis_section_id:NIGHT/enrollments', {
    enrollment: { user_id: late.id, type: 'StudentEnrollment', enrollment_state: 'active' },
  });
  expect(placed).toMatchObject({ course_section_id: evening.id, enrollment_state: 'active' });
  expect(names(await all(`sections/${evening.id}/enrollments`), 'user_id')).toEqual([late.id]);
  const elsewhere = await admin.ask('POST', 'accounts/1/courses', { course: { name: 'Elsewhere' }, offer: true });
  expect(await admin.ask('POST', `sections/${evening.id}/crosslist/${elsewhere.id}`)).toMatchObject({
    course_id: elsewhere.id,
    nonxlist_course_id: cast.course.id,
  });
  expect(ids(await admin.all(`courses/${elsewhere.id}/users`))).toEqual([late.id]);
  expect(await admin.ask('DELETE', `sections/${evening.id}/crosslist`)).toMatchObject({
    course_id: cast.course.id,
    nonxlist_course_id: null,
  });
  expect(await admin.all(`courses/${elsewhere.id}/users`)).toEqual([]);
  expect(await admin.ask('GET', `sections/${evening.id}`, { include: ['students'] })).toMatchObject({ students: [{ id: late.id }] });
  await admin.ask('DELETE', `${here}/enrollments/${placed.id}`, { task: 'delete' });
  expect(await ask('DELETE', `sections/${evening.id}`)).toMatchObject({ id: evening.id });
  expect(await refusal('GET', `sections/${evening.id}`)).toBe(404);
  expect(await student.refusal('POST', `${here}/sections`, { course_section: { name: 'Mine' } })).toBe(401);
});

test('users are invited, accept, leave, and are enrolled in many courses at once', async () => {
  const { ask, all, refusal } = teacher;
  const invite = async () =>
    ask('POST', `${here}/enrollments`, {
      enrollment: { user_id: cast.stranger.id, type: 'StudentEnrollment', enrollment_state: 'invited' },
    });
  const stranger = canvasApiFor(cast.stranger);
  const first = await invite();
  expect(await stranger.ask('POST', `${here}/enrollments/${first.id}/reject`)).toEqual({ success: true });
  const again = await invite();
  expect(names(await stranger.all('users/self/enrollments', { state: ['invited'] }), 'course_id')).toEqual([cast.course.id]);
  expect(await stranger.ask('POST', `${here}/enrollments/${again.id}/accept`)).toEqual({ success: true });
  expect(await admin.ask('GET', `accounts/1/enrollments/${again.id}`)).toMatchObject({
    enrollment_state: 'active',
    user_id: cast.stranger.id,
  });
  expect(await ask('DELETE', `${here}/enrollments/${again.id}`, { task: 'deactivate' })).toMatchObject({ enrollment_state: 'inactive' });
  expect(await stranger.refusal('GET', `${here}/pages`)).toBe(401);
  expect(await ask('PUT', `${here}/enrollments/${again.id}/reactivate`)).toMatchObject({ enrollment_state: 'active' });
  expect(await ask('DELETE', `${here}/enrollments/${again.id}`, { task: 'conclude' })).toMatchObject({ enrollment_state: 'completed' });
  expect(names(await all(`${here}/enrollments`, { state: ['completed'] }), 'user_id')).toEqual([cast.stranger.id]);
  expect(await admin.ask('GET', `users/${cast.stranger.id}/temporary_enrollment_status`)).toMatchObject({
    is_provider: false,
    is_recipient: false,
  });
  const other = await admin.ask('POST', 'accounts/1/courses', { course: { name: 'Together' }, offer: true });
  const { id } = await admin.ask('POST', 'accounts/1/bulk_enrollment', {
    user_ids: [cast.student.id, cast.student2.id],
    course_ids: [other.id],
    enrollment_type: 'StudentEnrollment',
  });
  await admin.ended(`progress/${id}`);
  expect(names(await admin.all(`courses/${other.id}/enrollments`), 'user_id').sort()).toEqual([
    cast.student.id,
    cast.student2.id,
    // Observers are enrolled with their student.
    cast.observer.id,
  ]);
  await admin.ask('DELETE', `courses/${other.id}`, { event: 'conclude' });
  expect(await student.refusal('POST', `${here}/enrollments`, { enrollment: { user_id: 'self', type: 'TeacherEnrollment' } })).toBe(401);
  expect(await refusal('POST', `${here}/enrollments`, { enrollment: { user_id: 999_999 } })).toBe(404);
});

test('a teacher lists the users of a course, their progress and their effective due dates', async () => {
  const { ask, all } = teacher;
  const people = await all(`${here}/users`, { 'include[]': 'enrollments', 'enrollment_type[]': 'student' });
  expect(names(people)).toEqual(['Sam Student', 'Sue Student']);
  expect(people[0].enrollments).toMatchObject([{ type: 'StudentEnrollment', enrollment_state: 'active' }]);
  expect(names(await all(`${here}/search_users`, { search_term: 'sue' }))).toEqual(['Sue Student']);
  expect(await ask('GET', `${here}/users/${cast.student.id}`)).toMatchObject({ name: 'Sam Student', login_id: cast.student.login });
  expect(names(await all(`${here}/students`)).sort()).toEqual(['Sam Student', 'Sue Student']);
  expect(names(await all(`${here}/recent_students`))).toContain('Sam Student');
  expect(ids(await all(`${here}/content_share_users`, { search_term: 'Tim' }))).toContain(cast.ta.id);
  await ask('PUT', `${here}/users/${cast.student.id}/last_attended`, { date: '2026-10-01' });
  expect((await student.all(`${here}/enrollments`, { user_id: 'self' }))[0].last_attended_at).toBe('2026-10-01T00:00:00Z');
  const essay = await ask('POST', `${here}/assignments`, {
    assignment: { name: 'Essay', submission_types: ['online_text_entry'], due_at: soon, published: true },
  });
  expect(await ask('GET', `${here}/effective_due_dates`, { assignment_ids: [essay.id] })).toMatchObject({
    [essay.id]: { [cast.student.id]: { due_at: soon }, [cast.student2.id]: { due_at: soon } },
  });
  const module = await ask('POST', `${here}/modules`, { module: { name: 'One' } });
  await ask('POST', `${here}/modules/${module.id}/items`, {
    module_item: { type: 'Assignment', content_id: essay.id, completion_requirement: { type: 'must_submit' } },
  });
  await ask('PUT', `${here}/modules/${module.id}`, { module: { published: true } });
  expect(await student.ask('GET', `${here}/users/self/progress`)).toMatchObject({ requirement_count: 1, requirement_completed_count: 0 });
  expect(await all(`${here}/bulk_user_progress`)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ display_name: 'Sam Student', progress: expect.objectContaining({ requirement_count: 1 }) }),
    ]),
  );
  expect(await student.refusal('GET', `${here}/bulk_user_progress`)).toBe(401);
});

test('a student favourites and renames courses, and an observer sees the courses of their student', async () => {
  const learns = plainly(cast.student);
  expect(names(await learns.get('courses', { include: ['favorites'], enrollment_state: 'active' }))).toContain('Of courses');
  expect(await learns.post(`users/self/favorites/courses/${cast.course.id}`)).toEqual({
    context_id: cast.course.id,
    context_type: 'Course',
  });
  expect(names(await learns.get('users/self/favorites/courses'))).toEqual(['Of courses']);
  expect(await learns.put(`users/self/course_nicknames/${cast.course.id}`, { nickname: 'Botany!' })).toEqual({
    course_id: cast.course.id,
    name: 'Of courses',
    nickname: 'Botany!',
  });
  expect(await learns.get(here)).toMatchObject({ name: 'Botany!', original_name: 'Of courses' });
  expect((await learns.get(`users/self/course_nicknames/${cast.course.id}`)).nickname).toBe('Botany!');
  expect(await learns.get('users/self/course_nicknames')).toHaveLength(1);
  for (const path of ['/dashboard/dashboard_cards', '/api/v1/dashboard/dashboard_cards'])
    expect(await student.ask('GET', `${built.url}${path}`)).toMatchObject([
      { id: cast.course.id, shortName: 'Botany!', isFavorited: true },
    ]);
  expect(await learns.delete(`users/self/course_nicknames/${cast.course.id}`)).toMatchObject({ nickname: 'Of courses' });
  expect(await learns.delete('users/self/course_nicknames')).toEqual({ message: 'OK' });
  expect(await learns.delete(`users/self/favorites/courses/${cast.course.id}`)).toMatchObject({ context_id: cast.course.id });
  expect(await learns.delete('users/self/favorites/courses')).toMatchObject({ message: 'OK' });
  const observer = plainly(cast.observer);
  expect((await observer.get('courses', { include: ['observed_users'] }))[0].enrollments).toContainEqual(
    expect.objectContaining({ type: 'student', user_id: cast.student.id }),
  );
  expect(names(await observer.get(`users/${cast.student.id}/courses`))).toContain('Of courses');
  expect(await canvasApiFor(cast.observer).refusal('GET', `users/${cast.student2.id}/courses`)).toBe(401);
});

test('a course is copied into another one, with links and files that point to the copies', async () => {
  const { ask, all, upload } = teacher;
  const file = await upload(`${here}/files`, { name: 'plan.txt', bytes: 'a plan' });
  await ask('POST', `${here}/pages`, {
    wiki_page: { title: 'Start', body: `<a href="/${here}/files/${file.id}/download">plan</a>`, published: true },
  });
  const target = await admin.ask('POST', 'accounts/1/courses', { course: { name: 'Next year' } });
  await admin.ask('POST', `courses/${target.id}/enrollments`, {
    enrollment: { user_id: cast.teacher.id, type: 'TeacherEnrollment', enrollment_state: 'active' },
  });
  const begun = await ask('POST', `courses/${target.id}/course_copy`, { source_course: cast.course.id });
  await teacher.ended(`courses/${target.id}/course_copy/${begun.id}`);
  const [copied] = await all(`courses/${target.id}/files`);
  expect(copied).toMatchObject({ display_name: 'plan.txt', size: 6 });
  const page = await ask('GET', `courses/${target.id}/pages/start`);
  expect(page.body).toContain(`/courses/${target.id}/files/${copied.id}/download`);
  const known = createHash('md5').update(`attachment_${file.id}`).digest('hex');
  expect((await ask('GET', `courses/${target.id}/files/file_ref/i${known}`)).id).toBe(copied.id);
});

test('a blueprint syncs to its associated courses, which cannot change locked items', async () => {
  const { ask, all, ended } = admin;
  const make = (name: string) => ask('POST', 'accounts/1/courses', { course: { name }, offer: true });
  const [master, follower] = [await make('Blueprint'), await make('Follower')];
  await ask('POST', `courses/${follower.id}/enrollments`, {
    enrollment: { user_id: cast.teacher.id, type: 'TeacherEnrollment', enrollment_state: 'active' },
  });
  const page = await ask('POST', `courses/${master.id}/pages`, { wiki_page: { title: 'Rules', body: '<p>Read me</p>', published: true } });
  expect(await ask('PUT', `courses/${master.id}`, { course: { blueprint: true } })).toMatchObject({ blueprint: true });
  const template = `courses/${master.id}/blueprint_templates/default`;
  expect(await ask('PUT', `${template}/update_associations`, { course_ids_to_add: [follower.id] })).toEqual({ success: true });
  expect(names(await all(`${template}/associated_courses`))).toEqual(['Follower']);
  expect(await all(`${template}/unsynced_changes`)).toMatchObject([{ change_type: 'initial_sync' }]);
  expect(await ask('PUT', `${template}/restrict_item`, { content_type: 'wiki_page', content_id: page.page_id, restricted: true })).toEqual({
    success: true,
  });
  const begun = await ask('POST', `${template}/migrations`, { comment: 'Autumn' });
  const done = await ended(`${template}/migrations/${begun.id}`);
  expect(done).toMatchObject({ comment: 'Autumn', user_id: built.admin.id });
  expect(names(await all(`${template}/migrations`), 'id')).toEqual([begun.id]);
  expect(await all(`${template}/migrations/${begun.id}/details`)).toContainEqual(
    expect.objectContaining({ asset_type: 'wiki_page', asset_name: 'Rules', change_type: 'created', exceptions: [] }),
  );
  expect(await ask('GET', template)).toMatchObject({ associated_course_count: 1, latest_migration: { id: begun.id } });
  const theirs = `courses/${follower.id}/blueprint_subscriptions`;
  expect(await teacher.all(theirs)).toMatchObject([{ blueprint_course: { id: master.id, name: 'Blueprint' } }]);
  const [brought] = await teacher.all(`${theirs}/default/migrations`);
  expect(await teacher.ask('GET', `${theirs}/default/migrations/${brought.id}`)).toMatchObject({ workflow_state: 'completed' });
  expect(names(await teacher.all(`${theirs}/default/migrations/${brought.id}/details`), 'asset_name')).toContain('Rules');
  expect(await teacher.refusal('PUT', `courses/${follower.id}/pages/rules`, { wiki_page: { body: 'mine' } })).toBe(400);
  expect((await teacher.ask('GET', `courses/${follower.id}/pages/rules`)).body).toBe('<p>Read me</p>');
});

test('a user finds course content by its words, limited to what they may read', async () => {
  await admin.ask('PUT', 'accounts/1/features/flags/smart_search', { state: 'on' });
  const page = (title: string, more: object) =>
    teacher.ask('POST', `${here}/pages`, { wiki_page: { title, body: '<p>Of liverworts</p>', ...more } });
  await page('Liverworts', { published: true });
  await page('Liverworts in secret', { published: false });
  const find = async (who: ReturnType<typeof canvasApiFor>) =>
    names((await who.ask('GET', `${here}/smartsearch`, { q: 'liverworts' })).results, 'title');
  expect(await find(student)).toEqual(['Liverworts']);
  expect((await find(teacher)).sort()).toEqual(['Liverworts', 'Liverworts in secret']);
});
