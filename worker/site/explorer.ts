// The page at `/docs/graphql`: GraphiQL, built by scripts/explorer.ts as static files.

import { documentationPolicy } from './documentation';

/** As on the page of the API reference; the editor checks queries in workers, which are files of this host. */
export const explorerPolicy = `${documentationPolicy}; worker-src 'self'`;

const style = `
:root { color-scheme: light dark; --paper: #fbf8f2; --ink: #23211d; --quiet: #6b655a; --line: #e2dacb; --card: #fffdf8; --accent: #1f5c4d; }
@media (prefers-color-scheme: dark) { :root { --paper: #171613; --ink: #ece6da; --quiet: #a49c8d; --line: #35322b; --card: #1f1d19; --accent: #7fc4b0; } }
* { box-sizing: border-box; }
body { margin: 0; height: 100vh; display: flex; flex-direction: column; background: var(--paper); color: var(--ink); font: 0.9375rem/1.4 system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif; }
header { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; align-items: center; padding: .6rem 1rem; border-bottom: 1px solid var(--line); }
h1 { font: 600 1.2rem/1.2 Charter, 'Bitstream Charter', 'Iowan Old Style', Georgia, serif; margin: 0; }
a { color: var(--accent); text-underline-offset: .2em; } nav { display: flex; gap: 1rem; }
p { margin: 0; color: var(--quiet); } header p { margin-left: auto; }
label { display: flex; gap: .5rem; align-items: center; }
input { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--quiet); border-radius: 7px; padding: .3rem .6rem; width: 15rem; max-width: 60vw; }
a:focus-visible, input:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
#graphiql { flex: 1; min-height: 24rem; }
noscript p { padding: 1rem; }
@media (max-width: 40rem) { header p { margin-left: 0; } label, input { flex: 1; max-width: none; } label { flex-basis: 100%; } }
`;

export const explorer = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>GraphQL explorer · Carrel</title>
<style>${style}</style>
<link rel="stylesheet" href="/docs/graphiql/explorer.css">
</head>
<body>
<header>
<h1>GraphQL</h1>
<nav aria-label="Documentation"><a href="/docs">API reference</a><a href="/docs/schema.graphql">Schema</a></nav>
<p id="who" role="status"></p>
<label for="token">Token <input id="token" type="password" autocomplete="off" spellcheck="false" placeholder="instead of the session"></label>
</header>
<main id="graphiql"></main>
<noscript><p>The explorer needs JavaScript. The schema is <a href="/docs/schema.graphql">a file</a>.</p></noscript>
<script type="module" src="/docs/graphiql/explorer.js"></script>
</body>
</html>
`;
