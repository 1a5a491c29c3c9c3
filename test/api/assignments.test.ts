// Assignments: what students and staff see, and how they change.

import { env } from 'cloudflare:test';
import { assignments } from '@carrel/worker/domains/assignments/table';
import { submissions } from '@carrel/worker/domains/submissions/table';
import { tick } from '@carrel/worker/schedule';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { as, ground, many, n, nth, ok, within } from '../support/api';
import { bookmarkAt } from '../support/bookmark';
import { aCourse } from '../support/ground';

const at = (course: { id: number }, rest = '') => `/courses/${course.id}/assignments${rest}`;
const names = (listed: { name: string }[]) => listed.map((one) => one.name);
const made = '2026-09-01T08:00:00Z';

test('a new assignment is unpublished, returns 201 and has every field', async () => {
  const { course, teacher } = await aCourse(ground);
  const essay = ok(within(await as(teacher).post(at(course), { assignment: { name: 'Essay', points_possible: '10' } }), 3), 201);
  expect(essay).toMatchObject({
    name: 'Essay',
    points_possible: 10,
    grading_type: 'points',
    submission_types: ['none'],
    allowed_attempts: -1,
    published: false,
    workflow_state: 'unpublished',
    assignment_group_id: course.assignment_group_id,
    position: 1,
    needs_grading_count: 0,
    has_overrides: false,
    unpublishable: true,
    locked_for_user: false,
    description: null,
    due_at: null,
  });
  expect(ok(await as(teacher).post(at(course)), 201)).toMatchObject({ name: 'Assignment', position: 2, points_possible: 0 });
});

test('students see published assignments only; outsiders see nothing', async () => {
  const { course, teacher, student, observer, stranger } = await aCourse(ground);
  const hidden = ok(await as(teacher).post(at(course), { assignment: { name: 'Hidden' } }), 201);
  const shown = ok(await as(teacher).post(at(course), { assignment: { name: 'Shown', published: true } }), 201);
  expect(names(ok(within(await as(teacher).get(at(course)), 2)))).toEqual(['Hidden', 'Shown']);
  for (const reader of [student, observer]) {
    expect(names(ok(within(await as(reader).get(at(course)), 2)))).toEqual(['Shown']);
    ok(within(await as(reader).get(at(course, `/${hidden.id}`)), 2), 401);
    ok(await as(reader).get(at(course, '/999999')), 404);
    expect(ok(within(await as(reader).get(at(course, `/${shown.id}`)), 2))).not.toHaveProperty('needs_grading_count');
  }
  ok(await as(stranger).get(at(course)), 401);
  ok(await as(student).post(at(course), { assignment: { name: 'Mine' } }), 401);
  ok(await as(student).put(at(course, `/${shown.id}`), { assignment: { name: 'Mine' } }), 401);
  ok(await as(student).del(at(course, `/${shown.id}`)), 401);
  ok(await as(student).post(at(course, `/${shown.id}/duplicate`)), 401);
});

test('malformed values are refused by name', async () => {
  const { course, teacher } = await aCourse(ground);
  const refuse = async (assignment: object) => ok(await as(teacher).post(at(course), { assignment }), 400);
  expect(await refuse({ due_at: 'tomorrow' })).toEqual({ errors: [{ message: 'assignment[due_at] is not a date and time' }] });
  expect(await refuse({ submission_types: ['carrier_pigeon'] })).toHaveProperty(['errors', 'assignment[submission_types]']);
  await refuse({ name: ' ' });
  await refuse({ name: 'x'.repeat(256) });
  await refuse({ points_possible: -1 });
  await refuse({ allowed_attempts: 0 });
  expect((await refuse({ peer_reviews: true, peer_review_count: -1 })).errors).toHaveProperty('peer_review_count');
  await refuse({ assignment_group_id: 'first' });
  await refuse({ grading_type: 'stars' });
  await refuse({ unlock_at: '2026-10-02T10:00:00Z', due_at: '2026-10-01T10:00:00Z' });
  await refuse({ due_at: '2026-10-03T10:00:00Z', lock_at: '2026-10-02T10:00:00Z' });
  ok(await as(teacher).get(at(course), { bucket: 'bottomless' }), 400);
  ok(await as(teacher).get(at(course), { assignment_ids: [999999] }), 400);
  ok(await as(teacher).get(at(course, '/999999')), 404);
  ok(await as(teacher).get(at(course, '/letters')), 404);
  expect(ok(await as(teacher).get(at(course)))).toEqual([]);
});

test("a due date at midnight means the end of that day in the course's time zone", async () => {
  const { course, teacher } = await aCourse(ground, { time_zone: 'America/New_York' });
  const due_at = '2026-10-05T04:00:00Z';
  const essay = ok(await as(teacher).post(at(course), { assignment: { name: 'Essay', due_at, unlock_at: due_at } }), 201);
  expect(essay).toMatchObject({ due_at: '2026-10-06T03:59:59Z', unlock_at: due_at });
});

test('an assignment is edited, moved, unpublished and deleted', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const labs = ok(await as(teacher).post(`/courses/${course.id}/assignment_groups`, { name: 'Labs' }));
  const essay = ok(
    await as(teacher).post(at(course), { assignment: { name: 'Essay', published: true, due_at: '2026-10-01T10:00:00Z' } }),
    201,
  );
  await as(teacher).post(at(course), { assignment: { name: 'Lab', assignment_group_id: labs.id } });
  const edited = await as(teacher).put(at(course, `/${essay.id}`), {
    assignment: {
      name: 'Long essay',
      description: '<p>Write.</p><script>alert(1)</script>',
      due_at: '',
      assignment_group_id: labs.id,
      peer_reviews: true,
    },
  });
  expect(ok(within(edited, 3))).toMatchObject({
    name: 'Long essay',
    due_at: null,
    assignment_group_id: labs.id,
    position: 2,
    peer_reviews: true,
  });
  expect(edited.body.description).not.toContain('script');
  expect(ok(await as(teacher).put(at(course, `/${essay.id}`), { assignment: { position: 1, published: false } }))).toMatchObject({
    position: 1,
    published: false,
  });
  expect(names(ok(await as(teacher).get(`/courses/${course.id}/assignment_groups/${labs.id}/assignments`)))).toEqual(['Long essay', 'Lab']);
  ok(await as(teacher).get(`/courses/${course.id}/assignment_groups/999999/assignments`), 404);
  expect(ok(await as(student).get(at(course)))).toEqual([]);
  expect(ok(within(await as(teacher).del(at(course, `/${essay.id}`)), 3))).toMatchObject({ id: essay.id, workflow_state: 'deleted' });
  ok(await as(teacher).get(at(course, `/${essay.id}`)), 404);
  ok(await as(teacher).put(at(course, `/${essay.id}`), { assignment: { name: 'Back' } }), 404);
});

test('an assignment in a course without groups gets a new group', async () => {
  const { course, teacher } = await aCourse(ground);
  ok(await as(teacher).del(`/courses/${course.id}/assignment_groups/${course.assignment_group_id}`));
  const essay = ok(await as(teacher).post(at(course), { assignment: { name: 'Essay' } }), 201);
  const groups = ok(await as(teacher).get(`/courses/${course.id}/assignment_groups`));
  expect(groups).toMatchObject([{ id: essay.assignment_group_id, name: 'Assignments' }]);
});

test('a duplicate follows its source, unpublished, with a new name', async () => {
  const { course, teacher } = await aCourse(ground);
  const essay = ok(await as(teacher).post(at(course), { assignment: { name: 'Essay', published: true } }), 201);
  const last = ok(await as(teacher).post(at(course), { assignment: { name: 'Last' } }), 201);
  const copy = ok(within(await as(teacher).post(at(course, `/${essay.id}/duplicate`)), 3));
  expect(copy).toMatchObject({ name: 'Essay Copy', position: 2, published: false, original_assignment_id: essay.id });
  expect(copy.new_positions).toEqual({ [essay.id]: 1, [copy.id]: 2, [last.id]: 3 });
  expect(ok(await as(teacher).post(at(course, `/${copy.id}/duplicate`)))).toMatchObject({ name: 'Essay Copy 2' });
  ok(await as(teacher).del(at(course, `/${essay.id}`)));
  ok(await as(teacher).post(at(course, `/${essay.id}/duplicate`)), 400);
});

test('an assignment that is created or duplicated as a discussion has a topic, in which students hand it in', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const given = { name: 'Talk', description: '<p>Say something</p>', submission_types: ['discussion_topic'], published: true };
  const talk = ok(within(await as(teacher).post(at(course), { assignment: given }), 3), 201);
  const { discussion_topic: topic } = ok(await as(student).get(at(course, `/${talk.id}`)));
  expect(topic).toMatchObject({ title: 'Talk', message: '<p>Say something</p>', assignment_id: talk.id, published: true });
  ok(await as(student).post(`/courses/${course.id}/discussion_topics/${topic.id}/entries`, { message: 'Well' }), 201);
  expect(ok(await as(teacher).get(at(course, `/${talk.id}/submissions/${student.id}`)))).toMatchObject({ workflow_state: 'submitted' });

  ok(await as(teacher).put(`/courses/${course.id}/discussion_topics/${topic.id}`, { require_initial_post: true }));
  const copy = ok(within(await as(teacher).post(at(course, `/${talk.id}/duplicate`)), 3));
  expect(copy).toMatchObject({
    name: 'Talk Copy',
    published: false,
    discussion_topic: { title: 'Talk Copy', published: false, require_initial_post: true, discussion_subentry_count: 0 },
  });
  expect(copy.discussion_topic.id).not.toBe(topic.id);
  ok(await as(teacher).put(at(course, `/${copy.id}`), { assignment: { name: 'Debate', published: true } }));
  const titles = ok(await as(student).get(`/courses/${course.id}/discussion_topics`)).map(({ title }: { title: string }) => title);
  expect(titles.sort()).toEqual(['Debate', 'Talk']);
});

test('an SIS id is unique, and visible to users who manage SIS', async () => {
  const { course, teacher } = await aCourse(ground);
  const admin = await ground.admin();
  const assignment = { name: 'Essay', sis_assignment_id: `S-${course.id}`, integration_data: '{"a": 1}' };
  expect(ok(await as(teacher).post(at(course), { assignment }), 201).sis_assignment_id).toBeNull();
  const kept = ok(await as(admin).post(at(course), { assignment }), 201);
  expect(kept).toMatchObject({ sis_assignment_id: `S-${course.id}`, integration_data: { a: 1 } });
  expect(ok(await as(admin).get(at(course, `/sis_assignment_id:S-${course.id}`))).id).toBe(kept.id);
  ok(await as(admin).post(at(course), { assignment }), 400);
});

test('assignments by name are in the order of Unicode, also after they are renamed', async () => {
  const { course, teacher } = await aCourse(ground);
  const titles = ['Zoë', 'Écriture', 'Ångström', 'essay', 'Łódź', 'Analysis', 'Zone', 'Lyrics', '李白'];
  const made = await Promise.all(titles.map(async (name) => ok(await as(teacher).post(at(course), { assignment: { name } }), 201)));
  const listed = async (query: object) => (await as(teacher).pages(at(course), query)).map(({ name }) => name);
  const inOrder = () => titles.toSorted(new Intl.Collator('und').compare);
  expect(await listed({ order_by: 'name', per_page: 4 })).toEqual(inOrder());
  expect(await listed({ order_by: 'due_at', per_page: 4 })).toEqual(inOrder());
  const rename = async (from: string, name: string) => {
    const { id } = made[titles.indexOf(from)];
    ok(await as(teacher).put(at(course, `/${id}`), { assignment: { name } }));
    titles[titles.indexOf(from)] = name;
  };
  await rename('Zone', 'Ära');
  await rename('Ångström', 'Physics');
  expect(await listed({ order_by: 'name' })).toEqual(inOrder());
});

test('lists are filtered and ordered by the dates that apply to the caller', async () => {
  const { course, teacher, student, student2 } = await aCourse(ground);
  const now = Date.now();
  const day = (offset: number) => `${new Date(now + offset * 86_400_000).toISOString().slice(0, 19)}Z`;
  const create = async (name: string, more: object = {}) =>
    ok(
      await as(teacher).post(at(course), { assignment: { name, published: true, submission_types: ['online_text_entry'], ...more } }),
      201,
    );
  const past = await create('Past', { due_at: day(-2) });
  await create('Soon', { due_at: day(2) });
  await create('apart', { due_at: day(20) });
  await create('Undated');
  const bucket = async (word: string, person = student) => names(ok(within(await as(person).get(at(course), { bucket: word }), 2)));
  expect(await bucket('past')).toEqual(['Past']);
  expect(await bucket('overdue')).toEqual(['Past']);
  expect(await bucket('upcoming')).toEqual(['Soon']);
  expect(await bucket('undated')).toEqual(['Undated']);
  expect(await bucket('future')).toEqual(['Soon', 'apart', 'Undated']);
  expect(await bucket('unsubmitted')).toHaveLength(4);
  expect(await bucket('ungraded', teacher)).toEqual([]);
  ok(
    await as(teacher).post(at(course, `/${past.id}/overrides`), { assignment_override: { student_ids: [student.id], due_at: day(1) } }),
    201,
  );
  expect(await bucket('past')).toEqual([]);
  expect(await bucket('past', student2)).toEqual(['Past']);
  const order = async (order_by: string, more: object = {}) => names(ok(await as(student).get(at(course), { order_by, ...more })));
  expect(await order('name')).toEqual(['apart', 'Past', 'Soon', 'Undated']);
  expect(await order('due_at')).toEqual(['Past', 'Soon', 'apart', 'Undated']);
  expect(await order('position', { search_term: 'da' })).toEqual(['Undated']);
  expect(await order('position', { assignment_ids: [past.id] })).toEqual(['Past']);
  const pages = await as(student).pages(at(course), { order_by: 'due_at', per_page: 1 });
  expect(names(pages)).toEqual(['Past', 'Soon', 'apart', 'Undated']);
  expect(ok(await as(student).get(at(course, `/${past.id}`))).due_at).toBe(day(1));
  expect(ok(await as(student).get(at(course, `/${past.id}`), { override_assignment_dates: false })).due_at < day(0)).toBe(true);
});

test('a student who has submitted nearly everything finds the rest on later pages, however short each page is', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const { assignment_group_id: group } = course;
  await many(600, assignments, {
    course_id: course.id,
    assignment_group_id: group,
    name: nth('Task '),
    position: n,
    submission_types: ['online_text_entry'],
    due_at: made,
    workflow_state: sql`iif(n % 200 = 1, 'unpublished', 'published')`,
    lti_context_id: 'x',
  });
  const ids = ok(await as(teacher).get(at(course), { per_page: 1 }))[0].id;
  await many(600, submissions, {
    id: sql`(${ids} + n - 1) * 67108864 + ${student.id}`,
    course_id: course.id,
    assignment_id: sql`${ids} + n - 1`,
    user_id: student.id,
    attempt: 1,
    submission_type: sql`iif(n in (3, 250, 251, 590), null, 'online_text_entry')`,
    submitted_at: made,
    workflow_state: 'submitted',
  });
  const open = ['Task 3', 'Task 250', 'Task 251', 'Task 590'];
  for (const per_page of [2, 100]) {
    for (const bucket of ['unsubmitted', 'overdue']) expect(names(await as(student).pages(at(course), { bucket, per_page }))).toEqual(open);
    expect(names(await as(teacher).pages(at(course), { bucket: 'unsubmitted', per_page }))).toEqual(open);
  }
  const first = await as(student).get(at(course), { bucket: 'unsubmitted' });
  expect(names(ok(first))).toEqual(open.slice(0, 2));
  expect(first.links).not.toHaveProperty('last');
  // Clients that count pages stop at a short one.
  expect(names(ok(await as(student).get(at(course), { bucket: 'unsubmitted', page: 1 })))).toEqual(open);
});

test('a locked assignment says why, and hides its description until it opens', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const create = async (assignment: object) =>
    ok(await as(teacher).post(at(course), { assignment: { published: true, description: '<p>Do it.</p>', ...assignment } }), 201);
  const early = await create({ name: 'Early', unlock_at: '2099-01-01T00:00:00Z' });
  const late = await create({ name: 'Late', lock_at: '2020-01-01T10:00:00Z' });
  expect(ok(await as(student).get(at(course, `/${early.id}`)))).toMatchObject({
    locked_for_user: true,
    lock_info: { asset_string: `assignment_${early.id}`, unlock_at: '2099-01-01T00:00:00Z' },
    description: null,
  });
  expect(ok(await as(student).get(at(course, `/${late.id}`)))).toMatchObject({
    locked_for_user: true,
    lock_info: { can_view: true },
    description: '<p>Do it.</p>',
  });
  expect(ok(await as(teacher).get(at(course, `/${early.id}`)))).toMatchObject({ locked_for_user: false, description: '<p>Do it.</p>' });
});

test('a teacher sees the assignees, all dates, and which students can be graded', async () => {
  const { course, teacher, student, student2 } = await aCourse(ground);
  const assignment = {
    name: 'Essay',
    published: true,
    only_visible_to_overrides: true,
    assignment_overrides: [{ student_ids: [student.id], due_at: '2026-12-01T10:00:00Z' }],
  };
  const essay = ok(within(await as(teacher).post(at(course), { assignment }), 3), 201);
  const include = ['assignment_visibility', 'all_dates', 'overrides', 'can_edit', 'score_statistics', 'submission'];
  const result = ok(within(await as(teacher).get(at(course, `/${essay.id}`), { include, needs_grading_count_by_section: true }), 2));
  expect(result).toMatchObject({
    assignment_visibility: [String(student.id)],
    overrides: [{ student_ids: [student.id], title: '1 student' }],
    all_dates: [{ title: '1 student', due_at: '2026-12-01T10:00:00Z', set_type: 'ADHOC', can_edit: true }],
    can_edit: true,
    has_overrides: true,
    visible_to_everyone: false,
    needs_grading_count_by_section: [],
  });
  expect(names(ok(await as(student).get(at(course))))).toEqual(['Essay']);
  expect(ok(await as(student2).get(at(course)))).toEqual([]);
  const seen = ok(await as(student).get(at(course, `/${essay.id}`), { include: ['can_submit', ...include] }));
  expect(seen).toMatchObject({ can_submit: false, can_edit: false });
  expect(seen).not.toHaveProperty('overrides');
  const edited = ok(
    await as(teacher).put(
      at(course, `/${essay.id}`),
      {
        assignment: {
          only_visible_to_overrides: false,
          assignment_overrides: [
            { course_section_id: course.section_id, unassign_item: true },
            { id: result.overrides[0].id, student_ids: [student2.id] },
          ],
        },
        include: ['overrides'],
      },
      { json: true },
    ),
  );
  expect(edited.overrides).toHaveLength(2);
  expect(ok(await as(student).get(at(course)))).toEqual([]);
  expect(names(ok(await as(student2).get(at(course))))).toEqual(['Essay']);
  ok(await as(teacher).put(at(course, `/${essay.id}`), { assignment: { assignment_overrides: [] } }));
  expect(names(ok(await as(student).get(at(course))))).toEqual(['Essay']);
});

test('the assignments of a user are listed with their dates for the user, observers and graders', async () => {
  const { course, teacher, student, student2, observer } = await aCourse(ground);
  const assignment = {
    name: 'Own',
    published: true,
    only_visible_to_overrides: true,
    assignment_overrides: [{ student_ids: [student.id] }],
  };
  ok(await as(teacher).post(at(course), { assignment }), 201);
  const path = (who: number | string) => `/users/${who}/courses/${course.id}/assignments`;
  for (const reader of [student, observer, teacher]) expect(names(ok(within(await as(reader).get(path(student.id)), 2)))).toEqual(['Own']);
  expect(ok(await as(teacher).get(path(student2.id)))).toEqual([]);
  expect(names(ok(await as(student).get(path('self'))))).toEqual(['Own']);
  ok(await as(student2).get(path(student.id)), 401);
});

test('assignments include one submission, or those of observed students', async () => {
  const { course, teacher, student, student2, observer } = await aCourse(ground);
  const assignment = { name: 'Essay', published: true, points_possible: 10, submission_types: ['online_text_entry'] };
  const essay = ok(await as(teacher).post(at(course), { assignment }), 201);
  const others = await Promise.all(['a', 'b', 'c'].map((name) => ground.person({ name })));
  for (const person of others) await ground.enroll(course, person, 'student');
  const grade_data = Object.fromEntries([student, student2, ...others].map(({ id }, n) => [id, { posted_grade: n + 5 }]));
  ok(await as(teacher).post(at(course, `/${essay.id}/submissions/update_grades`), { grade_data }));
  const include = ['submission', 'score_statistics', 'can_submit'];
  const own = ok(within(await as(student).get(at(course, `/${essay.id}`), { include }), 2));
  expect(own).toMatchObject({ submission: { user_id: student.id, score: 5 }, can_submit: true });
  expect(own.score_statistics).toEqual({ min: 5, max: 9, mean: 7, upper_q: 8, median: 7, lower_q: 6 });
  const [seen] = ok(within(await as(observer).get(at(course), { include: ['submission', 'observed_users'] }), 2));
  expect(seen.submission).toMatchObject([{ user_id: student.id, score: 5 }]);
  expect(ok(await as(teacher).get(at(course, `/${essay.id}`)))).toMatchObject({ graded_submissions_exist: true, muted: false });
  const shown = await as(teacher).get(at(course, `/${essay.id}/submissions/${student.id}`), { include: ['course', 'group', 'html_url'] });
  expect(ok(within(shown, 2))).toMatchObject({ course: { id: course.id }, group: { id: null, name: null } });
});

test('an assigned student without activity finds an unsubmitted submission in each assignment', async () => {
  const { course, teacher, student, student2, observer } = await aCourse(ground);
  await ground.enroll(course, observer, 'observer', { observes: student2 });
  const create = async (more: object) =>
    ok(
      await as(teacher).post(at(course), {
        assignment: { name: 'Work', published: true, submission_types: ['online_text_entry'], ...more },
      }),
      201,
    );
  const [essay, lab, resit] = [await create({}), await create({}), await create({ only_visible_to_overrides: true })];
  await create({ published: false });
  const assignment_override = { student_ids: [student2.id], due_at: '2030-01-02T15:00:00Z' };
  ok(await as(teacher).post(at(course, `/${resit.id}/overrides`), { assignment_override }), 201);
  const submission = { submission_type: 'online_text_entry', body: 'Done' };
  ok(await as(student).post(at(course, `/${lab.id}/submissions`), { submission }), 201);

  type Work = { user_id: number; workflow_state: string };
  type Told = { id: number; submission?: Work | Work[] };
  const work = (told: Told[]) =>
    told.map(({ id, submission: found }) => [id, found && [found].flat().map(({ user_id, workflow_state }) => [user_id, workflow_state])]);
  const read = async (who: typeof student, path: string, include = ['submission']) =>
    work(ok(within(await as(who).get(path, { include }), 2)) as Told[]);
  const blank = ({ id }: { id: number }) => [id, 'unsubmitted'];
  const ofStudent = [
    [essay.id, [blank(student)]],
    [lab.id, [[student.id, 'submitted']]],
  ];
  expect(await read(student, at(course))).toEqual(ofStudent);
  expect(await read(teacher, `/users/${student.id}/courses/${course.id}/assignments`)).toEqual(ofStudent);
  expect(await read(observer, `/users/${student.id}/courses/${course.id}/assignments`)).toEqual(ofStudent);
  const [group] = ok(
    within(await as(student).get(`/courses/${course.id}/assignment_groups`, { include: ['assignments', 'submission'] }), 2),
  ) as { assignments: Told[] }[];
  expect(work(group?.assignments ?? [])).toEqual(ofStudent);
  expect(await read(observer, at(course), ['submission', 'observed_users'])).toEqual([
    [essay.id, [blank(student), blank(student2)]],
    [lab.id, [[student.id, 'submitted'], blank(student2)]],
    [resit.id, [blank(student2)]],
  ]);
  // A user who is not a student here has no submission.
  expect((await read(teacher, at(course))).map(([, found]) => found)).toEqual([undefined, undefined, undefined, undefined]);
  // In the calendar too, where the list of assignments is a separate expression.
  const day = { include: ['submission'], excludes: ['description'] };
  for (const who of [student, observer, teacher])
    expect(ok(within(await as(who).get(`/calendar_events/assignment_${essay.id}`, day), 2)).assignment.id).toBe(essay.id);
  // The same submission as at its own address.
  const [listed] = ok(await as(student).get(at(course), { include: ['submission'] }));
  expect(listed.submission).toEqual(ok(await as(student).get(at(course, `/${essay.id}/submissions/self`))));
  expect(listed.submission).toMatchObject({ attempt: null, score: null, late: false, missing: false, submitted_at: null });
});

test('the assignment of a discussion includes its topic, as the caller sees it', async () => {
  const { course, teacher, student, observer } = await aCourse(ground);
  const topics = `/courses/${course.id}/discussion_topics`;
  const file = new FormData();
  for (const [name, value] of Object.entries({
    title: 'Debate',
    message: '<p>Yes or no?</p>',
    published: 'true',
    'assignment[points_possible]': '5',
  }))
    file.append(name, value);
  file.append('attachment', new Blob(['for and against']), 'hints.txt');
  const topic = ok(await as(teacher).post(topics, file));
  ok(await as(teacher).post(at(course), { assignment: { name: 'Essay', published: true } }), 201);
  ok(await as(student).post(`${topics}/${topic.id}/entries`, { message: 'Yes' }), 201);
  for (const reader of [student, observer, teacher]) {
    const [debate, essay] = ok(within(await as(reader).get(at(course), { order_by: 'name' }), 2));
    const { assignment, ...itself } = ok(await as(reader).get(`${topics}/${topic.id}`));
    expect(debate.discussion_topic).toEqual(itself);
    expect(assignment).not.toHaveProperty('discussion_topic');
    expect(essay).not.toHaveProperty('discussion_topic');
  }
  const single = at(course, `/${topic.assignment_id}`);
  const told = ok(within(await as(student).get(single), 2)).discussion_topic;
  expect(told).toMatchObject({ id: topic.id, title: 'Debate', discussion_subentry_count: 1, attachments: [{ display_name: 'hints.txt' }] });
  const groups = async (...include: string[]) =>
    ok(within(await as(student).get(`/courses/${course.id}/assignment_groups`, { include: ['assignments', ...include] }), 2))[0]
      .assignments;
  expect((await groups())[0]).not.toHaveProperty('discussion_topic');
  expect((await groups('discussion_topic'))[0].discussion_topic).toEqual(told);
  ok(await as(teacher).put(single, { assignment: { unlock_at: '2099-01-01T00:00:00Z' } }));
  expect(ok(await as(student).get(single)).discussion_topic).toMatchObject({
    locked_for_user: true,
    message: expect.not.stringContaining('no?'),
  });
});

test('a module with overrides assigns its content to the users they name', async () => {
  const { course, teacher, student, student2 } = await aCourse(ground);
  const essay = ok(await as(teacher).post(at(course), { assignment: { name: 'Essay', published: true } }), 201);
  const { id } = ok(await as(teacher).post(`/courses/${course.id}/modules`, { module: { name: 'Apart' } }));
  ok(await as(teacher).post(`/courses/${course.id}/modules/${id}/items`, { module_item: { type: 'Assignment', content_id: essay.id } }));
  ok(await as(teacher).put(`/courses/${course.id}/modules/${id}`, { module: { published: true } }));
  ok(
    await as(teacher).put(`/courses/${course.id}/modules/${id}/assignment_overrides`, { overrides: [{ student_ids: [student.id] }] }),
    204,
  );
  expect(names(ok(await as(student).get(at(course))))).toEqual(['Essay']);
  expect(ok(await as(student2).get(at(course)))).toEqual([]);
  const include = ['assignment_visibility', 'module_ids'];
  expect(ok(await as(teacher).get(at(course, `/${essay.id}`), { include }))).toMatchObject({
    assignment_visibility: [String(student.id)],
    module_ids: [id],
    module_positions: [1],
  });
  // Quizzes and graded discussions are in a module as such.
  const quiz = ok(await as(teacher).post(`/courses/${course.id}/quizzes`, { quiz: { title: 'Cells', quiz_type: 'assignment' } }));
  const talk = { title: 'Tides', assignment: { points_possible: 5 } };
  const topic = ok(await as(teacher).post(`/courses/${course.id}/discussion_topics`, talk));
  const things = [
    { type: 'Quiz', content_id: quiz.id, assignment: quiz.assignment_id },
    { type: 'Discussion', content_id: topic.id, assignment: topic.assignment_id },
  ];
  for (const [nth, { assignment, ...module_item }] of things.entries()) {
    ok(await as(teacher).post(`/courses/${course.id}/modules/${id}/items`, { module_item }));
    expect(ok(await as(teacher).get(at(course, `/${assignment}`), { include })), module_item.type).toMatchObject({
      module_ids: [id],
      module_positions: [nth + 2],
    });
  }
});

test('a list of 10,000 assignments costs as much as a list of ten', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const tasks = (count: number, before: number) =>
    many(count, assignments, {
      course_id: course.id,
      assignment_group_id: course.assignment_group_id,
      name: sql`printf('Task %d', n + ${before})`,
      position: sql`n + ${before}`,
      lti_context_id: 'x',
      workflow_state: 'published',
    });
  await tasks(10, 0);
  const small = within(await as(student).get(at(course)), 2);
  await tasks(10_000, 10);
  for (const person of [student, teacher]) {
    const large = within(await as(person).get(at(course), { per_page: 100 }), 2);
    expect(ok(large)).toHaveLength(100);
    expect(large.cost.rows_read).toBeLessThan(3 * 100 + small.cost.rows_read + 100);
    const [last] = ok(await as(person).get(at(course), { per_page: 1, page: 9000 }));
    const deep = await as(person).get(at(course), {
      per_page: 100,
      page: await bookmarkAt(at(course), [1, course.assignment_group_id, last.position, last.id]),
    });
    expect(ok(deep)[0].position).toBe(9001);
    expect(deep.cost.rows_read).toBeLessThan(3 * 100 + small.cost.rows_read + 100);
  }
  const named = within(await as(student).get(at(course), { order_by: 'name', per_page: 100 }), 2);
  expect(named.cost.rows_read).toBeLessThan(3 * 100 + small.cost.rows_read + 100);
});

test('an observer gets all dates, and those overridden for their student', async () => {
  const { course, teacher, student, observer } = await aCourse(ground);
  const made = ok(await as(teacher).post(`/courses/${course.id}/assignments`, { assignment: { name: 'Essay', published: true } }), 201);
  const assignment_override = { student_ids: [student.id], due_at: '2030-01-02T15:00:00Z' };
  ok(await as(teacher).post(`/courses/${course.id}/assignments/${made.id}/overrides`, { assignment_override }), 201);
  const include = ['submission', 'observed_users', 'all_dates', 'overrides'];
  const [told] = ok(within(await as(observer).get(`/courses/${course.id}/assignments`, { include }), 2));
  expect(told.all_dates.map((one: { due_at: string | null }) => one.due_at)).toEqual([null, '2030-01-02T15:00:00Z']);
});

test("a list by due date uses the caller's overridden dates, page by page", async () => {
  const { course, teacher, student, student2 } = await aCourse(ground);
  const at = (day: number) => `2037-05-${String(day).padStart(2, '0')}T12:00:00Z`;
  const made: number[] = [];
  for (const due_at of [at(1), at(2), at(3), at(4), null, null])
    made.push(
      ok(
        await as(teacher).post(`/courses/${course.id}/assignments`, {
          assignment: { name: `Work ${made.length}`, due_at, published: true },
        }),
        201,
      ).id,
    );
  const override = (n: number, day: number) =>
    as(teacher).post(`/courses/${course.id}/assignments/${made[n]}/overrides`, {
      assignment_override: { student_ids: [student.id], due_at: at(day) },
    });
  ok(await override(0, 9), 201);
  ok(await override(4, 1), 201);
  const order = async (by: typeof student, query: object = {}) =>
    (await as(by).pages(`/courses/${course.id}/assignments`, { order_by: 'due_at', per_page: 2, ...query })).map(({ id }) =>
      made.indexOf(id),
    );
  expect(await order(student)).toEqual([4, 1, 2, 3, 0, 5]);
  expect(await order(student2)).toEqual([0, 1, 2, 3, 4, 5]);
  expect(await order(student, { bucket: 'future' })).toEqual([4, 1, 2, 3, 0, 5]);
  expect(await order(student, { bucket: 'undated' })).toEqual([5]);
  expect(await order(student2, { bucket: 'undated' })).toEqual([4, 5]);
  expect(await order(student, { bucket: 'past' })).toEqual([]);
  const byPosition = { order_by: 'position', per_page: 1 };
  expect(await order(student, { ...byPosition, bucket: 'future' })).toEqual([0, 1, 2, 3, 4, 5]);
  // Its date passes, before and after the scheduled work has run.
  await env.DB.batch([
    env.DB.prepare("update assignment_overrides set due_at = '2026-01-01T00:00:00Z' where assignment_id = ?").bind(made[4]),
    env.DB.prepare("update assignments set due_at = '2026-01-01T00:00:00Z' where id in (?, ?)").bind(made[1], made[3]),
    env.DB.prepare("update assignment_places set due_state = 'ahead' where assignment_id = ?").bind(made[1]),
  ]);
  for (const when of ['before', 'after']) {
    expect(await order(student, { ...byPosition, bucket: 'past' }), when).toEqual([1, 3, 4]);
    expect(await order(student, { ...byPosition, bucket: 'future' }), when).toEqual([0, 2, 5]);
    await tick(env as never, Date.now());
  }
  const { results } = await env.DB.prepare('select due_state from assignment_places where assignment_id = ?').bind(made[1]).all();
  expect(results).toEqual([{ due_state: 'past' }]);
});

test('an external tool is stored with its assignment, attribute by attribute, and shown while the assignment is submitted through it', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const at = `/courses/${course.id}/assignments`;
  const external_tool_tag_attributes = { url: 'https://tool.example/start', new_tab: true, custom_params: { unit: '7' } };
  const given = { name: 'Lab', published: true, submission_types: ['external_tool'], external_tool_tag_attributes };
  const made = ok(await as(teacher).post(at, { assignment: given }), 201);
  const shown = { ...external_tool_tag_attributes, external_data: '', resource_link_id: made.lti_context_id };
  expect(made.external_tool_tag_attributes).toEqual(shown);
  const change = async (assignment: object) => as(teacher).put(`${at}/${made.id}`, { assignment });
  const changed = ok(await change({ external_tool_tag_attributes: { new_tab: false } }));
  expect(changed.external_tool_tag_attributes).toEqual({ ...shown, new_tab: false });
  expect(ok(await as(student).get(`${at}/${made.id}`)).external_tool_tag_attributes).toEqual({ ...shown, new_tab: false });
  for (const url of ['javascript:alert(1)', 'no address']) {
    const refused = await change({ external_tool_tag_attributes: { url } });
    expect(refused.status).toBe(400);
    expect(Object.keys(refused.body.errors)).toEqual(['external_tool_tag_attributes']);
  }
  expect(ok(await change({ submission_types: ['on_paper'] }))).not.toHaveProperty('external_tool_tag_attributes');
});

test('an assignment names the tool of its course that opens it, and has the address that launches it', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const other = await aCourse(ground);
  const admin = await ground.admin();
  const key = {
    name: 'Quiz tool',
    consumer_key: 'key',
    shared_secret: 'secret',
    privacy_level: 'anonymous',
    url: 'https://tool.example/go',
  };
  const tool = ok(await as(admin).post(`/courses/${course.id}/external_tools`, key));
  const foreign = ok(await as(admin).post(`/courses/${other.course.id}/external_tools`, key));
  const lab = { name: 'Lab', published: true, submission_types: ['external_tool'] };
  const create = (external_tool_tag_attributes: object) =>
    as(teacher).post(at(course), { assignment: { ...lab, external_tool_tag_attributes } });
  const made = ok(within(await create({ content_id: tool.id, content_type: 'context_external_tool' }), 3), 201);
  expect(made.external_tool_tag_attributes).toMatchObject({ content_id: tool.id, url: 'https://tool.example/go' });
  expect((await create({ content_id: foreign.id })).body.errors).toHaveProperty('external_tool_tag_attributes');
  const kept = ok(within(await as(teacher).put(at(course, `/${made.id}`), { assignment: { name: 'Laboratory' } }), 3));
  expect(kept.external_tool_tag_attributes.content_id).toBe(tool.id);
  const seen = ok(await as(student).get(at(course, `/${made.id}`)));
  const address = new URL(seen.url);
  const launch = ok(await as(student).get(`${address.pathname.replace('/api/v1', '')}${address.search}`));
  expect(launch).toMatchObject({ id: tool.id, name: 'Quiz tool' });
  expect(ok(await as(teacher).post(at(course), { assignment: { name: 'Paper' } }), 201)).not.toHaveProperty('url');
});
