// GraphiQL on the page at /docs/graphql. Queries go to this host only, with the caller's session or the token of the page, which is stored nowhere.

import 'graphiql/setup-workers/vite';
import 'graphiql/style.css';
import './explorer.css';
import { createGraphiQLFetcher } from '@graphiql/toolkit';
import { GraphiQL } from 'graphiql';
import { buildSchema } from 'graphql';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';

const [token, who] = ['token', 'who'].map((id) => document.getElementById(id));

const given = () => token.value.trim();
const headers = () => (given() ? { Authorization: `Bearer ${given()}` } : {});

/** Shows as whom queries are sent. */
async function showCaller() {
  const answer = await fetch('/api/v1/users/self', { headers: { Accept: 'application/json', ...headers() } });
  const user = answer.ok ? await answer.json() : undefined;
  who.textContent = user ? `Queries are sent as ${user.name}.` : given() ? 'This token is not valid.' : '';
  if (user || given()) return;
  const link = Object.assign(document.createElement('a'), { href: '/login?return_to=/docs/graphql', textContent: 'Sign in' });
  who.append(link, ' or enter a token to send queries.');
}

const start = `# Ctrl+Enter sends the query.
# The book on the left has all types.
query MyCourses {
  allCourses {
    _id
    name
    term {
      name
    }
    assignmentsConnection(first: 5) {
      nodes {
        name
        dueAt
        pointsPossible
      }
    }
  }
}
`;

const send = createGraphiQLFetcher({
  url: '/api/graphql',
  fetch: (address, init) => fetch(address, { ...init, headers: { ...init.headers, ...headers() } }),
});

// The schema is a file of this host: it is shown without a query, and to callers who are not signed in.
const answer = await fetch('/docs/schema.graphql');
const schema = buildSchema(await answer.text());
createRoot(document.getElementById('graphiql')).render(
  createElement(GraphiQL, { fetcher: send, schema, defaultQuery: start, shouldPersistHeaders: false, isHeadersEditorEnabled: false }),
);
token.addEventListener('change', showCaller);
await showCaller();
