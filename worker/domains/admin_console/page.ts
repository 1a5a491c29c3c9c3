// The HTML frame of the admin console: its script, its styles, and the text shown until the script runs.

import { escapeHtml, frame } from '../../site/frame';
import { htmlPage } from '../../site/page';

/** Scripts and styles from this host only, none inline. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

interface Visitor {
  readonly name: string;
  readonly institution: string;
}

export const consolePage = ({ name, institution }: Visitor) =>
  htmlPage(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Console · ${escapeHtml(institution)}</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/admin/console.css"></head><body data-name="${escapeHtml(name)}" data-institution="${escapeHtml(institution)}"><a class="skip" href="#main">To the content</a><div id="console"><p class="blank">One moment …</p><noscript><p class="blank">The console needs JavaScript. Switch it on for this site, then load the page again.</p></noscript></div><script type="module" src="/admin/console.js"></script></body></html>`,
    { headers: { 'Content-Security-Policy': policy } },
  );

export const consoleSignInPage = () =>
  htmlPage(
    frame(
      'Console',
      '<h1>Console</h1><p class="lead">The admin console of this institution.</p><p class="told" role="alert">Sign in with an administrator account.</p><p><a class="button" href="/login?return_to=%2Fadmin&amp;force_login=1">Sign in</a></p>',
    ),
    { status: 401 },
  );
