// What a student has written in a graded discussion, as part of the submission. Entries of anonymous discussions name no one, so they are left out.

import { type SQL, sql } from 'drizzle-orm';
import { shared } from '../../../database/shared';
import { withHost } from '../../../html/addresses';
import type { Call } from '../../../http/call';
import { avatarOf } from '../../users/display';

/** The newest entries of a student that a submission contains. */
const mostEntries = 50;

interface Entry {
  readonly id: number;
  readonly parent_id: number | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly rating_count: number;
  readonly rating_sum: number;
  readonly user_id: number;
  readonly user_name: string;
  readonly avatar_url: string | null;
  readonly message: string | null;
  readonly read: number | null;
  readonly forced: number | null;
}

/** The topic of the submission's assignment, and its topics in groups. */
const topics = sql.raw(`select r.id from discussion_topics r where r.assignment_id = submissions.assignment_id
  union all select part.id from discussion_topics r join discussion_topics part on part.root_topic_id = r.id where r.assignment_id = submissions.assignment_id`);

/** In a course, read once for all submissions of a page, because most assignments are no discussions. */
const graded = ({ course }: Pick<Call, 'course'>): SQL =>
  course
    ? sql`select g.assignment_id from discussion_topics g where g.context_type = 'Course' and g.context_id = ${shared('course', course.id)} and g.assignment_id is not null`
    : sql`select g.assignment_id from discussion_topics g where g.assignment_id = submissions.assignment_id`;

const fields = [
  ...['id', 'parent_id', 'created_at', 'updated_at', 'rating_count', 'rating_sum', 'user_id', 'message'].map(
    (name) => `'${name}', e.${name}`,
  ),
  ...["'user_name', u.short_name", "'avatar_url', u.avatar_url", "'read', m.read", "'forced', m.forced"],
].join(', ');

/** For a row of `submissions`; null unless the assignment is a discussion. */
export const entriesColumn = (call: Pick<Call, 'me' | 'course'>): SQL<string | null> =>
  sql<string | null>`case when submissions.assignment_id in (${graded(call)}) then (select json_group_array(json_object(${sql.raw(fields)}))
      from (select e.* from discussion_topics t cross join discussion_entries e on e.discussion_topic_id = t.id and e.user_id = submissions.user_id
          where t.id in (${topics}) and t.workflow_state <> 'deleted' and t.anonymous_state is null and e.workflow_state = 'active' order by e.id desc limit ${sql.raw(String(mostEntries))}) e
        join users u on u.id = e.user_id left join discussion_entry_reads m on m.discussion_entry_id = e.id and m.user_id = ${shared('user', call.me.id)}) end`;

/** Oldest first. */
export const entriesJson = (said: string | null, { origin }: Pick<Call, 'origin'>) =>
  said === null
    ? undefined
    : (JSON.parse(said) as Entry[])
        .toSorted((a, b) => a.id - b.id)
        .map(({ avatar_url, read, forced, ...entry }) => ({
          ...entry,
          user: { id: entry.user_id, display_name: entry.user_name, avatar_image_url: avatarOf({ avatar_url }, origin) },
          message: withHost(entry.message, origin),
          read_state: read === 1 ? 'read' : 'unread',
          forced_read_state: forced === 1,
        }));
