// The feed agrees with GET requests while pages and modules change, and students complete them.

import { expect, test } from 'vitest';
import { as } from '../support/api';
import { upload } from '../support/upload';
import { aWatchedCourse, wrote } from '../support/watched_course';

test('pages: the front page, copies, earlier revisions', async () => {
  const scene = await aWatchedCourse(['teacher', 'student']);
  const { at, teacher } = scene;
  wrote(await as(teacher).put(`${at}/front_page`, { wiki_page: { title: 'Home', body: 'One', published: true } }));
  await scene.agree('a front page');
  const other = wrote(await as(teacher).post(`${at}/pages`, { wiki_page: { title: 'Other', body: 'Two', published: true } }));
  wrote(await as(teacher).put(`${at}/pages/other`, { wiki_page: { front_page: true } }));
  await scene.agree('another front page');
  expect(scene.seenBy('student').get(`page ${other.page_id}`)?.front_page).toBe(true);
  wrote(await as(teacher).post(`${at}/pages/home/duplicate`));
  await scene.agree('a copy');
  wrote(await as(teacher).put(`${at}/pages/home`, { wiki_page: { body: 'Three' } }));
  wrote(await as(teacher).post(`${at}/pages/home/revisions/1`));
  await scene.agree('an earlier revision');
  wrote(await as(teacher).put(`${at}/pages/fresh`, { wiki_page: { body: 'New', published: true } }));
  await scene.agree('a page created by its address');
  wrote(await as(teacher).put(`${at}/tabs/pages`, { hidden: true }));
  await scene.agree('a hidden tab');
  wrote(await as(teacher).put(`${at}/tabs/files`, { hidden: true }));
  await scene.agree('hidden files');
});

test('modules: in batches, duplicated, restricted by overrides, completed', async () => {
  const scene = await aWatchedCourse(['teacher', 'student', 'student2', 'observer']);
  const { at, teacher, student, student2 } = scene;
  const page = async (title: string) => wrote(await as(teacher).post(`${at}/pages`, { wiki_page: { title, body: 'x', published: true } }));
  const module = async (name: string, given: object = {}) =>
    wrote(await as(teacher).post(`${at}/modules`, { module: { name, ...given } })).id as number;
  const item = async (id: number, given: object) => wrote(await as(teacher).post(`${at}/modules/${id}/items`, { module_item: given }));
  await page('Reading');
  const file = await upload(teacher, `${at}/files`, { name: 'notes.txt' }, 'Notes');
  const essay = wrote(await as(teacher).post(`${at}/assignments`, { assignment: { name: 'Essay', published: true, points_possible: 2 } }));
  const topic = wrote(await as(teacher).post(`${at}/discussion_topics`, { title: 'Talk', message: 'x', published: true }));
  const debate = wrote(
    await as(teacher).post(`${at}/discussion_topics`, { title: 'Debate', published: true, assignment: { points_possible: 3 } }),
  );
  const one = await module('One', { require_sequential_progress: true });
  const two = await module('Two', { prerequisite_module_ids: [one] });
  const reading = await item(one, { type: 'Page', page_url: 'reading', completion_requirement: { type: 'must_view' } });
  const link = await item(one, {
    type: 'ExternalUrl',
    title: 'Link',
    external_url: 'https://example.edu/',
    completion_requirement: { type: 'must_view' },
  });
  const talk = await item(one, { type: 'Discussion', content_id: topic.id, completion_requirement: { type: 'must_contribute' } });
  await item(two, { type: 'Assignment', content_id: essay.id, completion_requirement: { type: 'must_submit' } });
  await item(two, { type: 'Discussion', content_id: debate.id });
  const paper = await item(two, { type: 'File', content_id: file.id });
  // An object with two module items changes once.
  await item(one, { type: 'Page', page_url: 'reading' });
  await scene.agree('unpublished modules');
  wrote(await as(teacher).put(`${at}/modules`, { event: 'publish', module_ids: [one, two] }));
  await scene.agree('many published');
  expect(scene.seenBy('student').get(`assignment ${essay.id}`)?.locked_for_user).toBe(true);
  wrote(await as(student).post(`${at}/modules/${one}/items/${reading.id}/mark_read`));
  await scene.agree('an item read');
  wrote(await as(student2).get(`${at}/pages/reading`));
  await scene.agree('a page read');
  wrote(await as(student).post(`${at}/modules/${one}/items/${link.id}/mark_read`));
  wrote(await as(student).post(`${at}/discussion_topics/${topic.id}/entries`, { message: 'I say' }));
  await scene.agree('a contribution');
  expect(scene.seenBy('student').get(`assignment ${essay.id}`)?.locked_for_user).toBe(false);
  wrote(await as(teacher).put(`${at}/modules/${one}/items/${talk.id}`, { module_item: { indent: 1, position: 1 } }));
  await scene.agree('an item moved');
  wrote(await as(teacher).put(`${at}/modules/${two}/items/${paper.id}`, { module_item: { module_id: one } }));
  await scene.agree('an item moved to another module');
  wrote(await as(teacher).put(`${at}/modules/${one}/items/${link.id}`, { module_item: { published: false } }));
  await scene.agree('an item unpublished');
  wrote(await as(teacher).post(`${at}/modules/items/${reading.id}/duplicate`));
  await scene.agree('an item copied');
  wrote(await as(teacher).del(`${at}/modules/${one}/items/${talk.id}`));
  await scene.agree('an item removed');
  const copy = wrote(await as(teacher).post(`${at}/modules/${one}/duplicate`));
  wrote(await as(teacher).put(`${at}/modules/${copy.id}`, { module: { published: true, position: 1 } }));
  await scene.agree('a copy, published and put first');
  wrote(
    await as(teacher).put(`${at}/modules/${two}/assignment_overrides`, { overrides: [{ student_ids: [student2.id] }] }, { json: true }),
  );
  await scene.agree('a module for one student');
  expect(scene.seenBy('student').has(`module ${two}`)).toBe(false);
  expect(scene.seenBy('student').has(`assignment ${essay.id}`)).toBe(false);
  expect(scene.seenBy('student').has(`assignment ${debate.assignment_id}`)).toBe(false);
  expect(scene.seenBy('student').has(`discussion_topic ${debate.id}`)).toBe(false);
  expect(scene.seenBy('student2').has(`discussion_topic ${debate.id}`)).toBe(true);
  wrote(await as(teacher).put(`${at}/modules/${two}/assignment_overrides`, { overrides: [] }, { json: true }));
  await scene.agree('a module for everyone again');
  wrote(await as(teacher).put(`${at}/modules`, { event: 'unpublish', module_ids: [one] }));
  await scene.agree('many unpublished');
  wrote(await as(teacher).put(`${at}/modules`, { event: 'delete', module_ids: [one, copy.id] }));
  await scene.agree('many deleted');
});

test('an open module that gets an unlock date is locked, and the lock names its prerequisites', async () => {
  const scene = await aWatchedCourse(['teacher', 'student', 'student2', 'observer']);
  const { at, teacher, student } = scene;
  const page = wrote(await as(teacher).post(`${at}/pages`, { wiki_page: { title: 'P', body: 'x', published: true } }));
  const topic = wrote(await as(teacher).post(`${at}/discussion_topics`, { title: 'T', message: 'x', published: true }));
  const one = wrote(await as(teacher).post(`${at}/modules`, { module: { name: 'One' } }));
  wrote(await as(teacher).put(`${at}/modules/${one.id}`, { module: { published: true } }));
  const item = wrote(
    await as(teacher).post(`${at}/modules/${one.id}/items`, {
      module_item: { type: 'Page', page_url: page.url, completion_requirement: { type: 'must_view' } },
    }),
  );
  const then = wrote(await as(teacher).post(`${at}/modules`, { module: { name: 'Then', prerequisite_module_ids: [one.id] } }));
  wrote(await as(teacher).post(`${at}/modules/${then.id}/items`, { module_item: { type: 'Discussion', content_id: topic.id } }));
  wrote(await as(teacher).put(`${at}/modules/${then.id}`, { module: { published: true } }));
  await scene.agree('created');
  wrote(await as(student).post(`${at}/modules/${one.id}/items/${item.id}/mark_read`));
  await scene.agree('read');
  wrote(await as(teacher).put(`${at}/modules/${then.id}`, { module: { name: 'Later', unlock_at: '2099-01-01T00:00:00Z' } }));

  await scene.agree('locked');
  wrote(await as(teacher).put(`${at}/modules/${then.id}`, { module: { unlock_at: '' } }));
  await scene.agree('open');
});
