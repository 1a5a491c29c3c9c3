// The password reset pages: requesting the email, and choosing a new password.

import { door, escapeHtml } from '../../site/frame';
import { page } from '../../site/page';

const alert = (wrong: string | undefined) =>
  wrong === undefined ? '' : `<p class="wrong" id="wrong" role="alert">${escapeHtml(wrong)}</p>`;

export const askingPage = (handle: string, unique_id: string) =>
  page(
    door(
      'Forgotten password',
      `<h1>Forgotten your password?</h1><p class="lead">We write to you how to choose another one.</p>
<form class="card" method="post" action="/login/forgotten"><label for="unique_id">${escapeHtml(handle)}</label>
<input type="text" id="unique_id" name="pseudonym_session[unique_id_forgot]" value="${escapeHtml(unique_id)}" required maxlength="255" autocomplete="username" autocapitalize="none" spellcheck="false">
<button>Write to me</button><p><a href="/login/canvas">Back to signing in</a></p></form>`,
    ),
  );

/** The same whether or not the login exists. */
export const askedPage = () =>
  page(
    door(
      'A letter is on its way',
      '<h1>Look at your mail</h1><p>If there is such a login, and an address that belongs to it, a letter is on its way there. It leads you here again, within an hour.</p><p><a href="/login">Sign in</a></p>',
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
  return page(
    door(
      'New password',
      `<h1>New password</h1><p class="lead">For ${escapeHtml(unique_id)}</p>${alert(wrong)}
<form class="card" method="post" action="/login/forgotten/${encodeURIComponent(code)}"><input type="text" name="username" value="${escapeHtml(unique_id)}" autocomplete="username" hidden>
${field('password', 'New password')}${field('again', 'The same again')}<button>Save it</button></form>`,
    ),
    { status: wrong === undefined ? 200 : 400 },
  );
}

export const spentPage = () =>
  page(
    door(
      'That link is spent',
      '<h1>That link is spent</h1><p class="wrong" role="alert">It is good for an hour, and once.</p><p><a href="/login/forgotten">Ask for another one</a></p>',
    ),
    { status: 404 },
  );

export const changedPage = () =>
  page(
    door(
      'Saved',
      '<h1>Your password has been changed</h1><p>Whoever was signed in with the old one has been signed out.</p><p><a class="button" href="/login">Sign in</a></p>',
    ),
  );
