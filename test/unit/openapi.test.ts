// The OpenAPI document: a public linter, and every endpoint.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfig, lint } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { endpoints } from '../../worker/dist/endpoints';

const root = join(import.meta.dirname, '../..');
const file = join(root, 'worker/dist/assets/api/openapi.json');
// Does nothing where the document is current.
execFileSync(process.execPath, [join(root, 'scripts/build.mjs')]);
const document = JSON.parse(readFileSync(file, 'utf8'));

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
const operations = Object.values(document.paths as Record<string, object>).flatMap((item) => Object.values(item) as Operation[]);

test('a public linter finds no error and no warning', { timeout: 60_000 }, async () => {
  const problems = await lint({ ref: file, config: await createConfig({ extends: ['recommended'] }) });
  expect(problems.map(({ ruleId, message, location }) => `${ruleId} ${message} ${location[0]?.pointer}`)).toEqual([]);
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
  expect(operations.filter((one) => !hasExample(one)).map((one) => one.operationId)).toEqual([]);
});
