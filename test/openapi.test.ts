// The OpenAPI document: a public linter, and every endpoint.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfig, lint } from '@redocly/openapi-core';
import { buildSchema, printSchema } from 'graphql';
import { expect, test } from 'vitest';
import { endpoints } from '../worker/dist/endpoints';
import { sdlOf } from '../worker/graphql/schema';
import { routerOf, routesTo } from '../worker/http/router';

const root = join(import.meta.dirname, '..');
const file = join(root, 'worker/dist/assets/api/openapi.json');
// Does nothing where the document is current.
execFileSync(process.execPath, [join(root, 'scripts/build.mjs')]);
const document = JSON.parse(readFileSync(file, 'utf8'));
// Imported after the build, which writes the addresses.
const { endpointFiles } = await import('../worker/dist/endpoint_files');

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly tags: readonly string[];
  readonly parameters: readonly { readonly example?: unknown; readonly $ref?: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly examples?: object; readonly example?: unknown }>> }>
  >;
}
/** The schema of the graph, which the same build writes. */
const schemaFile = join(root, 'worker/dist/assets/docs/schema.graphql');

test('the schema of the graph is a file that anyone can read', () => {
  const schema = buildSchema(readFileSync(schemaFile, 'utf8'));
  expect(printSchema(schema)).toBe(sdlOf());
});

const operations = Object.values(document.paths as Record<string, object>).flatMap((item) => Object.values(item) as Operation[]);

test('a public linter finds no error and no warning', { timeout: 60_000 }, async () => {
  const problems = await lint({ ref: file, config: await createConfig({ extends: ['recommended'] }) });
  // Canvas has both addresses: an id is never `upload` or `group`, and an import is never `used_locations`.
  const ofCanvas = (message: string) =>
    (message.includes('/rubrics/{id}/used_locations` and') && message.includes('/rubrics/upload/{import_id}`')) ||
    (message.includes('/outcome_imports/{outcome_import_id}/created_group_ids` and') && message.includes('/outcome_imports/group/'));
  const others = problems.filter(({ ruleId, message }) => !(ruleId === 'no-ambiguous-paths' && ofCanvas(message)));
  expect(others.map(({ ruleId, message, location }) => `${ruleId} ${message} ${location[0]?.pointer}`)).toEqual([]);
});

test('every endpoint is described once, with a unique operation id', () => {
  expect(operations).toHaveLength(endpoints.length);
  expect(new Set(operations.map((one) => one.operationId)).size).toBe(endpoints.length);
});

test('every operation has a summary, a described tag, and the errors that it returns', () => {
  const tags = new Map((document.tags as { name: string; description: string }[]).map((tag) => [tag.name, tag.description]));
  const incomplete = operations.filter(
    ({ summary, tags: [tag], responses }) =>
      !summary || !/^[A-Z“].*\.$/.test(tags.get(tag ?? '') ?? '') || !Object.keys(responses).some((status) => status.startsWith('4')),
  );
  expect(incomplete.map((one) => one.operationId)).toEqual([]);
});

test('every operation has an example of its request or response', () => {
  const hasExample = ({ parameters, requestBody, responses }: Operation) =>
    parameters.some(({ example }) => example !== undefined) ||
    Object.values(requestBody?.content ?? {}).some(({ example }) => example !== undefined) ||
    Object.values(responses).some(({ content }) =>
      Object.values(content ?? {}).some(({ examples, example }) => (examples ?? example) !== undefined),
    );
  // A page without parameters.
  const isPage = ({ operationId }: Operation) => operationId === 'get__error_reports';
  // Neither takes nor returns anything.
  const isBare = ({ operationId }: Operation) => operationId === 'post_enqueue_outcome_rollup_calculation';
  expect(operations.filter((one) => !hasExample(one) && !isPage(one) && !isBare(one)).map((one) => one.operationId)).toEqual([]);
});

/** The operations that take a conditional header, with the refusal that they describe. */
const conditional = Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, { parameters, responses }]) => {
    const headers = parameters.flatMap(({ $ref = '' }) =>
      /if_/.test($ref) ? [document.components.parameters[$ref.split('/').at(-1) ?? ''].name] : [],
    );
    return headers.length > 0 || responses['412']
      ? [{ at: `${method.toUpperCase()} ${path}`, headers, refusal: responses['412'] as { $ref?: string } | undefined }]
      : [];
  }),
);

test('every conditional write names its headers, and the 412 with what is there and the copy', () => {
  const both = ['If-Match', 'If-None-Match'];
  const failed = { $ref: '#/components/responses/PreconditionFailed' };
  const writes = conditional.filter(({ at }) => !at.startsWith('GET'));
  expect(Object.fromEntries(writes.map(({ at, headers, refusal }) => [at, [headers, refusal]]))).toEqual({
    'PUT /api/v1/courses/{course_id}/assignments/{assignment_id}/submissions/{user_id}': [both, failed],
    'PUT /api/v1/sections/{section_id}/assignments/{assignment_id}/submissions/{user_id}': [both, failed],
    'PUT /api/v1/courses/{course_id}/assignments/{assignment_id}': [both, failed],
    'PUT /api/v1/courses/{course_id}/pages/{url}': [both, failed],
    'PUT /api/v1/groups/{group_id}/pages/{url}': [both, failed],
    'PUT /api/v1/courses/{course_id}/front_page': [both, failed],
    'PUT /api/v1/groups/{group_id}/front_page': [both, failed],
    'PUT /api/v1/files/{id}': [both, failed],
    'DELETE /api/v1/files/{id}': [both, failed],
    'PUT /api/v1/folders/{id}': [both, failed],
    'DELETE /api/v1/folders/{id}': [both, failed],
    'POST /api/sync/v1/files/{id}/versions/{version_id}/restore': [both, failed],
    'POST /api/v1/courses/{course_id}/folders': [['If-None-Match'], failed],
    'POST /api/v1/users/{user_id}/folders': [['If-None-Match'], failed],
    'POST /api/v1/groups/{group_id}/folders': [['If-None-Match'], failed],
    'POST /api/v1/folders/{folder_id}/folders': [['If-None-Match'], failed],
    // Answered when the bytes have come.
    'POST /api/v1/courses/{course_id}/files': [both, undefined],
    'POST /api/v1/users/{user_id}/files': [both, undefined],
    'POST /api/v1/groups/{group_id}/files': [both, undefined],
    'POST /api/v1/folders/{folder_id}/files': [both, undefined],
    'POST /files_api': [[], failed],
    'POST /api/sync/v1/uploads/{id}/complete': [[], failed],
  });
  expect(Object.keys(document.components.schemas.PreconditionFailed.properties)).toEqual(['message', 'current', 'copy']);
});

test('bytes, lists and feeds say that they are not sent again to a client that has them', () => {
  const reads = conditional.filter(({ at }) => at.startsWith('GET'));
  expect(reads.every(({ headers }) => headers.includes('If-None-Match'))).toBe(true);
  expect(reads.find(({ at }) => at === 'GET /files/{id}/download')).toMatchObject({
    headers: ['If-Match', 'If-None-Match'],
    refusal: { $ref: '#/components/responses/NotTheseBytes' },
  });
  expect(reads.map(({ at }) => at)).toEqual(expect.arrayContaining(['GET /api/v1/courses', 'GET /feeds/calendars/{feed}']));
});

test('the Worker finds every endpoint, and loads it from the file that declares it', async () => {
  const find = routerOf(endpointFiles);
  const missed = endpoints.flatMap((endpoint) =>
    routesTo(endpoint).map(async (route) => {
      const [method = '', address = ''] = route.split(' ');
      const match = await (await find(method, address))?.load();
      return match?.endpoint === endpoint ? [] : [route];
    }),
  );
  expect((await Promise.all(missed)).flat()).toEqual([]);
  expect(new Set(endpointFiles.map(({ name }) => name)).size).toBe(endpointFiles.length);
});
