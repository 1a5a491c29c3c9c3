// The pages for people: the landing page, the API reference, the GraphQL explorer, and the administration console. The OpenAPI document is a static file.

import { addressOfRequest } from '../http/address';
import type { Platform } from '../platform';
import adminConsole from './console.json';
import { documentation, documentationPolicy } from './documentation';
import { explorer, explorerPolicy } from './explorer';
import { landing } from './landing';

const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

const page = (html: string, allowed = policy) =>
  new Response(html, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': allowed,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'public, max-age=300',
    },
  });

const asset = (text: string, type: string) =>
  new Response(text, {
    headers: { 'Content-Type': `${type}; charset=utf-8`, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'public, max-age=300' },
  });

/** The page at a path; undefined for API paths. */
export function site(request: Request, env: Pick<Platform, 'TRUST_PROXY'>): Response | undefined {
  if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
  const { url, origin } = addressOfRequest(request, env);
  switch (url.pathname) {
    case '/':
      return page(landing(origin));
    case '/docs':
    case '/docs/':
      return page(documentation, documentationPolicy);
    case '/docs/graphql':
      return page(explorer, explorerPolicy);
    case '/admin/console.js':
      return asset(adminConsole.script, 'text/javascript');
    case '/admin/console.css':
      return asset(adminConsole.style, 'text/css');
    default:
      return undefined;
  }
}
