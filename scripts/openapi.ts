// Writes the OpenAPI 3.1 document from the endpoint values and the schema of the graph, as static files of the Worker, and the addresses by which the Worker finds the
// file of an endpoint without loading it.

import './usage.ts';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type { Field } from '../shared/wire/fields.ts';
import { endpointFiles } from '../worker/dist/endpoint_files.ts';
import { endpoints } from '../worker/dist/endpoints.ts';
import { sdlOf } from '../worker/graphql/schema.ts';
import { type Describer, describe, resourcesOf } from '../worker/http/openapi.ts';
import { addressOf, routesTo } from '../worker/http/router.ts';
import { bodies } from './openapi_bodies.ts';
import { exampleOf } from './openapi_examples.ts';
import { fieldsWithin, plainSchema, type Schema } from './openapi_schemas.ts';
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
const names = new Map(resources.map(({ name, field }) => [field, name]));

const schemaOf = (field: Field): Schema => {
  // Each call converts all definitions that it is given.
  const named = Object.fromEntries([...fieldsWithin(field)].flatMap((one) => (names.has(one) ? [[names.get(one), one]] : [])));
  const { $schema: _, $defs: __, ...schema } = toJsonSchema(field as never, { ...options, definitions: named }) as unknown as Schema;
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

const dist = join(import.meta.dirname, '../worker/dist');

/** Several builds may run at the same time, so a file is replaced as a whole. */
function writeWhole(path: string, text: string): void {
  const file = join(dist, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.${process.pid}`, text);
  renameSync(`${file}.${process.pid}`, file);
}

const addresses = await Promise.all(endpointFiles.map(async ({ name, load }) => [name, (await load()).flatMap(routesTo)] as const));
writeWhole('addresses.json', `${JSON.stringify(Object.fromEntries(addresses), null, 1)}\n`);
const written = `${JSON.stringify(describe(endpoints, describer, components), null, 1)}\n`;
writeWhole('assets/api/openapi.json', written);
writeWhole('assets/docs/schema.graphql', `${sdlOf()}\n`);
console.log(`wrote worker/dist/assets/api/openapi.json (${Math.round(written.length / 1024)} kB)`);
