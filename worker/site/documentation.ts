// The page at `/docs`: an API reference built from the OpenAPI document, which can send requests as the signed-in user.

/** Everything comes from this host; the reference component inserts inline styles. */
export const documentationPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** The height of the list of links, which the reference leaves free. */
const style = `
:root { color-scheme: light dark; --scalar-custom-header-height: 40px; }
body { margin: 0; }
.carrel { position: sticky; top: 0; z-index: 100; height: 40px; display: flex; gap: 1.25rem; align-items: center; padding: 0 1.25rem; overflow-x: auto; white-space: nowrap; background: light-dark(#fbf8f2, #171613); border-bottom: 1px solid light-dark(#e2dacb, #35322b); font: 0.875rem/1 system-ui, 'Segoe UI', Roboto, sans-serif; color: light-dark(#23211d, #ece6da); }
.carrel a { color: light-dark(#1f5c4d, #7fc4b0); text-underline-offset: .25em; }
.carrel a[aria-current] { color: inherit; text-decoration: none; font-weight: 600; }
`;

export const documentation = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · Carrel</title>
<style>${style}</style>
</head>
<body>
<nav class="carrel" aria-label="Documentation"><strong>Carrel</strong><a href="/docs" aria-current="page">REST</a><a href="/docs/graphql">GraphQL explorer</a><a href="/docs/schema.graphql">GraphQL schema</a><a href="/api/openapi.json">OpenAPI document</a></nav>
<div id="reference"></div>
<noscript><p>The reference needs JavaScript. The same information is in <a href="/api/openapi.json">the OpenAPI document</a>; the GraphQL schema is <a href="/docs/schema.graphql">a file</a>.</p></noscript>
<script src="/docs/scalar.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;
