// Discussions: access, posting and read state.

import { env } from 'cloudflare:test';
import { discussion_entries, discussion_topics } from '@carrel/worker/domains/discussion_topics/table';
import { tick } from '@carrel/worker/schedule';
import { expect, test } from 'vitest';
import { as, ground, many, n, nth, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';

const at = (course: { id: number }, rest = '') => `/courses/${course.id}/discussion_topics${rest}`;
const make = async (person: Person, course: { id: number }, given: object = {}) =>
  ok(await as(person).post(at(course), { title: 'Topic', message: '<p>Say something.</p>', published: true, ...given }));
const titles = (topics: { title: string }[]) => topics.map(({ title }) => title);
const soon = '2099-01-01T00:00:00Z';
const past = '2020-01-01T00:00:00Z';

test("a teacher's topic is a draft until it is published, a student's is published at once", async () => {
  const { course, teacher, student, student2 } = await aCourse(ground);
  const draft = ok(within(await as(teacher).post(at(course), { title: 'Draft', message: 'Hello<script>x</script>' }), 3));
  expect(draft).toMatchObject({
    title: 'Draft',
    message: 'Hello',
    published: false,
    locked: false,
    pinned: false,
    discussion_type: 'side_comment',
    read_state: 'read',
    unread_count: 0,
    discussion_subentry_count: 0,
    subscribed: true,
    assignment_id: null,
    podcast_url: null,
    is_announcement: false,
    author: { id: teacher.id, display_name: 'Tara Teacher' },
    user_name: 'Tara Teacher',
    permissions: { attach: true, update: true, reply: true, delete: true },
    locked_for_user: false,
  });
  expect(ok(await as(student).get(at(course)))).toEqual([]);
  ok(await as(student).get(at(course, `/${draft.id}`)), 401);
  ok(within(await as(teacher).put(at(course, `/${draft.id}`), { published: true }), 3));
  expect(ok(within(await as(student).get(at(course, `/${draft.id}`)), 2))).toMatchObject({
    published: true,
    read_state: 'unread',
    subscribed: false,
    permissions: { update: false, delete: false, reply: true },
  });
  const own = ok(await as(student).post(at(course), { title: 'Mine' }));
  expect(own).toMatchObject({ published: true, permissions: { update: true, delete: true } });
  ok(await as(student).post(at(course), { title: 'No', published: false }), 400);
  ok(await as(student2).put(at(course, `/${own.id}`), { title: 'Yours' }), 401);
  ok(await as(student).put(at(course, `/${own.id}`), { title: 'Still mine' }));
  ok(await as(teacher).get(at(course, '/999999')), 404);
  ok(await as().get(at(course)), 401);
});

test('topics are listed newest first, by title or by activity; filtered by scope, words and unread', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const [b, a, c] = [
    await make(teacher, course, { title: 'Beta' }),
    await make(teacher, course, { title: 'alpha', pinned: true }),
    await make(teacher, course, { title: 'Gamma', locked: true }),
  ];
  const list = async (query: object = {}) => titles(ok(within(await as(student).get(at(course), query), 2)));
  expect(await list()).toContain('alpha');
  expect(await list({ order_by: 'title' })).toEqual(['alpha', 'Beta', 'Gamma']);
  ok(await as(student).post(at(course, `/${b.id}/entries`), { message: 'First' }), 201);
  expect(await list({ scope: 'pinned' })).toEqual(['alpha']);
  expect(await list({ scope: 'locked' })).toEqual(['Gamma']);
  expect((await list({ scope: 'unlocked,unpinned' })).sort()).toEqual(['Beta']);
  expect(ok(await as(student).get(at(course), { scope: 'locked,unlocked' }), 400)).toEqual({ errors: { scope: 'scope is contradictory' } });
  expect(await list({ search_term: 'ALPH' })).toEqual(['alpha']);
  ok(await as(student).put(at(course, `/${a.id}/read`)), 204);
  ok(await as(student).put(at(course, `/${c.id}/read_all`)), 204);
  expect(await list({ filter_by: 'unread' })).toEqual(['Beta']);
  expect(ok(await as(student).get(at(course), { plain_messages: true }))[0].message).toBe('Say something.');
});

test('entries are threaded by the type of the topic', async () => {
  const { course, teacher, student, student2 } = await aCourse(ground);
  const topic = await make(teacher, course);
  const entries = at(course, `/${topic.id}/entries`);
  const say = async (person: Person, message: string, parent?: number) =>
    ok(within(await as(person).post(parent ? `${entries}/${parent}/replies` : entries, { message }), 3), 201);
  const top = await say(student, '<b>Top</b>');
  expect(top).toMatchObject({
    parent_id: null,
    message: '<b>Top</b>',
    user_id: student.id,
    user_name: 'Sam Student',
    read_state: 'read',
    forced_read_state: false,
  });
  const reply = await say(student2, 'Reply', top.id);
  const under = await say(teacher, 'Under the reply', reply.id);
  expect([reply.parent_id, under.parent_id]).toEqual([top.id, top.id]);
  const [listed] = ok(within(await as(teacher).get(entries), 2));
  expect(listed).toMatchObject({ id: top.id, read_state: 'unread', has_more_replies: false });
  expect(listed.recent_replies.map(({ id }: { id: number }) => id)).toEqual([under.id, reply.id]);
  expect(ok(within(await as(teacher).get(`${entries}/${top.id}/replies`), 2)).map(({ id }: { id: number }) => id)).toEqual([
    under.id,
    reply.id,
  ]);

  ok(await as(teacher).put(at(course, `/${topic.id}`), { discussion_type: 'threaded' }));
  const deep = await say(student, 'Deep', reply.id);
  expect(deep.parent_id).toBe(reply.id);
  const view = ok(within(await as(student).get(at(course, `/${topic.id}/view`)), 2));
  expect(view.view).toMatchObject([{ id: top.id, replies: [{ id: reply.id, replies: [{ id: deep.id }] }, { id: under.id }] }]);
  expect(view.unread_entries).toEqual([reply.id, under.id]);
  expect(view.participants.map(({ id }: { id: number }) => id).sort()).toEqual([teacher.id, student.id, student2.id].sort());
  expect(view).toMatchObject({ forced_entries: [], entry_ratings: {}, new_entries: [] });
  const list = ok(await as(student).get(at(course, `/${topic.id}/entry_list`), { ids: [deep.id, top.id] }));
  expect(list.map(({ id }: { id: number }) => id)).toEqual([top.id, deep.id]);
  ok(await as(student).get(at(course, `/${topic.id}/entry_list`), { ids: [999999] }), 404);
  ok(await as(student).post(entries, { message: ' ' }), 400);
  ok(await as(student).post(`${entries}/999999/replies`, { message: 'x' }), 404);
});

test('authors edit entries while the topic is open; a deleted entry leaves a stub', async () => {
  const { course, teacher, student, student2 } = await aCourse(ground);
  const topic = await make(teacher, course);
  const entries = at(course, `/${topic.id}/entries`);
  const entry = ok(await as(student).post(entries, { message: 'One' }), 201);
  ok(await as(student2).put(`${entries}/${entry.id}`, { message: 'Mine' }), 401);
  const edited = ok(within(await as(student).put(`${entries}/${entry.id}`, { message: 'Two' }), 3));
  expect(edited).toMatchObject({ message: 'Two' });
  expect(edited.editor_id).toBeUndefined();
  expect(ok(await as(teacher).put(`${entries}/${entry.id}`, { message: 'Three' })).editor_id).toBe(teacher.id);
  ok(await as(teacher).put(at(course, `/${topic.id}`), { locked: true }));
  ok(await as(student).put(`${entries}/${entry.id}`, { message: 'Four' }), 401);
  ok(await as(student2).post(entries, { message: 'Late' }), 401);
  ok(await as(teacher).post(entries, { message: 'Moderators may' }), 201);
  const gone = ok(within(await as(teacher).del(`${entries}/${entry.id}`), 3));
  expect(gone).toMatchObject({ id: entry.id, deleted: true });
  expect(gone.deleted_at).toBeTruthy();
  expect(gone.message).toBeUndefined();
  ok(await as(teacher).put(`${entries}/${entry.id}`, { message: 'x' }), 404);
  expect(ok(await as(teacher).get(at(course, `/${topic.id}`))).discussion_subentry_count).toBe(1);
  expect(ok(await as(student2).get(at(course, `/${topic.id}/view`))).view[0]).toMatchObject({ id: entry.id, deleted: true });
});

test('read entries are counted, set by hand and forced', async () => {
  const { course, teacher, student, student2 } = await aCourse(ground);
  const topic = await make(teacher, course);
  const here = at(course, `/${topic.id}`);
  const ids: number[] = [];
  for (const message of ['a', 'b', 'c']) ids.push(ok(await as(student).post(`${here}/entries`, { message }), 201).id);
  const counts = async (person: Person) => {
    const { unread_count, read_state } = ok(await as(person).get(here));
    return [unread_count, read_state];
  };
  expect(await counts(student2)).toEqual([3, 'unread']);
  expect(await counts(student)).toEqual([0, 'unread']);
  ok(within(await as(student2).put(`${here}/entries/${ids[0]}/read`), 3), 204);
  expect(await counts(student2)).toEqual([2, 'unread']);
  ok(await as(student2).put(`${here}/entries/${ids[0]}/read`, { forced_read_state: true }), 204);
  expect(ok(await as(student2).get(`${here}/view`)).forced_entries).toEqual([ids[0]]);
  ok(await as(student2).del(`${here}/entries/${ids[0]}/read`), 204);
  expect(await counts(student2)).toEqual([3, 'unread']);
  ok(within(await as(student2).put(`${here}/read_all`), 3), 204);
  expect(await counts(student2)).toEqual([0, 'read']);
  ok(await as(student).del(`${here}/entries/${ids[1]}`));
  expect(await counts(student2)).toEqual([0, 'read']);
  ok(await as(student).post(`${here}/entries`, { message: 'd' }), 201);
  expect(await counts(student2)).toEqual([1, 'read']);
  ok(await as(student2).del(`${here}/read_all`), 204);
  expect(await counts(student2)).toEqual([3, 'unread']);
  ok(await as(student2).put(`${here}/read`), 204);
  expect(await counts(student2)).toEqual([3, 'read']);
  ok(await as(student2).del(`${here}/read`), 204);
  expect(await counts(student2)).toEqual([3, 'unread']);
});

test('posts of others stay hidden until the user has posted', async () => {
  const { course, teacher, student, student2 } = await aCourse(ground);
  const topic = await make(teacher, course, { require_initial_post: true });
  const here = at(course, `/${topic.id}`);
  const first = ok(await as(student).post(`${here}/entries`, { message: 'I did' }), 201);
  for (const path of ['/view', '/entries', '/entry_list', `/entries/${first.id}/replies`]) {
    const answer = await as(student2).get(here + path);
    expect([answer.status, typeof answer.body === 'string' ? answer.body : answer.body], path).toEqual([403, 'require_initial_post']);
  }
  expect((await as(student2).post(`${here}/entries/${first.id}/replies`, { message: 'x' })).status).toBe(403);
  expect((await as(student2).put(`${here}/subscribed`)).status).toBe(403);
  expect(ok(await as(student2).get(here))).toMatchObject({
    user_can_see_posts: false,
    subscription_hold: 'initial_post_required',
    subscribed: false,
  });
  ok(await as(student2).put(`${here}/read`), 204);
  ok(await as(student2).del(`${here}/read`), 204);
  ok(await as(student2).put(`${here}/read_all`), 403);
  ok(await as(teacher).get(`${here}/view`));
  const own = ok(await as(student2).post(`${here}/entries`, { message: 'Now I' }), 201);
  ok(await as(student2).get(`${here}/view`));
  ok(await as(student2).del(`${here}/entries/${own.id}`));
  ok(await as(student2).get(`${here}/view`), 403);
});

test('a user who must post first does not learn how many have posted', async () => {
  const { course, teacher, student, student2, observer } = await aCourse(ground);
  const topic = await make(teacher, course, { require_initial_post: true, todo_date: '2030-01-01T00:00:00Z' });
  const here = at(course, `/${topic.id}`);
  ok(await as(student).post(`${here}/entries`, { message: 'First' }), 201);
  const counts = async (person: Person) => {
    const { discussion_subentry_count, unread_count, can_group } = ok(await as(person).get(here));
    const [stream] = ok(await as(person).get('/users/self/activity_stream'));
    return [discussion_subentry_count, unread_count, can_group, stream?.total_root_discussion_entries];
  };
  const planned = async (person: Person) =>
    ok(await as(person).get('/planner/items', { start_date: '2029-12-01', end_date: '2030-02-01' }))[0].plannable.unread_count;
  expect(await counts(student2)).toEqual([0, 0, true, 0]);
  expect(await planned(student2)).toBe(0);
  ok(await as(student2).put(`${here}/read`), 204);
  expect(ok(await as(student2).get(at(course), { filter_by: 'unread' }))).toEqual([]);
  expect((await counts(observer)).slice(0, 1), 'whose student has posted').toEqual([1]);
  expect((await counts(teacher)).slice(0, 2)).toEqual([1, 1]);
  ok(await as(student2).post(`${here}/entries`, { message: 'Second' }), 201);
  expect(await counts(student2)).toEqual([2, 1, false, 2]);
  expect(await planned(student2)).toBe(1);
  expect(ok(await as(student2).get(at(course), { filter_by: 'unread' }))).toHaveLength(1);
});

test('users subscribe by choice or by posting', async () => {
  const { course, teacher, student, student2 } = await aCourse(ground);
  const topic = await make(teacher, course);
  const here = at(course, `/${topic.id}`);
  const follows = async (person: Person) => ok(await as(person).get(here)).subscribed;
  expect([await follows(teacher), await follows(student)]).toEqual([true, false]);
  ok(await as(student).post(`${here}/entries`, { message: 'x' }), 201);
  expect(await follows(student)).toBe(true);
  ok(await as(student).del(`${here}/subscribed`), 204);
  ok(await as(student2).put(`${here}/subscribed`), 204);
  expect([await follows(student), await follows(student2)]).toEqual([false, true]);
});

test('each user rates an entry once, where the topic allows it', async () => {
  const { course, teacher, student, student2 } = await aCourse(ground);
  const topic = await make(teacher, course, { allow_rating: true });
  const plain = await make(teacher, course);
  const here = at(course, `/${topic.id}`);
  const entry = ok(await as(student).post(`${here}/entries`, { message: 'x' }), 201);
  const rate = (person: Person, rating: unknown) => as(person).post(`${here}/entries/${entry.id}/rating`, { rating });
  ok(within(await rate(student2, 1), 3), 204);
  ok(await rate(student2, 1), 204);
  ok(await rate(teacher, 1), 204);
  expect(ok(await rate(teacher, 5), 400)).toEqual({ message: 'Invalid rating given' });
  const sums = async () => {
    const [{ rating_sum, rating_count }] = ok(await as(student).get(`${here}/entries`));
    return [rating_sum, rating_count];
  };
  expect(await sums()).toEqual([2, 2]);
  ok(await rate(teacher, 0), 204);
  expect(await sums()).toEqual([1, 1]);
  expect(ok(await as(student2).get(`${here}/view`)).entry_ratings).toEqual({ [entry.id]: 1 });
  const other = ok(await as(student).post(at(course, `/${plain.id}/entries`), { message: 'x' }), 201);
  ok(await as(student2).post(at(course, `/${plain.id}/entries/${other.id}/rating`), { rating: 1 }), 401);
});

test('a delayed topic is locked until its date, a closed one can still be read', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const later = await make(teacher, course, { title: 'Later', delayed_post_at: soon });
  const closed = await make(teacher, course, { title: 'Closed', lock_at: past });
  const seen = ok(await as(student).get(at(course, `/${later.id}`)));
  expect(seen).toMatchObject({ locked_for_user: true, lock_info: { asset_string: `discussion_topic_${later.id}`, unlock_at: soon } });
  expect(seen.message).toContain('locked');
  ok(await as(student).post(at(course, `/${later.id}/entries`), { message: 'x' }), 401);
  expect(ok(await as(student).get(at(course, `/${closed.id}`)))).toMatchObject({
    locked: true,
    locked_for_user: true,
    lock_info: { can_view: true },
    message: '<p>Say something.</p>',
  });
  expect(ok(await as(teacher).put(at(course, `/${closed.id}`), { locked: false }))).toMatchObject({ locked: false, lock_at: null });
  const shut = await make(teacher, course, { title: 'Shut', locked: true, lock_at: soon });
  expect(ok(await as(teacher).put(at(course, `/${shut.id}`), { locked: false }))).toMatchObject({ locked: false, lock_at: null });
  const [module] = [ok(await as(teacher).post(`/courses/${course.id}/modules`, { module: { name: 'Not yet', unlock_at: soon } }))];
  const held = await make(teacher, course, { title: 'Held' });
  ok(
    await as(teacher).post(`/courses/${course.id}/modules/${module.id}/items`, {
      module_item: { type: 'Discussion', content_id: held.id },
    }),
  );
  ok(await as(teacher).put(`/courses/${course.id}/modules/${module.id}`, { module: { published: true } }));
  expect(ok(await as(student).get(at(course, `/${held.id}`)))).toMatchObject({
    locked_for_user: true,
    lock_info: { context_module: { id: module.id } },
  });
  ok(await as(student).post(at(course, `/${held.id}/entries`), { message: 'x' }), 401);
  expect(titles(ok(await as(student).get(at(course), { exclude_context_module_locked_topics: true })))).not.toContain('Held');
});

test('a graded topic and its assignment change together', async () => {
  const { course, teacher, student, student2 } = await aCourse(ground);
  const topic = ok(
    within(
      await as(teacher).post(at(course), {
        title: 'Essay',
        message: 'Discuss',
        published: true,
        assignment: { points_possible: 10, due_at: soon },
      }),
      3,
    ),
  );
  expect(topic).toMatchObject({
    title: 'Essay',
    can_lock: false,
    assignment: { name: 'Essay', description: 'Discuss', points_possible: 10, submission_types: ['discussion_topic'], published: true },
  });
  expect(topic.assignment_id).toBe(topic.assignment.id);
  const assignment = `/courses/${course.id}/assignments/${topic.assignment_id}`;
  ok(within(await as(teacher).put(at(course, `/${topic.id}`), { title: 'Paper', assignment: { points_possible: 5 } }), 3));
  expect(ok(await as(teacher).get(assignment))).toMatchObject({ name: 'Paper', points_possible: 5 });
  ok(await as(teacher).put(assignment, { assignment: { name: 'Thesis' } }));
  expect(ok(await as(student).get(at(course, `/${topic.id}`)))).toMatchObject({ title: 'Thesis' });
  ok(await as(teacher).put(at(course, `/${topic.id}`), { locked: true }), 400);

  ok(await as(student).post(at(course, `/${topic.id}/entries`), { message: 'My part' }), 201);
  const submitted = ok(await as(student).get(`${assignment}`, { include: ['submission'] }));
  expect(submitted.submission).toMatchObject({ submission_type: 'discussion_topic', workflow_state: 'submitted', attempt: 1 });
  ok(await as(student).post(at(course, `/${topic.id}/entries`), { message: 'More' }), 201);
  expect(ok(await as(student).get(assignment, { include: ['submission'] })).submission.attempt).toBe(1);
  expect(ok(await as(student2).get(assignment, { include: ['submission'] })).submission?.submission_type ?? null).toBe(null);
  ok(await as(teacher).put(at(course, `/${topic.id}`), { todo_date: soon }), 400);

  ok(await as(teacher).put(at(course, `/${topic.id}`), { assignment: { set_assignment: false } }));
  expect(ok(await as(teacher).get(at(course, `/${topic.id}`))).assignment_id).toBe(null);
  ok(await as(teacher).get(assignment), 404);
  const graded = ok(await as(teacher).put(at(course, `/${topic.id}`), { assignment: { set_assignment: true, points_possible: 3 } }));
  expect(graded.assignment).toMatchObject({ name: 'Thesis', points_possible: 3 });
  expect(ok(within(await as(teacher).del(at(course, `/${topic.id}`)), 3)).deleted_at).toBeTruthy();
  ok(await as(teacher).get(`/courses/${course.id}/assignments/${graded.assignment_id}`), 404);
  ok(await as(student).post(at(course), { title: 'Grade me', assignment: { points_possible: 1 } }), 401);
});

test('a graded topic and its assignment also change together when a module, a group set or an assignment group changes', async () => {
  const { course, teacher } = await aCourse(ground);
  const here = `/courses/${course.id}`;
  const topic = ok(await as(teacher).post(at(course), { title: 'Essay', published: false, assignment: { points_possible: 10 } }));
  const graded = async () => ok(await as(teacher).get(`${here}/assignments/${topic.assignment_id}`));
  const talk = async () => ok(await as(teacher).get(at(course, `/${topic.id}`)));
  const module = ok(await as(teacher).post(`${here}/modules`, { module: { name: 'Week 1' } }));
  const items = `${here}/modules/${module.id}/items`;
  const item = ok(await as(teacher).post(items, { module_item: { type: 'Discussion', content_id: topic.id } }));
  ok(within(await as(teacher).put(`${items}/${item.id}`, { module_item: { title: 'Paper', published: true } }), 3));
  expect(await graded()).toMatchObject({ name: 'Paper', published: true });
  expect(await talk()).toMatchObject({ title: 'Paper', published: true });
  ok(within(await as(teacher).put(`${here}/modules/${module.id}`, { module: { published: false } }), 3));
  expect([(await graded()).published, (await talk()).published]).toEqual([false, false]);

  const set = ok(await as(teacher).post(`${here}/group_categories`, { name: 'Teams' })).id;
  ok(await as(teacher).put(`${here}/assignments/${topic.assignment_id}`, { assignment: { group_category_id: set } }));
  expect((await talk()).group_category_id).toBe(set);
  const { assignment_group_id } = await graded();
  ok(within(await as(teacher).del(`${here}/assignment_groups/${assignment_group_id}`), 3));
  ok(await as(teacher).get(at(course, `/${topic.id}`)), 404);
});

test('a topic whose assignment is for other students is hidden', async () => {
  const { course, teacher, student, student2 } = await aCourse(ground);
  const topic = await make(teacher, course, {
    assignment: { only_visible_to_overrides: true, assignment_overrides: [{ student_ids: [student.id], title: 'Sam' }] },
  });
  ok(await as(student).get(at(course, `/${topic.id}`)));
  ok(await as(student2).get(at(course, `/${topic.id}`)), 401);
  expect(ok(await as(student2).get(at(course)))).toEqual([]);
});

test('observers see what their students see', async () => {
  const { course, teacher, student2, observer } = await aCourse(ground);
  const topic = await make(teacher, course, {
    require_initial_post: true,
    assignment: { only_visible_to_overrides: true, assignment_overrides: [{ student_ids: [student2.id], title: 'Sue' }] },
  });
  await make(teacher, course, { title: 'For all' });
  expect(
    titles(ok(await as(observer).get(at(course), { include: ['sections', 'all_dates', 'overrides', 'sections_user_count'] }))),
  ).toEqual(['For all']);
  ok(await as(observer).get(at(course, `/${topic.id}`)), 401);
  expect(titles(ok(await as(teacher).get(at(course), { include: ['all_dates', 'overrides', 'sections_user_count'] })))).toEqual([
    'For all',
    'Topic',
  ]);
});

test('a delayed topic is posted at its time', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const topic = await make(teacher, course, { delayed_post_at: soon, is_announcement: true });
  await tick(env, Date.parse('2099-01-01T00:01:00Z'));
  expect(ok(await as(student).get(at(course, `/${topic.id}`)))).toMatchObject({ published: true, posted_at: '2099-01-01T00:01:00Z' });
});

test('a topic for some sections is visible only to them', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const section_id = await ground.section(course, { name: 'Evening' });
  const late = await ground.person();
  await ground.enroll(course, late, 'student', { section_id });
  const topic = await make(teacher, course, { specific_sections: String(section_id) });
  expect(topic).toMatchObject({ is_section_specific: true });
  ok(await as(student).get(at(course, `/${topic.id}`)), 401);
  expect(ok(await as(late).get(at(course), { include: ['sections', 'sections_user_count'] }))).toMatchObject([
    { id: topic.id, sections: [{ id: section_id, name: 'Evening', user_count: 1 }] },
  ]);
  ok(await as(teacher).post(at(course), { title: 'x', specific_sections: '999999' }), 400);
  expect(ok(await as(teacher).put(at(course, `/${topic.id}`), { specific_sections: 'all' })).is_section_specific).toBe(false);
  ok(await as(student).get(at(course, `/${topic.id}`)));
});

test('pinned topics are reordered, topics are duplicated', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const [a, b] = [await make(teacher, course, { title: 'A', pinned: true }), await make(teacher, course, { title: 'B', pinned: true })];
  expect(ok(within(await as(teacher).post(at(course, '/reorder'), { order: `${b.id},${a.id}` }), 3))).toEqual({
    reorder: true,
    order: [String(b.id), String(a.id)],
  });
  expect(ok(await as(teacher).get(at(course, `/${b.id}`))).position).toBe(1);
  const listed = async () => titles(ok(await as(teacher).get(at(course))));
  expect(await listed()).toEqual(['B', 'A']);
  ok(await as(teacher).put(at(course, `/${b.id}`), { position_after: a.id }));
  expect(await listed()).toEqual(['A', 'B']);
  const [front] = ok(await as(teacher).get(at(course), { per_page: 1 }));
  expect(front.title).toBe('A');
  expect(ok(await as(teacher).post(at(course, '/reorder')), 400)).toEqual({ message: 'order parameter required' });
  expect(ok(await as(teacher).post(at(course, '/reorder'), { order: [999999] }), 400)).toEqual({ message: 'topics not found' });
  ok(await as(student).post(at(course, '/reorder'), { order: [a.id] }), 401);
  const copy = ok(within(await as(teacher).post(at(course, `/${a.id}/duplicate`)), 3));
  expect(copy).toMatchObject({ title: 'A Copy', published: false, pinned: true, discussion_subentry_count: 0 });
  expect(copy.new_positions).toHaveProperty(String(copy.id));
  const plain = await make(teacher, course, { title: 'C' });
  await make(teacher, course, { title: 'D' });
  expect(await listed()).toEqual(['A', 'A Copy', 'B', 'D', 'C']);
  const between = await make(teacher, course, { title: 'Between', position_after: plain.id });
  expect(titles(ok(await as(teacher).get(at(course), { scope: 'unpinned' })))).toEqual(['D', 'C', 'Between']);
  expect(between.position).toBe(1);
});

test('a student cannot pin topics, and posts anonymously only where the course allows it', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const first = await make(teacher, course, { title: 'First' });
  await make(teacher, course, { title: 'Second' });
  const own = ok(await as(student).post(at(course), { title: 'Own', position_after: first.id }));
  expect(titles(ok(await as(student).get(at(course))))).toEqual(['Own', 'Second', 'First']);
  ok(await as(student).put(at(course, `/${own.id}`), { position_at: 1 }));
  expect(titles(ok(await as(student).get(at(course))))).toEqual(['Own', 'Second', 'First']);
  const nameless = { title: 'Nameless', anonymous_state: 'full_anonymity' };
  expect(ok(await as(student).post(at(course), nameless), 400).errors.anonymous_state).toHaveLength(1);
  ok(await as(teacher).put(`/courses/${course.id}/settings`, { allow_student_anonymous_discussion_topics: true }));
  const hidden = ok(await as(student).post(at(course), nameless));
  expect(hidden).toMatchObject({ author: null, user_name: null });
  const entries = at(course, `/${hidden.id}/entries`);
  const said = ok(await as(student).post(entries, { message: 'Who am I' }), 201);
  ok(await as(student).del(`${entries}/${said.id}`));
  const result = [
    ok(await as(teacher).get(at(course, `/${hidden.id}/entry_list`), { ids: [said.id] })),
    ok(await as(teacher).get(at(course, `/${hidden.id}/view`))).view,
  ];
  for (const [one] of result) expect(one).not.toHaveProperty('editor_id');
});

test('a topic without replies can be made a draft again, and a graded one leaves the to-do list', async () => {
  const { course, teacher } = await aCourse(ground);
  const topic = await make(teacher, course, { todo_date: soon });
  ok(await as(teacher).post(at(course, `/${topic.id}/entries`), { message: 'Anybody?' }), 201);
  const put = (given: object) => as(teacher).put(at(course, `/${topic.id}`), given);
  expect(ok(await put({ published: false }))).toMatchObject({ published: false, can_unpublish: true, todo_date: soon });
  expect(ok(await put({ assignment: { points_possible: 3 } }))).toMatchObject({ todo_date: null, assignment: { points_possible: 3 } });
});

test("a student duplicates their own topics, not a teacher's", async () => {
  const { course, teacher, student, ta } = await aCourse(ground);
  const theirs = await make(teacher, course, { title: 'Theirs', pinned: true });
  const own = ok(await as(student).post(at(course), { title: 'Own' }));
  const graded = await make(teacher, course, { title: 'Graded', assignment: { points_possible: 1 } });
  ok(await as(student).post(at(course, `/${theirs.id}/duplicate`)), 401);
  ok(await as(student).post(at(course, `/${graded.id}/duplicate`)), 401);
  expect(ok(await as(student).post(at(course, `/${own.id}/duplicate`)))).toMatchObject({
    title: 'Own Copy',
    published: true,
    pinned: false,
  });
  expect(ok(await as(ta).post(at(course, `/${own.id}/duplicate`)))).toMatchObject({ title: 'Own Copy 2', published: false });
  ok(await as(ta).post(at(course, `/${graded.id}/duplicate`)));
});

test('a topic or entry has an attachment', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const form = (fields: Record<string, string>, name: string) => {
    const data = new FormData();
    for (const [key, value] of Object.entries(fields)) data.set(key, value);
    data.set('attachment', new File(['some text'], name, { type: 'text/plain' }));
    return data;
  };
  const topic = ok(within(await as(teacher).post(at(course), form({ title: 'With a file', published: 'true' }, 'notes.txt')), 3));
  expect(topic.attachments).toMatchObject([{ display_name: 'notes.txt', size: 9, 'content-type': 'text/plain' }]);
  const [file] = ok(await as(student).get(at(course, `/${topic.id}`))).attachments;
  expect((await as(student).get(file.url)).body).toBe('some text');
  const entry = ok(within(await as(student).post(at(course, `/${topic.id}/entries`), form({ message: 'See' }, 'notes.txt')), 3), 201);
  expect(entry.attachment.display_name).toBe('notes-1.txt');
  expect(entry.attachments).toHaveLength(1);
  expect(ok(await as(teacher).put(at(course, `/${topic.id}`), { remove_attachment: '1' })).attachments).toEqual([]);
});

test('a post sent twice with one key is created once', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const topic = await make(teacher, course);
  const send = () => as(student).post(at(course, `/${topic.id}/entries`), { message: 'Once' }, { headers: { 'Idempotency-Key': 'once' } });
  const answers = await Promise.all([send(), send(), send()]);
  expect(new Set(answers.map((answer) => ok(answer, 201).id)).size).toBe(1);
  expect(ok(await as(teacher).get(at(course, `/${topic.id}`))).discussion_subentry_count).toBe(1);
});

test('lists of 10,000 topics and entries cost as much as one page', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const topic = await make(teacher, course);
  await many(10_000, discussion_topics, {
    context_type: 'Course',
    context_id: course.id,
    title: nth('Topic '),
    user_id: teacher.id,
    position: n,
    workflow_state: 'active',
    posted_at: '2026-10-01T00:00:00Z',
    last_reply_at: '2026-10-01T00:00:00Z',
    created_at: '2026-10-01T00:00:00Z',
  });
  for (const order_by of ['position', 'recent_activity', 'title']) {
    const page = within(await as(student).get(at(course), { order_by, per_page: 100 }), 2);
    expect(ok(page)).toHaveLength(100);
    const next = within(await as(student).get(page.links.next as string), 2);
    expect(ok(next)).toHaveLength(100);
    // A topic comes with its author, its lock, and the caller's own state.
    expect(next.cost.rows_read, order_by).toBeLessThan(3 * 100 * 4);
  }
  await many(10_000, discussion_entries, { discussion_topic_id: topic.id, user_id: student.id, message: nth('Entry ') });
  const entries = within(await as(teacher).get(at(course, `/${topic.id}/entries`), { per_page: 100 }), 2);
  expect(ok(entries)).toHaveLength(100);
  expect(entries.cost.rows_read).toBeLessThan(3 * 100 * 4);
});

test('the full view of a long discussion is cached, and authors see their own changes at once', async () => {
  const { course, teacher, student, student2 } = await aCourse(ground);
  const topic = await make(teacher, course, { allow_rating: true });
  await many(1_000, discussion_entries, {
    discussion_topic_id: topic.id,
    user_id: student.id,
    message: nth('Entry '),
    created_at: '2026-10-01T00:00:00Z',
    updated_at: '2026-10-01T00:00:00Z',
  });
  const here = at(course, `/${topic.id}`);
  const view = async (who: Person) => within(await as(who).get(`${here}/view`), 2);
  const told = async (who: Person) => {
    const body = ok(await view(who)) as { view: { id: number; message?: string; deleted?: true; replies?: { message: string }[] }[] };
    return body.view;
  };
  const before = await told(student);
  expect(before).toHaveLength(1_000);
  await expect.poll(async () => (await view(student)).cost.rows_read, { timeout: 20_000 }).toBeLessThan(150);
  expect(await told(student)).toEqual(before);

  const [first, second, third] = before as [{ id: number }, { id: number }, { id: number }];
  const posted = ok(await as(student2).post(`${here}/entries`, { message: 'The newest' }), 201);
  ok(await as(student).put(`${here}/entries/${first.id}`, { message: 'Another word' }));
  ok(await as(teacher).del(`${here}/entries/${second.id}`));
  ok(await as(student2).post(`${here}/entries/${third.id}/replies`, { message: 'Quite' }), 201);
  ok(await as(teacher).post(`${here}/entries/${third.id}/rating`, { rating: 1 }), 204);
  await env.DB.prepare('delete from discussion_entries where id = ?')
    .bind((before[3] as { id: number }).id)
    .run();
  const hear = async () => {
    const now = await told(student2);
    expect(now).toHaveLength(1_000);
    expect(now.slice(0, 3)).toMatchObject([
      { id: first.id, message: 'Another word' },
      { id: second.id, deleted: true },
      { id: third.id, rating_sum: 1, replies: [{ message: 'Quite' }] },
    ]);
    expect(now.at(-1)).toMatchObject({ id: posted.id, user_id: student2.id, message: 'The newest' });
  };
  await hear();
  const { participants } = ok(await view(teacher)) as { participants: { id: number }[] };
  expect(participants.map(({ id }) => id).sort()).toEqual([teacher.id, student.id, student2.id].sort());
  // And so it stays after the next cached view.
  await env.DB.prepare('update discussion_entries set updated_at = ? where discussion_topic_id = ? and id % 20 = 0')
    .bind(soon, topic.id)
    .run();
  await view(teacher);
  await expect.poll(async () => (await view(student2)).cost.rows_read, { timeout: 20_000 }).toBeLessThan(150);
  await hear();
});
test('entries reach the feed when a discussion opens: by its module, or by the date of its assignment', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const at = `/courses/${course.id}`;
  const module = ok(await as(teacher).post(`${at}/modules`, { module: { name: 'Later', unlock_at: '2099-01-01T00:00:00Z' } }));
  ok(await as(teacher).put(`${at}/modules/${module.id}`, { module: { published: true } }));
  const make = async (more: object) => {
    const topic = ok(
      await as(teacher).post(`${at}/discussion_topics`, { title: 'Secrets', message: '<p>x</p>', published: true, ...more }),
    );
    const entry = ok(await as(teacher).post(`${at}/discussion_topics/${topic.id}/entries`, { message: 'The answer' }), 201);
    const path = `${at}/discussion_topics/${topic.id}`;
    return {
      id: topic.id,
      reads: ['/view', '/entries', `/entries/${entry.id}/replies`, `/entry_list?ids[]=${entry.id}`].map((rest) => path + rest),
    };
  };
  const held = await make({});
  const dated = await make({ assignment: { points_possible: 1, unlock_at: '2099-01-01T00:00:00Z' } });
  const open = await make({});
  ok(await as(teacher).post(`${at}/modules/${module.id}/items`, { module_item: { type: 'Discussion', content_id: held.id } }));
  for (const path of [...held.reads, ...dated.reads]) {
    expect(ok(within(await as(student).get(path), 2), 403), path).toEqual({ message: 'The discussion is locked.' });
    ok(within(await as(teacher).get(path), 2));
  }
  for (const path of open.reads) ok(await as(student).get(path));
  ok(await as(teacher).put(`${at}/modules/${module.id}`, { module: { unlock_at: '2020-01-01T00:00:00Z' } }));
  for (const path of held.reads) ok(await as(student).get(path));
});
