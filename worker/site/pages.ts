// The pages that a person sees: what this is, and the reference of its interface.

import { addressOfRequest } from '../http/address';
// Bundled as text, because it is served as it is.
import openapi from '../openapi.json';
import type { Platform } from '../platform';
import adminConsole from './console.json';
import { documentation, documentationPolicy } from './documentation';
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

/** In tests the bundler parses it already. */
const text = typeof openapi === 'string' ? (openapi as string) : JSON.stringify(openapi);

/** The page at an address, or nothing where the address belongs to the interface. */
export function site(request: Request, env: Pick<Platform, 'TRUST_PROXY'>): Response | undefined {
  if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
  const { url, origin } = addressOfRequest(request, env);
  switch (url.pathname) {
    case '/':
      return page(landing(origin));
    case '/docs':
    case '/docs/':
      return page(documentation, documentationPolicy);
    case '/admin/console.js':
      return asset(adminConsole.script, 'text/javascript');
    case '/admin/console.css':
      return asset(adminConsole.style, 'text/css');
    case '/api/openapi.json':
      return new Response(text, {
        headers: {
          'Content-Type': 'application/json; charset=utf-8',
          'Access-Control-Allow-Origin': '*',
          'Cache-Control': 'public, max-age=300',
        },
      });
    default:
      return undefined;
  }
}
