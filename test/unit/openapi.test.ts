// The OpenAPI document, held against a public validator and the endpoints.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { endpoints } from '../../worker/endpoints';

const document = JSON.parse(readFileSync(join(import.meta.dirname, '../../worker/openapi.json'), 'utf8'));

test('the OpenAPI document is valid by a public validator', async () => {
  const result = await new Validator().validate(document);
  expect(result.errors ?? []).toEqual([]);
  expect(result.valid).toBe(true);
});

test('it describes every endpoint once', () => {
  const operations = Object.values(document.paths as Record<string, object>).flatMap(
    (item) => Object.values(item) as { operationId: string }[],
  );
  expect(operations).toHaveLength(endpoints.length);
  expect(new Set(operations.map((one) => one.operationId)).size).toBe(endpoints.length);
});
