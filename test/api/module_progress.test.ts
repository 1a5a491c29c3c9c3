// Module progress: requirements, unlocking and locks.

import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';

type Course = { id: number };
const modulesOf = (course: Course, rest = '') => `/courses/${course.id}/modules${rest}`;

async function aModule(course: Course, teacher: Person, name: string, rules: object = {}): Promise<number> {
  const { id } = ok(await as(teacher).post(modulesOf(course), { module: { name, ...rules } }));
  ok(await as(teacher).put(modulesOf(course, `/${id}`), { module: { published: true } }));
  return id;
}
async function aReading(course: Course, teacher: Person, module_id: number, title: string, type?: string, rest: object = {}) {
  const { url } = ok(
    await as(teacher).post(`/courses/${course.id}/pages`, { wiki_page: { title, published: true, body: 'Text', ...rest } }),
  );
  const module_item = { type: 'Page', page_url: url, ...(type && { completion_requirement: { type } }) };
  const item = ok(await as(teacher).post(modulesOf(course, `/${module_id}/items`), { module_item }));
  return { id: item.id as number, page: `/courses/${course.id}/pages/${url}` };
}
async function aTask(course: Course, teacher: Person, module_id: number, requirement: object) {
  const assignment = { name: 'Essay', points_possible: 10, published: true, submission_types: ['online_text_entry'] };
  const { id } = ok(await as(teacher).post(`/courses/${course.id}/assignments`, { assignment }), 201);
  const module_item = { type: 'Assignment', content_id: id, completion_requirement: requirement };
  const item = ok(await as(teacher).post(modulesOf(course, `/${module_id}/items`), { module_item }));
  return { id: item.id as number, assignment_id: id as number };
}
const work = (course: Course, student: Person, assignment_id: number, score: number | null, posted = true) =>
  ground.submission(course, assignment_id, student, {
    attempt: 1,
    submission_type: 'online_text_entry',
    submitted_at: '2026-11-01T00:00:00Z',
    score,
    posted_at: posted && score !== null ? '2026-11-02T00:00:00Z' : null,
    workflow_state: score === null ? 'submitted' : 'graded',
  });

const statesOf = async (course: Course, person: Person): Promise<string[]> =>
  ok(within(await as(person).get(modulesOf(course)), 2)).map(({ state }: { state: string }) => state);
const itemOf = async (course: Course, person: Person, module_id: number, id: number) =>
  ok(within(await as(person).get(modulesOf(course, `/${module_id}/items/${id}`), { include: ['content_details'] }), 2));

test('reading a page completes its module and unlocks the next', async () => {
  const { course, teacher, student, student2 } = await aCourse(ground);
  const one = await aModule(course, teacher, 'One');
  const first = await aReading(course, teacher, one, 'First', 'must_view');
  const two = await aModule(course, teacher, 'Two', { prerequisite_module_ids: [one] });
  const second = await aReading(course, teacher, two, 'Second', 'must_view');
  expect(await statesOf(course, student)).toEqual(['unlocked', 'locked']);
  const locked = ok(within(await as(student).get(second.page), 2));
  expect(locked).toMatchObject({
    locked_for_user: true,
    lock_info: {
      context_module: {
        id: two,
        name: 'Two',
        prerequisites: [{ id: one, type: 'context_module', name: 'One' }],
        completion_requirements: [{ id: second.id, type: 'must_view' }],
      },
    },
  });
  expect(locked.lock_info.asset_string).toBe(`wiki_page_${locked.page_id}`);
  expect(locked.lock_explanation).toContain('<b>Two</b>');
  expect(locked).not.toHaveProperty('body');
  expect((await itemOf(course, student, two, second.id)).content_details.locked_for_user).toBe(true);
  expect(await statesOf(course, student)).toEqual(['unlocked', 'locked']);

  ok(within(await as(student).get(first.page), 2));
  expect(await statesOf(course, student)).toEqual(['completed', 'unlocked']);
  expect((await itemOf(course, student, one, first.id)).completion_requirement).toEqual({ type: 'must_view', completed: true });
  expect(ok(await as(student).get(second.page)).body).toBe('Text');
  expect(await statesOf(course, student)).toEqual(['completed', 'completed']);
  expect(await statesOf(course, student2)).toEqual(['unlocked', 'locked']);
  expect(ok(await as(teacher).get(modulesOf(course, `/${two}`), { student_id: student.id })).state).toBe('completed');
});

test('pages read at the same time all count', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const id = await aModule(course, teacher, 'Many');
  const readings = [];
  for (const title of ['A', 'B', 'C', 'D', 'E']) readings.push(await aReading(course, teacher, id, title, 'must_view'));
  await Promise.all(readings.map(({ page }) => as(student).get(page)));
  expect(await statesOf(course, student)).toEqual(['completed']);
});

test('staff and observers are never locked out', async () => {
  const { course, teacher, observer } = await aCourse(ground);
  const id = await aModule(course, teacher, 'Later', { unlock_at: '2099-01-01T00:00:00Z' });
  const { page } = await aReading(course, teacher, id, 'Later');
  for (const person of [teacher, observer]) expect(ok(await as(person).get(page))).toMatchObject({ locked_for_user: false, body: 'Text' });
});

test('a module with a later unlock date locks its content, and returns the date', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const unlock_at = '2099-01-01T00:00:00Z';
  const id = await aModule(course, teacher, 'Later', { unlock_at });
  const { page, id: item } = await aReading(course, teacher, id, 'Later', 'must_view');
  expect(ok(await as(student).get(page)).lock_info).toMatchObject({ unlock_at, context_module: { unlock_at } });
  expect(ok(await as(student).get(`/courses/${course.id}/pages`))[0].locked_for_user).toBe(true);
  expect(await statesOf(course, student)).toEqual(['locked']);
  expect(ok(await as(student).post(modulesOf(course, `/${id}/items/${item}/mark_read`)), 403)).toEqual({
    message: 'The module item is locked.',
  });
  ok(await as(teacher).put(modulesOf(course, `/${id}`), { module: { unlock_at: '' } }));
  expect(ok(await as(student).get(page)).body).toBe('Text');
});

test('an item is marked as done and as not done, in the planner too', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const id = await aModule(course, teacher, 'Week');
  const task = await aReading(course, teacher, id, 'Task', 'must_mark_done');
  const other = await aReading(course, teacher, id, 'Other');
  const at = (item: number) => modulesOf(course, `/${id}/items/${item}/done`);
  const planner = async () =>
    (
      await env.DB.prepare('select plannable_type, marked_complete, dismissed from planner_overrides where user_id = ?')
        .bind(student.id)
        .all()
    ).results;
  const done = ok(within(await as(student).put(at(task.id)), 3));
  expect(done).toMatchObject({ message: 'OK', completion_requirement: { type: 'must_mark_done', completed: true } });
  expect(await planner()).toEqual([{ plannable_type: 'wiki_page', marked_complete: 1, dismissed: 1 }]);
  expect(await statesOf(course, student)).toEqual(['completed']);
  const undone = ok(within(await as(student).del(at(task.id)), 3));
  expect(undone.completion_requirement.completed).toBe(false);
  expect(await planner()).toEqual([{ plannable_type: 'wiki_page', marked_complete: 0, dismissed: 0 }]);
  expect(await statesOf(course, student)).toEqual(['unlocked']);
  expect(ok(await as(student).put(at(other.id)))).not.toHaveProperty('completion_requirement');
  ok(await as(student).put(at(999999)), 404);
});

test('an item is marked as read', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const id = await aModule(course, teacher, 'Week');
  const link = ok(
    await as(teacher).post(modulesOf(course, `/${id}/items`), {
      module_item: { type: 'ExternalUrl', external_url: 'https://example.edu', completion_requirement: { type: 'must_view' } },
    }),
  );
  ok(await as(teacher).put(modulesOf(course, `/${id}/items/${link.id}`), { module_item: { published: true } }));
  expect(await statesOf(course, student)).toEqual(['unlocked']);
  expect(ok(within(await as(student).post(modulesOf(course, `/${id}/items/${link.id}/mark_read`)), 3))).toEqual({ message: 'OK' });
  expect(await statesOf(course, student)).toEqual(['completed']);
  ok(await as(student).post(modulesOf(course, `/${id}/items/999999/mark_read`)), 404);
});

test('following a link, and editing a page, count as progress', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const id = await aModule(course, teacher, 'Week', { requirement_type: 'all' });
  const wiki = await aReading(course, teacher, id, 'Wiki', 'must_contribute', { editing_roles: 'teachers,students' });
  const link = ok(
    await as(teacher).post(modulesOf(course, `/${id}/items`), {
      module_item: { type: 'ExternalUrl', external_url: 'https://example.edu', completion_requirement: { type: 'must_view' } },
    }),
  );
  ok(await as(teacher).put(modulesOf(course, `/${id}/items/${link.id}`), { module_item: { published: true } }));
  ok(await as(student).get(wiki.page));
  expect(await statesOf(course, student)).toEqual(['unlocked']);
  ok(await as(student).put(wiki.page, { wiki_page: { body: 'Mine' } }));
  expect(await statesOf(course, student)).toEqual(['started']);
  expect((await as(student).get(`/courses/${course.id}/module_item_redirect/${link.id}`)).status).toBe(302);
  expect(await statesOf(course, student)).toEqual(['completed']);
});

test('submissions and scores count, regardless of who recorded them', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const one = await aModule(course, teacher, 'Submit');
  const { assignment_id } = await aTask(course, teacher, one, { type: 'must_submit' });
  const two = await aModule(course, teacher, 'Score');
  ok(
    await as(teacher).post(modulesOf(course, `/${two}/items`), {
      module_item: { type: 'Assignment', content_id: assignment_id, completion_requirement: { type: 'min_score', min_score: 7 } },
    }),
  );
  expect(await statesOf(course, student)).toEqual(['unlocked', 'unlocked']);
  await work(course, student, assignment_id, null);
  expect(await statesOf(course, student)).toEqual(['completed', 'unlocked']);
  await work(course, student, assignment_id, 5);
  expect(await statesOf(course, student)).toEqual(['completed', 'started']);
  await work(course, student, assignment_id, 8, false);
  expect(await statesOf(course, student)).toEqual(['completed', 'started']);
  await work(course, student, assignment_id, 8);
  expect(await statesOf(course, student)).toEqual(['completed', 'completed']);
  await work(course, student, assignment_id, 6);
  expect(await statesOf(course, student)).toEqual(['completed', 'started']);
});

test('one completed requirement is enough where the module says so', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const id = await aModule(course, teacher, 'Either', { requirement_type: 'one' });
  const { page } = await aReading(course, teacher, id, 'A', 'must_view');
  await aReading(course, teacher, id, 'B', 'must_view');
  ok(await as(student).get(page));
  expect(await statesOf(course, student)).toEqual(['completed']);
});

test('in a module with sequential progress, later items are locked', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const id = await aModule(course, teacher, 'In order', { require_sequential_progress: true });
  const a = await aReading(course, teacher, id, 'A', 'must_view');
  const b = await aReading(course, teacher, id, 'B', 'must_view');
  const c = await aReading(course, teacher, id, 'C');
  const locks = async () =>
    ok(await as(student).get(modulesOf(course, `/${id}/items`), { include: ['content_details'] })).map(
      (item: { content_details: { locked_for_user: boolean } }) => item.content_details.locked_for_user,
    );
  expect(await locks()).toEqual([false, true, true]);
  expect(ok(await as(student).get(c.page)).locked_for_user).toBe(true);
  ok(await as(student).get(b.page));
  expect(await locks()).toEqual([false, true, true]);
  ok(await as(student).get(a.page));
  expect(await locks()).toEqual([false, false, true]);
  ok(await as(student).get(b.page));
  expect(await locks()).toEqual([false, false, false]);
});

test('an unlocked module stays unlocked until it is relocked', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const one = await aModule(course, teacher, 'One');
  const two = await aModule(course, teacher, 'Two');
  expect(await statesOf(course, student)).toEqual(['completed', 'completed']);
  await aReading(course, teacher, one, 'New', 'must_view');
  expect(ok(await as(teacher).put(modulesOf(course, `/${two}`), { module: { prerequisite_module_ids: [one] } })).relock_warning).toBe(true);
  expect(await statesOf(course, student)).toEqual(['unlocked', 'completed']);
  ok(within(await as(teacher).put(modulesOf(course, `/${one}/relock`)), 3));
  expect(await statesOf(course, student)).toEqual(['unlocked', 'locked']);
});

test('course progress is the sum of its modules', async () => {
  const { course, teacher, student, student2 } = await aCourse(ground);
  const at = (person: Person) => `/courses/${course.id}/users/${person.id}/progress`;
  const bulk = `/courses/${course.id}/bulk_user_progress`;
  expect(ok(await as(student).get(at(student)), 400)).toHaveProperty('error.message');
  expect(ok(await as(teacher).get(bulk), 400)).toHaveProperty('error.message');
  const id = await aModule(course, teacher, 'Week');
  const a = await aReading(course, teacher, id, 'A', 'must_view');
  const b = await aReading(course, teacher, id, 'B', 'must_view');
  ok(await as(student).get(a.page));
  const half = {
    requirement_count: 2,
    requirement_completed_count: 1,
    next_requirement_url: `https://carrel.test/courses/${course.id}/modules/items/${b.id}`,
    completed_at: null,
  };
  expect(ok(within(await as(student).get(at(student)), 2))).toEqual(half);
  expect(ok(await as(teacher).get(at(student)))).toEqual(half);
  ok(await as(student2).get(at(student)), 401);
  ok(await as(teacher).get(at(teacher)), 400);
  await statesOf(course, student);
  const all = ok(within(await as(teacher).get(bulk), 2));
  expect(all.find((one: { id: number }) => one.id === student.id)).toMatchObject({ display_name: 'Sam Student', progress: half });
  expect(all.find((one: { id: number }) => one.id === student2.id).progress.requirement_completed_count).toBe(0);
  ok(await as(student).get(bulk), 401);
  ok(await as(student).get(b.page));
  const done = ok(await as(student).get(at(student)));
  expect(done).toMatchObject({ requirement_completed_count: 2, next_requirement_url: null });
  expect(done.completed_at).toMatch(/Z$/);
});

test('an item that a student cannot see cannot be marked as done', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const id = await aModule(course, teacher, 'Week 1');
  const other = await aModule(course, teacher, 'Week 2');
  const reading = await aReading(course, teacher, id, 'Reading', 'must_mark_done');
  const refused = await as(student).put(modulesOf(course, `/${other}/items/${reading.id}/done`));
  ok(refused, 404);
  expect(refused.cost.rows_written).toBe(0);
  expect(ok(await as(student).get('/planner/overrides'))).toEqual([]);
});

test('progress in an open module is reported to the feed without the content, and an unlocked module with it', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const one = await aModule(course, teacher, 'One');
  const [first, second] = [
    await aReading(course, teacher, one, 'First', 'must_view'),
    await aReading(course, teacher, one, 'Second', 'must_view'),
  ];
  const two = await aModule(course, teacher, 'Two', { prerequisite_module_ids: [one] });
  await aReading(course, teacher, two, 'Third', 'must_view');
  await statesOf(course, student);
  const reported = async (work: () => Promise<unknown>) => {
    const { results: newest } = await env.DB.prepare('select max(seq) as seq from changes').all<{ seq: number }>();
    await work();
    const { results } = await env.DB.prepare('select kind, item_id from changes where seq > ? and scope = ? order by kind, item_id')
      .bind(newest[0]?.seq, `user_${student.id}`)
      .all<{ kind: string; item_id: number }>();
    return results.filter(({ kind }) => kind === 'module' || kind === 'page').map(({ kind, item_id }) => `${kind} ${item_id}`);
  };
  const read = (item: number, state: string) => async () => {
    ok(await as(student).post(modulesOf(course, `/${one}/items/${item}/mark_read`)));
    await expect.poll(async () => (await statesOf(course, student))[0]).toBe(state);
  };
  expect(await reported(read(first.id, 'started'))).toEqual([`module ${one}`]);
  const third = ok(await as(teacher).get(`/courses/${course.id}/pages/third`)).page_id;
  expect(await reported(read(second.id, 'completed'))).toEqual([`module ${one}`, `module ${two}`, `page ${third}`]);
});
