// The first administrator of a new institution: a page that a secret of the deployment opens, once, and only while nobody runs the place.

import { sql } from 'drizzle-orm';
import { comesFromHere } from '../../contexts/session';
import { sameText } from '../../database/tokens';
import type { Call } from '../../http/call';
import { absolute, get, post } from '../../http/endpoint';
import { sha256 } from '../../http/idempotency';
import { notFound, Problem, refused } from '../../http/problem';
import { leadTo } from '../../site/page';
import { countTry, keysOf, pauseSeconds, release } from '../login/brake';
import { openSession, seenAtOnce } from '../login/opening';
import { newPerson } from '../users/registration';
import { setupPage } from './page';

const pageOnly = { can: 'anyone', returns: { json: null } } as const;

/** Shorter ones could be guessed, and open nothing. */
const shortest = 20;
const secretOf = ({ env }: Pick<Call, 'env'>): string | undefined =>
  env.SETUP_SECRET !== undefined && env.SETUP_SECRET.length >= shortest ? env.SETUP_SECRET : undefined;

/** Whether nobody has ever been made an administrator here, by this page or otherwise. */
const isNew = sql`not exists (select 1 from admins) and not exists (select 1 from facts where name = 'set_up_at')`;
const asked = ({ db }: Pick<Call, 'db'>) => db.build.all<{ is_new: number }>(sql`select (${isNew}) as is_new`);

const textIn = ({ tree }: Pick<Call, 'tree'>, name: string): string => {
  const given = tree[name];
  return typeof given === 'string' ? given.trim() : '';
};

/** What was refused, for people. */
const wordsOf = ({ body }: Problem): string => {
  const text = JSON.stringify(body);
  if (text.includes('"password"')) return 'That password is too short or too long. Take another one.';
  return 'Look at the fields again: one of them is empty or too long.';
};

export const setupRoutes = absolute(
  get('/setup', { ...pageOnly, summary: 'Show the page for the first administrator' }, async (call) => {
    if (!secretOf(call)) throw notFound();
    const [[found]] = await call.db.perform([asked(call)]);
    if (!found?.is_new) throw notFound();
    return setupPage();
  }),

  post('/setup', { ...pageOnly, summary: 'Make the first administrator' }, async (call) => {
    const { db, now, request, origin } = call;
    const secret = secretOf(call);
    if (!secret) throw notFound();
    if (comesFromHere(request, origin) === false) throw refused(400, 'This form was sent from another site.');
    const keys = await keysOf('the first administrator', request);
    const [[found], ...counts] = await db.perform([asked(call), ...countTry(db, keys, now)]);
    if (!found?.is_new) throw notFound();
    const [institution, name, login] = ['institution', 'name', 'login'].map((field) => textIn(call, field)) as [string, string, string];
    const shown = { institution, name, login };
    // Hashes are of one length, so that not even the secret's length can be measured.
    if (!sameText(await sha256(textIn(call, 'setup_secret')), await sha256(secret))) {
      // Only who guesses is slowed: whoever has the secret is not kept out by those who have not.
      const full = counts.findIndex((rows) => rows.length === 0);
      const wait = full < 0 ? '' : ` There have been too many tries; wait ${Math.ceil(pauseSeconds(full === 0) / 60)} minutes.`;
      return setupPage({ ...shown, wrong: `That is not the setup secret of this deployment.${wait}`, status: full < 0 ? 400 : 429 });
    }
    const password = typeof call.tree.password === 'string' ? call.tree.password : '';
    try {
      if ([institution, name, login, password].some((given) => given === '' || given.length > 255)) throw refused(400, 'blank');
      const { uuid, statements } = await newPerson(
        db,
        { user: { name }, pseudonym: { unique_id: login, password }, communication_channel: { skip_confirmation: true } },
        { mayManageSis: false, settings: {}, now },
      );
      const user_id = sql`(select id from users where uuid = ${uuid})`;
      await db.perform([
        // Null where the place has been set up meanwhile, which the column does not take: of two at once the whole batch of one fails.
        db.build.run(sql`insert into facts (name, value) values ('set_up_at', case when ${isNew} then ${now} end)`),
        db.build.run(sql`update accounts set name = ${institution}, updated_at = ${now} where id = 1`),
        ...statements,
        db.build.run(
          sql`insert into admins (account_id, user_id, role_id, created_at, updated_at) values (1, ${user_id}, 1, ${now}, ${now})`,
        ),
        ...release(db, keys),
      ]);
      const [[made]] = await db.perform([
        db.build.all<{ user_id: number; login_id: number }>(
          sql`select u.id as user_id, l.id as login_id from users u join logins l on l.user_id = u.id where u.uuid = ${uuid}`,
        ),
      ]);
      if (!made) throw notFound();
      const opened = await openSession(call, { ...made, account_id: 1 });
      await db.perform(opened.statements);
      await seenAtOnce(call, opened.session_hash);
      return leadTo('/admin', opened.cookies);
    } catch (error) {
      if (error instanceof Problem && error.status === 400) return setupPage({ ...shown, wrong: wordsOf(error), status: 400 });
      if (String(error).includes('facts.')) throw notFound();
      throw error;
    }
  }),
);
