// Password reset: every endpoint. No response reveals whether a login exists.

import { json, object, optional, text } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import { countTry, keysOf, release } from '../../contexts/login_throttle';
import type { Call } from '../../http/call';
import { absolute, get, post } from '../../http/endpoint';
import { answer, write } from '../../http/reply';
import { ssoSettingsOf } from '../authentication_providers/sso_settings';
import { weakness } from '../users/logins/password_policy';
import { codeFor, loginOf, resetPassword } from './forgotten';
import { askingPage, changedPage, choosingPage, resetSentPage, spentPage } from './forgotten_pages';

const pageOnly = { can: 'anyone', returns: { json: null } } as const;

/** Statements that queue the email; none when the request is throttled. */
async function asked({ db, request, now }: Pick<Call, 'db' | 'request' | 'now'>, given: string | undefined) {
  const unique_id = given?.trim().slice(0, 255) ?? '';
  const counts = await db.perform(countTry(db, await keysOf(`forgotten ${unique_id}`, request), now));
  return counts.some((rows) => rows.length === 0) ? [] : codeFor(db, unique_id, now);
}

const textIn = (tree: unknown, name: string): string => {
  const given = typeof tree === 'object' && tree !== null ? lookUp(tree as Record<string, unknown>, name) : undefined;
  return typeof given === 'string' ? given : '';
};

const wrongs = {
  too_short: 'The password is too short.',
  too_long: 'The password is too long.',
  invalid: 'The password needs a number or a symbol.',
} as const;

export const forgottenRoutes = [
  post(
    '/users/reset_password',
    {
      can: 'anyone',
      params: { pseudonym_session: optional(object({ unique_id_forgot: optional(text) })), recaptcha_response: optional(text) },
      returns: { json: null },
      summary: 'Request a password reset',
    },
    async (call) => write(await asked(call, call.params.pseudonym_session?.unique_id_forgot), answer({ requested: true })),
  ),

  ...absolute(
    get('/login/forgotten', { ...pageOnly, summary: 'Show the page to request a password reset' }, ({ institution, tree }) =>
      askingPage(ssoSettingsOf(institution.root).login_handle_name ?? 'Login', textIn(tree, 'unique_id').slice(0, 255)),
    ),

    post(
      '/login/forgotten',
      { ...pageOnly, params: { pseudonym_session: optional(json) }, summary: 'Request a password reset (form)' },
      async (call) => {
        const statements = await asked(call, textIn(call.tree.pseudonym_session, 'unique_id_forgot'));
        if (statements.length > 0) await call.db.perform(statements);
        return resetSentPage();
      },
    ),

    get('/login/forgotten/:uuid', { ...pageOnly, summary: 'Show the page to choose a new password' }, async ({ db, path, now }) => {
      const [[login]] = await db.perform([loginOf(db, path.uuid, now)]);
      return login ? choosingPage({ code: path.uuid, unique_id: login.unique_id }) : spentPage();
    }),

    post('/login/forgotten/:uuid', { ...pageOnly, summary: 'Set a new password' }, async (call) => {
      const { db, path, now, tree, request, institution } = call;
      const [[login]] = await db.perform([loginOf(db, path.uuid, now)]);
      if (!login) return spentPage();
      const [password, again] = [textIn(tree, 'password'), textIn(tree, 'again')];
      const weak = weakness(password, institution.root.settings);
      const wrong = weak ? wrongs[weak] : password === again ? undefined : 'The passwords do not match.';
      if (wrong) return choosingPage({ code: path.uuid, unique_id: login.unique_id, wrong });
      const statements = await resetPassword(db, login, path.uuid, password, now);
      const [saved] = await db.perform([...statements, ...release(db, await keysOf(login.unique_id, request))]);
      return saved.length > 0 ? changedPage() : spentPage();
    }),
  ),
];
