// The endpoints as an OpenAPI 3.1 document. Built by a script, never at run time.

import type { Resource } from '@carrel/shared/resources/resource';
import { type Field, isList as isListField } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import { sessionCookie } from '../contexts/session';
import type { Endpoint, Returns } from './endpoint';
import { headersOfCondition, openapiParameters, preconditionFailed, responses } from './openapi_parts';
import { serializerOf } from './perform';
import { addressOf } from './router';

type Schema = Record<string, unknown>;

/** What the document needs besides the endpoints; supplied by the script that builds it. */
export interface Describer {
  readonly schemaOf: (field: Field) => Schema;
  /** A valid example value for a schema, for a field of this name. */
  readonly exampleOf: (schema: Schema, name: string) => unknown;
  /** The response body of an endpoint that returns no declared resource. */
  readonly bodyOf: (endpoint: Endpoint) => { readonly type: string; readonly example: unknown } | undefined;
  /** @returns the tag of an endpoint's domain */
  readonly tagOf: (endpoint: Endpoint) => { readonly name: string; readonly description: string };
}

const template = (address: string) => address.replace(/:([a-z_]+)\+?/g, '{$1}');
const namesIn = (address: string) => [...address.matchAll(/:([a-z_]+)\+?/g)].map((match) => match[1] as string);
const operationId = (endpoint: Endpoint) =>
  `${endpoint.method.toLowerCase()}_${addressOf(endpoint)
    .replace(/^\/api\/v1\//, '')
    .replace(/[:+]/g, '')
    .replace(/[^a-z0-9]+/gi, '_')}`;

const reference = (resource: Resource) => ({ $ref: `#/components/schemas/${resource.name}` });

const resourceOf = (returns: Returns): Resource | undefined =>
  serializerOf(returns)?.resource ??
  ('json' in returns && !('table' in returns) ? ((returns.json as Resource | null) ?? undefined) : undefined);

const isList = (returns: Returns) => Array.isArray(returns) || 'wrapped' in returns;

function answered(returns: Returns): Schema {
  const of = resourceOf(returns);
  const one = of ? reference(of) : {};
  const list = { type: 'array', items: one };
  if ('wrapped' in returns) return { type: 'object', properties: { [returns.wrapped]: list } };
  if ('enveloped' in returns) return { type: 'object', properties: { [returns.enveloped]: one } };
  return Array.isArray(returns) ? list : one;
}

const paging = [{ $ref: '#/components/parameters/per_page' }, { $ref: '#/components/parameters/page' }];
/** Lists and tagged answers carry an ETag, and are not sent again to a client that has them. */
const conditionalHeaders = ({
  method,
  options: { conditional, tagged, returns },
}: Endpoint): readonly (keyof typeof openapiParameters)[] =>
  conditional ? headersOfCondition[conditional] : method === 'GET' && (tagged || isList(returns)) ? ['if_none_match_read'] : [];

const refer = (name: keyof typeof responses) => ({ $ref: `#/components/responses/${name}` });

const preconditions = ({ conditional }: Endpoint['options']) =>
  conditional === 'bytes'
    ? { 412: refer('NotTheseBytes') }
    : conditional === 'item' || conditional === 'name' || conditional === 'ticket'
      ? { 412: refer('PreconditionFailed') }
      : {};

const refusals = ({ method, options }: Endpoint, address: string) => ({
  ...((method !== 'GET' || options.params) && { 400: refer('BadRequest') }),
  401: refer('Unauthorized'),
  403: refer('RateLimited'),
  ...(namesIn(address).length > 0 && { 404: refer('NotFound') }),
  ...preconditions(options),
  ...(method !== 'GET' && { 422: refer('KeyReused') }),
});

/** Examples of a resource are stored once, and referenced by each operation that returns it. */
const exampleName = (returns: Returns): string | undefined => {
  const of = resourceOf(returns);
  if (!of || 'enveloped' in returns) return undefined;
  return 'wrapped' in returns ? `${of.name}_${returns.wrapped}` : `${of.name}${Array.isArray(returns) ? 'List' : ''}`;
};

function success(endpoint: Endpoint, { bodyOf }: Describer): Schema {
  const { status = 200, returns } = endpoint.options;
  const own = bodyOf(endpoint);
  if (own) return { description: 'OK', content: { [own.type]: { schema: {}, example: own.example } } };
  if (status === 204) return { description: 'Done; the response has no body.' };
  const example = exampleName(returns);
  const schema = answered(returns);
  return {
    description: isList(returns) ? 'One page of the list; the Link header contains the others.' : 'OK',
    content: {
      'application/json': { schema, ...(example && { examples: { [example]: { $ref: `#/components/examples/${example}` } } }) },
    },
  };
}

const placeExample = (name: string) => (/(^|_)(id|user|course|account)$/.test(name) ? '7' : 'example');

/** Optional fields to show in the example of a request body. */
const shown = 4;

function requestBody(fields: Readonly<Record<string, Field>>, { schemaOf, exampleOf }: Describer): Schema {
  const all = Object.entries(fields).map(([name, field]) => ({ name, schema: schemaOf(field), isRequired: isRequired(field) }));
  const required = all.filter((one) => one.isRequired).map(({ name }) => name);
  const optional = all.filter((one) => !one.isRequired).slice(0, Math.max(0, shown - required.length));
  const example = Object.fromEntries(
    [...all.filter((one) => one.isRequired), ...optional].map(({ name, schema }) => [name, exampleOf(schema, name)]),
  );
  const schema = {
    type: 'object',
    properties: Object.fromEntries(all.map((one) => [one.name, one.schema])),
    ...(required.length > 0 && { required }),
  };
  return { content: { 'application/json': { schema, example } } };
}

const isRequired = (field: Field) => (field as { type?: string }).type !== 'optional';

/** The reference page shows the example of a parameter, but sends it only when the reader enables it. */
const offered = (value: unknown) => ({ default: { value, 'x-disabled': true } });

function operation(endpoint: Endpoint, address: string, describer: Describer): Schema {
  const { options } = endpoint;
  const fields = options.params ?? {};
  const isGet = endpoint.method === 'GET';
  const headers = conditionalHeaders(endpoint);
  const include = options.include?.length
    ? [
        {
          name: 'include[]',
          in: 'query',
          style: 'form',
          explode: true,
          schema: { type: 'array', items: { type: 'string', enum: [...options.include] } },
          examples: offered([options.include[0]]),
        },
      ]
    : [];
  const query = Object.entries(fields).map(([name, field]) => {
    const schema = describer.schemaOf(field);
    return { name: isListField(field) ? `${name}[]` : name, in: 'query', schema, examples: offered(describer.exampleOf(schema, name)) };
  });
  return {
    operationId: operationId(endpoint),
    tags: [describer.tagOf(endpoint).name],
    summary: options.summary ?? operationId(endpoint).replaceAll('_', ' '),
    parameters: [
      ...namesIn(address).map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' }, example: placeExample(name) })),
      ...include,
      ...(isGet ? query : [{ $ref: '#/components/parameters/idempotency_key' }]),
      ...headers.map((name) => ({ $ref: `#/components/parameters/${name}` })),
      ...(isGet && isList(options.returns) ? paging : []),
    ],
    ...(!isGet && Object.keys(fields).length > 0 && { requestBody: requestBody(fields, describer) }),
    responses: {
      [String(options.status ?? 200)]: success(endpoint, describer),
      ...(headers.includes('if_none_match_read') && { 304: refer('NotModified') }),
      ...refusals(endpoint, address),
    },
    ...(options.can === 'anyone' && { security: [] }),
  };
}

/** The resources that endpoints return, including nested ones, by name. */
export const resourcesOf = (endpoints: readonly Endpoint[]): Resource[] => {
  const all = endpoints.flatMap(({ options }) => {
    const of = resourceOf(options.returns);
    return of ? [of] : [];
  });
  return [...new Map(all.map((resource) => [resource.name, resource])).values()].sort((a, b) => (a.name < b.name ? -1 : 1));
};

/** A path whose parameter could be confused with a literal of another path is documented with its most common value. */
const spelledOut: ReadonlyMap<string, string> = new Map([
  [
    '/api/v1/users/:user_id/communication_channels/:type/:address/notification_preferences',
    '/api/v1/users/:user_id/communication_channels/email/:address/notification_preferences',
  ],
]);

/** Examples of every resource that an operation returns, single and as a list. */
function examplesOf(endpoints: readonly Endpoint[], { schemaOf, exampleOf }: Describer): Schema {
  const examples: Schema = {};
  for (const { options } of endpoints) {
    const name = exampleName(options.returns);
    const of = resourceOf(options.returns);
    if (!name || !of || Object.hasOwn(examples, name)) continue;
    const one = exampleOf(schemaOf(of.field), of.name);
    const { returns } = options;
    examples[name] = { value: 'wrapped' in returns ? { [returns.wrapped]: [one] } : Array.isArray(returns) ? [one] : one };
  }
  return examples;
}

export function describe(endpoints: readonly Endpoint[], describer: Describer, schemas: Readonly<Record<string, Schema>>): Schema {
  const paths: Record<string, Schema> = {};
  const sorted = [...endpoints].sort((a, b) => (addressOf(a) < addressOf(b) ? -1 : addressOf(a) > addressOf(b) ? 1 : 0));
  // A path is documented once, with the parameter names of its first endpoint.
  const spelled = new Map<string, string>();
  for (const endpoint of sorted) {
    const own = spelledOut.get(addressOf(endpoint)) ?? addressOf(endpoint);
    const key = own.replace(/:[a-z_]+/g, ':');
    const address = spelled.get(key) ?? own;
    spelled.set(key, address);
    const written = template(address);
    paths[written] = { ...lookUp(paths, written), [endpoint.method.toLowerCase()]: operation(endpoint, address, describer) };
  }
  const tags = [...new Map(endpoints.map(describer.tagOf).map((tag) => [tag.name, tag])).values()];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Carrel',
      version: '0.1.0',
      description:
        'A learning-management service whose interface is wire-compatible with the public Canvas LMS REST API. Bodies may be sent as JSON, as a form or as multipart, with the same names; parameters may also be sent in the query. Lists are paged: follow the Link header.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }, { session: [] }],
    tags: tags.sort((a, b) => (a.name < b.name ? -1 : 1)),
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'An access token, created at /profile/settings or through OAuth2.' },
        session: { type: 'apiKey', in: 'cookie', name: sessionCookie, description: 'The session of a user who has signed in at /login.' },
      },
      parameters: openapiParameters,
      responses,
      examples: examplesOf(endpoints, describer),
      schemas: {
        Errors: {
          type: 'object',
          properties: {
            errors: { description: 'A list of messages, or messages by field.' },
            message: { type: 'string' },
            status: { type: 'string' },
          },
        },
        PreconditionFailed: preconditionFailed,
        ...schemas,
      },
    },
  };
}
