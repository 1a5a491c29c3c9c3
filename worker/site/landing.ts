// The page at `/`: what this service is.

import { escapeHtml, frame } from './frame';

export const landing = (origin: string): string =>
  frame(
    'Carrel',
    `<h1>Carrel</h1>
<p class="lead">A learning-management service at the edge, and a desktop app for offline study.</p>
<p>This is the address of an API that is compatible with Canvas. A client that works with Canvas works here: give it this address and an access token.</p>
<pre>curl -H "Authorization: Bearer $TOKEN" ${escapeHtml(origin)}/api/v1/courses</pre>
<ul class="cards">
<li><a href="/docs"><strong>Reference</strong></a><span>All endpoints with parameters and responses.</span></li>
<li><a href="/api/openapi.json"><strong>OpenAPI 3.1</strong></a><span>The same in machine-readable form, to generate a client or import into a tool.</span></li>
<li><a href="/docs/graphql"><strong>GraphQL</strong></a><span>An explorer for queries over the same data, with the <a href="/docs/schema.graphql">schema</a>.</span></li>
<li><strong>Sync feed</strong><span><code>GET /api/sync/v1/changes</code> returns all changes since a cursor, so that clients need not list everything again.</span></li>
</ul>
<h2>Studying here?</h2>
<p>Use the Carrel desktop app: it keeps your courses, files and planner on your computer, available offline. Ask your school how to <a href="/login">sign in</a>.</p>
<footer>Carrel is free software under the MIT licence.</footer>`,
  );
