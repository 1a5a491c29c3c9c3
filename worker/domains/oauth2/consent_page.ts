// The consent pages of applications.

import type { DeveloperKeyRow } from '../../contexts/developer_key';
import type { Operation } from '../../http/operation';
import { identityScope, scopeWords } from '../../http/scopes';
import { escapeHtml, signInFrame } from '../../site/frame';
import { htmlPage } from '../../site/page';
import type { AuthorizationRequest } from './authorization';
import { oob } from './redirect';

interface Shown {
  readonly institution: string;
  readonly name: string;
  readonly realName: string | undefined;
  readonly key: DeveloperKeyRow;
  readonly asked: AuthorizationRequest;
  readonly scopes: readonly string[];
  readonly operations: readonly Operation[];
  readonly authenticity_token: string;
}

/** Allowed redirect targets for the page's CSP. */
export function leadsTo(redirect_uri: string): string[] {
  const url = redirect_uri === oob ? null : URL.parse(redirect_uri);
  if (!url || !/^[a-z][a-z0-9.+-]*:$/.test(url.protocol) || /[\s;,'"]/.test(url.host)) return [];
  return [/^https?:$/.test(url.protocol) ? url.origin : url.protocol];
}

const destination = (redirect_uri: string): string => {
  const url = redirect_uri === oob ? null : URL.parse(redirect_uri);
  if (!url) return 'You will be shown a code to copy into it.';
  return `You will be redirected to <strong>${escapeHtml(url.host || url.protocol)}</strong>.`;
};

const most = 40;

function permissionsHtml({ key, scopes, operations }: Shown): string {
  if (scopes.length === 1 && scopes[0] === identityScope) return '<p>It will only see your name and account.</p>';
  if (!key.require_scopes)
    return '<p>It will be able to do <strong>everything you can do here</strong>: read and change the same data.</p>';
  const words = scopeWords(scopes, operations);
  const more = words.length > most ? `<li>and ${words.length - most} more</li>` : '';
  return `<p>It will be able to:</p><ul>${words
    .slice(0, most)
    .map((word) => `<li>${escapeHtml(word)}</li>`)
    .join('')}${more}</ul>`;
}

const hidden = (given: Readonly<Record<string, string | undefined>>) =>
  Object.entries(given)
    .filter((pair): pair is [string, string] => pair[1] !== undefined)
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join('');

export function consentPage(shown: Shown) {
  const { institution, name, realName, key, asked, authenticity_token } = shown;
  const application = key.name || 'An application';
  const other = `/login/oauth2/auth?${new URLSearchParams(Object.entries({ ...asked, force_login: '1' }).filter((pair): pair is [string, string] => pair[1] !== undefined))}`;
  return htmlPage(
    signInFrame(
      `${application} · ${institution}`,
      `<h1>${escapeHtml(application)}</h1><p class="lead">requests access to your account at ${escapeHtml(institution)}.</p>
<form class="card" method="post" action="/login/oauth2/accept">
<p>You are signed in as <strong>${escapeHtml(name)}</strong>${realName === undefined ? '' : `, with ${escapeHtml(realName)} acting as you`}.</p>
${permissionsHtml(shown)}
${key.is_self_registered ? `<p class="wrong">This application registered itself, and no one at ${escapeHtml(institution)} has checked it. Allow it only if you have just connected it yourself.</p>` : ''}
${asked.purpose ? `<p>Purpose: ${escapeHtml(asked.purpose.slice(0, 255))}</p>` : ''}
<p>${destination(asked.redirect_uri ?? oob)}</p>
<label class="check"><input type="checkbox" name="remember_access" value="1"> Do not ask again for this application</label>
${hidden({ ...asked, force_login: undefined, authenticity_token })}<button>Allow</button>
<button class="quiet" formaction="/login/oauth2/deny" formnovalidate>Deny</button>
<p><a href="${escapeHtml(other)}">Use another account</a></p></form>`,
    ),
    { formAction: leadsTo(asked.redirect_uri ?? oob) },
  );
}

/** For applications without a redirect URI. */
export const codePage = (code: string) =>
  htmlPage(
    signInFrame(
      'Your code',
      `<h1>Your code</h1><p class="lead">Copy it into the application that asked for it.</p><pre class="address">${escapeHtml(code)}</pre>`,
    ),
  );

export const deniedPage = () =>
  htmlPage(signInFrame('Not allowed', '<h1>Not allowed</h1><p class="lead">The application has no access. You can close this page.</p>'));

/** Errors that must not be redirected to the application are shown to the user. */
export const refusalPage = (status: number, message: string) =>
  htmlPage(
    signInFrame(
      'Something went wrong',
      `<h1>Something went wrong</h1><p class="wrong" role="alert">${escapeHtml(message)}</p><p>Go back to the application and try again. If the problem persists, contact its developers.</p>`,
    ),
    { status },
  );
