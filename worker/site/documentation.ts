// The page at `/docs`: the OpenAPI document, for people.

import { escapeHtml, frame } from './frame';

interface Schema {
  readonly type?: string | readonly string[];
  readonly $ref?: string;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}
interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary?: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema & { readonly required?: readonly string[] } }>>;
  };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>>;
}

const nameOf = (reference: string) => reference.split('/').at(-1) ?? reference;

function typeOf(schema: Schema | undefined): string {
  if (!schema) return '';
  if (schema.$ref) return `<a href="#${nameOf(schema.$ref)}">${nameOf(schema.$ref)}</a>`;
  if (schema.enum) return schema.enum.map((word) => `<code>${escapeHtml(String(word))}</code>`).join(' ');
  if (schema.type === 'array') return `list of ${typeOf(schema.items) || 'values'}`;
  if (schema.anyOf) return schema.anyOf.map(typeOf).filter(Boolean).join(' or ');
  return escapeHtml(String(schema.type ?? ''));
}

const rowsOf = (names: readonly (readonly [name: string, where: string, schema: Schema | undefined, required: boolean])[]) =>
  names.length === 0
    ? '<p>No parameters.</p>'
    : `<table><tr><th>Parameter</th><th>In</th><th>Type</th></tr>${names
        .map(
          ([name, where, schema, required]) =>
            `<tr><td><code>${escapeHtml(name)}</code>${required ? ' *' : ''}</td><td>${where}</td><td>${typeOf(schema)}</td></tr>`,
        )
        .join('')}</table>`;

function operationHtml(method: string, address: string, operation: Operation): string {
  const body = Object.values(operation.requestBody?.content ?? {})[0]?.schema;
  const inBody = Object.entries(body?.properties ?? {}).map(
    ([name, schema]) => [name, 'body', schema, body?.required?.includes(name) ?? false] as const,
  );
  const [status = '200', answer] = Object.entries(operation.responses)[0] ?? [];
  const returns = typeOf(answer?.content?.['application/json']?.schema);
  return `<details id="${operation.operationId}"><summary><span class="verb ${method}">${method}</span><span class="path">${escapeHtml(address)}</span>${operation.summary ? `<small>${escapeHtml(operation.summary)}</small>` : ''}</summary>
<div class="inside">${rowsOf([...operation.parameters.map((one) => [one.name, one.in, one.schema, one.required ?? false] as const), ...inBody])}<p>Answers ${status}${returns ? ` with ${returns}` : ''}.</p></div></details>`;
}

const schemaHtml = (name: string, schema: Schema) =>
  `<details id="${name}"><summary><strong>${name}</strong></summary><div class="inside"><table>${Object.entries(schema.properties ?? {})
    .map(([field, of]) => `<tr><td><code>${escapeHtml(field)}</code></td><td>${typeOf(of)}</td></tr>`)
    .join('')}</table></div></details>`;

export function documentation(openapi: { paths: object; components: { schemas: object } }): string {
  const operations = Object.entries(openapi.paths as Record<string, Record<string, Operation>>).flatMap(([address, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      address,
      operation,
      tag: operation.tags[0] ?? 'other',
    })),
  );
  const tags = [...new Set(operations.map(({ tag }) => tag))].sort();
  const words = (tag: string) => escapeHtml(`${tag.charAt(0).toUpperCase()}${tag.slice(1).replaceAll('_', ' ')}`);
  return frame(
    'Carrel: reference',
    `<h1>Reference</h1><p class="lead">${operations.length} operations. Parameters may come in the query, as a form, as multipart or as JSON; lists come in pages that the <code>Link</code> header leads through.</p>
<nav class="tags" aria-label="Resources">${tags.map((tag) => `<a href="#tag-${escapeHtml(tag)}">${words(tag)}</a>`).join('')}</nav>
${tags
  .map(
    (tag) =>
      `<h2 id="tag-${escapeHtml(tag)}">${words(tag)}</h2>${operations
        .filter((one) => one.tag === tag)
        .map(({ method, address, operation }) => operationHtml(method, address, operation))
        .join('')}`,
  )
  .join('')}
<h2>Resources</h2>${Object.entries(openapi.components.schemas as Record<string, Schema>)
      .map(([name, schema]) => schemaHtml(name, schema))
      .join('')}`,
  );
}
