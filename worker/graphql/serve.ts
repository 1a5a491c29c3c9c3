// Executes one request of the graph. Imported when it is needed: most isolates serve none.

import { type DocumentNode, execute, GraphQLError, type GraphQLFormattedError, OperationTypeNode, parse, validate } from 'graphql';
import type { Call } from '../http/call';
import { Graph } from './graph';
import { limits, refuseShape } from './limits';
import { defaultResolver, loaders, schemaOf, typeOfItem } from './schema';
import { codeOf } from './validation_codes';

export interface GraphRequest {
  readonly query: string | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly operationName: string | undefined;
}

export interface GraphResponse {
  readonly data?: unknown;
  readonly errors?: readonly GraphQLFormattedError[];
}

const isGraphError = (error: unknown): error is GraphQLError => error instanceof GraphQLError;

/** What the caller may know of an error: those of the graph, and nothing of a fault inside. */
function shownError(error: GraphQLError, call: Call): GraphQLFormattedError {
  const { message, locations, path, extensions } = error.toJSON();
  const isFault = error.originalError !== undefined && !isGraphError(error.originalError);
  if (isFault)
    console.error(JSON.stringify({ graphql: String(error.originalError?.stack ?? error.originalError), url: call.url.pathname }));
  return {
    message: isFault ? 'An error occurred.' : message,
    ...(locations && { locations }),
    ...(path && { path }),
    ...(extensions && { extensions }),
  };
}

const refusal = (error: unknown): GraphResponse => {
  if (!isGraphError(error)) throw error;
  return { errors: [error.toJSON()] };
};

function operationIn(document: DocumentNode, name: string | undefined) {
  const operations = document.definitions.filter((one) => one.kind === 'OperationDefinition');
  return name ? operations.find((one) => one.name?.value === name) : operations[0];
}

/** @throws GraphQLError for more mutations than one request may have */
function refuseManyMutations(document: DocumentNode, name: string | undefined): void {
  const operation = operationIn(document, name);
  if (operation?.operation === OperationTypeNode.MUTATION && operation.selectionSet.selections.length > limits.mutations)
    throw new GraphQLError(`A request may contain at most ${limits.mutations} mutations`, { extensions: { code: 'queryTooCostly' } });
}

export async function serveGraph({ query, variables, operationName }: GraphRequest, call: Call): Promise<GraphResponse> {
  let document: DocumentNode;
  try {
    if (query === undefined || query.trim() === '') throw new GraphQLError('No query string was present');
    if (query.length > limits.text) throw new GraphQLError(`Query is longer than ${limits.text} characters`);
    document = parse(query, { maxTokens: limits.tokens });
    refuseShape(document);
    refuseManyMutations(document, operationName);
  } catch (error) {
    return refusal(error);
  }
  const schema = schemaOf();
  const invalid = validate(schema, document, undefined, { maxErrors: 20 });
  if (invalid.length > 0) return { errors: invalid.map((error) => ({ ...error.toJSON(), extensions: codeOf(error) })) };
  const graph = new Graph(call, loaders);
  const running = async () =>
    execute({
      schema,
      document,
      contextValue: graph,
      variableValues: variables,
      operationName,
      fieldResolver: defaultResolver,
      typeResolver: typeOfItem,
      abortSignal: graph.signal,
    });
  const result = await running().catch((error: unknown) => {
    if (graph.signal.aborted) return { errors: [graph.signal.reason as GraphQLError] };
    throw error;
  });
  const written = graph.rest.trips.bookmark();
  if (written !== null) call.db.continueFrom(written);
  if (!('data' in result) && !('errors' in result)) return {};
  return {
    ...('data' in result && result.data !== undefined && { data: result.data }),
    ...(result.errors && { errors: result.errors.map((error) => shownError(error, call)) }),
  };
}
