// The settings page: lists a user's access tokens, creates and deletes them, and shows the calendar feed URL.

import type { RowOf } from '../../http/listing';
import { escapeHtml, frame } from '../../site/frame';
import { htmlPage } from '../../site/page';
import type { tokens } from '../tokens/table';

interface Shown {
  readonly name: string;
  readonly login: string | undefined;
  readonly keys: readonly (Pick<RowOf<typeof tokens>, 'id' | 'purpose' | 'token_hint' | 'last_used_at' | 'expires_at'> & {
    app: string | null;
  })[];
  /** The token that was just created; shown only once. */
  readonly made?: string;
  readonly wrong?: string;
  readonly canMake: boolean;
  /** The calendar feed URL. */
  readonly calendar?: string;
}

const day = (time: string | null, otherwise: string) => (time === null ? otherwise : time.slice(0, 10));

const row = ({ id, purpose, token_hint, last_used_at, expires_at, app }: Shown['keys'][number]) => {
  const what = escapeHtml(app ?? purpose ?? 'No purpose');
  return `<tr><td>${what}<br><code>${escapeHtml(token_hint)}</code></td><td>${day(last_used_at, 'never')}</td><td>${day(expires_at, 'never')}</td>
<td><form method="post" action="/profile/settings/tokens/${id}/delete"><button class="quiet" aria-label="Delete ${what}">Delete</button></form></td></tr>`;
};

const list = (keys: Shown['keys']) =>
  keys.length === 0
    ? '<p>You have no access tokens.</p>'
    : `<table><thead><tr><th>Purpose</th><th>Last used</th><th>Expires</th><th>Delete</th></tr></thead><tbody>${keys.map(row).join('\n')}</tbody></table>`;

const form = `<form class="card" method="post" action="/profile/settings/tokens">
<label for="purpose">Purpose</label><input type="text" id="purpose" name="purpose" required maxlength="255" placeholder="My computer at home">
<button>Create token</button></form>`;

const result = (made: string) =>
  `<div class="told" role="status"><p>This is your new token. It is shown only once: copy it now, and do not share it.</p><pre class="address" tabindex="0">${escapeHtml(made)}</pre></div>`;

const ofCalendar = (address: string) =>
  `<h2>Calendar feed</h2><p>Add this address to your calendar app to see your events and due dates. Anyone with the address can read your calendar.</p>
<pre class="address" tabindex="0">${escapeHtml(address)}</pre>
<form method="post" action="/profile/settings/calendar"><button class="quiet">Reset addresses</button></form>
<p>This invalidates all existing calendar addresses, including those of courses and groups.</p>`;

export const settingsPage = ({ name, login, keys, made, wrong, canMake, calendar }: Shown) =>
  htmlPage(
    frame(
      'Your account',
      `<h1>Your account</h1><p class="lead">${escapeHtml(name)}${login === undefined ? '' : `, signed in as ${escapeHtml(login)}`}</p>
${wrong === undefined ? '' : `<p class="wrong" role="alert">${escapeHtml(wrong)}</p>`}
<h2>Access tokens</h2><p>A token lets an app, such as the Carrel desktop app, act as you. Anyone with a token can do what you can do.</p>
${made === undefined ? '' : result(made)}${list(keys)}
${canMake ? `<h2>New token</h2>${form}` : ''}
${calendar === undefined ? '' : ofCalendar(calendar)}
<p><a href="/eportfolios">Your ePortfolios</a></p>
<p><a href="/logout">Sign out</a></p>`,
    ),
    { status: wrong === undefined ? 200 : 400 },
  );
