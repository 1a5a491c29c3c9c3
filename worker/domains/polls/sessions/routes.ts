// Sessions of polls and the answers in them: every endpoint, in the order of the API reference.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../../contexts/course';
import { readId } from '../../../contexts/references';
import { updatesCourse } from '../../../contexts/rights';
import type { Call } from '../../../http/call';
import { del, get, post, put } from '../../../http/endpoint';
import { ascending, rows } from '../../../http/listing';
import { found, invalid, notFound, refused, unauthorized } from '../../../http/problem';
import { all, answer, judged, list, type Reply, write } from '../../../http/reply';
import { sections } from '../../sections/table';
import { forOwner, ownPollAnd, pollIn, requireOwner, requireReader, sessionAccess } from '../access';
import { courseNamedIn, onlyGiven, sessionParams, submissionParams } from '../input';
import { mayAnswerIn, sessionsOfMine } from '../policy';
import { poll_choices, poll_sessions, poll_submissions } from '../table';
import { pollSession, pollSubmission } from './json';

const ofSessions = { wrapped: 'poll_sessions', of: pollSession } as const;
const ofSubmissions = { wrapped: 'poll_submissions', of: pollSubmission } as const;
const base = '/polls/:poll_id/poll_sessions';
const answers = `${base}/:poll_session_id/poll_submissions` as const;

type OfOwner = Pick<Call, 'db' | 'me' | 'now'> & { readonly path: { readonly poll_id: string } };
type OfSession = OfOwner & { readonly id: number };

const inPoll = (call: OfSession): SQL => and(eq(poll_sessions.poll_id, pollIn(call)), eq(poll_sessions.id, call.id)) as SQL;
const only = (call: OfSession): Reply => all(rows(poll_sessions, { where: inPoll(call) }));

/** @throws Problem 404 if the poll has no such session, 401 if it belongs to another user */
async function requireSession(call: OfSession): Promise<void> {
  const [[session]] = await call.db.perform([sessionAccess(call, pollIn(call), call.id)]);
  requireOwner(session, call);
}

/** @throws Problem 404 unless the caller may know of the course, 401 unless they may change it */
function requireUpdate(course: CourseContext | undefined): CourseContext {
  if (!course?.canRead) throw notFound();
  if (!updatesCourse(course)) throw unauthorized();
  return course;
}

/** @throws Problem 400 for a section that the course does not have, or that the caller does not see */
function checkSection(course: CourseContext | undefined, id: number | undefined, there: object | undefined): void {
  if (id === undefined) return;
  const isSeen = !course?.sectionLimit || course.sectionLimit.includes(id);
  if (!there || !isSeen) throw refused(400, 'course_section_id is not a section of the course');
}

const sectionIn = ({ db }: Pick<Call, 'db'>, course: SQL, id: number | undefined) =>
  db.build
    .select({ id: sections.id })
    .from(sections)
    .where(and(eq(sections.id, id ?? 0), sql`${sections.course_id} = (${course})`, eq(sections.workflow_state, 'active')));

const courseOfSession = ({ id }: { readonly id?: string }): SQL =>
  sql`select s.course_id from poll_sessions s where s.id = ${readId(id ?? '') ?? 0}`;

const setOpen = (isOpen: boolean) => async (call: OfSession) => {
  await requireSession(call);
  return write(
    [
      call.db.build
        .update(poll_sessions)
        .set({ is_published: isOpen, ...(isOpen && { opened_at: sql`coalesce(opened_at, ${call.now})` }), updated_at: call.now })
        .where(and(inPoll(call), sql`${poll_sessions.is_published} <> ${isOpen ? 1 : 0}`)),
    ],
    only(call),
  );
};

export const pollSessionRoutes = [
  get('/poll_sessions/opened', { can: 'user', returns: ofSessions, summary: 'List open poll sessions' }, (call) =>
    list(
      rows(poll_sessions, { where: sessionsOfMine(call, true), order: ascending(poll_sessions.course_id, poll_sessions.id), once: true }),
    ),
  ),

  get('/poll_sessions/closed', { can: 'user', returns: ofSessions, summary: 'List closed poll sessions' }, (call) =>
    list(
      rows(poll_sessions, { where: sessionsOfMine(call, false), order: ascending(poll_sessions.course_id, poll_sessions.id), once: true }),
    ),
  ),

  get(base, { can: 'user', returns: ofSessions, summary: 'List sessions of a poll' }, (call) => {
    const poll_id = pollIn(call);
    return forOwner(call, poll_id, list(rows(poll_sessions, { where: eq(poll_sessions.poll_id, poll_id) })));
  }),

  get(`${base}/:id`, { can: 'user', returns: ofSessions, summary: 'Get a session of a poll' }, (call) =>
    judged(sessionAccess(call, pollIn(call), call.id), ([session]) => void requireReader(session, call), only(call)),
  ),

  post(
    base,
    {
      within: (_path, tree) => ({ course: sql`select c.id from courses c where c.id = ${courseNamedIn(tree) ?? 0}` }),
      can: 'user',
      params: sessionParams,
      returns: ofSessions,
      summary: 'Create a session of a poll',
    },
    async (call) => {
      const { db, now, params } = call;
      const poll_id = pollIn(call);
      const given = onlyGiven('poll_sessions', params.poll_sessions, params.poll_session);
      const [section] = await ownPollAnd(call, poll_id, sectionIn(call, sql`${given.course_id ?? 0}`, given.course_section_id));
      const course = requireUpdate(call.course);
      checkSection(course, given.course_section_id, section);
      return write(
        [
          db.build.insert(poll_sessions).values({
            poll_id,
            course_id: course.id,
            course_section_id: given.course_section_id ?? null,
            has_public_results: given.has_public_results ?? false,
            created_at: now,
            updated_at: now,
          }),
        ],
        all(
          rows(poll_sessions, { where: sql`${poll_sessions.id} = (select max(s.id) from poll_sessions s where s.poll_id = ${poll_id})` }),
        ),
      );
    },
  ),

  put(
    `${base}/:id`,
    {
      within: (path, tree) => ({
        course: sql`select c.id from courses c where c.id = coalesce(${courseNamedIn(tree) ?? null}, (${courseOfSession(path)}))`,
      }),
      can: 'user',
      params: sessionParams,
      returns: ofSessions,
      summary: 'Update a session of a poll',
    },
    async (call) => {
      const { db, now, params } = call;
      const given = onlyGiven('poll_sessions', params.poll_sessions, params.poll_session);
      const target = sql`coalesce(${given.course_id ?? null}, (${courseOfSession({ id: String(call.id) })}))`;
      const [[session], [section]] = await db.perform([
        sessionAccess(call, pollIn(call), call.id),
        sectionIn(call, target, given.course_section_id),
      ]);
      requireOwner(session, call);
      if (given.course_id !== undefined) requireUpdate(call.course);
      checkSection(call.course, given.course_section_id, section);
      const moves = given.course_id !== undefined && given.course_id !== found(session).course_id;
      const values = {
        course_id: given.course_id,
        course_section_id: given.course_section_id ?? (moves ? null : undefined),
        has_public_results: given.has_public_results,
        updated_at: now,
      };
      return write([db.build.update(poll_sessions).set(values).where(inPoll(call))], only(call));
    },
  ),

  del(`${base}/:id`, { can: 'user', returns: { json: null }, status: 204, summary: 'Delete a session of a poll' }, async (call) => {
    await requireSession(call);
    const { db, id } = call;
    const chosen = sql`(select count(*) from poll_submissions s where s.poll_session_id = ${id} and s.poll_choice_id = poll_choices.id)`;
    return write(
      [
        db.build
          .update(poll_choices)
          .set({ chosen: sql`chosen - ${chosen}` })
          .where(sql`${poll_choices.id} in (select s.poll_choice_id from poll_submissions s where s.poll_session_id = ${id})`),
        db.build.delete(poll_submissions).where(eq(poll_submissions.poll_session_id, id)),
        db.build.delete(poll_sessions).where(inPoll(call)),
      ],
      answer(null, 204),
    );
  }),

  get(
    `${base}/:id/open`,
    { can: 'user', fresh: true, changes: true, returns: ofSessions, summary: 'Open a session of a poll' },
    setOpen(true),
  ),

  get(
    `${base}/:id/close`,
    { can: 'user', fresh: true, changes: true, returns: ofSessions, summary: 'Close a session of a poll' },
    setOpen(false),
  ),

  get(`${answers}/:id`, { can: 'user', returns: ofSubmissions, summary: 'Get an answer in a session of a poll' }, (call) => {
    const session_id = found(readId(call.path.poll_session_id));
    const one = and(eq(poll_submissions.id, call.id), eq(poll_submissions.poll_session_id, session_id));
    const answered = call.db.build
      .select({
        user_id: poll_submissions.user_id,
        owner_id:
          sql<number>`(select p.user_id from polls p join poll_sessions s on s.poll_id = p.id where s.id = ${session_id} and p.id = ${pollIn(call)})`.as(
            'owner_id',
          ),
      })
      .from(poll_submissions)
      .where(one);
    return judged(
      answered,
      ([it]) => {
        if (!it?.owner_id || (it.user_id !== call.me.id && it.owner_id !== call.me.id)) throw notFound();
      },
      all(rows(poll_submissions, { where: one })),
    );
  }),

  post(answers, { can: 'user', params: submissionParams, returns: ofSubmissions, summary: 'Answer a poll' }, async (call) => {
    const { db, me, now, params } = call;
    const [poll_id, session_id] = [pollIn(call), found(readId(call.path.poll_session_id))];
    const given = onlyGiven('poll_submissions', params.poll_submissions, params.poll_submission);
    const choice_id = given.poll_choice_id ?? 0;
    const isOpen = mayAnswerIn(call);
    const [[session], [choice], [before]] = await db.perform([
      sessionAccess(call, poll_id, session_id, isOpen),
      db.build
        .select({ id: poll_choices.id })
        .from(poll_choices)
        .where(and(eq(poll_choices.id, choice_id), eq(poll_choices.poll_id, poll_id))),
      db.build
        .select({ id: poll_submissions.id })
        .from(poll_submissions)
        .where(and(eq(poll_submissions.poll_session_id, session_id), eq(poll_submissions.user_id, me.id))),
    ]);
    if (requireReader(session, call).may_do !== 1) throw unauthorized();
    found(choice);
    const twice = () => invalid('base', 'taken', 'can only submit one poll choice per poll session');
    if (before) throw twice();
    // Null once the session is closed or the choice is deleted, which the column refuses.
    const stillThere = sql`(select c.id from poll_choices c, poll_sessions s where c.id = ${choice_id} and c.poll_id = s.poll_id and s.id = ${session_id} and s.is_published = 1)`;
    return write(
      [
        db.build
          .insert(poll_submissions)
          .values({ poll_id, poll_session_id: session_id, poll_choice_id: stillThere, user_id: me.id, created_at: now }),
        db.build.update(poll_choices).set({ chosen: sql`chosen + 1` }).where(eq(poll_choices.id, choice_id)),
      ],
      all(rows(poll_submissions, { where: sql`poll_submissions.poll_session_id = ${session_id} and poll_submissions.user_id = ${me.id}` })),
      { 'poll_submissions.poll_choice_id': unauthorized, 'poll_submissions.poll_session_id': twice },
    );
  }),
];
