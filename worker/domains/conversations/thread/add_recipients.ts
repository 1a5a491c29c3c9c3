// Adds participants to a group conversation: they see its messages to everyone, and a generated message announces them.

import { and, sql } from 'drizzle-orm';
import { theIds } from '../../../database/ids';
import type { Database } from '../../../database/open';
import { Problem } from '../../../http/problem';
import { notifyOfInsert } from '../../../rules/notify';
import { users } from '../../users/table';
import { conversationOfMessage } from '../json';
import { everyoneNamed, recipientsNamed } from '../recipients/named';
import { type RecipientReach, reachable } from '../recipients/reach';
import { conversation_messages } from '../table';
import { joiningParticipants, mostParticipants } from './changes';
import { claim, conversationProblem, inIt, onlyThread, readBack, settleTurn, type Turn, type TurnRows, theMessage, timeOf } from './turn';
import { giveMessages, messageAt, openToAll, saveParticipants, threadStatements, threadsOf, unlessMoved } from './writes';

export interface Invitation extends Turn {
  readonly recipients: readonly string[];
  readonly reach: RecipientReach;
}

const listed = (names: readonly string[]) =>
  names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)} were` : `${names[0]} was`;

export async function addRecipients(db: Database, given: Invitation): Promise<TurnRows> {
  const { conversation_id, me } = given;
  const who = everyoneNamed(recipientsNamed(given.recipients));
  const load = [
    ...threadStatements(db, theIds([conversation_id])),
    db.build
      .select({ id: users.id, short_name: users.short_name })
      .from(users)
      .where(and(sql`(${users.id} in (${reachable(given.reach, who)}) or ${users.id} = ${me})`, sql`${users.workflow_state} <> 'deleted'`))
      .orderBy(users.id),
    openToAll(db, conversation_id),
  ] as const;
  return settleTurn(db, load, ([threads, people, known, earlier]) => {
    const thread = onlyThread(threadsOf(threads, people));
    inIt(thread, me);
    const newcomers = known.filter(({ id }) => !thread.participants.some((one) => one.user_id === id));
    if (thread.private || newcomers.length === 0) throw new Problem(400, {});
    if (thread.participants.length + newcomers.length > mostParticipants)
      throw conversationProblem('recipients', 'too many participants for group conversation');
    const ids = newcomers.map(({ id }) => id);
    const position = thread.position + 1;
    const created_at = timeOf(thread, given.now);
    const body = `${listed(newcomers.map((one) => one.short_name))} added to the conversation by ${known.find(({ id }) => id === me)?.short_name ?? ''}`;
    const toAll = sql`select id from conversation_messages where conversation_id = ${conversation_id} and limited = 0`;
    return {
      write: [
        unlessMoved(db, thread),
        db.build.insert(conversation_messages).values({ conversation_id, position, author_id: me, body, generated: true, created_at }),
        ...notifyOfInsert(db, conversation_messages, given.now),
        giveMessages(
          db,
          conversation_id,
          messageAt(conversation_id, position),
          thread.participants.map((one) => one.user_id),
        ),
        giveMessages(db, conversation_id, toAll, ids),
        saveParticipants(db, conversation_id, joiningParticipants(ids, earlier, created_at)),
      ],
      tell: readBack(db, given, conversationOfMessage, theMessage(conversation_id, position)),
      claim: claim(db, given, sql`(select json_group_array(id) from (${messageAt(conversation_id, position)}))`),
    };
  });
}
