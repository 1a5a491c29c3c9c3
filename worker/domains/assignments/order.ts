// Orders and buckets of assignment lists (reference 03 §1.1), on the dates that bind whoever looks.

import { type SQL, sql } from 'drizzle-orm';
import type { Call } from '../../http/call';
import { ascending, type Listing } from '../../http/listing';
import { assignment_groups } from '../assignment_groups/table';
import { awaitingGrades } from './columns';
import { effectiveDate } from './reach';
import { assignments } from './table';
import { eyes, overridesSeen, seesAsStaff } from './viewpoint';

export const orders = ['position', 'name', 'due_at'] as const;
export const buckets = ['past', 'overdue', 'undated', 'ungraded', 'unsubmitted', 'upcoming', 'future'] as const;
export type Bucket = (typeof buckets)[number];

const due = (call: Call): SQL => effectiveDate('due_at', overridesSeen(call), call.now);
const never = '9999';

/** How a list is ordered, and read in that order: by position it walks the groups, and each group in its own order. */
export function ordered(by: (typeof orders)[number], call: Call): Pick<Listing, 'order' | 'from' | 'join' | 'after'> {
  const { id, name, position } = assignments;
  if (by === 'name') return { order: ascending(sql`lower(${name})`, position, id) };
  // Without a due date last.
  if (by === 'due_at') return { order: ascending(sql`coalesce(${due(call)}, ${never})`, sql`lower(${name})`, id) };
  const group = assignment_groups;
  return {
    from: group,
    join: (select) => select.crossJoin(assignments),
    order: ascending(group.position, group.id, position, id),
    after: ([groupPosition, groupId, afterPosition, afterId]) =>
      sql`(${group.position}, ${group.id}) >= (${groupPosition}, ${groupId}) and (${position}, ${id}) >
        (case when ${group.id} = ${groupId} then ${afterPosition} else -1 end, case when ${group.id} = ${groupId} then ${afterId} else 0 end)`,
  };
}

/** Belongs to the order by position: which groups are walked. */
export const inGroups = (course_id: number, groupId?: number): SQL =>
  sql`assignments.assignment_group_id = assignment_groups.id and assignment_groups.course_id = ${course_id} and assignment_groups.workflow_state = 'available'${groupId === undefined ? sql`` : sql` and assignment_groups.id = ${groupId}`}`;

const expects = sql`exists (select 1 from json_each(assignments.submission_types) t where t.value not in ('', 'none', 'not_graded', 'on_paper', 'wiki_page', 'external_tool'))`;
const weekLater = (now: string) => `${new Date(Date.parse(now) + 7 * 86_400_000).toISOString().slice(0, 19)}Z`;

export function inBucket(bucket: Bucket, call: Call): SQL {
  const at = due(call);
  const { now } = call;
  const mine = (condition: SQL) =>
    sql`exists (select 1 from submissions where assignment_id = assignments.id and user_id in (${eyes(call)}) and ${condition})`;
  const isStaff = call.course !== undefined && seesAsStaff(call.course, call);
  const handedIn = isStaff
    ? sql`exists (select 1 from submissions where assignment_id = assignments.id and submission_type is not null)`
    : mine(sql`submission_type is not null`);
  switch (bucket) {
    case 'past':
      return sql`${at} < ${now}`;
    case 'undated':
      return sql`${at} is null`;
    case 'upcoming':
      return sql`${at} between ${now} and ${weekLater(now)}`;
    case 'future':
      return sql`coalesce(${at}, ${never}) >= ${now}`;
    case 'overdue':
      return sql`${at} < ${now} and ${expects} and coalesce(${effectiveDate('lock_at', overridesSeen(call), now)}, ${never}) > ${now} and not ${mine(sql`(submission_type is not null or graded_at is not null)`)}`;
    case 'ungraded':
      return sql`${expects} and ${awaitingGrades(call)} > 0`;
    case 'unsubmitted':
      return sql`${expects} and not ${handedIn}`;
  }
}
