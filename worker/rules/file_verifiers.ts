// Lets a browser without a session fetch the files that a text embeds.

import { type SQL, sql } from 'drizzle-orm';

const mark = sql.raw("'/files/'");
const most = 100;

/** The text after each link mark: `12/preview" alt=…`. */
const linked = (html: SQL) => sql`with recursive link(rest) as (
  select substr(${html}, instr(${html}, ${mark}) + 7)
  union all select substr(rest, instr(rest, ${mark}) + 7) from link where instr(rest, ${mark}) limit ${sql.raw(String(most))})`;

/**
 * The uuids of the files linked in a text, as JSON by id; null without any. Locks still apply.
 * @param html the column that holds the text
 * @param lies whether file `f` is in the same context as the text: a link elsewhere must not open files that the author may not see
 */
export const verifiersIn = (html: SQL, lies: SQL): SQL<string | null> => sql<string | null>`case when instr(${html}, ${mark}) then (
  ${linked(html)} select json_group_object(f.id, f.uuid) from (select distinct cast(substr(rest, 1, 20) as integer) as id from link) l cross join files f
    where f.id = l.id and f.workflow_state = 'available' and ${lies}) end`;

export const inCourse = (course_id: SQL): SQL => sql`f.context_type = 'Course' and f.context_id = ${course_id}`;
export const inContext = (context_type: SQL, context_id: SQL): SQL =>
  sql`f.context_type = ${context_type} and f.context_id = ${context_id}`;
/** @param code `course_7` */
export const underCode = (code: SQL): SQL => sql`lower(f.context_type) || '_' || f.context_id = ${code}`;
