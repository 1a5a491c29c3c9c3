// Counters stored in rows, so that no query counts: folders, storage, entries, read marks.

import { nowSql } from './now.ts';
import { everyEvent, trigger } from './trigger.ts';

interface Counting {
  /** The table whose active rows are counted. */
  readonly of: string;
  readonly name: string;
  /** Its column with the id of the counting row. */
  readonly key: string;
  readonly when?: string;
  readonly in: string;
  readonly count: string;
  readonly purpose: string;
}

const countActive = ({ of, name, key, when, in: counting, count, purpose }: Counting) =>
  everyEvent.map((event) => {
    const row = event === 'delete' ? 'old' : 'new';
    const active = (side: string) => `(${side}.workflow_state = 'active')`;
    const difference = { insert: active('new'), update: `${active('new')} - ${active('old')}`, delete: `-${active('old')}` }[event];
    return trigger({
      on: of,
      name: `${name}_${event}`,
      event,
      ...(event === 'update' && { of: ['workflow_state'] }),
      ...(when && { when: `${row}.${when}` }),
      run: [`update ${counting} set ${count} = ${count} + ${difference} where id = ${row}.${key};`],
      purpose,
    });
  });

/** Columns copied from other rows, kept in step. */
const copies = [
  // Activity of a section counts for its course.
  trigger({
    on: 'sections',
    name: 'copy_course_to_events',
    event: 'update',
    of: ['course_id'],
    when: 'new.course_id <> old.course_id',
    run: [
      "update calendar_events set effective_context_code = 'course_' || new.course_id where context_code = 'course_section_' || new.id and workflow_state <> 'deleted';",
    ],
    purpose: 'Copy the course of a section to its events.',
  }),
  ...countActive({
    of: 'discussion_entries',
    name: 'count_entries',
    purpose: 'Count the active entries of a topic.',
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
    purpose: 'Count the active tokens of a developer key.',
    key: 'developer_key_id',
    when: 'developer_key_id is not null',
    in: 'developer_keys',
    count: 'access_token_count',
  }),
  trigger({
    on: 'tokens',
    name: 'note_use_of_key',
    event: 'update',
    of: ['last_used_at'],
    when: 'new.developer_key_id is not null',
    run: [
      "update developer_keys set last_used_at = max(coalesce(last_used_at, ''), new.last_used_at) where id = new.developer_key_id and new.last_used_at is not null;",
    ],
    purpose: 'Copy the last use of a token to its developer key.',
  }),
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
  const facts = { on: table, purpose: `Count the ${table} of a folder.` };
  return [
    trigger({ ...facts, name: 'count_in_folder_insert', event: 'insert', when: counts('new'), run: [add('new', '+')] }),
    trigger({
      ...facts,
      name: 'count_in_folder_update',
      event: 'update',
      of: ['workflow_state', parent],
      when: `${counts('new')} <> ${counts('old')} or new.${parent} is not old.${parent}`,
      run: [add('old', '-'), add('new', '+')],
    }),
    trigger({ ...facts, name: 'count_in_folder_delete', event: 'delete', when: counts('old'), run: [add('old', '-')] }),
  ];
});

const metered = (row: 'new' | 'old') =>
  `(${row}.workflow_state = 'available' and ${row}.copied_from_id is null and ${row}.is_submitted = 0) * max(${row}.size, 512)`;
const place = (row: 'new' | 'old') => `storage.context_type = ${row}.context_type and storage.context_id = ${row}.context_id`;

/** Bytes that count against a quota: copies and submitted files do not, others count as at least 512 (reference 02 §8.6). */
const storageCounts = everyEvent.map((event) => {
  const row = event === 'delete' ? 'old' : 'new';
  const difference = { insert: metered('new'), update: `${metered('new')} - ${metered('old')}`, delete: `-${metered('old')}` }[event];
  return trigger({
    on: 'files',
    name: `count_storage_${event}`,
    event,
    ...(event === 'update' && { of: ['workflow_state', 'size', 'copied_from_id', 'is_submitted'] }),
    run: [
      `insert into storage (context_type, context_id, bytes) select ${row}.context_type, ${row}.context_id, 0 where not exists (select 1 from storage where ${place(row)});`,
      `update storage set bytes = bytes + (${difference}) where ${place(row)};`,
    ],
    purpose: 'Count the bytes of a context against its quota.',
  });
});

/** A file's former bytes may be unused now: marks them for the collector. */
const released = (
  [
    [
      'release_blob_of_deleted',
      'update',
      'workflow_state',
      "new.workflow_state = 'deleted' and old.workflow_state <> 'deleted' and old.blob_id is not null",
    ],
    ['release_blob_of_replaced', 'update', 'blob_id', 'old.blob_id is not null and new.blob_id is not old.blob_id'],
    ['release_blob_of_removed', 'delete', undefined, 'old.blob_id is not null'],
  ] as const
).map(([name, event, column, when]) =>
  trigger({
    on: 'files',
    name,
    event,
    ...(column && { of: [column] }),
    when,
    run: [`update blobs set unsure_since = ${nowSql} where id = old.blob_id;`],
    purpose: 'Queue a check whether the bytes are still in use.',
  }),
);

const isActive = (entry: string) => `(select count(*) from discussion_entries e where e.id = ${entry} and e.workflow_state = 'active')`;
const ofReader = (row: string) =>
  `discussion_topic_reads.discussion_topic_id = ${row}.discussion_topic_id and discussion_topic_reads.user_id = ${row}.user_id`;
const ofCounted = 'user_id in (select r.user_id from discussion_entry_reads r where r.discussion_entry_id = new.id and r.read = 1)';

const ofTopic =
  'insert into discussion_topic_reads (discussion_topic_id, user_id) select new.discussion_topic_id, new.user_id where not exists (select 1 from discussion_topic_reads where ';

/** Number of a topic's entries that each user has read. */
const readCounts = [
  trigger({
    on: 'discussion_entry_reads',
    name: 'count_reads_insert',
    event: 'insert',
    when: 'new.read = 1',
    run: [
      `${ofTopic}${ofReader('new')});`,
      `update discussion_topic_reads set read_count = read_count + ${isActive('new.discussion_entry_id')} where ${ofReader('new')};`,
    ],
    purpose: 'Count the entries of a topic that a user has read.',
  }),
  trigger({
    on: 'discussion_entry_reads',
    name: 'count_reads_update',
    event: 'update',
    of: ['read'],
    when: 'new.read <> old.read',
    run: [
      `${ofTopic}${ofReader('new')});`,
      `update discussion_topic_reads set read_count = read_count + (new.read - old.read) * ${isActive('new.discussion_entry_id')} where ${ofReader('new')};`,
    ],
    purpose: 'Count the entries of a topic that a user has read.',
  }),
  trigger({
    on: 'discussion_entry_reads',
    name: 'count_reads_delete',
    event: 'delete',
    when: 'old.read = 1',
    run: [`update discussion_topic_reads set read_count = read_count - ${isActive('old.discussion_entry_id')} where ${ofReader('old')};`],
    purpose: 'Count the entries of a topic that a user has read.',
  }),
  trigger({
    on: 'discussion_entries',
    name: 'count_reads',
    event: 'update',
    of: ['workflow_state'],
    when: 'new.workflow_state <> old.workflow_state',
    run: [
      `update discussion_topic_reads set read_count = read_count + (new.workflow_state = 'active') - (old.workflow_state = 'active') where discussion_topic_id = new.discussion_topic_id and ${ofCounted};`,
    ],
    purpose: 'Uncount a deleted entry for those who have read it.',
  }),
];

export const countTriggers = [...copies, ...tokenCounts, ...folderCounts, ...storageCounts, ...released, ...readCounts];
