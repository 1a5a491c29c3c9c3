// Folders of courses, groups and users.

import { folders } from '@carrel/worker/domains/files/folders/table';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { as, ground, many, ok, within } from '../support/api';
import { aCourse } from '../support/ground';
import { bytes, upload } from '../support/upload';

const foldersOf = (course: { id: number }, rest = '') => `/courses/${course.id}/folders${rest}`;
const at = (folder: { id: number }, rest = '') => `/folders/${folder.id}${rest}`;
const paths = (folders: { full_name: string }[]) => folders.map((folder) => folder.full_name);
const names = (folders: { name: string }[]) => folders.map((folder) => folder.name);
const future = '2099-01-01T00:00:00Z';

/** A course with `a/b/c` and `d`, and a file in each. */
async function aTree() {
  const scene = await aCourse(ground);
  const { course, teacher } = scene;
  const root = ok(await as(teacher).get(foldersOf(course, '/root')));
  const make = async (name: string, parent_folder_id: number) => ok(await as(teacher).post(foldersOf(course), { name, parent_folder_id }));
  const a = await make('a', root.id);
  const b = await make('b', a.id);
  const c = await make('c', b.id);
  const d = await make('d', root.id);
  for (const folder of [root, a, b, c, d]) await upload(teacher, at(folder, '/files'), { name: `in ${folder.name}.txt` }, folder.name);
  return { ...scene, root, a, b, c, d, make };
}

test('a course gets its root folder on first request, and later lists write nothing', async () => {
  const { course, student, stranger } = await aCourse(ground);
  const first = await as(student).get(foldersOf(course));
  expect(ok(first)).toEqual([
    {
      id: expect.any(Number),
      version: expect.any(Number),
      name: 'course files',
      full_name: 'course files',
      position: null,
      parent_folder_id: null,
      context_type: 'Course',
      context_id: course.id,
      lock_at: null,
      unlock_at: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      locked: false,
      hidden: false,
      locked_for_user: false,
      hidden_for_user: false,
      for_submissions: false,
      can_upload: false,
      folders_url: `https://carrel.test/api/v1/folders/${first.body[0].id}/folders`,
      files_url: `https://carrel.test/api/v1/folders/${first.body[0].id}/files`,
      files_count: 0,
      folders_count: 0,
    },
  ]);
  const second = within(await as(student).get(foldersOf(course)), 2);
  expect(ok(second)).toEqual(ok(first));
  expect(second.cost.rows_written).toBe(0);
  ok(await as(stranger).get(foldersOf(course)), 401);
  ok(await as().get(foldersOf(course)), 401);
  expect(ok(await as(student).get('/users/self/folders/root'))).toMatchObject({ name: 'my files', context_type: 'User', can_upload: true });
  ok(await as(student).get(`/users/${stranger.id}/folders`), 401);
});

test('ten simultaneous first requests create one root folder', async () => {
  const { course, teacher } = await aCourse(ground);
  const roots = await Promise.all(Array.from({ length: 10 }, async () => ok(await as(teacher).get(foldersOf(course, '/root'))).id));
  expect(new Set(roots).size).toBe(1);
});

test('a course lists all its folders by name, a folder its subfolders', async () => {
  const { course, student, teacher, root, a, b, c, d } = await aTree();
  expect(paths(ok(within(await as(student).get(foldersOf(course)), 2)))).toEqual([
    'course files/a',
    'course files/a/b',
    'course files/a/b/c',
    'course files',
    'course files/d',
  ]);
  expect(names(ok(within(await as(student).get(at(root, '/folders')), 2)))).toEqual(['a', 'd']);
  ok(await as(teacher).put(at(d), { position: 1 }));
  ok(await as(teacher).put(at(a), { position: 2 }));
  expect(names(ok(await as(student).get(at(root, '/folders'), { sort_by: 'position' })))).toEqual(['d', 'a']);
  expect(ok(await as(student).get(at(b)))).toMatchObject({ files_count: 1, folders_count: 1, parent_folder_id: a.id });
  expect(ok(await as(student).get(foldersOf(course, `/${c.id}`))).full_name).toBe('course files/a/b/c');
  ok(await as(student).get(at({ id: 999_999 })), 404);
  ok(await as(student).get('/folders/letters'), 404);
  ok(await as(student).get(at({ id: 999_999 }, '/folders')), 404);
  const other = await aTree();
  ok(await as(student).get(at(other.a)), 404);
  ok(await as(student).get(foldersOf(course, `/${other.a.id}`)), 404);
});

test('a path returns the folders from the root to the last', async () => {
  const { course, student, teacher, make, root } = await aTree();
  const by = async (path: string) => ok(within(await as(student).get(foldersOf(course, `/by_path${path}`)), 2));
  expect(names(await by('/a/b'))).toEqual(['course files', 'a', 'b']);
  expect(names(await by(''))).toEqual(['course files']);
  expect(names(await by('/course%20files/a'))).toEqual(['course files', 'a']);
  await make('läuft .json', root.id);
  expect(names(await by(`/${encodeURIComponent('läuft .json')}`))).toEqual(['course files', 'läuft .json']);
  ok(await as(student).get(foldersOf(course, '/by_path/a/x')), 404);
  ok(await as(teacher).get('/users/self/folders/by_path/nothing'), 404);
  expect(names(ok(await as(teacher).get('/users/self/folders/by_path')))).toEqual(['my files']);
  ok(await as(student).post('/users/self/folders', { name: 'y', parent_folder_path: 'x' }));
  const own = ok(await as(student).get('/users/self/folders/by_path/x/y'));
  expect(names(own)).toEqual(['my files', 'x', 'y']);
  expect(names(ok(await as(student).get('/users/self/folders')))).toEqual(['my files', 'x', 'y']);
  expect(ok(await as(student).get(`/users/self/folders/${own[2].id}`)).full_name).toBe('my files/x/y');
});

test('a new folder has a sanitised name, with a number if it exists', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const create = async (given: object) => ok(within(await as(teacher).post(foldersOf(course), given), 3));
  expect((await create({ name: 'x' })).full_name).toBe('course files/unfiled/x');
  expect((await create({ name: '  notes/2026 ', parent_folder_path: 'a/b' })).full_name).toBe('course files/a/b/notes_2026');
  expect((await create({ name: '', parent_folder_path: '/' })).full_name).toBe('course files/New Folder');
  expect((await create({ name: 'n', parent_folder_path: '/' })).name).toBe('n');
  expect((await create({ name: 'n', parent_folder_path: '/' })).full_name).toBe('course files/n 2');
  expect((await create({ name: 'n', parent_folder_path: '/' })).name).toBe('n 3');
  expect((await create({ name: 'N', parent_folder_path: '/' })).name).toBe('N');
  expect((await create({ name: '../..', parent_folder_path: '/' })).name).toBe('.._..');
  expect((await create({ name: 'x'.repeat(400), parent_folder_path: '/' })).name).toHaveLength(255);
  const restricted = await create({ name: 'r', locked: true, hidden: 'true', lock_at: future, unlock_at: '', position: 4 });
  expect(restricted).toMatchObject({ locked: true, hidden: true, lock_at: future, unlock_at: null, position: 4 });
  const inside = ok(await as(teacher).post(at(restricted, '/folders'), { name: 'in r' }));
  expect(inside).toMatchObject({ parent_folder_id: restricted.id, hidden: true, locked: false });

  ok(await as(teacher).post(foldersOf(course), { name: 'x', parent_folder_id: 1, parent_folder_path: 'a' }), 400);
  expect(ok(await as(teacher).post(foldersOf(course), { name: 'x', parent_folder_id: 999_999 }), 404).errors).toBeDefined();
  ok(await as(teacher).post(foldersOf(course), { name: 'x', lock_at: 'soon' }), 400);
  ok(await as(student).post(foldersOf(course), { name: 'x' }), 401);
  ok(await as(student).post(at(restricted, '/folders'), { name: 'x' }), 401);
});

test('renaming or moving a folder changes the full names of everything in it', async () => {
  const { course, teacher, student, root, a, b, c, d } = await aTree();
  expect(ok(within(await as(teacher).put(at(a), { name: 'Woche 1' }), 3))).toMatchObject({
    name: 'Woche 1',
    full_name: 'course files/Woche 1',
  });
  expect(ok(await as(student).get(at(c))).full_name).toBe('course files/Woche 1/b/c');
  expect(ok(await as(teacher).put(at(b), { parent_folder_id: d.id }))).toMatchObject({
    name: 'b',
    full_name: 'course files/d/b',
    parent_folder_id: d.id,
  });
  expect(ok(await as(student).get(at(c))).full_name).toBe('course files/d/b/c');
  expect(ok(await as(teacher).get(at(a)))).toMatchObject({ folders_count: 0 });
  expect(ok(await as(teacher).get(at(d)))).toMatchObject({ folders_count: 1 });
  const twin = ok(await as(teacher).post(foldersOf(course), { name: 'b', parent_folder_id: root.id }));
  expect(ok(await as(teacher).put(at(twin), { parent_folder_id: d.id })).full_name).toBe('course files/d/b 2');
  expect(ok(await as(teacher).put(at(twin), { name: 'b 2' })).name).toBe('b 2');
  expect(names(ok(await as(student).get(foldersOf(course, '/by_path/d/b/c'))))).toEqual(['course files', 'd', 'b', 'c']);

  ok(await as(teacher).put(at(d), { parent_folder_id: c.id }), 400);
  ok(await as(teacher).put(at(d), { parent_folder_id: d.id }), 400);
  ok(await as(teacher).put(at(root), { name: 'mine' }), 400);
  ok(await as(teacher).put(at(root), { parent_folder_id: d.id }), 400);
  ok(await as(teacher).put(at(root), { hidden: false }));
  ok(await as(teacher).put(at(d), { parent_folder_id: 999_999 }), 404);
  const own = ok(await as(teacher).get('/users/self/folders/root'));
  ok(await as(teacher).put(at(d), { parent_folder_id: own.id }), 404);
  ok(await as(student).put(at(d), { name: 'mine' }), 401);
});

test('a folder with content is deleted only with force', async () => {
  const { course, teacher, student, root, a, c } = await aTree();
  const [file] = ok(await as(teacher).get(at(c, '/files')));
  ok(await as(student).del(at(a)), 401);
  expect(ok(await as(teacher).del(at(a)), 400)).toEqual({ message: expect.any(String) });
  ok(await as(teacher).del(at(root), { force: true }), 400);
  expect(ok(within(await as(teacher).del(at(a), { force: true }), 3))).toMatchObject({ id: a.id, name: 'a' });
  expect(paths(ok(await as(teacher).get(foldersOf(course))))).toEqual(['course files', 'course files/d']);
  expect(ok(await as(teacher).get(`/courses/${course.id}/files`))).toHaveLength(2);
  ok(await as(teacher).get(at(c)), 404);
  ok(await as(teacher).get(`/api/v1/files/${file.id}`), 404);
  expect((await bytes(file.url)).status).toBe(404);
  expect(ok(await as(teacher).get(at(root)))).toMatchObject({ folders_count: 1, files_count: 1 });
  const again = ok(await as(teacher).post(foldersOf(course), { name: 'a', parent_folder_id: root.id }));
  expect(again.full_name).toBe('course files/a');
  ok(await as(teacher).del(at(again)));
});

test.each([
  ['hidden', { hidden: true }],
  ['locked', { locked: true }],
  ['not open yet', { unlock_at: future }],
])('the content of a folder that is %s is on no list of students', async (_, given) => {
  const { course, teacher, student, observer, root, a, b, c } = await aTree();
  ok(await as(teacher).put(at(a), given));
  for (const person of [student, observer]) {
    expect(paths(ok(await as(person).get(foldersOf(course))))).toEqual(['course files', 'course files/d']);
    expect(names(ok(await as(person).get(at(root, '/folders'))))).toEqual(['d']);
    expect(ok(await as(person).get(at(root)))).toMatchObject({ folders_count: 1, files_count: 1 });
    expect(ok(await as(person).get(`/courses/${course.id}/files`))).toHaveLength(2);
    for (const folder of [a, b, c]) {
      ok(await as(person).get(at(folder)), 401);
      ok(await as(person).get(at(folder, '/files')), 401);
      ok(await as(person).get(at(folder, '/folders')), 401);
      ok(await as(person).get(at(folder, '/all')), 401);
    }
    ok(await as(person).get(foldersOf(course, '/by_path/a/b')), 404);
  }
  expect(ok(await as(teacher).get(foldersOf(course)))).toHaveLength(5);
  expect(ok(await as(teacher).get(at(c)))).toMatchObject({
    hidden: 'hidden' in given,
    locked_for_user: false,
    hidden_for_user: false,
    files_count: 1,
  });
  expect(ok(await as(teacher).get(at(root)))).toMatchObject({ folders_count: 2, files_count: 1 });
});

test('the counts of a folder for students include only what they see', async () => {
  const { teacher, student, d } = await aTree();
  const hidden = await upload(teacher, at(d, '/files'), { name: 'hidden.txt' });
  const late = await upload(teacher, at(d, '/files'), { name: 'late.txt' });
  ok(await as(teacher).put(`/api/v1/files/${hidden.id}`, { hidden: true }));
  ok(await as(teacher).put(`/api/v1/files/${late.id}`, { unlock_at: future }));
  expect(ok(await as(teacher).get(at(d))).files_count).toBe(3);
  expect(ok(await as(student).get(at(d))).files_count).toBe(1);
  expect(ok(await as(student).get(at(d, '/files')))).toHaveLength(1);
});

test('folders and files are one list, folders first', async () => {
  const { teacher, student, root, make } = await aTree();
  await make('B', root.id);
  await upload(teacher, at(root, '/files'), { name: 'A.txt' }, 'longer');
  const labels = (all: { name?: string; display_name?: string }[]) => all.map((one) => one.display_name ?? one.name);
  const everything = ['a', 'B', 'd', 'A.txt', 'in course files.txt'];
  const whole = within(await as(student).get(at(root, '/all')), 2);
  expect(labels(ok(whole))).toEqual(everything);
  for (const per_page of [1, 2, 3, 4, 5]) expect(labels(await as(student).pages(at(root, '/all'), { per_page }))).toEqual(everything);
  for (const per_page of [1, 2, 3]) expect(labels(await as(student).pages(at(root, '/all'), { per_page, page: 1 }))).toEqual(everything);
  const list = async (query: object) => labels(await as(student).pages(at(root, '/all'), { per_page: 2, ...query }));
  expect(await list({ order: 'desc' })).toEqual(['d', 'B', 'a', 'in course files.txt', 'A.txt']);
  expect(await list({ sort: 'size' })).toEqual(['a', 'B', 'd', 'A.txt', 'in course files.txt']);
  for (const sort of ['updated_at', 'created_at', 'modified_by', 'rights']) expect(await list({ sort })).toHaveLength(5);
  expect(await list({ search_term: 'in' })).toEqual(['in course files.txt']);
  ok(await as(student).get(at(root, '/all'), { search_term: 'i' }), 400);
  ok(await as(student).get(at(root, '/all'), { page: 'bookmark:WzFd' }), 404);
  expect(ok(await as(student).get(at(root, '/all'), { include: ['user'] }))[3].user.id).toBe(teacher.id);
});

test('uploaded media and icons have their own hidden folders', async () => {
  const { course, teacher, student } = await aCourse(ground);
  for (const [rest, name] of [
    ['/media', 'Uploaded Media'],
    ['/icon_maker_folder', 'Icon Maker Icons'],
  ]) {
    const ofCourse = ok(await as(teacher).get(foldersOf(course, rest)));
    expect(ofCourse).toMatchObject({ name, hidden: true, context_type: 'Course', context_id: course.id });
    expect(ok(within(await as(teacher).get(foldersOf(course, rest)), 2)).id).toBe(ofCourse.id);
    expect(ok(await as(student).get(foldersOf(course, rest)))).toMatchObject({ name, context_type: 'User', context_id: student.id });
    expect(ok(await as(student).get(`/users/self/folders${rest}`))).toMatchObject({ name, context_type: 'User' });
  }
});

test('a copied file shares its stored object', async () => {
  const { teacher, student, stranger, a, d } = await aTree();
  const [source] = ok(await as(teacher).get(at(a, '/files')));
  const copy = ok(within(await as(teacher).post(at(d, '/copy_file'), { source_file_id: source.id }), 3));
  expect(copy).toMatchObject({ display_name: source.display_name, folder_id: d.id, size: source.size });
  expect([copy.id === source.id, copy.uuid === source.uuid]).toEqual([false, false]);
  expect((await bytes(copy.url)).text).toBe('a');
  ok(await as(teacher).post(at(d, '/copy_file'), { source_file: source.id }), 409);
  expect(ok(await as(teacher).post(at(d, '/copy_file'), { source_file: source.id, on_duplicate: 'rename' })).display_name).toBe(
    'in a-1.txt',
  );
  expect(
    ok(await as(teacher).post(at(d, '/copy_file'), { source_file: source.id, on_duplicate: 'rename', name: 'n.txt' })).display_name,
  ).toBe('n.txt');
  const over = ok(await as(teacher).post(at(d, '/copy_file'), { source_file: source.id, on_duplicate: 'overwrite' }));
  expect(over.display_name).toBe('in a.txt');
  ok(await as(teacher).get(`/api/v1/files/${copy.id}`), 404);
  expect(ok(await as(teacher).get(`/courses/${d.context_id}/files/${copy.id}`)).id).toBe(over.id);
  ok(await as(teacher).del(`/api/v1/files/${source.id}`));
  expect((await bytes(over.url)).text).toBe('a');

  ok(await as(teacher).post(at(d, '/copy_file'), {}), 400);
  ok(await as(teacher).post(at(d, '/copy_file'), { source_file_id: over.id, on_duplicate: 'x' }), 400);
  ok(await as(teacher).post(at(d, '/copy_file'), { source_file_id: source.id }), 404);
  ok(await as(student).post(at(d, '/copy_file'), { source_file_id: over.id }), 401);
  const own = ok(await as(student).get('/users/self/folders/root'));
  expect(ok(within(await as(student).post(at(own, '/copy_file'), { source_file_id: over.id }), 3))).toMatchObject({ folder_id: own.id });
  const theirs = ok(await as(stranger).get('/users/self/folders/root'));
  ok(await as(stranger).post(at(theirs, '/copy_file'), { source_file_id: over.id }), 401);
  ok(await as(teacher).put(`/api/v1/files/${over.id}`, { locked: true }));
  ok(await as(student).post(at(own, '/copy_file'), { source_file_id: over.id, on_duplicate: 'rename' }), 401);
  const other = await aTree();
  ok(await as(other.teacher).post(at(other.d, '/copy_file'), { source_file_id: over.id }), 401);
});

test('a folder is copied with all its content', async () => {
  const { course, teacher, student, root, a, b, d } = await aTree();
  const copy = ok(within(await as(teacher).post(at(d, '/copy_folder'), { source_folder_id: a.id }), 3));
  expect(copy).toMatchObject({ name: 'a', full_name: 'course files/d/a', parent_folder_id: d.id, files_count: 1, folders_count: 1 });
  const again = ok(await as(teacher).post(at(d, '/copy_folder'), { source_folder_id: a.id }));
  expect(again.full_name).toBe('course files/d/a 2');
  expect(paths(ok(await as(teacher).get(foldersOf(course), { per_page: 50 }))).sort()).toEqual(
    ['', '/a', '/a/b', '/a/b/c', '/d', '/d/a', '/d/a 2', '/d/a 2/b', '/d/a 2/b/c', '/d/a/b', '/d/a/b/c']
      .map((path) => `course files${path}`)
      .sort(),
  );
  const chain = ok(await as(student).get(foldersOf(course, '/by_path/d/a 2/b/c')));
  const [file] = ok(await as(student).get(at(chain.at(-1), '/files')));
  expect((await bytes(file.url)).text).toBe('c');

  const other = await aCourse(ground);
  const far = ok(await as(other.teacher).get(foldersOf(other.course, '/root')));
  ok(await as(other.teacher).post(at(far, '/copy_folder'), { source_folder_id: a.id }), 401);
  await ground.enroll(other.course, teacher, 'teacher');
  expect(ok(within(await as(teacher).post(at(far, '/copy_folder'), { source_folder_id: a.id }), 3)).full_name).toBe('course files/a');
  expect(ok(await as(other.student).get(`/courses/${other.course.id}/files`))).toHaveLength(3);

  ok(await as(teacher).post(at(d, '/copy_folder'), {}), 400);
  ok(await as(teacher).post(at(b, '/copy_folder'), { source_folder_id: a.id }), 400);
  ok(await as(teacher).post(at(a, '/copy_folder'), { source_folder_id: a.id }), 400);
  ok(await as(teacher).post(at(d, '/copy_folder'), { source_folder_id: 999_999 }), 404);
  ok(await as(student).post(at(root, '/copy_folder'), { source_folder_id: a.id }), 401);
});

test('a course of 10,000 folders is listed in two trips that read no more than the page', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const root = ok(await as(teacher).get(foldersOf(course, '/root')));
  await many(10_000, folders, {
    context_type: 'Course',
    context_id: course.id,
    parent_folder_id: root.id,
    name: sql`printf('f%05d', n)`,
    full_name: sql`printf('course files/f%05d', n)`,
  });
  for (const person of [teacher, student])
    for (const path of [foldersOf(course), at(root, '/folders')]) {
      const first = within(await as(person).get(path, { per_page: 100 }), 2);
      expect(ok(first)).toHaveLength(100);
      expect(first.cost.rows_read, path).toBeLessThan(950);
      const next = within(await as(person).get(first.links.next as string), 2);
      expect(ok(next)).toHaveLength(100);
      expect(next.cost.rows_read, `next of ${path}`).toBeLessThan(950);
    }
  const shown = within(await as(student).get(at(root)), 2);
  expect(ok(shown).folders_count).toBe(10_000);
  expect(shown.cost.rows_read).toBeLessThan(100);
});
