// What must hold after a soak, whatever failed meanwhile. Each check returns what is wrong.

import type { D1Database } from '@cloudflare/workers-types';
import type { Promised, SoakLedger } from './deeds';

interface Check {
  readonly name: string;
  /** Returns the rows for which it does not hold. */
  readonly sql: string;
}

const metered = `(f.workflow_state = 'available' and f.copied_from_id is null and f.is_submitted = 0) * max(f.size, 512)`;

export const rowChecks: readonly Check[] = [
  {
    name: 'positions of messages have no gap and no repetition',
    sql: `select conversation_id, count(*) as messages, min(position) as first, max(position) as last from conversation_messages
      group by conversation_id having count(*) <> max(position) or min(position) <> 1 or count(distinct position) <> count(*)`,
  },
  {
    name: 'two people have one private conversation',
    sql: 'select private_key, count(*) from conversations where private_key is not null group by private_key having count(*) > 1',
  },
  {
    name: 'each participant counts the messages that they have',
    sql: `select p.conversation_id, p.user_id, p.message_count,
        (select count(*) from conversation_message_participants v where v.conversation_id = p.conversation_id and v.user_id = p.user_id and v.hidden = 0) as has
      from conversation_participants p where message_count <> has`,
  },
  {
    name: 'each message reached each participant of its conversation',
    sql: `select m.id from conversation_messages m join conversation_participants p on p.conversation_id = m.conversation_id
      where m.limited = 0 and p.joined_at <= m.created_at and not exists (select 1 from conversation_message_participants v
        where v.conversation_id = m.conversation_id and v.user_id = p.user_id and v.conversation_message_id = m.id)`,
  },
  {
    name: 'an enrollment exists once',
    sql: `select user_id, course_section_id, type, role_id, observed_user_id, count(*) from enrollments where enrollment_state <> 'deleted'
      group by 1, 2, 3, 4, 5 having count(*) > 1`,
  },
  {
    name: 'topics count their entries',
    sql: `select t.id, t.entry_count, (select count(*) from discussion_entries e where e.discussion_topic_id = t.id and e.workflow_state = 'active') as has
      from discussion_topics t where t.entry_count <> has`,
  },
  {
    name: 'folders count their files',
    sql: `select d.id, d.files_count, (select count(*) from files f where f.folder_id = d.id and f.workflow_state = 'available') as has
      from folders d where d.files_count <> has`,
  },
  {
    name: 'folders count their folders',
    sql: `select d.id, d.folders_count, (select count(*) from folders c where c.parent_folder_id = d.id and c.workflow_state = 'visible') as has
      from folders d where d.folders_count <> has`,
  },
  {
    name: 'used storage is the sum of the files',
    sql: `select s.context_type, s.context_id, s.bytes,
        (select coalesce(sum(${metered}), 0) from files f where f.context_type = s.context_type and f.context_id = s.context_id) as has
      from storage s where s.bytes <> has`,
  },
  {
    name: 'every available file has its bytes',
    sql: "select f.id from files f where f.workflow_state = 'available' and not exists (select 1 from blobs b where b.id = f.blob_id and b.size = f.size)",
  },
  {
    name: 'unused bytes are marked for the collector',
    sql: `select b.id from blobs b where b.unsure_since is null and not exists (select 1 from files f where f.blob_id = b.id and f.workflow_state <> 'deleted')
      and not exists (select 1 from file_versions v where v.blob_id = b.id)`,
  },
  {
    name: 'no message, entry, submission or enrollment is without what it belongs to',
    sql: `select 'message', m.id from conversation_messages m where not exists (select 1 from conversations c where c.id = m.conversation_id)
      union all select 'copy', v.conversation_message_id from conversation_message_participants v
        where not exists (select 1 from conversation_messages m where m.id = v.conversation_message_id)
      union all select 'entry', e.id from discussion_entries e where not exists (select 1 from discussion_topics t where t.id = e.discussion_topic_id)
      union all select 'submission', s.id from submissions s where not exists (select 1 from assignments a where a.id = s.assignment_id)
      union all select 'enrollment', e.id from enrollments e where not exists (select 1 from sections s where s.id = e.course_section_id)`,
  },
  {
    name: 'no job was given up',
    sql: 'select id, job, error from dead_letters',
  },
];

const some = (rows: readonly unknown[]): string => `${rows.length}: ${JSON.stringify(rows.slice(0, 3))}`;

/** @returns one line for each check that does not hold */
export async function wrongRows(d1: D1Database): Promise<string[]> {
  const wrong: string[] = [];
  for (const { name, sql } of rowChecks) {
    const { results } = await d1.prepare(sql).all();
    if (results.length > 0) wrong.push(`${name}, but not for ${some(results)}`);
  }
  return wrong;
}

function wrongTexts(name: string, { accepted, unsure }: Promised, found: readonly string[]): string[] {
  const times = new Map<string, number>();
  for (const text of found) times.set(text, (times.get(text) ?? 0) + 1);
  const lost = [...accepted].filter((text) => !times.has(text));
  const repeated = [...times].filter(([, count]) => count > 1);
  const invented = [...times.keys()].filter((text) => !accepted.has(text) && !unsure.has(text));
  return [
    ...(lost.length > 0 ? [`${name} that were accepted are missing, ${some(lost)}`] : []),
    ...(repeated.length > 0 ? [`${name} exist more than once, ${some(repeated)}`] : []),
    ...(invented.length > 0 ? [`${name} were refused and exist, ${some(invented)}`] : []),
  ];
}

/** What people were promised, against the rows. */
export async function wrongPromises(d1: D1Database, ledger: SoakLedger): Promise<string[]> {
  const texts = async (sql: string) => (await d1.prepare(sql).all<{ text: string }>()).results.map(({ text }) => text);
  const { results } = await d1
    .prepare("select user_id || ' ' || course_id as key, count(*) as n from enrollments where enrollment_state = 'active' group by 1")
    .all<{ key: string; n: number }>();
  const active = new Set(results.map(({ key }) => key));
  const unlike = [...ledger.enrolled].filter(([key, is]) => is !== undefined && is !== active.has(key));
  return [
    ...wrongTexts('messages', ledger.messages, await texts("select body as text from conversation_messages where body like 'soak %'")),
    ...wrongTexts('entries', ledger.entries, await texts("select message as text from discussion_entries where message like 'soak %'")),
    ...wrongTexts('notes', ledger.notes, await texts("select title as text from planner_notes where title like 'soak %'")),
    ...(unlike.length > 0 ? [`enrollments are not what was answered, ${some(unlike)}`] : []),
  ];
}

/** Objects in storage against the rows that refer to them. A blob's row is written before its bytes. */
export async function wrongObjects(d1: D1Database, keys: readonly string[]): Promise<string[]> {
  const { results } = await d1.prepare('select key, unsure_since from blobs').all<{ key: string; unsure_since: string | null }>();
  const rows = new Set(results.map(({ key }) => key));
  const there = new Set(keys);
  const orphans = keys.filter((key) => key.startsWith('blobs/') && !rows.has(key));
  const missing = results.filter(({ key, unsure_since }) => unsure_since === null && !there.has(key));
  return [
    ...(orphans.length > 0 ? [`objects have no row, ${some(orphans)}`] : []),
    ...(missing.length > 0 ? [`bytes are missing, ${some(missing)}`] : []),
  ];
}
