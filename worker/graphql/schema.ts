// The schema: the SDL of the types and what resolves their fields, collected from the tables in `types` and `mutations`.

import { lookUp } from '@carrel/shared/wire/look_up';
import {
  buildASTSchema,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  type GraphQLTypeResolver,
  isObjectType,
  parse,
  printSchema,
} from 'graphql';
import { type Args, Graph, type GraphItem, type Loader, type Resolvers, snake } from './graph';
import { globalId } from './ids';
import { mutationTypes } from './mutations/all';
import type { TypeModule } from './type_module';
import { allTypes } from './types/all';
import { basics } from './types/basics';

const paging = 'after: String, before: String, first: Int, last: Int';

/** Adds the paging arguments to fields that return a connection. */
const withPaging = (sdl: string): string =>
  sdl
    .replace(
      /^(\s+\w+)\(([^)]*)\)(: \w+Connection!?)$/gm,
      (_, name: string, args: string, type: string) => `${name}(${args}, ${paging})${type}`,
    )
    .replace(/^(\s+\w+)(: \w+Connection!?)$/gm, (_, name: string, type: string) => `${name}(${paging})${type}`);

/** The types of all connections that fields return. */
function connectionsIn(sdl: string): string {
  const names = new Set([...sdl.matchAll(/: (\w+)Connection!?/g)].map(([, name]) => name as string));
  return [...names]
    .filter((name) => !sdl.includes(`type ${name}Connection {`))
    .map(
      (name) => `type ${name}Connection {\n  edges: [${name}Edge]\n  nodes: [${name}]\n  pageInfo: PageInfo!\n}
type ${name}Edge {\n  cursor: String!\n  node: ${name}\n}`,
    )
    .join('\n');
}

const modules: readonly TypeModule[] = [basics, ...allTypes, mutationTypes];

export const loaders: ReadonlyMap<string, Loader> = new Map(modules.flatMap(({ loaders: all }) => Object.entries(all ?? {})));

const isItem = (source: unknown): source is GraphItem =>
  typeof source === 'object' && source !== null && 'json' in source && 'place' in source;

/** The field of an item is a key of REST; that of any other object is its own, computed where it is asked for. */
export const defaultResolver: GraphQLFieldResolver<unknown, Graph> = (source, _args, graph, { fieldName }) => {
  graph.countValue();
  if (isItem(source)) return graph.value(source, snake(fieldName));
  const value = lookUp((source ?? undefined) as Readonly<Record<string, unknown>> | undefined, fieldName);
  return typeof value === 'function' ? value() : (value ?? null);
};

export const typeOfItem: GraphQLTypeResolver<unknown, Graph> = (source) => (isItem(source) ? source.type : undefined);

/** Fields that every node has. */
const ofNodes: Resolvers = {
  id: ({ type, json }) => (json.id === undefined || json.id === null ? null : globalId(type, String(json.id))),
  _id: ({ json }) => json.id,
};

/** A field that counts as a value of the query. Introspection is resolved by the library, for callers without a graph too. */
const counted =
  (resolve: GraphQLFieldResolver<unknown, unknown>): GraphQLFieldResolver<unknown, unknown> =>
  (source, args, graph, info) => {
    if (graph instanceof Graph) graph.countValue();
    return resolve(source, args, graph, info);
  };

function countIntrospection(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap()))
    if (isObjectType(type) && type.name.startsWith('__'))
      for (const field of Object.values(type.getFields())) if (field.resolve) field.resolve = counted(field.resolve);
}

function built(): GraphQLSchema {
  const written = modules.map(({ sdl }) => sdl).join('\n');
  const schema = buildASTSchema(parse(withPaging(`${written}\n${connectionsIn(written)}`), { noLocation: true }), { assumeValidSDL: true });
  const resolvers = new Map<string, Resolvers>();
  for (const { resolvers: all } of modules)
    for (const [type, fields] of Object.entries(all ?? {})) resolvers.set(type, { ...resolvers.get(type), ...fields });
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    const own = resolvers.get(type.name) ?? {};
    for (const field of Object.values(type.getFields())) {
      const resolve = lookUp(own, field.name);
      const ofNode = lookUp(ofNodes, field.name);
      if (resolve) field.resolve = counted((source, args, graph, info) => resolve(source as GraphItem, args as Args, graph as Graph, info));
      else if (ofNode)
        field.resolve = counted((source, args, graph, info) =>
          isItem(source) ? ofNode(source, args as Args, graph as Graph, info) : defaultResolver(source, args, graph as Graph, info),
        );
    }
  }
  countIntrospection(schema);
  return schema;
}

let known: GraphQLSchema | undefined;
let printed: string | undefined;

/** Built when it is needed first. */
export function schemaOf(): GraphQLSchema {
  known ??= built();
  return known;
}

/** The schema in the schema definition language. */
export function sdlOf(): string {
  printed ??= printSchema(schemaOf());
  return printed;
}
