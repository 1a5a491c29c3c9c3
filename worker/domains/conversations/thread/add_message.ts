// Adds a message to a conversation.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import { isActiveOrInvitedGrader } from '../../../contexts/predicates';
import { isInSelect, theIds } from '../../../database/ids';
import type { Database, ResultOf, ResultsOf, Statement } from '../../../database/open';
import { notifyOfInsert } from '../../../rules/notify';
import { isForAttachments } from '../../files/folders/paths';
import { folders } from '../../files/folders/table';
import { files } from '../../files/table';
import { conversationOfMessage } from '../json';
import { everyoneNamed, recipientsNamed } from '../recipients/named';
import { type RecipientReach, reachable } from '../recipients/reach';
import { conversation_messages } from '../table';
import { afterMessage, joiningParticipants, mostParticipants } from './changes';
import { claim, conversationProblem, inIt, onlyThread, readBack, settleTurn, type Turn, type TurnRows, theMessage, timeOf } from './turn';
import {
  giveMessages,
  keptMessagesOf,
  type LoadedThread,
  messageAt,
  ofThread,
  type PeopleRows,
  saveParticipants,
  type ThreadRows,
  threadStatements,
  threadsOf,
  unlessMoved,
} from './writes';

export interface Message {
  readonly body: string;
  readonly attachment_ids: readonly number[];
  readonly media_comment: Record<string, unknown> | null;
}

export interface Addition extends Turn, Message {
  /** Null means every participant. */
  readonly recipients: readonly string[] | null;
  /** Earlier messages to show to new participants. */
  readonly included_ids: readonly number[];
  readonly reach: RecipientReach;
  /** A course in which the caller may only write to its teachers and to the students they observe. */
  readonly onlyStaffOf: number | null;
  /** The conversation as already read by the request, with its attachments checked. */
  readonly seen?: { readonly threads: ThreadRows; readonly people: PeopleRows };
}

/** The ids that are files in the user's conversation attachments folder. */
export const sendable = ({ build }: Database, ids: readonly number[], me: number) =>
  build
    .select({ id: files.id })
    .from(files)
    .innerJoin(folders, eq(folders.id, files.folder_id))
    .where(
      and(
        isInSelect(files.id, theIds(ids)),
        eq(files.workflow_state, 'available'),
        eq(files.context_type, 'User'),
        eq(files.context_id, me),
        isForAttachments(folders.name),
      ),
    );

/** The participants who teach the course, and the students whom the user observes there. */
const teaching = (course_id: number, conversation_id: number, me: number): SQL =>
  sql`select user_id as id from enrollments where course_id = ${course_id} and ${isActiveOrInvitedGrader()} and user_id in (select user_id from conversation_participants where conversation_id = ${conversation_id})
    union select observed_user_id from enrollments where course_id = ${course_id} and user_id = ${me} and enrollment_state = 'active'`;

/** Every participant or, in a group conversation, the named ones; in a private conversation only the sender can be named instead. */
function whoHears(thread: LoadedThread, { me, recipients }: Addition, reached: readonly number[]): readonly number[] {
  const everybody = thread.participants.map((one) => one.user_id);
  if (recipients === null) return everybody;
  const isIn = (id: number) => everybody.includes(id);
  const chosen = [...new Set([...recipientsNamed(recipients).ids.filter(isIn), ...reached])].filter((id) => isIn(id) || !thread.private);
  if (chosen.length === 0) throw conversationProblem('recipients', 'invalid');
  if (chosen.every((id) => id === me)) return [me];
  return thread.private ? everybody : chosen;
}

interface Hearing {
  /** Recipients of the message. */
  readonly to: readonly number[];
  /** Recipients who are new to the conversation, and the messages they will see. */
  readonly joiners: readonly number[];
  readonly included: ResultOf<ReturnType<typeof keptMessagesOf>>;
}

/** The next message of a conversation; the batch fails if the conversation has changed since it was read. */
export function appendMessage(
  db: Database,
  thread: LoadedThread,
  { me, now, body, attachment_ids, media_comment }: Message & Pick<Turn, 'me' | 'now'>,
  { to, joiners, included }: Hearing,
): Statement[] {
  const { id, participants: before } = thread;
  const position = thread.position + 1;
  const created_at = timeOf(thread, now);
  const participants = [...before, ...joiningParticipants(joiners, included, created_at)];
  const said = { author_id: me, body, created_at, hasAttachments: attachment_ids.length > 0, hasMedia: media_comment !== null };
  return [
    unlessMoved(db, thread),
    db.build.insert(conversation_messages).values({
      conversation_id: id,
      position,
      author_id: me,
      body,
      limited: before.some((one) => one.user_id !== me && !to.includes(one.user_id)),
      attachment_ids: [...attachment_ids],
      media_comment,
      created_at,
    }),
    ...notifyOfInsert(db, conversation_messages, now),
    giveMessages(db, id, messageAt(id, position), [...new Set([me, ...to])]),
    giveMessages(db, id, sql`select value as id from json_each(${JSON.stringify(included.map((one) => one.id))})`, joiners),
    saveParticipants(db, id, afterMessage({ ...thread, participants }, said, to)),
  ];
}

export async function addMessage(db: Database, given: Addition): Promise<TurnRows> {
  const { conversation_id, me, included_ids, attachment_ids, onlyStaffOf } = given;
  const who = everyoneNamed(recipientsNamed(given.recipients ?? []));
  const load = [
    ...threadStatements(db, theIds([conversation_id])),
    db.build.all<{ id: number }>(sql`select distinct user_id as id from (${reachable(given.reach, who)})`),
    keptMessagesOf(db, conversation_id, me, included_ids),
    ofThread(db, conversation_id, included_ids),
    sendable(db, attachment_ids, me),
    db.build.all<{ id: number }>(teaching(onlyStaffOf ?? 0, conversation_id, me)),
  ] as const;
  const seen =
    given.seen && ([given.seen.threads, given.seen.people, [], [], [], attachment_ids.map((id) => ({ id })), []] as ResultsOf<typeof load>);
  return settleTurn(
    db,
    load,
    ([threads, people, reached, included, existing, attachments, staff]) => {
      const thread = onlyThread(threadsOf(threads, people));
      inIt(thread, me);
      const to = whoHears(
        thread,
        given,
        reached.map(({ id }) => id),
      );
      if (onlyStaffOf !== null && to.some((id) => id !== me && !staff.some((one) => one.id === id)))
        throw conversationProblem('recipients', 'replies are locked', 401);
      if (existing.length < new Set(included_ids).size) throw conversationProblem('included_messages', 'not for this conversation');
      if (included.length < existing.length) throw conversationProblem('included_messages', 'not a participant');
      if (attachments.length < new Set(attachment_ids).size) throw conversationProblem('attachment_ids', 'invalid');

      const position = thread.position + 1;
      const joiners = to.filter((id) => !thread.participants.some((one) => one.user_id === id));
      if (thread.participants.length + joiners.length > mostParticipants)
        throw conversationProblem('recipients', 'too many for group conversation');
      return {
        write: appendMessage(db, thread, given, { to, joiners, included }),
        tell: readBack(db, given, conversationOfMessage, theMessage(conversation_id, position)),
        claim: claim(db, given, sql`(select json_group_array(id) from (${messageAt(conversation_id, position)}))`),
      };
    },
    seen,
  );
}
