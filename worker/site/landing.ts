// The page at `/`: what this service is.

import { escapeHtml, frame } from './frame';

export const landing = (origin: string): string =>
  frame(
    'Carrel',
    `<h1>Carrel</h1>
<p class="lead">A learning-management service at the edge, and a desk to study at offline.</p>
<p>This address answers programs. Its interface is the one that Canvas clients already speak, so a client that works with Canvas works here: give it this address and an access token.</p>
<pre>curl -H "Authorization: Bearer $TOKEN" ${escapeHtml(origin)}/api/v1/courses</pre>
<ul class="cards">
<li><a href="/docs"><strong>Reference</strong></a><span>Every operation, its parameters, and what it answers.</span></li>
<li><a href="/api/openapi.json"><strong>OpenAPI 3.1</strong></a><span>The same, for programs: to generate a client or to import into a tool.</span></li>
<li><strong>Sync feed</strong><span><code>GET /api/sync/v1/changes</code> tells what has changed since a cursor, so that nobody has to list everything again.</span></li>
</ul>
<h2>Studying here?</h2>
<p>Use the Carrel desk: it keeps your courses, files and planner on your own disk, readable without a connection. Your school tells you how to <a href="/login">sign in</a>.</p>
<footer>Carrel is free software under the MIT licence.</footer>`,
  );
