// GraphQL: the endpoint. What it serves is in `worker/graphql`, which asks the REST interface.

import { json, optional, text } from '@carrel/shared/wire/fields';
import { absolute, post } from '../../http/endpoint';
import { answer } from '../../http/reply';

export const about = {
  title: 'GraphQL',
  description: 'Queries over the same data, with the same rights, as the REST interface. The schema is at `/docs/schema.graphql`.',
};

/** Forms send the variables as JSON. Whatever is no object counts as none. */
function variablesOf(given: unknown): Readonly<Record<string, unknown>> {
  let parsed = given;
  if (typeof given === 'string') {
    try {
      parsed = JSON.parse(given);
    } catch {
      return {};
    }
  }
  return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : {};
}

export const graphqlRoutes = absolute(
  post(
    '/api/graphql',
    {
      can: 'user',
      params: { query: optional(text), variables: optional(json), operationName: optional(text) },
      returns: { json: null },
      cost: 1,
      summary: 'Execute a GraphQL query',
    },
    async (call) => {
      const { query, variables, operationName } = call.params;
      const { serveGraph } = await import('../../graphql/serve');
      const request = { query: query ?? undefined, variables: variablesOf(variables), operationName: operationName || undefined };
      return answer(await serveGraph(request, call));
    },
  ),
);
