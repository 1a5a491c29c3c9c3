// The password reset pages: requesting the email, and choosing a new password.

import { escapeHtml, signInFrame } from '../../site/frame';
import { htmlPage } from '../../site/page';

const alert = (wrong: string | undefined) =>
  wrong === undefined ? '' : `<p class="wrong" id="wrong" role="alert">${escapeHtml(wrong)}</p>`;

export const askingPage = (handle: string, unique_id: string) =>
  htmlPage(
    signInFrame(
      'Forgotten password',
      `<h1>Forgotten your password?</h1><p class="lead">We will send you an email to choose a new one.</p>
<form class="card" method="post" action="/login/forgotten"><label for="unique_id">${escapeHtml(handle)}</label>
<input type="text" id="unique_id" name="pseudonym_session[unique_id_forgot]" value="${escapeHtml(unique_id)}" required maxlength="255" autocomplete="username" autocapitalize="none" spellcheck="false">
<button>Send email</button><p><a href="/login/canvas">Back to sign-in</a></p></form>`,
    ),
  );

/** The same whether or not the login exists. */
export const resetSentPage = () =>
  htmlPage(
    signInFrame(
      'Check your email',
      '<h1>Check your email</h1><p>If this login exists and has an email address, we have sent a link to choose a new password. The link is valid for an hour.</p><p><a href="/login">Sign in</a></p>',
    ),
  );

interface Choosing {
  readonly code: string;
  readonly unique_id: string;
  readonly wrong?: string;
}

export function choosingPage({ code, unique_id, wrong }: Choosing) {
  const described = wrong === undefined ? '' : ' aria-invalid="true" aria-describedby="wrong"';
  const field = (id: string, label: string) =>
    `<label for="${id}">${label}</label><input type="password" id="${id}" name="${id}" required maxlength="255" autocomplete="new-password"${described}>`;
  return htmlPage(
    signInFrame(
      'New password',
      `<h1>New password</h1><p class="lead">For ${escapeHtml(unique_id)}</p>${alert(wrong)}
<form class="card" method="post" action="/login/forgotten/${encodeURIComponent(code)}"><input type="text" name="username" value="${escapeHtml(unique_id)}" autocomplete="username" hidden>
${field('password', 'New password')}${field('again', 'Repeat the new password')}<button>Save</button></form>`,
    ),
    { status: wrong === undefined ? 200 : 400 },
  );
}

export const spentPage = () =>
  htmlPage(
    signInFrame(
      'This link has expired',
      '<h1>This link has expired</h1><p class="wrong" role="alert">A link is valid for an hour and can be used once.</p><p><a href="/login/forgotten">Request a new one</a></p>',
    ),
    { status: 404 },
  );

export const changedPage = () =>
  htmlPage(
    signInFrame(
      'Saved',
      '<h1>Your password has been changed</h1><p>All sessions with the old password have been signed out.</p><p><a class="button" href="/login">Sign in</a></p>',
    ),
  );
