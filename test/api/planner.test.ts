// The planner: items, order and completion marks.

import { env } from 'cloudflare:test';
import { assignments } from '@carrel/worker/domains/assignments/table';
import { calendar_events } from '@carrel/worker/domains/calendar_events/table';
import { discussion_topics } from '@carrel/worker/domains/discussion_topics/table';
import { pages } from '@carrel/worker/domains/pages/table';
import { planner_notes, planner_overrides } from '@carrel/worker/domains/planner/table';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { as, ground, many, n, nth, ok, within } from '../support/api';
import { aCourse, type BuiltCourse, type Person } from '../support/ground';

const when = '2026-09-01T08:00:00Z';
const far = { start_date: '2030-01-01', end_date: '2030-12-31' };
type Item = { plannable_type: string; plannable_id: number; plannable_date: string; plannable: { title: string }; new_activity: boolean };
const result = (items: Item[]) => items.map((item) => [item.plannable_type, item.plannable.title]);

const assignment = (course: BuiltCourse, name: string, due_at: string | null, rest: Parameters<typeof ground.assignment>[1] = {}) =>
  ground.assignment(course, { name, due_at, points_possible: 10, submission_types: ['online_text_entry'], ...rest });
const topic = (course: { id: number }, title: string, rest: Parameters<typeof ground.topic>[1] = {}) =>
  ground.topic(course, { title, ...rest });
const page = (course: { id: number }, title: string, todo_date: string, rest: Parameters<typeof ground.page>[2] = {}) =>
  ground.page(course, title, { todo_date, ...rest });

async function aPlan() {
  const made = await aCourse(ground);
  const { course, teacher, student } = made;
  const essay = await assignment(course, 'Essay', '2030-05-01T10:00:00Z');
  await assignment(course, 'Draft', '2030-05-01T10:00:00Z', { workflow_state: 'unpublished' });
  const debate = await assignment(course, 'Debate', '2030-05-02T10:00:00Z', { submission_types: ['discussion_topic'] });
  const graded = await topic(course, 'Debate', { assignment_id: debate });
  const ungraded = await topic(course, 'Reading circle', { todo_date: '2030-05-03T10:00:00Z' });
  await topic(course, 'Secret', { todo_date: '2030-05-03T10:00:00Z', workflow_state: 'unpublished' });
  const news = await topic(course, 'Welcome', { is_announcement: true, posted_at: '2030-05-04T10:00:00Z' });
  await topic(course, 'Later', {
    is_announcement: true,
    posted_at: '2030-05-04T10:00:00Z',
    workflow_state: 'post_delayed',
    delayed_post_at: '2999-01-01T00:00:00Z',
  });
  const notes = await page(course, 'Notes', '2030-05-05T10:00:00Z');
  await page(course, 'Hidden', '2030-05-05T10:00:00Z', { workflow_state: 'unpublished' });
  const note = ok(await as(student).post('/planner_notes', { title: 'Buy pens', todo_date: '2030-05-06T10:00:00Z' }), 201);
  const event = ok(
    await as(teacher).post('/calendar_events', {
      calendar_event: { context_code: `course_${course.id}`, title: 'Excursion', start_at: '2030-05-07T10:00:00Z' },
    }),
    201,
  );
  return { ...made, essay, debate, graded, ungraded, news, notes, note, event };
}

test('the planner has everything with a date, in order, each with its own type', async () => {
  const { course, student, essay, graded } = await aPlan();
  const answer = within(await as(student).get('/planner/items', far), 2);
  const items = ok(answer);
  expect(result(items)).toEqual([
    ['assignment', 'Essay'],
    ['discussion_topic', 'Debate'],
    ['discussion_topic', 'Reading circle'],
    ['announcement', 'Welcome'],
    ['wiki_page', 'Notes'],
    ['planner_note', 'Buy pens'],
    ['calendar_event', 'Excursion'],
  ]);
  expect(items[0]).toMatchObject({
    context_type: 'Course',
    course_id: course.id,
    context_name: course.name,
    plannable_id: essay,
    plannable_date: '2030-05-01T10:00:00Z',
    plannable: { id: essay, title: 'Essay', points_possible: 10, due_at: '2030-05-01T10:00:00Z' },
    planner_override: null,
    submissions: {
      submitted: false,
      excused: false,
      graded: false,
      late: false,
      missing: false,
      needs_grading: false,
      has_feedback: false,
      redo_request: false,
      posted_at: null,
    },
    new_activity: false,
    html_url: `/courses/${course.id}/assignments/${essay}`,
  });
  expect(items[1]).toMatchObject({
    plannable_id: graded,
    plannable: { points_possible: 10, unread_count: 0, read_state: 'unread' },
    new_activity: true,
  });
  expect(items[2].submissions).toBe(false);
  expect(items[5]).not.toHaveProperty('html_url');
  expect(items[5]).not.toHaveProperty('context_type');
  expect(items[6].html_url).toMatch(/^https:.*calendar/);
  expect(result(ok(await as(student).get('/planner/items', { ...far, order: 'desc' })))[0]).toEqual(['calendar_event', 'Excursion']);
});

test('the planner is paged by bookmarks', async () => {
  const { student } = await aPlan();
  const all = ok(await as(student).get('/planner/items', far));
  expect(await as(student).pages('/planner/items', { ...far, per_page: 2 })).toEqual(all);
  const backwards = await as(student).pages('/planner/items', { ...far, per_page: 3, order: 'desc' });
  expect(backwards).toEqual([...all].reverse());
  const first = await as(student).get('/planner/items', { ...far, per_page: 2 });
  expect(first.links.next).toContain('page=bookmark:');
  expect(first.links.last).toBeUndefined();
  ok(await as(student).get('/planner/items', { ...far, page: 'bookmark:nonsense' }), 404);
});

test('without dates the planner covers two weeks before and after today', async () => {
  const { course, student } = await aCourse(ground);
  const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 19).concat('Z');
  for (const [name, days] of [
    ['Long ago', -20],
    ['Lately', -10],
    ['Soon', 10],
    ['Some day', 20],
  ] as const)
    await assignment(course, name, at(days));
  expect(result(ok(await as(student).get('/planner/items'))).map(([, title]) => title)).toEqual(['Lately', 'Soon']);
  expect(result(ok(await as(student).get('/planner/items', { start_date: at(0) }))).map(([, title]) => title)).toEqual([
    'Soon',
    'Some day',
  ]);
  expect(ok(await as(student).get('/planner/items', { start_date: 'someday' }), 400)).toEqual({
    errors: 'Invalid date or datetime for start_date',
  });
});

test("each item is on the student's own due date", async () => {
  const { course, student, student2 } = await aCourse(ground);
  const lab = await assignment(course, 'Lab', '2030-05-01T10:00:00Z');
  const only = await assignment(course, 'Only', '2030-05-01T10:00:00Z', { only_visible_to_overrides: true });
  for (const assignment_id of [lab, only]) {
    await ground.override({ course, assignment_id, due_at: '2031-05-01T10:00:00Z' }, [student2]);
  }
  expect(result(ok(await as(student).get('/planner/items', far)))).toEqual([['assignment', 'Lab']]);
  expect(ok(await as(student2).get('/planner/items', far))).toEqual([]);
  expect(result(ok(await as(student2).get('/planner/items', { start_date: '2031-01-01', end_date: '2031-12-31' })))).toEqual([
    ['assignment', 'Lab'],
    ['assignment', 'Only'],
  ]);
});

test('planner items include submission, grade, missing and comment states', async () => {
  const { course, student, teacher } = await aCourse(ground);
  const past = '2026-01-01T10:00:00Z';
  const missed = await assignment(course, 'Missed', past);
  const done = await assignment(course, 'Done', past);
  const id = await ground.submission(course, done, student, {
    submitted_at: '2026-01-02T10:00:00Z',
    submission_type: 'online_text_entry',
    attempt: 1,
    workflow_state: 'graded',
    score: 7,
    graded_at: '2026-01-03T10:00:00Z',
    graded_attempt: 1,
    posted_at: '2026-01-03T10:00:00Z',
    grader_id: teacher.id,
  });
  await ground.comment(id, teacher, { comment: 'Fine', created_at: '2026-01-03T10:00:00Z' });
  await ground.unreadGrade(id, student);
  const span = { start_date: '2025-12-01', end_date: '2026-02-01' };
  const [first, second] = ok(await as(student).get('/planner/items', span));
  expect(first).toMatchObject({ plannable_id: missed, submissions: { submitted: false, missing: true, late: false } });
  expect(second).toMatchObject({
    plannable_id: done,
    submissions: {
      submitted: true,
      graded: true,
      late: true,
      missing: false,
      needs_grading: false,
      has_feedback: true,
      feedback: { comment: 'Fine', author_name: 'Tara Teacher', is_media: false },
    },
    new_activity: true,
    html_url: `/courses/${course.id}/assignments/${done}/submissions/${student.id}`,
  });
  const find = async (filter: string) => result(ok(await as(student).get('/planner/items', { ...span, filter }))).map(([, title]) => title);
  expect(await find('complete_items')).toEqual(['Done']);
  expect(await find('incomplete_items')).toEqual(['Missed']);
  expect(await find('new_activity')).toEqual(['Done']);
  ok(await as(student).post('/planner/overrides', { plannable_type: 'assignment', plannable_id: missed, marked_complete: true }), 201);
  expect(await find('incomplete_items')).toEqual([]);
  expect(await find('ungraded_todo_items')).toEqual([]);
  expect(ok(await as(student).get('/planner/items', { ...span, filter: 'nonsense' }))).toEqual(
    ok(await as(student).get('/planner/items', span)),
  );
});

test('ungraded to-do items are pages and ungraded discussions', async () => {
  const { student } = await aPlan();
  expect(result(ok(await as(student).get('/planner/items', { ...far, filter: 'ungraded_todo_items' })))).toEqual([
    ['discussion_topic', 'Reading circle'],
    ['wiki_page', 'Notes'],
  ]);
});

test('pages and discussions of a module for other students are in no planner and no to-do list', async () => {
  const { course, teacher, student, student2, observer } = await aCourse(ground);
  const [at, soon] = ['2030-05-01T10:00:00Z', new Date(Date.now() + 86_400_000).toISOString().slice(0, 19).concat('Z')];
  const [notes, both] = [await page(course, 'Notes', at), await page(course, 'Both', at)];
  const circle = await topic(course, 'Reading circle', { todo_date: at });
  const essay = await assignment(course, 'Essay', soon);
  const modules = `/courses/${course.id}/modules`;
  const made = async (name: string, items: object[]) => {
    const { id } = ok(await as(teacher).post(modules, { module: { name } }));
    for (const module_item of items) ok(await as(teacher).post(`${modules}/${id}/items`, { module_item }));
    ok(await as(teacher).put(`${modules}/${id}`, { module: { published: true } }));
    return id as number;
  };
  const url = (id: number) => ({ type: 'Page', page_url: id === notes ? 'notes' : 'both' });
  const closed = await made('For some', [
    url(notes),
    url(both),
    { type: 'Discussion', content_id: circle },
    { type: 'Assignment', content_id: essay },
  ]);
  ok(await as(teacher).put(`${modules}/${closed}/assignment_overrides`, { overrides: [{ student_ids: [student2.id] }] }), 204);
  await made('For all', [url(both)]);
  const all = ['Reading circle', 'Notes', 'Both'];
  const planned = async (who: Person, query: object = {}) =>
    result(ok(await as(who).get('/planner/items', { ...far, ...query }))).map(([, title]) => title);
  expect([await planned(student), await planned(student2)]).toEqual([['Both'], all]);
  expect(await planned(student, { filter: 'ungraded_todo_items' })).toEqual(['Both']);
  const named = { context_codes: [`course_${course.id}`] };
  expect([await planned(student, named), await planned(teacher, named)]).toEqual([['Both'], all]);
  expect(await planned(await ground.admin(), { ...named, filter: 'incomplete_items' })).toEqual(all);
  expect(result(ok(await as(observer).get(`/users/${student.id}/planner/items`, far))).map(([, title]) => title)).toEqual(['Both']);
  const toDo = async (who: Person) => [
    ok(await as(who).get('/users/self/todo')).length,
    ok(await as(who).get(`/courses/${course.id}/todo`)).length,
    ok(await as(who).get('/users/self/upcoming_events')).length,
  ];
  expect([await toDo(student), await toDo(student2)]).toEqual([
    [0, 0, 0],
    [1, 1, 1],
  ]);
  for (const given of [
    { plannable_type: 'wiki_page', plannable_id: notes },
    { plannable_type: 'discussion_topic', plannable_id: circle },
  ]) {
    ok(await as(student).post('/planner/overrides', { ...given, marked_complete: true }), 404);
    ok(await as(student2).post('/planner/overrides', { ...given, marked_complete: true }), 201);
  }
});

test('context codes are limited to what the caller may read', async () => {
  const { course, student, teacher, stranger } = await aPlan();
  const named = { ...far, context_codes: [`course_${course.id}`] };
  expect(result(ok(await as(student).get('/planner/items', named)))).not.toContainEqual(['planner_note', 'Buy pens']);
  expect(result(ok(await as(student).get('/planner/items', { ...far, context_codes: [`user_${student.id}`] })))).toEqual([
    ['planner_note', 'Buy pens'],
  ]);
  ok(await as(stranger).get('/planner/items', named), 401);
  expect(ok(await as(teacher).get('/planner/items', far))).toEqual([]);
  expect(result(ok(await as(teacher).get('/planner/items', named))).map(([, title]) => title)).toContain('Essay');
  ok(await as().get('/planner/items'), 401);
});

test('an observer sees the planner of their student', async () => {
  const { student, student2, observer, stranger } = await aPlan();
  const theirs = ok(within(await as(observer).get(`/users/${student.id}/planner/items`, far), 2));
  expect(result(theirs)).toContainEqual(['assignment', 'Essay']);
  // Notes are visible only to the student, whatever is requested.
  expect(result(ok(await as(student).get('/planner/items', far)))).toContainEqual(['planner_note', 'Buy pens']);
  expect(result(theirs).map(([type]) => type)).not.toContain('planner_note');
  for (const who of [observer, await ground.admin()])
    expect(ok(await as(who).get(`/users/${student.id}/planner/items`, { ...far, context_codes: [`user_${student.id}`] }))).toEqual([]);
  expect(result(ok(within(await as(observer).get('/planner/items', { ...far, observed_user_id: student.id }), 2)))).toEqual(result(theirs));
  ok(await as(observer).get(`/users/${student2.id}/planner/items`, far), 401);
  ok(await as(observer).get('/planner/items', { ...far, observed_user_id: student2.id }), 401);
  ok(await as(stranger).get(`/users/${student.id}/planner/items`, far), 401);
  expect(ok(await as(student).get('/users/self/planner/items', far))).toHaveLength(7);
});

test('an observer sees only the courses in which they observe the student', async () => {
  const { student, observer } = await aPlan();
  const other = await ground.course();
  await ground.enroll(other, student, 'student');
  await assignment(other, 'Elsewhere', '2030-05-01T10:00:00Z');
  expect(result(ok(await as(student).get('/planner/items', far)))).toContainEqual(['assignment', 'Elsewhere']);
  const seen = async () => result(ok(within(await as(observer).get(`/users/${student.id}/planner/items`, far), 2)));
  const before = await seen();
  expect(before).not.toContainEqual(['assignment', 'Elsewhere']);
  // Also an observer by enrollment only; the student's notes stay private.
  const calendar_event = { context_code: `user_${student.id}`, title: 'Own', start_at: '2030-05-02T10:00:00Z' };
  ok(await as(student).post('/calendar_events', { calendar_event }), 201);
  await env.DB.prepare('delete from observers where observer_id = ?').bind(observer.id).run();
  expect(await seen()).toEqual(before);
});

test('users have private notes', async () => {
  const { course, student, student2, stranger } = await aCourse(ground);
  const given = { title: 'Read', details: '<i>slowly</i><script>x</script>', todo_date: '2030-05-01', course_id: course.id };
  const note = ok(within(await as(student).post('/planner_notes', given), 3), 201);
  expect(note).toMatchObject({
    title: 'Read',
    details: '<i>slowly</i>',
    todo_date: '2030-05-01T00:00:00Z',
    course_id: course.id,
    user_id: student.id,
    workflow_state: 'active',
  });
  expect(note).not.toHaveProperty('linked_object_type');
  const at = `/planner_notes/${note.id}`;
  expect(ok(within(await as(student).get(at), 2))).toEqual(note);
  for (const answer of [await as(student2).get(at), await as(student2).put(at, { title: 'x' }), await as(student2).del(at)])
    ok(answer, 404);
  expect(ok(within(await as(student).put(at, { title: 'Read on', course_id: '' }), 3))).toMatchObject({
    title: 'Read on',
    course_id: null,
  });
  ok(await as(student).put(at, { course_id: course.id }));
  ok(await as(student).post('/planner_notes', { title: 'Other', todo_date: '2030-04-01T10:00:00Z' }), 201);
  const titles = async (query: object) =>
    ok(within(await as(student).get('/planner_notes', query), 2)).map((one: { title: string }) => one.title);
  expect(await titles({})).toEqual(['Other', 'Read on']);
  expect(await titles({ context_codes: [`course_${course.id}`] })).toEqual(['Read on']);
  expect(await titles({ context_codes: [`user_${student.id}`] })).toEqual(['Other']);
  expect(await titles({ start_date: '2030-04-15', end_date: '2030-05-01' })).toEqual(['Read on']);
  expect(ok(await as(student).get('/planner_notes', { end_date: 'x' }), 400).errors).toContain('end_date');
  ok(await as(student).post('/planner_notes', { title: 'x' }), 400);
  ok(await as(student).post('/planner_notes', { todo_date: '2030-05-01' }), 400);
  ok(await as(student).post('/planner_notes', { title: 'x', todo_date: 'tomorrow' }), 400);
  ok(await as(stranger).post('/planner_notes', given), 404);
  ok(await as(student).put(at, { course_id: 999_999 }), 404);
  expect(ok(within(await as(student).del(at), 3)).workflow_state).toBe('deleted');
  ok(await as(student).get(at), 404);
});

test('a note can link to one item of its course, once', async () => {
  const { course, student } = await aCourse(ground);
  const essay = await assignment(course, 'Essay', null);
  const notes = await page(course, 'Notes', when);
  const given = { todo_date: '2030-05-01', course_id: course.id, linked_object_type: 'assignment', linked_object_id: essay };
  const note = ok(await as(student).post('/planner_notes', given), 201);
  expect(note).toMatchObject({ title: 'Essay', linked_object_type: 'assignment', linked_object_id: essay });
  expect(note.linked_object_url).toMatch(new RegExp(`/api/v1/courses/${course.id}/assignments/${essay}$`));
  expect(ok(await as(student).post('/planner_notes', given), 400).message).toBe('a planner note linked to that object already exists');
  expect(ok(await as(student).post('/planner_notes', { ...given, course_id: '' }), 400).message).toBe('must specify course_id');
  expect(ok(await as(student).post('/planner_notes', { ...given, linked_object_type: 'file' }), 400).message).toBe(
    'invalid linked_object_type',
  );
  ok(await as(student).post('/planner_notes', { ...given, linked_object_id: 999_999 }), 404);
  expect(ok(await as(student).put(`/planner_notes/${note.id}`, { course_id: '' }), 400).message).toContain('linked');
  const linked = ok(await as(student).post('/planner_notes', { ...given, linked_object_type: 'wiki_page', linked_object_id: notes }), 201);
  expect(linked.linked_object_html_url).toContain(`pages/page_id:${notes}`);
  ok(await as(student).del(`/planner_notes/${note.id}`));
  ok(await as(student).post('/planner_notes', given), 201);
});

test('users mark items as complete, once each: a second mark for the same item is refused', async () => {
  const { course, student, student2, stranger, essay, graded, debate, news, notes, note, event } = await aPlan();
  const path = '/planner/overrides';
  const mark = ok(
    within(await as(student).post(path, { plannable_type: 'assignment', plannable_id: essay, marked_complete: true }), 3),
    201,
  );
  expect(mark).toMatchObject({
    plannable_type: 'assignment',
    plannable_id: essay,
    assignment_id: essay,
    user_id: student.id,
    marked_complete: true,
    dismissed: false,
    workflow_state: 'active',
    deleted_at: null,
  });
  const twice = { plannable_type: 'Assignment', plannable_id: essay, marked_complete: true, dismissed: true };
  expect(ok(await as(student).post(path, twice), 400).errors.plannable_id).toMatchObject([{ type: 'taken' }]);
  expect(ok(await as(student).get('/planner/items', far))[0].planner_override).toMatchObject({ id: mark.id, marked_complete: true });
  const at = `${path}/${mark.id}`;
  expect(ok(within(await as(student).get(at), 2))).toEqual(mark);
  ok(await as(student2).get(at), 404);
  ok(await as(student2).put(at, { marked_complete: true }), 404);
  ok(await as(student2).del(at), 404);
  expect(ok(within(await as(student).put(at, { dismissed: true }), 3))).toMatchObject({ marked_complete: false, dismissed: true });

  const kept = ok(await as(student).post(path, { plannable_type: 'assignment', plannable_id: debate, marked_complete: true }), 201);
  expect(kept).toMatchObject({ plannable_type: 'discussion_topic', plannable_id: graded, assignment_id: debate });
  for (const [plannable_type, plannable_id] of [
    ['wiki_page', notes],
    ['planner_note', note.id],
    ['calendar_event', event.id],
  ])
    ok(await as(student).post(path, { plannable_type, plannable_id }), 201);
  expect(ok(await as(student).post(path, { plannable_type: 'discussion_topic', plannable_id: news }), 201).plannable_type).toBe(
    'announcement',
  );
  expect(ok(within(await as(student).get(path), 2))).toHaveLength(6);
  ok(await as(student).post(path, { plannable_type: 'assignment', plannable_id: 999_999 }), 404);
  ok(await as(stranger).post(path, { plannable_type: 'assignment', plannable_id: essay }), 404);
  ok(await as(student2).post(path, { plannable_type: 'planner_note', plannable_id: note.id }), 404);
  ok(await as(student).post(path, { plannable_type: 'star', plannable_id: 1 }), 400);
  ok(await as(student).post(path, { plannable_id: 1 }), 400);

  await env.DB.prepare("update assignments set workflow_state = 'unpublished' where id = ?").bind(essay).run();
  expect(ok(await as(student).get(at)).workflow_state).toBe('unpublished');
  const gone = ok(within(await as(student).del(at), 3));
  expect(gone.workflow_state).toBe('deleted');
  expect(gone.deleted_at).not.toBeNull();
  ok(await as(student).get(at), 404);
  await env.DB.prepare("update assignments set workflow_state = 'published' where id = ?").bind(essay).run();
  expect(ok(await as(student).post(path, { plannable_type: 'assignment', plannable_id: essay, dismissed: true }), 201)).toMatchObject({
    marked_complete: false,
    dismissed: true,
  });
  expect(course.id).toBeGreaterThan(0);
});

test('a mark sent many times at once is created once', async () => {
  const { student, essay } = await aPlan();
  const answers = await Promise.all(
    Array.from({ length: 8 }, () =>
      as(student).post('/planner/overrides', { plannable_type: 'assignment', plannable_id: essay, marked_complete: true }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 400)]);
  const [mark] = ok(await as(student).get('/planner/overrides'));
  ok(await as(student).del(`/planner/overrides/${mark.id}`));
  ok(await as(student).post('/planner/overrides', { plannable_type: 'assignment', plannable_id: essay }), 201);
  expect(ok(await as(student).get('/planner/overrides'))).toMatchObject([{ plannable_id: essay, marked_complete: false }]);
});

test('marking an item as complete also fulfils its module requirement, and unmarking undoes it', async () => {
  const { course, student } = await aCourse(ground);
  const notes = await page(course, 'Notes', when);
  const module_id = await ground.module(course, { name: 'One' });
  const item = await ground.moduleItem(course, module_id, {
    type: 'Page',
    content_id: notes,
    title: 'Notes',
    requirement_type: 'must_mark_done',
  });
  const marks = () =>
    env.DB.prepare('select count(*) as n from module_marks where item_id = ? and user_id = ?').bind(item, student.id).first('n');
  const mark = ok(
    await as(student).post('/planner/overrides', { plannable_type: 'wiki_page', plannable_id: notes, marked_complete: true }),
    201,
  );
  expect(await marks()).toBe(1);
  ok(await as(student).put(`/planner/overrides/${mark.id}`, { marked_complete: false }));
  expect(await marks()).toBe(0);
});

test('10,000 notes and marks cost as much as ten', async () => {
  const { student } = await aPlan();
  const paths = ['/planner_notes', '/planner/overrides', '/planner/items'];
  const query = { ...far, per_page: 100 };
  const before = await Promise.all(paths.map((path) => as(student).get(path, query)));
  await many(10_000, planner_notes, {
    user_id: student.id,
    title: nth('N'),
    todo_date: sql`strftime('%Y-%m-%dT%H:%M:%SZ', 1893456000 + n * 600, 'unixepoch')`,
  });
  await many(10_000, planner_overrides, { user_id: student.id, plannable_type: 'planner_note', plannable_id: sql`1000000 + n` });
  for (const [at, path] of paths.entries()) {
    const answer = within(await as(student).get(path, query), 2);
    expect(ok(answer)).toHaveLength(100);
    expect(answer.cost.rows_read, path).toBeLessThan((path.endsWith('items') ? 8 : 3) * 100 + (before[at]?.cost.rows_read ?? 0) + 100);
  }
});

test('10,000 topics, pages, assignments and events on other days cost nothing', async () => {
  const { course, student } = await aPlan();
  const before = within(await as(student).get('/planner/items', far), 2);
  const then = sql`strftime('%Y-%m-%dT%H:%M:%SZ', 1993456000 + n * 600, 'unixepoch')`;
  await many(10_000, discussion_topics, {
    context_type: 'Course',
    context_id: course.id,
    title: nth('T'),
    workflow_state: 'active',
    posted_at: then,
  });
  await many(10_000, pages, {
    context_type: 'Course',
    context_id: course.id,
    title: nth('P'),
    url: nth('p'),
    editing_roles: 'teachers',
    workflow_state: 'active',
    todo_date: then,
  });
  await many(10_000, calendar_events, { context_code: `course_${course.id}`, title: nth('E'), start_at: then });
  await many(10_000, assignments, {
    course_id: course.id,
    assignment_group_id: course.assignment_group_id,
    name: nth('A'),
    position: n,
    due_at: then,
    workflow_state: 'published',
    lti_context_id: 'x',
  });
  const after = within(await as(student).get('/planner/items', far), 2);
  expect(ok(after)).toEqual(ok(before));
  expect(after.cost.rows_read).toBeLessThan(before.cost.rows_read + 100);
});

test('planner items of groups are in the planner of their members', async () => {
  const { course, teacher, student, student2 } = await aCourse(ground);
  const set = ok(await as(teacher).post(`/courses/${course.id}/group_categories`, { name: 'Teams' }));
  const team = ok(await as(teacher).post(`/group_categories/${set.id}/groups`, { name: 'Red' }));
  ok(await as(teacher).post(`/groups/${team.id}/memberships`, { user_id: student.id }));
  const at = `/groups/${team.id}`;
  const code = `group_${team.id}`;
  const start_at = '2031-05-02T10:00:00Z';
  ok(await as(student).post('/calendar_events', { calendar_event: { context_code: code, title: 'Meet', start_at } }), 201);
  const page = ok(await as(student).post(`${at}/pages`, { wiki_page: { title: 'Minutes', body: 'x' } }));
  const talk = ok(await as(student).post(`${at}/discussion_topics`, { title: 'Talk' }));
  await env.DB.prepare("update pages set todo_date = '2031-05-03T10:00:00Z' where id = ?").bind(page.page_id).run();
  await env.DB.prepare("update discussion_topics set todo_date = '2031-05-04T10:00:00Z' where id = ?").bind(talk.id).run();
  const asked = { start_date: '2031-05-01', end_date: '2031-05-31' };
  const seen = async (who: typeof student, more: object = {}) => ok(within(await as(who).get('/planner/items', { ...asked, ...more }), 2));
  const items = await seen(student);
  expect(items.map((one: { plannable: { title: string } }) => one.plannable.title)).toEqual(['Meet', 'Minutes', 'Talk']);
  for (const item of items) expect(item).toMatchObject({ context_type: 'Group', group_id: team.id, context_name: 'Red' });
  expect(items[1]).toMatchObject({ plannable_type: 'wiki_page', html_url: `/groups/${team.id}/pages/minutes` });
  expect(items[2].plannable).not.toHaveProperty('context_code');
  expect(await as(student).pages('/planner/items', { ...asked, per_page: 1 })).toEqual(items);
  expect(await seen(student, { context_codes: [code], filter: 'ungraded_todo_items' })).toHaveLength(2);
  expect(await seen(student, { context_codes: [`course_${course.id}`] })).toEqual([]);
  expect(await seen(student2)).toEqual([]);
  ok(await as(student2).get('/planner/items', { ...asked, context_codes: [code] }), 401);

  // Only members mark a group's planner items.
  for (const { plannable_type, plannable_id } of items) {
    const mark = { plannable_type, plannable_id, marked_complete: true };
    expect(ok(within(await as(student).post('/planner/overrides', mark), 3), 201)).toMatchObject({ ...mark, assignment_id: null });
    ok(await as(student2).post('/planner/overrides', mark), 404);
  }
  expect((await seen(student)).map((one: Item & { planner_override: object }) => one.planner_override)).toMatchObject(
    items.map(() => ({ marked_complete: true, workflow_state: 'active' })),
  );
});

test('a group discussion is in the planner once, and a mark in a group is stored for the whole discussion', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const set = ok(await as(teacher).post(`/courses/${course.id}/group_categories`, { name: 'Teams' }));
  const team = ok(await as(teacher).post(`/group_categories/${set.id}/groups`, { name: 'Red' }));
  ok(await as(teacher).post(`/groups/${team.id}/memberships`, { user_id: student.id }));
  const root = ok(
    await as(teacher).post(`/courses/${course.id}/discussion_topics`, { title: 'Debate', group_category_id: set.id, published: true }),
  );
  const [part] = ok(await as(student).get(`/groups/${team.id}/discussion_topics`));
  const plan = async (more: object = {}) =>
    ok(await as(student).get('/planner/items', more)).filter((one: Item) => one.plannable_type === 'discussion_topic');
  expect((await plan()).map((one: Item) => one.plannable_id)).toEqual([root.id]);
  expect((await plan({ context_codes: [`group_${team.id}`] })).map((one: Item) => one.plannable_id)).toEqual([part.id]);
  const mark = ok(
    await as(student).post('/planner/overrides', { plannable_type: 'discussion_topic', plannable_id: part.id, marked_complete: true }),
    201,
  );
  expect(mark).toMatchObject({ plannable_type: 'discussion_topic', plannable_id: root.id });
  for (const more of [{}, { context_codes: [`group_${team.id}`] }])
    expect((await plan(more))[0].planner_override).toMatchObject({ id: mark.id, marked_complete: true });

  // A graded one is at its due date, in the course or in the group.
  const due_at = `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 19)}Z`;
  ok(await as(teacher).put(`/courses/${course.id}/discussion_topics/${root.id}`, { assignment: { due_at, points_possible: 5 } }));
  for (const [more, id] of [
    [{}, root.id],
    [{ context_codes: [`group_${team.id}`] }, part.id],
  ] as const)
    expect(await plan(more)).toMatchObject([
      {
        plannable_id: id,
        plannable_date: due_at,
        submissions: { submitted: false },
        plannable: { points_possible: 5, due_at },
        planner_override: { id: mark.id },
      },
    ]);
  expect((await plan({ context_codes: [`group_${team.id}`] }))[0].html_url).toBe(`/groups/${team.id}/discussion_topics/${part.id}`);
});

test('an unchanged planner returns 304; items include the course image', async () => {
  const { course, student } = await aPlan();
  await env.DB.prepare("update courses set settings = json_set(settings, '$.image_url', 'https://pictures.test/a.png') where id = ?")
    .bind(course.id)
    .run();
  const first = await as(student).get('/planner/items', far);
  expect(ok(first)[0].context_image).toBe('https://pictures.test/a.png');
  const etag = first.headers.get('etag') ?? '';
  expect(etag).toMatch(/^W\/"[0-9a-f]{32}"$/);
  const again = await as(student).get('/planner/items', far, { headers: { 'If-None-Match': etag } });
  expect([again.status, again.headers.get('etag')]).toEqual([304, etag]);
  ok(await as(student).post('/planner_notes', { title: 'More', todo_date: '2030-05-06T10:00:00Z' }), 201);
  expect((await as(student).get('/planner/items', far, { headers: { 'If-None-Match': etag } })).status).toBe(200);
});

test('a public syllabus returns its ungraded to-do items to anonymous callers', async () => {
  const { course } = await aPlan();
  const asked = { ...far, context_codes: [`course_${course.id}`], filter: 'all_ungraded_todo_items' };
  ok(await as(undefined).get('/planner/items', asked), 401);
  await env.DB.prepare('update courses set public_syllabus = 1 where id = ?').bind(course.id).run();
  expect(result(ok(within(await as(undefined).get('/planner/items', asked), 2)))).toEqual([
    ['discussion_topic', 'Reading circle'],
    ['wiki_page', 'Notes'],
  ]);
  ok(await as(undefined).get('/planner/items', { ...asked, filter: 'incomplete_items' }), 401);
  ok(await as(undefined).get('/planner/items', { ...asked, context_codes: [`course_${course.id}`, 'user_1'] }), 401);
  ok(await as(undefined).get('/planner/items'), 401);
});
