// A message before it is sent: its recipients, and whether the sender may write to them.

import { and, ne, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../../contexts/course';
import { isActiveOrInvitedGrader } from '../../../contexts/predicates';
import { courseContextsOf, courseStatements } from '../../../contexts/several';
import { theIds } from '../../../database/ids';
import type { Call } from '../../../http/call';
import { users } from '../../users/table';
import {
  contextNamed,
  coursesOfRecipients,
  everyoneNamed,
  groupsNamed,
  type NamedContext,
  type NamedRecipients,
  recipientsNamed,
} from '../recipients/named';
import { reachable, recipientReachOf } from '../recipients/reach';
import { type Message, sendable } from '../thread/add_message';
import { mostParticipants, privateKey } from '../thread/changes';
import { conversationProblem } from '../thread/turn';
import { type PeopleRows, type ThreadRows, threadStatements } from '../thread/writes';

/** One group conversation, one private conversation with each, or a new one with each. */
type Form = 'group' | 'each' | 'each_new';

export interface DraftMessage extends Message {
  readonly recipients: readonly string[];
  readonly subject: string | null;
  readonly context_code: string | undefined;
  readonly from_conversation_id: number | undefined;
  readonly form: Form;
}

/** A message with its recipients resolved and permitted. */
export interface OutgoingMessage extends Message {
  readonly form: Form;
  readonly subject: string | null;
  readonly context_type: string | null;
  readonly context_id: number | null;
  readonly recipientIds: readonly number[];
  /** Existing private conversations with the recipients. */
  readonly threads: ThreadRows;
  readonly people: PeopleRows;
}

/** What a batch stores beside subject, body and recipients. */
export type BatchOptions = Pick<OutgoingMessage, 'form' | 'context_type' | 'context_id' | 'attachment_ids' | 'media_comment'>;

/** `privateKey` in SQL. Casts, because numbers are bound as reals and would be printed with a decimal point. */
const keysWith = (me: number, who: SQL) =>
  sql`select case when p.user_id = me.id then cast(p.user_id as text) else min(p.user_id, me.id) || ',' || max(p.user_id, me.id) end
    from (${who}) p, (select cast(${me} as integer) as id) me`;

/** Reads everything needed to validate a message, in one round trip. */
async function read(call: Call, message: DraftMessage, who: NamedRecipients, context: NamedContext | undefined) {
  const { db, me } = call;
  const everyone = everyoneNamed(who);
  const existing =
    message.form === 'each' ? sql`select id from conversations where private_key in (${keysWith(me.id, everyone)})` : theIds([]);
  const fellows = sql`select user_id from conversation_participants where conversation_id = ${message.from_conversation_id ?? 0} and exists (select 1 from conversation_participants me where me.conversation_id = ${message.from_conversation_id ?? 0} and me.user_id = ${me.id})`;
  const [allowed, attachments, threads, people, staff, groups, ...courses] = await db.perform([
    db.build
      .select({ id: users.id })
      .from(users)
      .where(
        and(
          sql`(${users.id} in (${reachable(recipientReachOf(call), everyone)}) or (${users.id} in (${everyone}) and ${users.id} in (${fellows})))`,
          ne(users.workflow_state, 'deleted'),
        ),
      )
      .orderBy(users.id),
    sendable(db, message.attachment_ids, me.id),
    ...threadStatements(db, existing),
    db.build.all<{ user_id: number; course_id: number }>(
      sql`select user_id, course_id from enrollments where user_id in (${everyone}) and course_id in (${coursesOfRecipients(who, context)}) and ${isActiveOrInvitedGrader()}`,
    ),
    db.build.all<{ group_id: number }>(
      sql`select m.group_id from group_memberships m join groups g on g.id = m.group_id where m.user_id = ${me.id} and m.workflow_state = 'accepted' and g.workflow_state = 'available'
        and m.group_id in (select value from json_each(${groupsNamed([...(context ? [context] : []), ...who.contexts])})) order by m.group_id`,
    ),
    ...courseStatements(db, coursesOfRecipients(who, context), me),
  ]);
  return {
    allowed: allowed.map(({ id }) => id),
    attachments,
    threads,
    people,
    staff,
    groups: groups.map(({ group_id }) => group_id),
    courses: courseContextsOf(courses, me, call.institution, call.now),
  };
}

const studentsMayNot = new Set(['students', 'observers', undefined]);

const ended = () => conversationProblem('Course concluded', 'Unable to send messages');

/** Reference 05 §6.3: the reason why the sender may not write to these recipients in this course, if any. */
function refusalIn(course: CourseContext, recipientIds: readonly number[], staffIds: readonly number[]) {
  // Teachers may still write after the course is concluded.
  if (course.isConcluded) return course.readsAsAdmin ? undefined : ended();
  const isFree = recipientIds.every((id) => staffIds.includes(id) || course.observedIds.includes(id));
  if (!course.can('send_messages') && !isFree) return conversationProblem(`Unable to send messages to users in ${course.name}`, '');
  return undefined;
}

type Facts = Awaited<ReturnType<typeof read>>;

/**
 * The context that the message names, before anything is read; an account is accepted and ignored.
 * @throws Problem 400 for a code that names no context
 */
function contextGiven(code: string | undefined): NamedContext | undefined {
  if (code === undefined) return undefined;
  const context = contextNamed(code);
  if (!context && !/^account_\d+$/.test(code)) throw conversationProblem('context_code', 'invalid');
  return context;
}

/**
 * The courses through which the message is sent: the one that it names as its context, or those among its recipients.
 * @throws Problem 400 for a context that the sender cannot reach
 */
function coursesUsed(context: NamedContext | undefined, who: NamedRecipients, { courses, groups }: Facts): readonly CourseContext[] {
  const course = context?.kind === 'course' ? courses.find(({ id }) => id === context.id) : undefined;
  if (context?.kind === 'course' && !course?.canRead) throw conversationProblem('context_code', 'invalid');
  if (context?.kind === 'group' && !groups.includes(context.id)) throw conversationProblem('context_code', 'invalid');
  if (course) return [course];
  const named = new Set(who.contexts.filter(({ kind }) => kind === 'course').map(({ id }) => id));
  return courses.filter(({ id }) => named.has(id));
}

/** Whether the sender addresses a whole course, or all its students or observers, without permission to. */
const isRestricted = (who: NamedRecipients, courses: readonly CourseContext[]): boolean =>
  who.contexts.some(
    ({ kind, id, part }) =>
      kind === 'course' && studentsMayNot.has(part) && courses.find((one) => one.id === id)?.can('send_messages_all') === false,
  );

/** The permitted users without the sender; the sender alone if there is no one else. */
function recipientsOf(allowed: readonly number[], me: number): readonly number[] {
  const others = allowed.filter((id) => id !== me);
  return others.length > 0 ? others : allowed;
}

/** A group conversation includes its sender; the number of new private conversations is unlimited. */
const isTooMany = (form: Form, count: number): boolean =>
  (form === 'group' && count >= mostParticipants) || (form === 'each' && count > mostParticipants);

/** A group named as the context takes precedence over the recipients' course. */
function contextOf(
  context: NamedContext | undefined,
  [course]: readonly CourseContext[],
  groups: readonly number[],
): Pick<OutgoingMessage, 'context_type' | 'context_id'> {
  const group_id = context?.kind === 'group' ? context.id : course ? undefined : groups[0];
  if (group_id !== undefined) return { context_type: 'Group', context_id: group_id };
  return course ? { context_type: 'Course', context_id: course.id } : { context_type: null, context_id: null };
}

/** @throws Problem 400 with the attribute that prevents sending */
export async function address(call: Call, letter: DraftMessage): Promise<OutgoingMessage> {
  const who = recipientsNamed(letter.recipients);
  if (letter.recipients.length === 0) throw conversationProblem('recipients', 'blank');
  if (letter.body.trim() === '') throw conversationProblem('body', 'blank');
  const context = contextGiven(letter.context_code);
  const facts = await read(call, letter, who, context);
  const { attachments, threads, people, staff, groups } = facts;
  const courses = coursesUsed(context, who, facts);
  if (isRestricted(who, facts.courses)) throw conversationProblem('recipients', 'restricted by role');
  // Checked first: a recipient known only from a concluded course cannot be written to.
  if (courses.some((course) => course.isConcluded && !course.readsAsAdmin)) throw ended();
  const recipientIds = recipientsOf(facts.allowed, call.me.id);
  if (recipientIds.length === 0) throw conversationProblem('recipients', 'invalid');
  for (const course of courses) {
    const staffIds = staff.filter((one) => one.course_id === course.id).map((one) => one.user_id);
    const problem = refusalIn(course, recipientIds, staffIds);
    if (problem) throw problem;
  }
  if (isTooMany(letter.form, recipientIds.length)) throw conversationProblem('recipients', 'too many for group conversation');
  if (attachments.length < new Set(letter.attachment_ids).size) throw conversationProblem('attachment_ids', 'invalid');
  const keys = new Set(recipientIds.map((id) => privateKey(call.me.id, id)));
  return {
    ...letter,
    ...contextOf(context, courses, groups),
    recipientIds,
    threads: threads.filter((thread) => keys.has(thread.private_key ?? '')),
    people,
  };
}
