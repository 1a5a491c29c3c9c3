// The page to create the first administrator of a new institution.

import { escapeHtml, signInFrame } from '../../site/frame';
import { htmlPage } from '../../site/page';

interface Shown {
  readonly institution?: string;
  readonly name?: string;
  readonly login?: string;
  readonly wrong?: string;
  readonly status?: number;
}

const field = (id: string, label: string, more: string, hint = '') =>
  `<label for="${id}">${label}</label><input id="${id}" name="${id}" required maxlength="255"${hint === '' ? '' : ` aria-describedby="${id}_hint"`} ${more}>${hint === '' ? '' : `<p class="hint" id="${id}_hint">${hint}</p>`}`;

export const setupPage = ({ institution = '', name = '', login = '', wrong, status }: Shown = {}) =>
  htmlPage(
    signInFrame(
      'Set up',
      `<h1>Set up</h1><p class="lead">Create a new institution with you as its first administrator.</p>
${wrong === undefined ? '' : `<p class="wrong" role="alert">${escapeHtml(wrong)}</p>`}
<form class="card" method="post" action="/setup">
${field('setup_secret', 'Setup secret', 'type="password" autocomplete="off"', 'The <code>SETUP_SECRET</code> set at deployment. It can be used once.')}
${field('institution', 'Institution name', `type="text" autocomplete="organization" value="${escapeHtml(institution)}"`)}
${field('name', 'Your name', `type="text" autocomplete="name" value="${escapeHtml(name)}"`)}
${field('login', 'Your login', `type="text" autocomplete="username" autocapitalize="none" spellcheck="false" value="${escapeHtml(login)}"`)}
${field('password', 'Password', 'type="password" autocomplete="new-password" minlength="8"', 'At least 8 characters.')}
<button>Set up</button></form>`,
    ),
    { status },
  );
