// Writes the OpenAPI 3.1 document from the endpoint values, as a static file of the Worker.

import './usage.ts';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type { Field } from '../shared/wire/fields.ts';
import { endpoints } from '../worker/dist/endpoints.ts';
import { type Describer, describe, resourcesOf } from '../worker/http/openapi.ts';
import { addressOf } from '../worker/http/router.ts';
import { bodies } from './openapi_bodies.ts';
import { exampleOf } from './openapi_examples.ts';
import { plainSchema, type Schema } from './openapi_schemas.ts';
import { tagsOf } from './openapi_tags.ts';

/** Coerced inputs have no JSON schema in `input` mode, so their output is described. */
const options = {
  typeMode: 'output' as const,
  errorMode: 'ignore' as const,
  ignoreActions: ['regex', 'transform'] as string[],
  overrideRef: ({ referenceId }: { referenceId: string }) => `#/components/schemas/${referenceId}`,
} satisfies Record<string, unknown>;

const resources = resourcesOf(endpoints);
/** A nested resource becomes a reference, not a copy. */
const definitions = Object.fromEntries(resources.map((resource) => [resource.name, resource.field])) as never;

const schemaOf = (field: Field): Schema => {
  const { $schema: _, $defs: __, ...schema } = toJsonSchema(field as never, { ...options, definitions }) as unknown as Schema;
  return plainSchema(schema);
};
const components = Object.fromEntries(
  Object.entries(toJsonSchemaDefs(definitions, options) as unknown as Record<string, Schema>).map(([name, schema]) => [
    name,
    plainSchema(schema),
  ]),
);

const tags = await tagsOf();
const describer: Describer = {
  schemaOf,
  exampleOf: (schema, name) => exampleOf(schema, name, components),
  bodyOf: (endpoint) => bodies.get(`${endpoint.method} ${addressOf(endpoint)}`),
  tagOf(endpoint) {
    const tag = tags.get(endpoint);
    if (!tag) throw new Error(`${endpoint.method} ${endpoint.path} is exported by no domain`);
    return tag;
  },
};

const file = join(import.meta.dirname, '../worker/dist/assets/api/openapi.json');
const written = `${JSON.stringify(describe(endpoints, describer, components), null, 1)}\n`;
mkdirSync(dirname(file), { recursive: true });
// Several builds may run at the same time, so the file is replaced as a whole.
writeFileSync(`${file}.${process.pid}`, written);
renameSync(`${file}.${process.pid}`, file);
console.log(`wrote worker/dist/assets/api/openapi.json (${Math.round(written.length / 1024)} kB)`);
