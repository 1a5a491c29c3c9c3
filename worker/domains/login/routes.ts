// Sign-in and sign-out pages, in the order of the API reference (absolute paths).

import { json, optional } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import { and, eq, sql } from 'drizzle-orm';
import { countTry, keysOf, pauseSeconds, release } from '../../contexts/login_throttle';
import { comesFromHere } from '../../contexts/session';
import { verifyPassword } from '../../database/passwords';
import type { Call } from '../../http/call';
import { absolute, del, get, post } from '../../http/endpoint';
import { leadTo, pathHere, signedIn, signedInHome } from '../../site/page';
import { ssoSettingsOf } from '../authentication_providers/sso_settings';
import { authentication_providers as providers } from '../authentication_providers/table';
import { mailerOf } from '../comm_messages/mailer';
import { withPassword } from '../users/logins/with_password';
import { logins, users } from '../users/table';
import { closeSession, noCookies, openLoginSession } from './opening';
import { loginPage, logoutPage, otherWaysOf, troublePage } from './page';

export const about = { title: 'Login', description: 'Pages on which users sign in and out.' };

const pageOnly = { can: 'anyone', returns: { json: null } } as const;

const activeProviders = ({ db }: Pick<Call, 'db'>) =>
  db.build
    .select({ id: providers.id, auth_type: providers.auth_type })
    .from(providers)
    .where(and(eq(providers.account_id, 1), eq(providers.workflow_state, 'active')))
    .orderBy(providers.position, providers.id);

type Providers = Awaited<ReturnType<typeof activeProviders>>;

/** Values for every rendering of the form. */
function shownTo(call: Pick<Call, 'institution' | 'env'>, ways: Providers, return_to: string | undefined) {
  const { root } = call.institution;
  const sso = ssoSettingsOf(root);
  return {
    institution: root.name,
    handle: sso.login_handle_name ?? undefined,
    // Without a mailer, the service cannot send reset emails, so only the institution's own URL is offered.
    changeAddress: sso.change_password_url ?? (mailerOf(call.env) ? '/login/forgotten' : undefined),
    return_to,
    hasPasswords: ways.some(({ auth_type }) => auth_type === 'canvas'),
    otherWays: otherWaysOf(ways, return_to),
  };
}

const textIn = (tree: unknown, name: string): string => {
  const given = typeof tree === 'object' && tree !== null ? lookUp(tree as Record<string, unknown>, name) : undefined;
  return typeof given === 'string' ? given : '';
};

/** The login form, or a redirect to the institution's sign-in page. */
async function show(call: Pick<Call, 'db' | 'env' | 'institution' | 'me' | 'tree' | 'origin'>, isChosen: boolean) {
  const { tree } = call;
  const return_to = pathHere(tree.return_to, call.origin);
  if (signedIn(call) && tree.force_login === undefined) return leadTo(return_to ?? signedInHome);
  const [ways] = await call.db.perform([activeProviders(call)]);
  const sso = ssoSettingsOf(call.institution.root);
  const told = tree.signed_out === undefined ? undefined : 'You have signed out.';
  if (!isChosen && told === undefined) {
    if (sso.auth_discovery_url) return leadTo(sso.auth_discovery_url);
    const [first] = ways;
    const [way] = first && first.auth_type !== 'canvas' ? otherWaysOf([first], return_to) : [];
    if (way) return leadTo(way.address);
  }
  return loginPage({ ...shownTo(call, ways, return_to), told, unique_id: textIn(tree, 'unique_id').slice(0, 255) });
}

const tooMany = (shown: Parameters<typeof loginPage>[0], pause: number) =>
  loginPage({
    ...shown,
    wrong: 'Too many attempts. Wait a few minutes, then try again.',
    status: 429,
    headers: { 'Retry-After': String(pause) },
  });

const wrongWords = 'Login or password is incorrect. Check whether Caps Lock is on.';

export const loginPageRoutes = absolute(
  get('/login', { ...pageOnly, summary: 'Show the login page' }, (call) => show(call, false)),
  get('/login/canvas', { ...pageOnly, summary: 'Show the password form' }, (call) => show(call, true)),

  post(
    '/login/canvas',
    { ...pageOnly, params: { pseudonym_session: optional(json) }, summary: 'Sign in with a password' },
    async (call) => {
      const { db, tree, now, origin, request } = call;
      // Prevents login CSRF: another site's form must not sign a user in.
      if (comesFromHere(request, origin) === false)
        return troublePage('That did not come from here', 'This form was sent from another site. Sign in on this page instead.', 400);
      const form = tree.pseudonym_session;
      const [unique_id, password] = [textIn(form, 'unique_id').slice(0, 255), textIn(form, 'password').slice(0, 1000)];
      const return_to = pathHere(tree.return_to, origin);
      const keys = await keysOf(unique_id, request);
      const { SIGN_IN_RATE, RATE_LIMIT } = call.env;
      if (SIGN_IN_RATE && RATE_LIMIT !== 'off' && keys.address && !(await SIGN_IN_RATE.limit({ key: keys.address })).success)
        return tooMany({ ...shownTo(call, [], return_to), unique_id, hasPasswords: true }, 60);
      const [ways, rows, ...counts] = await db.perform([
        activeProviders(call),
        db.build
          .select({ id: logins.id, user_id: logins.user_id, account_id: logins.account_id, password_hash: logins.password_hash })
          .from(logins)
          .innerJoin(users, and(eq(users.id, logins.user_id), sql`users.workflow_state <> 'deleted'`))
          .where(withPassword(unique_id))
          .limit(1),
        ...countTry(db, keys, now),
      ]);
      const shown = { ...shownTo(call, ways, return_to), unique_id };
      const full = counts.findIndex((rowsOfCount) => rowsOfCount.length === 0);
      if (full >= 0) {
        const pause = pauseSeconds(full === 0);
        return tooMany(shown, pause);
      }
      const login = shown.hasPasswords ? rows[0] : undefined;
      const { isRight, upgraded } = await verifyPassword(password, login?.password_hash);
      if (!login || !isRight) return loginPage({ ...shown, wrong: wrongWords, status: 400 });
      const opened = await openLoginSession(call, {
        user_id: login.user_id,
        login_id: login.id,
        account_id: login.account_id,
        is_remembered: /^(1|true|on)$/.test(textIn(form, 'remember_me')),
      });
      const rehashed = upgraded ? [db.build.update(logins).set({ password_hash: upgraded }).where(eq(logins.id, login.id))] : [];
      await db.perform([...release(db, keys), ...rehashed, ...opened.statements]);
      return leadTo(return_to ?? signedInHome, opened.cookies);
    },
  ),

  get('/logout', { ...pageOnly, summary: 'Show the sign-out page' }, async (call) => {
    const me = signedIn(call);
    if (!me) return leadTo('/login');
    const [[provider]] = await call.db.perform([houseOfSession(call, me.session?.login_id ?? 0)]);
    const end = endThere(provider, call.origin);
    return logoutPage(me.user.name, end ? [new URL(end).origin] : []);
  }),
  post('/logout', { ...pageOnly, summary: 'Sign out' }, signOut),
  del('/logout', { ...pageOnly, summary: 'Sign out' }, signOut),
);

/** The provider of the session, if it supports RP-initiated logout. */
const houseOfSession = ({ db }: Pick<Call, 'db'>, login_id: number) =>
  db.build
    .select({ settings: providers.settings })
    .from(providers)
    .where(sql`${providers.id} = (select authentication_provider_id from logins where id = ${login_id})`);

/** The URL that ends the provider's session and then returns here. */
function endThere(house: { settings: Record<string, string> } | undefined, origin: string): string | undefined {
  const { end_session_endpoint, client_id } = house?.settings ?? {};
  if (!end_session_endpoint) return undefined;
  const to = new URL(end_session_endpoint);
  to.searchParams.set('post_logout_redirect_uri', `${origin}/login?signed_out=1`);
  if (client_id) to.searchParams.set('client_id', client_id);
  return to.href;
}

async function signOut(call: Pick<Call, 'db' | 'me' | 'now' | 'request' | 'origin' | 'later'>) {
  const { session } = call.me;
  if (!session) return leadTo('/login');
  const [[house]] = await call.db.perform([houseOfSession(call, session.login_id ?? 0), ...closeSession(call, session)]);
  return leadTo(endThere(house, call.origin) ?? '/login?signed_out=1', noCookies(call.origin));
}
