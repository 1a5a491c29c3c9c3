// A message before it is sent: its recipients, and whether the sender may write to them.

import { and, ne, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../../contexts/course';
import { isActiveOrInvitedGrader } from '../../../contexts/predicates';
import { courseStatements, coursesOf } from '../../../contexts/several';
import { theIds } from '../../../database/ids';
import type { Call } from '../../../http/call';
import { users } from '../../users/table';
import { contextNamed, coursesNamed, everyoneNamed, groupsNamed, type Named, type NamedContext, named } from '../recipients/named';
import { reachable, reachOf } from '../recipients/reach';
import { type Message, sendable } from '../thread/add_message';
import { mostParticipants, privateKey } from '../thread/changes';
import { refusal } from '../thread/turn';
import { type PeopleRows, type ThreadRows, threadStatements } from '../thread/writes';

/** One group conversation, one private conversation with each, or a new one with each. */
export type Form = 'group' | 'each' | 'each_new';

export interface Letter extends Message {
  readonly recipients: readonly string[];
  readonly subject: string | null;
  readonly context_code: string | undefined;
  readonly from_conversation_id: number | undefined;
  readonly form: Form;
}

/** A message with its recipients resolved and permitted. */
export interface Parcel extends Message {
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
export type BatchOptions = Pick<Parcel, 'form' | 'context_type' | 'context_id' | 'attachment_ids' | 'media_comment'>;

/** `privateKey` in SQL. Casts, because numbers are bound as reals and would be printed with a decimal point. */
const keysWith = (me: number, who: SQL) =>
  sql`select case when p.user_id = me.id then cast(p.user_id as text) else min(p.user_id, me.id) || ',' || max(p.user_id, me.id) end
    from (${who}) p, (select cast(${me} as integer) as id) me`;

/** Reads everything needed to validate a message, in one round trip. */
async function read(call: Call, letter: Letter, who: Named, context: NamedContext | undefined) {
  const { db, me } = call;
  const everyone = everyoneNamed(who);
  const existing =
    letter.form === 'each' ? sql`select id from conversations where private_key in (${keysWith(me.id, everyone)})` : theIds([]);
  const fellows = sql`select user_id from conversation_participants where conversation_id = ${letter.from_conversation_id ?? 0} and exists (select 1 from conversation_participants me where me.conversation_id = ${letter.from_conversation_id ?? 0} and me.user_id = ${me.id})`;
  const [allowed, attachments, threads, people, staff, groups, ...courses] = await db.perform([
    db.build
      .select({ id: users.id })
      .from(users)
      .where(
        and(
          sql`(${users.id} in (${reachable(reachOf(call), everyone)}) or (${users.id} in (${everyone}) and ${users.id} in (${fellows})))`,
          ne(users.workflow_state, 'deleted'),
        ),
      )
      .orderBy(users.id),
    sendable(db, letter.attachment_ids, me.id),
    ...threadStatements(db, existing),
    db.build.all<{ user_id: number; course_id: number }>(
      sql`select user_id, course_id from enrollments where user_id in (${everyone}) and course_id in (${coursesNamed(who, context)}) and ${isActiveOrInvitedGrader()}`,
    ),
    db.build.all<{ group_id: number }>(
      sql`select m.group_id from group_memberships m join groups g on g.id = m.group_id where m.user_id = ${me.id} and m.workflow_state = 'accepted' and g.workflow_state = 'available'
        and m.group_id in (select value from json_each(${groupsNamed([...(context ? [context] : []), ...who.contexts])})) order by m.group_id`,
    ),
    ...courseStatements(db, coursesNamed(who, context), me),
  ]);
  return {
    allowed: allowed.map(({ id }) => id),
    attachments,
    threads,
    people,
    staff,
    groups: groups.map(({ group_id }) => group_id),
    courses: coursesOf(courses, me, call.institution, call.now),
  };
}

const studentsMayNot = new Set(['students', 'observers', undefined]);

const ended = () => refusal('Course concluded', 'Unable to send messages');

/** Reference 05 §6.3: the reason why the sender may not write to these recipients in this course, if any. */
function refusalIn(course: CourseContext, recipientIds: readonly number[], staffIds: readonly number[]) {
  // Teachers may still write after the course is concluded.
  if (course.isConcluded) return course.readsAsAdmin ? undefined : ended();
  const isFree = recipientIds.every((id) => staffIds.includes(id) || course.observedIds.includes(id));
  if (!course.can('send_messages') && !isFree) return refusal(`Unable to send messages to users in ${course.name}`, '');
  return undefined;
}

/** @throws Problem 400 with the attribute that prevents sending */
export async function address(call: Call, letter: Letter): Promise<Parcel> {
  const who = named(letter.recipients);
  if (letter.recipients.length === 0) throw refusal('recipients', 'blank');
  if (letter.body.trim() === '') throw refusal('body', 'blank');
  const code = letter.context_code === undefined ? undefined : contextNamed(letter.context_code);
  if (letter.context_code !== undefined && !code && !/^account_\d+$/.test(letter.context_code)) throw refusal('context_code', 'invalid');

  const { allowed, attachments, threads, people, staff, groups, courses } = await read(call, letter, who, code);
  const context = code?.kind === 'course' ? courses.find((course) => course.id === code.id) : undefined;
  if (code?.kind === 'course' && !context?.canRead) throw refusal('context_code', 'invalid');
  if (code?.kind === 'group' && !groups.includes(code.id)) throw refusal('context_code', 'invalid');
  for (const { kind, id, part } of who.contexts) {
    const course = kind === 'course' && courses.find((one) => one.id === id);
    if (course && studentsMayNot.has(part) && !course.can('send_messages_all')) throw refusal('recipients', 'restricted by role');
  }
  const inCourses = context
    ? [context]
    : courses.filter((course) => who.contexts.some((one) => one.kind === 'course' && one.id === course.id));
  // Checked first: a recipient known only from a concluded course cannot be written to.
  for (const course of inCourses) if (course.isConcluded && !course.readsAsAdmin) throw ended();
  const others = allowed.filter((id) => id !== call.me.id);
  const recipientIds = others.length > 0 ? others : allowed;
  if (recipientIds.length === 0) throw refusal('recipients', 'invalid');
  for (const course of inCourses) {
    const problem = refusalIn(
      course,
      recipientIds,
      staff.filter((one) => one.course_id === course.id).map((one) => one.user_id),
    );
    if (problem) throw problem;
  }
  if (letter.form === 'group' ? recipientIds.length >= mostParticipants : letter.form === 'each' && recipientIds.length > mostParticipants)
    throw refusal('recipients', 'too many for group conversation');
  if (attachments.length < new Set(letter.attachment_ids).size) throw refusal('attachment_ids', 'invalid');
  // A group named as the context takes precedence over the recipients' course.
  const group_id = code?.kind === 'group' ? code.id : inCourses.length > 0 ? undefined : groups[0];
  const context_id = group_id ?? inCourses[0]?.id ?? null;
  const keys = new Set(recipientIds.map((id) => privateKey(call.me.id, id)));
  return {
    ...letter,
    context_type: context_id === null ? null : group_id === undefined ? 'Course' : 'Group',
    context_id,
    recipientIds,
    threads: threads.filter((thread) => keys.has(thread.private_key ?? '')),
    people,
  };
}
