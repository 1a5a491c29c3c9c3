// Creates the first administrator of a new institution: a page protected by the deployment's setup secret, usable once and only while there is no
// administrator.

import { lookUp } from '@carrel/shared/wire/look_up';
import { sql } from 'drizzle-orm';
import { countTry, keysOf, pauseSeconds } from '../../contexts/login_throttle';
import { comesFromHere } from '../../contexts/session';
import { sameText } from '../../database/tokens';
import type { Call } from '../../http/call';
import { absolute, get, post } from '../../http/endpoint';
import { sha256 } from '../../http/idempotency';
import { notFound, Problem, refused } from '../../http/problem';
import { leadTo } from '../../site/page';
import { openLoginSession } from '../login/opening';
import { checkedRegistration, newPerson } from '../users/registration/new_user';
import { setupPage } from './page';

export const about = { title: 'Setup', description: 'The page on which the first administrator is created.' };

const pageOnly = { can: 'anyone', returns: { json: null } } as const;

/** A shorter secret could be guessed and is not accepted. */
const shortest = 20;
const secretOf = ({ env }: Pick<Call, 'env'>): string | undefined =>
  env.SETUP_SECRET !== undefined && env.SETUP_SECRET.length >= shortest ? env.SETUP_SECRET : undefined;

/** Whether no administrator has ever been created. */
const isNew = sql`not exists (select 1 from admins) and not exists (select 1 from facts where facts.name = 'set_up_at')`;
const asked = ({ db }: Pick<Call, 'db'>) => db.build.all<{ is_new: number }>(sql`select (${isNew}) as is_new`);

const textIn = ({ tree }: Pick<Call, 'tree'>, name: string): string => {
  const given = lookUp(tree, name);
  return typeof given === 'string' ? given.trim() : '';
};

/** Only wrong secrets are throttled, so that attackers cannot lock out the owner of the secret. */
async function guessed({ db, request, now }: Pick<Call, 'db' | 'request' | 'now'>): Promise<[string, number]> {
  const keys = await keysOf('the first administrator', request);
  const counts = await db.perform(countTry(db, keys, now));
  const full = counts.findIndex((rows) => rows.length === 0);
  const words = 'The setup secret is incorrect.';
  return full < 0
    ? [words, 400]
    : [`${words} There have been too many tries; wait ${Math.ceil(pauseSeconds(full === 0) / 60)} minutes.`, 429];
}

/** The error as text for the page. */
const wordsOf = ({ body }: Problem): string => {
  const text = JSON.stringify(body);
  if (text.includes('"password"')) return 'The password is too short or too long.';
  return 'One of the fields is empty or too long.';
};

export const setupRoutes = absolute(
  get('/setup', { ...pageOnly, summary: 'Show the first administrator page' }, async (call) => {
    if (!secretOf(call)) throw notFound();
    const [[found]] = await call.db.perform([asked(call)]);
    if (!found?.is_new) throw notFound();
    return setupPage();
  }),

  post('/setup', { ...pageOnly, summary: 'Create the first administrator' }, async (call) => {
    const { db, now, request, origin } = call;
    const secret = secretOf(call);
    if (!secret) throw notFound();
    if (comesFromHere(request, origin) === false) throw refused(400, 'This form was sent from another site.');
    const [institution, name, login] = ['institution', 'name', 'login'].map((field) => textIn(call, field)) as [string, string, string];
    const mustBeNew = async () => {
      const [[found]] = await db.perform([asked(call)]);
      if (!found?.is_new) throw notFound();
    };
    const again = (wrong: string, status = 400) => setupPage({ institution, name, login, wrong, status });
    // Compares hashes of equal length, so that timing does not reveal the secret's length.
    if (!sameText(await sha256(textIn(call, 'setup_secret')), await sha256(secret))) {
      await mustBeNew();
      return again(...(await guessed(call)));
    }
    const password = typeof call.tree.password === 'string' ? call.tree.password : '';
    try {
      if ([institution, name, login, password].some((given) => given === '' || given.length > 255)) throw refused(400, 'blank');
      const given = { user: { name }, pseudonym: { unique_id: login, password }, communication_channel: { skip_confirmation: true } };
      const { settings } = call.institution.root;
      const particulars = await checkedRegistration(given, { isStrict: false, isOwn: false, settings });
      const { uuid, statements } = newPerson(db, given, { particulars, mayManageSis: false, authentication_provider_id: null, now });
      const user_id = sql`(select id from users where uuid = ${uuid})`;
      const results = await db.perform([
        // Null when the setup is already done, which violates the constraint: of two concurrent setups one fails as a whole.
        db.build.run(sql`insert into facts (name, value) values ('set_up_at', case when ${isNew} then ${now} end)`),
        db.build.run(sql`update accounts set name = ${institution}, updated_at = ${now} where id = 1`),
        ...statements,
        db.build.run(
          sql`insert into admins (account_id, user_id, role_id, created_at, updated_at) values (1, ${user_id}, 1, ${now}, ${now})`,
        ),
        db.build.all<{ user_id: number; login_id: number }>(
          sql`select u.id as user_id, l.id as login_id from users u join logins l on l.user_id = u.id where u.uuid = ${uuid}`,
        ),
      ]);
      const [made] = results.at(-1) as { user_id: number; login_id: number }[];
      if (!made) throw notFound();
      const opened = await openLoginSession(call, { ...made, account_id: 1 });
      await db.perform(opened.statements);
      return leadTo('/admin', opened.cookies);
    } catch (error) {
      if (error instanceof Problem && error.status === 400) {
        await mustBeNew();
        return again(wordsOf(error));
      }
      if (String(error).includes('facts.')) throw notFound();
      if (String(error).includes('logins_by_unique_id')) return again('This login is already taken. Choose another one.');
      throw error;
    }
  }),
);
