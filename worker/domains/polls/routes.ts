// Polls and their choices: every endpoint, in the order of the API reference. Sessions and submissions are in sessions/routes.ts.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import { isActiveStaff } from '../../contexts/predicates';
import type { Call } from '../../http/call';
import { absolute, del, get, post, put } from '../../http/endpoint';
import { ascending, descending, rows } from '../../http/listing';
import { notFound, unauthorized } from '../../http/problem';
import { all, answer, judged, list, write } from '../../http/reply';
import { forReaders, ownPoll, type PollRole, pollIn, requireOwner, requireReader } from './access';
import { choiceParams, onlyGiven, pollParams, requiredText } from './input';
import { poll, pollChoice } from './json';
import { pollAccess } from './policy';
import { poll_choices, poll_sessions, poll_submissions, polls } from './table';

export const about = { title: 'Polls', description: 'Questions that a teacher asks in class, with live results.' };

const ofPolls = { wrapped: 'polls', of: poll } as const;
const ofChoices = { wrapped: 'poll_choices', of: pollChoice } as const;
const choices = '/polls/:poll_id/poll_choices';

const teaches = ({ db, me }: Pick<Call, 'db' | 'me'>) =>
  db.build
    .select({
      is_staff: sql<number>`exists (select 1 from enrollments e where e.user_id = ${me.id} and ${isActiveStaff('e')})`.as('is_staff'),
    })
    .from(sql`(select 1)`);

const newestOf = (user: number): SQL => sql`${polls.id} = (select max(p.id) from polls p where p.user_id = ${user})`;
const onlyPoll = (id: number) => rows(polls, { where: eq(polls.id, id) });
const inPoll = (poll_id: number, id: number): SQL => and(eq(poll_choices.poll_id, poll_id), eq(poll_choices.id, id)) as SQL;

const listPolls = (path: '/polls' | '/api/1/polls') =>
  get(path, { can: 'user', returns: ofPolls, summary: 'List polls' }, ({ me }) =>
    list(rows(polls, { where: eq(polls.user_id, me.id), order: descending(polls.id) })),
  );

const createPoll = (path: '/polls' | '/api/1/polls') =>
  post(path, { can: 'user', params: pollParams, returns: ofPolls, summary: 'Create a poll' }, async ({ db, me, now, params }) => {
    const [[who]] = await db.perform([teaches({ db, me })]);
    if (me.adminLinks.length === 0 && who?.is_staff !== 1) throw unauthorized();
    const given = onlyGiven('polls', params.polls, params.poll);
    const question = requiredText('question', given.question, true) ?? '';
    return write(
      [
        db.build
          .insert(polls)
          .values({ user_id: me.id, question, description: given.description ?? null, created_at: now, updated_at: now }),
      ],
      all(rows(polls, { where: newestOf(me.id) })),
    );
  });

/**
 * Reads the choice of the path before a write.
 * @throws Problem 404 if the poll does not have it, or the caller may not know of the poll; 401 if it belongs to another user
 */
async function requireChoice(call: Pick<Call, 'db' | 'me' | 'now'> & { readonly id: number }, poll_id: number): Promise<void> {
  const [[role]] = await call.db.perform([
    pollAccess(call, poll_id, sql`exists (select 1 from poll_choices where ${inPoll(poll_id, call.id)})`),
  ]);
  if (requireOwner(role, call).has !== 1) throw notFound();
}

export const pollRoutes = [
  listPolls('/polls'),
  createPoll('/polls'),
  ...absolute(listPolls('/api/1/polls'), createPoll('/api/1/polls')),

  get('/polls/:id', { can: 'user', returns: ofPolls, summary: 'Get a poll' }, (call) => forReaders(call, call.id, all(onlyPoll(call.id)))),

  put('/polls/:id', { can: 'user', params: pollParams, returns: ofPolls, summary: 'Update a poll' }, async (call) => {
    const { db, id, now, params } = call;
    await ownPoll(call, id);
    const given = onlyGiven('polls', params.polls, params.poll);
    const values = { question: requiredText('question', given.question, false), description: given.description, updated_at: now };
    return write([db.build.update(polls).set(values).where(eq(polls.id, id))], all(onlyPoll(id)));
  }),

  del('/polls/:id', { can: 'user', returns: { json: null }, status: 204, summary: 'Delete a poll' }, async (call) => {
    const { db, id } = call;
    await ownPoll(call, id);
    const ofSessions = sql`${poll_submissions.poll_session_id} in (select s.id from poll_sessions s where s.poll_id = ${id})`;
    return write(
      [
        db.build.delete(poll_submissions).where(ofSessions),
        db.build.delete(poll_sessions).where(eq(poll_sessions.poll_id, id)),
        db.build.delete(poll_choices).where(eq(poll_choices.poll_id, id)),
        db.build.delete(polls).where(eq(polls.id, id)),
      ],
      answer(null, 204),
    );
  }),

  get(choices, { can: 'user', returns: ofChoices, summary: 'List choices of a poll' }, (call) => {
    const poll_id = pollIn(call);
    const ofPoll = rows(poll_choices, {
      where: eq(poll_choices.poll_id, poll_id),
      order: ascending(poll_choices.position, poll_choices.id),
    });
    return forReaders(call, poll_id, list(ofPoll));
  }),

  post(choices, { can: 'user', params: choiceParams, returns: ofChoices, summary: 'Create a choice of a poll' }, async (call) => {
    const { db, now, params } = call;
    const poll_id = pollIn(call);
    await ownPoll(call, poll_id);
    const given = onlyGiven('poll_choices', params.poll_choices, params.poll_choice);
    const last = sql`(select coalesce(max(c.position), 0) from poll_choices c where c.poll_id = ${poll_id})`;
    return write(
      [
        db.build.insert(poll_choices).values({
          poll_id,
          text: requiredText('text', given.text, true) ?? '',
          is_correct: given.is_correct ?? false,
          position: given.position ?? sql`${last} + 1`,
          created_at: now,
          updated_at: now,
        }),
      ],
      all(rows(poll_choices, { where: sql`${poll_choices.id} = (select max(c.id) from poll_choices c where c.poll_id = ${poll_id})` })),
    );
  }),

  get(`${choices}/:id`, { can: 'user', returns: ofChoices, summary: 'Get a choice of a poll' }, (call) => {
    const { id } = call;
    const poll_id = pollIn(call);
    const access = pollAccess(call, poll_id, sql`exists (select 1 from poll_choices where ${inPoll(poll_id, id)})`);
    const decide = ([role]: (PollRole & { readonly has: number })[]) => {
      if (requireReader(role, call).has !== 1) throw notFound();
    };
    return judged(access, decide, all(rows(poll_choices, { where: inPoll(poll_id, id) })));
  }),

  put(`${choices}/:id`, { can: 'user', params: choiceParams, returns: ofChoices, summary: 'Update a choice of a poll' }, async (call) => {
    const { db, id, now, params } = call;
    const poll_id = pollIn(call);
    await requireChoice(call, poll_id);
    const given = onlyGiven('poll_choices', params.poll_choices, params.poll_choice);
    const values = {
      text: requiredText('text', given.text, false),
      is_correct: given.is_correct,
      position: given.position,
      updated_at: now,
    };
    return write(
      [db.build.update(poll_choices).set(values).where(inPoll(poll_id, id))],
      all(rows(poll_choices, { where: inPoll(poll_id, id) })),
    );
  }),

  del(`${choices}/:id`, { can: 'user', returns: { json: null }, status: 204, summary: 'Delete a choice of a poll' }, async (call) => {
    const { db, id } = call;
    const poll_id = pollIn(call);
    await requireChoice(call, poll_id);
    const answers = sql`${poll_submissions.poll_session_id} in (select s.id from poll_sessions s where s.poll_id = ${poll_id}) and ${poll_submissions.poll_choice_id} = ${id}`;
    return write(
      [db.build.delete(poll_submissions).where(answers), db.build.delete(poll_choices).where(inPoll(poll_id, id))],
      answer(null, 204),
    );
  }),
];
