// Submissions in a user merge. Of two for one assignment the graded one is kept, then the one with content, then the destination's; the other stays
// with the source. Ids encode the user (rules/submission_ids.ts), so references change as well.

import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../database/open';
import { submissionIdOf } from '../../rules/submission_ids';
import { submissions } from '../submissions/table';
import { type MergeDirection, type MergePair, noteMerge, runSql, underWay } from './passing';

const kind = 'submissions';

const rank = (row: string) =>
  `(case when ${row}.graded_at is not null or ${row}.excused = 1 then 2 when ${row}.submission_type is not null then 1 else 0 end)`;

/** Key: assignment; `before`: whether the destination had one, too. */
export const noteSubmissions = (db: Database, pair: MergePair): Statement[] => [
  noteMerge(db, pair, kind, {
    key: 'json_array(t.assignment_id)',
    before: "case when d.id is null then 'alone' else 'beside' end",
    from: `submissions t left join submissions d on d.assignment_id = t.assignment_id and d.user_id = ${pair.destination}
      where t.user_id = ${pair.source} and (d.id is null or ${rank('t')} > ${rank('d')})`,
  }),
];

/** All columns except id, assignment and user. */
const content = Object.values(getTableColumns(submissions))
  .map((column) => column.name)
  .filter((name) => !['id', 'course_id', 'assignment_id', 'user_id'].includes(name));

const idOf = (assignment: SQL, user: number) => submissionIdOf(assignment, sql.raw(String(user)));

/** Exchanges references to the submissions and, for read marks and assessments, their users. Uses negative ids in between, to avoid conflicts. */
function swapIds(db: Database, table: string, { source, destination }: MergePair, assignments: string, isReaders: boolean): Statement[] {
  const ids = (user: number, sign = '') =>
    sql`(select ${sql.raw(sign)}${idOf(sql.raw('assignment_id'), user)} from (${sql.raw(assignments)}))`;
  const reader = (from: number, to: number) =>
    isReaders ? sql.raw(`, user_id = (case user_id when ${from} then ${to} else user_id end)`) : sql``;
  const name = sql.raw(table);
  const shift = sql.raw(`${destination} - ${source}`);
  return [
    runSql(db, sql`update ${name} set submission_id = -submission_id where submission_id in ${ids(source)}`),
    runSql(
      db,
      sql`update ${name} set submission_id = submission_id - (${shift})${reader(destination, source)} where submission_id in ${ids(destination)}`,
    ),
    runSql(
      db,
      sql`update ${name} set submission_id = -submission_id + (${shift})${reader(source, destination)} where submission_id in ${ids(source, '-')}`,
    ),
  ];
}

/** Merge and split are the same exchange. */
export function passSubmissions(db: Database, pair: MergePair, way: MergeDirection): Statement[] {
  const { source, destination } = pair;
  const [from, to] = way === 'over' ? [source, destination] : [destination, source];
  const assignments = (where = '1') =>
    `select row_key ->> '$[0]' as assignment_id from user_merge_items where ${underWay(pair, kind, way)} and ${where}`;
  const both = sql.raw(`(${source}, ${destination})`);
  return [
    runSql(
      db,
      sql`update submissions set ${sql.raw(content.map((name) => `${name} = o.${name}`).join(', '))} from submissions o
        where o.assignment_id = submissions.assignment_id and o.user_id in ${both} and submissions.user_id in ${both} and o.user_id <> submissions.user_id
          and submissions.assignment_id in (${sql.raw(assignments("before = 'beside'"))})`,
    ),
    runSql(
      db,
      sql`update or ignore submissions set user_id = ${sql.raw(String(to))}, id = ${idOf(sql.raw('assignment_id'), to)}
        where user_id = ${sql.raw(String(from))} and assignment_id in (${sql.raw(assignments("before = 'alone'"))})`,
    ),
    ...swapIds(db, 'submission_versions', pair, assignments(), false),
    ...swapIds(db, 'submission_comments', pair, assignments(), false),
    ...swapIds(db, 'submission_reads', pair, assignments(), true),
    ...swapIds(db, 'rubric_assessments', pair, assignments(), true),
    ...['assessment_requests', 'provisional_grades', 'moderation_selections'].flatMap((table) =>
      swapIds(db, table, pair, assignments(), false),
    ),
  ];
}
