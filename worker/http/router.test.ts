// How an address is found, and what it loads.

import { expect, test } from 'vitest';
import { get, post } from './endpoint';
import { answer } from './reply';
import { type EndpointFile, routerOf, routesTo } from './router';

const options = { can: 'anyone', returns: { json: null } } as const;
const at = (path: string) => get(path, options, () => answer(null));

function fileOf(name: string, endpoints: readonly ReturnType<typeof at>[]) {
  const loaded: string[] = [];
  const file: EndpointFile = {
    name,
    addresses: endpoints.flatMap(routesTo),
    load: async () => {
      loaded.push(name);
      return endpoints;
    },
  };
  return { file, loaded };
}

const courses = fileOf('courses', [
  at('/courses/:id'),
  at('/courses/:course_id/files/:id'),
  at('/courses/self'),
  post('/courses', options, () => answer(null)),
]);
const files = fileOf('files', [
  at('/courses/:course_id/by_path/:full_path+'),
  at('/:kind/self/files'),
  get('/groups/:id/export', { ...options, ending: '.csv' }, () => answer(null)),
]);
const find = routerOf([courses.file, files.file]);
const found = async (method: string, path: string) => {
  const match = await (await find(method, `/api/v1${path}`))?.load();
  return match && { to: match.endpoint.path, path: match.path };
};

test('a literal precedes a parameter, and where it leads nowhere the parameter counts', async () => {
  expect(await found('GET', '/courses/self')).toEqual({ to: '/courses/self', path: {} });
  expect(await found('GET', '/courses/12')).toEqual({ to: '/courses/:id', path: { id: '12' } });
  expect(await found('GET', '/courses/self/files')).toEqual({ to: '/:kind/self/files', path: { kind: 'courses' } });
  expect(await found('GET', '/courses/self/files/3')).toEqual({
    to: '/courses/:course_id/files/:id',
    path: { course_id: 'self', id: '3' },
  });
});

test('the rest of a path is one value, and not empty', async () => {
  expect(await found('GET', '/courses/1/by_path/a/b%20c/d')).toEqual({
    to: '/courses/:course_id/by_path/:full_path+',
    path: { course_id: '1', full_path: 'a/b c/d' },
  });
  expect(await found('GET', '/courses/1/by_path')).toBeUndefined();
  expect(await found('GET', '/courses/1/by_path/')).toBeUndefined();
});

test('slashes at the end, .json and a declared ending do not matter; an empty segment and another method do', async () => {
  expect(await found('GET', '/courses/12/')).toMatchObject({ path: { id: '12' } });
  expect(await found('HEAD', '/courses/12.json')).toMatchObject({ path: { id: '12' } });
  expect(await found('GET', '/groups/4/export.csv')).toEqual({ to: '/groups/:id/export', path: { id: '4' } });
  expect(await found('GET', '/courses//files/3')).toBeUndefined();
  expect(await found('POST', '/courses/12')).toBeUndefined();
  expect(await found('POST', '/courses')).toMatchObject({ to: '/courses' });
  expect(await found('GET', '/courses/%zz')).toMatchObject({ path: { id: '%zz' } });
});

test('a file is loaded for its own addresses only, and finding one loads nothing', async () => {
  courses.loaded.length = 0;
  files.loaded.length = 0;
  expect((await find('GET', '/api/v1/courses/1'))?.path).toEqual({ id: '1' });
  expect([courses.loaded, files.loaded]).toEqual([[], []]);
  await found('GET', '/groups/4/export');
  expect([courses.loaded, files.loaded]).toEqual([[], ['files']]);
});

test('an address that its file does not declare is an error, never another endpoint', async () => {
  const stale = routerOf([{ ...courses.file, addresses: ['GET /api/v1/gone'] }]);
  await expect((await stale('GET', '/api/v1/gone'))?.load()).rejects.toThrow('GET /api/v1/gone is not declared');
});
