// Counters stored in rows, so that no query counts: folders, storage, entries, read marks.

import { now } from './now.ts';

interface Counting {
  /** The table whose active rows are counted. */
  readonly of: string;
  readonly name: string;
  /** Its column with the id of the counting row. */
  readonly key: string;
  readonly when?: string;
  readonly in: string;
  readonly count: string;
}

const countActive = ({ of, name, key, when, in: counting, count }: Counting) =>
  (['insert', 'update of workflow_state', 'delete'] as const).map((event) => {
    const row = event === 'delete' ? 'old' : 'new';
    const active = (side: string) => `(${side}.workflow_state = 'active')`;
    const difference = {
      insert: active('new'),
      'update of workflow_state': `${active('new')} - ${active('old')}`,
      delete: `-${active('old')}`,
    }[event];
    return `create trigger ${name}_${event.split(' ')[0]} after ${event} on ${of}${when ? ` when ${row}.${when}` : ''} begin
  update ${counting} set ${count} = ${count} + ${difference} where id = ${row}.${key};
end;`;
  });

/** Columns copied from other rows, kept in step. */
const copies = [
  // Activity of a section counts for its course.
  `create trigger copy_course_of_section after update of course_id on sections when new.course_id <> old.course_id begin
  update calendar_events set effective_context_code = 'course_' || new.course_id where context_code = 'course_section_' || new.id and workflow_state <> 'deleted';
end;`,
  ...countActive({
    of: 'discussion_entries',
    name: 'count_entries',
    key: 'discussion_topic_id',
    in: 'discussion_topics',
    count: 'entry_count',
  }),
];

/** Token counts of a developer key. */
const tokenCounts = [
  ...countActive({
    of: 'tokens',
    name: 'count_tokens',
    key: 'developer_key_id',
    when: 'developer_key_id is not null',
    in: 'developer_keys',
    count: 'access_token_count',
  }),
  `create trigger note_use_of_key after update of last_used_at on tokens when new.developer_key_id is not null begin
  update developer_keys set last_used_at = max(coalesce(last_used_at, ''), new.last_used_at) where id = new.developer_key_id and new.last_used_at is not null;
end;`,
];

/** Numbers of files and folders in a folder. */
const folderCounts = (
  [
    ['files', 'files_count', 'folder_id', 'available'],
    ['folders', 'folders_count', 'parent_folder_id', 'visible'],
  ] as const
).flatMap(([table, count, parent, live]) => {
  const counts = (row: 'new' | 'old') => `(${row}.workflow_state = '${live}')`;
  const add = (row: 'new' | 'old', sign: '+' | '-') =>
    `update folders set ${count} = ${count} ${sign} 1 where id = ${row}.${parent} and ${counts(row)};`;
  return [
    `create trigger count_${table}_insert after insert on ${table} when ${counts('new')} begin\n  ${add('new', '+')}\nend;`,
    `create trigger count_${table}_update after update of workflow_state, ${parent} on ${table} when ${counts('new')} <> ${counts('old')} or new.${parent} is not old.${parent} begin\n  ${add('old', '-')}\n  ${add('new', '+')}\nend;`,
    `create trigger count_${table}_delete after delete on ${table} when ${counts('old')} begin\n  ${add('old', '-')}\nend;`,
  ];
});

const metered = (row: 'new' | 'old') =>
  `(${row}.workflow_state = 'available' and ${row}.copied_from_id is null and ${row}.is_submitted = 0) * max(${row}.size, 512)`;
const place = (row: 'new' | 'old') => `storage.context_type = ${row}.context_type and storage.context_id = ${row}.context_id`;

/** Bytes that count against a quota: copies and submitted files do not, others count as at least 512 (reference 02 §8.6). */
const storageCounts = (['insert', 'update of workflow_state, size, copied_from_id, is_submitted', 'delete'] as const).map((event) => {
  const row = event === 'delete' ? 'old' : 'new';
  const difference = { insert: metered('new'), delete: `-${metered('old')}` }[event as 'insert'] ?? `${metered('new')} - ${metered('old')}`;
  return `create trigger count_storage_${event.split(' ')[0]} after ${event} on files begin
  insert into storage (context_type, context_id, bytes) select ${row}.context_type, ${row}.context_id, 0 where not exists (select 1 from storage where ${place(row)});
  update storage set bytes = bytes + (${difference}) where ${place(row)};
end;`;
});

/** A file's former bytes may be unused now: marks them for the collector. */
const released = [
  [
    'after update of workflow_state on files',
    "new.workflow_state = 'deleted' and old.workflow_state <> 'deleted' and old.blob_id is not null",
  ],
  ['after update of blob_id on files', 'old.blob_id is not null and new.blob_id is not old.blob_id'],
  ['after delete on files', 'old.blob_id is not null'],
].map(
  ([event, when], at) => `create trigger release_blob_${at} ${event} when ${when} begin
  update blobs set unsure_since = ${now} where id = old.blob_id;
end;`,
);

const isActive = (entry: string) => `(select count(*) from discussion_entries e where e.id = ${entry} and e.workflow_state = 'active')`;
const ofReader = (row: string) =>
  `discussion_topic_reads.discussion_topic_id = ${row}.discussion_topic_id and discussion_topic_reads.user_id = ${row}.user_id`;
const ofCounted = 'user_id in (select r.user_id from discussion_entry_reads r where r.discussion_entry_id = new.id and r.read = 1)';

/** Number of a topic's entries that each user has read. */
const readCounts = [
  `create trigger count_reads_insert after insert on discussion_entry_reads when new.read = 1 begin
  insert into discussion_topic_reads (discussion_topic_id, user_id) select new.discussion_topic_id, new.user_id where not exists (select 1 from discussion_topic_reads where ${ofReader('new')});
  update discussion_topic_reads set read_count = read_count + ${isActive('new.discussion_entry_id')} where ${ofReader('new')};
end;`,
  `create trigger count_reads_update after update of read on discussion_entry_reads when new.read <> old.read begin
  insert into discussion_topic_reads (discussion_topic_id, user_id) select new.discussion_topic_id, new.user_id where not exists (select 1 from discussion_topic_reads where ${ofReader('new')});
  update discussion_topic_reads set read_count = read_count + (new.read - old.read) * ${isActive('new.discussion_entry_id')} where ${ofReader('new')};
end;`,
  `create trigger count_reads_delete after delete on discussion_entry_reads when old.read = 1 begin
  update discussion_topic_reads set read_count = read_count - ${isActive('old.discussion_entry_id')} where ${ofReader('old')};
end;`,
  `create trigger count_reads_entry after update of workflow_state on discussion_entries when new.workflow_state <> old.workflow_state begin
  update discussion_topic_reads set read_count = read_count + (new.workflow_state = 'active') - (old.workflow_state = 'active') where discussion_topic_id = new.discussion_topic_id and ${ofCounted};
end;`,
];

export const countTriggers: readonly string[] = [...copies, ...tokenCounts, ...folderCounts, ...storageCounts, ...released, ...readCounts];
