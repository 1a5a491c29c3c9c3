// Conversations in a user merge: private ones are identified by their two participants, and each participant's copy has counts.

import type { Database, Statement } from '../../database/open';
import { type MergeDirection, type MergePair, noteMerge, openMerge, runSql, underWay } from './passing';

const kind = 'conversations.private_key';

/** The other participant of a private conversation `c`. */
const other = (me: number) =>
  `cast(case when c.private_key like ${me} || ',%' then substr(c.private_key, length(${me}) + 2) else c.private_key end as integer)`;

export const noteThreads = (db: Database, { source, destination }: MergePair): Statement[] => [
  noteMerge(db, { source, destination }, kind, {
    key: 'json_array(c.id)',
    before: 'c.private_key',
    from: `conversation_participants p join conversations c on c.id = p.conversation_id
      where p.user_id = ${source} and c.private_key is not null and ${other(source)} not in (${source}, ${destination})`,
  }),
];

const keyOf = (one: string, two: string) => `min(${one}, ${two}) || ',' || max(${one}, ${two})`;

/** When the destination already has a private conversation with the same person, that one stays the private one. */
export function passThreads(db: Database, pair: MergePair, way: MergeDirection): Statement[] {
  const notes = `from user_merge_items where ${underWay(pair, kind, way)}`;
  if (way === 'back')
    return [
      runSql(
        db,
        `update or ignore conversations as c set private_key = (select before ${notes} and row_key ->> '$[0]' = c.id)
          where c.id in (select row_key ->> '$[0]' ${notes})`,
      ),
    ];
  const key = keyOf(other(pair.source), String(pair.destination));
  return [
    runSql(
      db,
      `update conversations as c set private_key = (case when exists (select 1 from conversations o where o.private_key = ${key}) then null else ${key} end)
        where c.id in (select row_key ->> '$[0]' ${notes})`,
    ),
  ];
}

const preview = "(case when length(m.body) <= 100 then m.body else substr(m.body, 1, 97) || '...' end)";

/** Recomputes a user's copy (conversations/thread/changes.ts `withOnly`) in conversations that both were in. */
export function recount(db: Database, pair: MergePair, person: number): Statement {
  const messages = `conversation_message_participants v join conversation_messages m on m.id = v.conversation_message_id
    where v.conversation_id = conversation_participants.conversation_id and v.user_id = ${person} and v.hidden = 0 and m.generated = 0`;
  const own = `m.author_id = ${person}`;
  const newest = (what: string, which = '1', more = '') =>
    `(select ${what} from ${messages} and ${which}${more} order by m.position desc limit 1)`;
  const isAnswered = ` and exists (select 1 from ${messages.replaceAll('v.', 'w.').replaceAll('m.', 'n.').replace(' v ', ' w ').replace(' m ', ' n ')} and n.author_id <> ${person})`;
  const fields: Record<string, string> = {
    message_count: `(select count(*) from ${messages})`,
    authored_count: `(select count(*) from ${messages} and ${own})`,
    last_message: newest(preview, '1', isAnswered),
    last_message_at: newest('m.created_at', '1', isAnswered),
    last_authored_message: newest(preview, own),
    last_authored_message_at: newest('m.created_at', own),
    moved_at: `coalesce(${newest('m.created_at')}, '')`,
    version: 'version + 1',
  };
  const shared = `select p.conversation_id from conversation_participants p join conversation_participants o on o.conversation_id = p.conversation_id and o.user_id = ${pair.destination} where p.user_id = ${pair.source}`;
  return runSql(
    db,
    `update conversation_participants set ${Object.entries(fields)
      .map(([name, value]) => `${name} = ${value}`)
      .join(', ')}
      where user_id = ${person} and conversation_id in (${shared}) and ${openMerge(pair)} is not null`,
  );
}
