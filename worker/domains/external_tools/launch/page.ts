// Pages of launches: a form that the browser sends to the tool at once.

import { type Reply, rawResponse } from '../../../http/reply';
import { escapeHtml, signInFrame } from '../../../site/frame';
import { htmlPage } from '../../../site/page';

const script = "document.getElementById('launch').submit();";
const hash = async (text: string) => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`;
};
let known: Promise<string> | undefined;
/** The only script that these pages run, by its hash. */
const ownScript = () => {
  known ??= hash(script);
  return known;
};

interface AutoPost {
  readonly target: string;
  readonly pairs: readonly (readonly [string, string])[];
  readonly title: string;
  readonly cookies?: readonly string[];
}

/**
 * A page that posts a form to another site. Without scripts, the user presses the button. It may be in a frame of this site only, and sends no
 * address along.
 */
export async function autoPostPage({ target, pairs, title, cookies = [] }: AutoPost): Promise<Reply> {
  const fields = pairs.map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`).join('');
  const html = signInFrame(
    title,
    `<form id="launch" class="card" method="post" action="${escapeHtml(target)}"><p>${escapeHtml(title)}</p>${fields}<button>Continue</button></form><script>${script}</script>`,
  );
  const headers = new Headers({
    'Content-Type': 'text/html; charset=utf-8',
    // The tool may redirect its form, so the policy cannot name one address.
    'Content-Security-Policy': `default-src 'none'; style-src 'unsafe-inline'; script-src ${await ownScript()}; form-action https: http:; frame-ancestors 'self'; base-uri 'none'`,
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'SAMEORIGIN',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  });
  for (const cookie of cookies) headers.append('Set-Cookie', cookie);
  return rawResponse(new Response(html, { headers }));
}

export const launchTrouble = (status: number, words: string): Reply =>
  htmlPage(
    signInFrame('The tool cannot be opened', `<h1>The tool cannot be opened</h1><p class="wrong" role="alert">${escapeHtml(words)}</p>`),
    { status },
  );

/** For addresses whose callers are programs as often as people. */
export const plainTrouble = (status: number, words: string): Reply =>
  rawResponse(
    new Response(words, {
      status,
      headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' },
    }),
  );
