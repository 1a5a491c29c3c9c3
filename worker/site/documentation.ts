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

export const documentation = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · Carrel</title>
</head>
<body>
<div id="reference"></div>
<noscript><p>The reference needs JavaScript. The same information is in <a href="/api/openapi.json">the OpenAPI document</a>; the GraphQL schema is <a href="/docs/schema.graphql">a file</a>.</p></noscript>
<script src="/docs/scalar.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;
