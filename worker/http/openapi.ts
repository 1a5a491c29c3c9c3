// The endpoints as an OpenAPI 3.1 document. Built by a script, committed, reviewed as a difference; never built at run time.

import type { Resource } from '@carrel/shared/resources/resource';
import type { Field } from '@carrel/shared/wire/fields';
import type { Endpoint, Returns } from './endpoint';
import { serializerOf } from './perform';
import { addressOf } from './router';

type Schema = Record<string, unknown>;
type SchemaOf = (field: Field) => Schema;

const template = (address: string) => address.replace(/:([a-z_]+)\+?/g, '{$1}');
const namesIn = (address: string) => [...address.matchAll(/:([a-z_]+)\+?/g)].map((match) => match[1] as string);
/** The last literal segment names the resource that the reference page groups by. */
export const tagOf = (endpoint: Endpoint) =>
  endpoint.path
    .split('/')
    .filter(
      (segment) =>
        segment !== '' && !segment.startsWith(':') && !['self', 'users', 'accounts', 'courses', 'sections', 'api', 'v1'].includes(segment),
    )
    .at(0) ??
  endpoint.path.split('/').find((segment) => segment !== '') ??
  'site';

const operationId = (endpoint: Endpoint) =>
  `${endpoint.method.toLowerCase()}_${addressOf(endpoint)
    .replace(/^\/api\/v1\//, '')
    .replace(/[:+]/g, '')
    .replace(/[^a-z0-9]+/gi, '_')}`;

const reference = (resource: Resource) => ({ $ref: `#/components/schemas/${resource.name}` });

function answered(returns: Returns): Schema {
  const of = serializerOf(returns);
  if ('wrapped' in returns)
    return { type: 'object', properties: { [returns.wrapped]: { type: 'array', items: of ? reference(of.resource) : {} } } };
  if (of) return Array.isArray(returns) ? { type: 'array', items: reference(of.resource) } : reference(of.resource);
  return 'json' in returns && returns.json ? reference(returns.json as Resource) : {};
}

const isList = (returns: Returns) => Array.isArray(returns) || 'wrapped' in returns;

const paging = [
  { name: 'per_page', in: 'query', description: '1 to 100', schema: { type: 'integer', minimum: 1, maximum: 100 } },
  { name: 'page', in: 'query', description: 'A number, or the bookmark of a Link header', schema: { type: 'string' } },
];

function operation(endpoint: Endpoint, address: string, schemaOf: SchemaOf): Schema {
  const { options } = endpoint;
  const params = Object.entries(options.params ?? {}).map(([name, field]) => ({
    name,
    schema: schemaOf(field),
    required: (field as { type?: string }).type !== 'optional',
  }));
  const include = options.include?.length
    ? [
        {
          name: 'include[]',
          in: 'query',
          style: 'form',
          explode: true,
          schema: { type: 'array', items: { type: 'string', enum: [...options.include] } },
        },
      ]
    : [];
  const isGet = endpoint.method === 'GET';
  const status = String(options.status ?? 200);
  return {
    operationId: operationId(endpoint),
    tags: [tagOf(endpoint)],
    ...(options.summary && { summary: options.summary }),
    parameters: [
      ...namesIn(address).map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      ...include,
      ...(isGet ? params.map(({ name, schema }) => ({ name, in: 'query', schema })) : []),
      ...(isGet && isList(options.returns) ? paging : []),
    ],
    ...(!isGet &&
      params.length > 0 && {
        requestBody: {
          content: Object.fromEntries(
            ['application/json'].map((type) => [
              type,
              {
                schema: {
                  type: 'object',
                  properties: Object.fromEntries(params.map(({ name, schema }) => [name, schema])),
                  ...(params.some(({ required }) => required) && {
                    required: params.filter(({ required }) => required).map(({ name }) => name),
                  }),
                },
              },
            ]),
          ),
        },
      }),
    responses: {
      [status]:
        status === '204'
          ? { description: 'Done' }
          : { description: 'OK', content: { 'application/json': { schema: answered(options.returns) } } },
      default: { description: 'Refused', content: { 'application/json': { schema: { $ref: '#/components/schemas/Errors' } } } },
    },
    ...(options.can === 'anyone' && { security: [] }),
  };
}

/** The resources that endpoints answer, and those inside them, by name. */
export const resourcesOf = (endpoints: readonly Endpoint[]): Resource[] => {
  const all = endpoints.flatMap(({ options }) => {
    const of = serializerOf(options.returns)?.resource ?? ('json' in options.returns ? (options.returns.json as Resource | null) : null);
    return of ? [of] : [];
  });
  return [...new Map(all.map((resource) => [resource.name, resource])).values()].sort((a, b) => (a.name < b.name ? -1 : 1));
};

export function describe(endpoints: readonly Endpoint[], schemaOf: SchemaOf, components: Readonly<Record<string, Schema>>): Schema {
  const paths: Record<string, Schema> = {};
  const sorted = [...endpoints].sort((a, b) => (addressOf(a) < addressOf(b) ? -1 : addressOf(a) > addressOf(b) ? 1 : 0));
  // One address is described once, whatever its endpoints call its parameters: the first name stands.
  const spelled = new Map<string, string>();
  for (const endpoint of sorted) {
    const key = addressOf(endpoint).replace(/:[a-z_]+/g, ':');
    const address = spelled.get(key) ?? addressOf(endpoint);
    spelled.set(key, address);
    const written = template(address);
    paths[written] = { ...paths[written], [endpoint.method.toLowerCase()]: operation(endpoint, address, schemaOf) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Carrel',
      version: '0.1.0',
      description:
        'A learning-management service whose interface is wire-compatible with the public Canvas LMS REST API. Bodies may be sent as JSON, as a form or as multipart, with the same names; parameters may also come in the query.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Errors: { type: 'object', properties: { errors: {}, message: { type: 'string' }, status: { type: 'string' } } },
        ...components,
      },
    },
  };
}
