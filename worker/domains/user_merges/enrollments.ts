// Enrollments in a user merge. Of duplicates, the destination's is kept, in the better state of the two.

import { sql } from 'drizzle-orm';
import type { Database, Statement } from '../../database/open';
import { type MergeDirection, type MergePair, noteMerge, runSql, underWay } from './passing';

const moved = 'enrollments';
const doubled = 'enrollments.doubled';
const observed = 'enrollments.observed';
const ended = 'enrollments.ended';

const rank = (state: string) =>
  `(case ${state} when 'active' then 6 when 'invited' then 5 when 'creation_pending' then 4 when 'completed' then 3 when 'inactive' then 2 when 'rejected' then 1 else 0 end)`;
const same = (one: string, other: string) =>
  `${one}.course_section_id = ${other}.course_section_id and ${one}.role_id = ${other}.role_id and ${one}.type = ${other}.type`;
const stateOf = (row: string) => `json_object('state', ${row}.enrollment_state, 'completed_at', ${row}.completed_at)`;

export function noteEnrollments(db: Database, pair: MergePair): Statement[] {
  const { source, destination } = pair;
  const ofSource = `enrollments t where t.user_id = ${source} and t.observed_user_id <> ${destination}`;
  const double = `select d.id from enrollments d where d.user_id = ${destination} and ${same('d', 't')} and d.observed_user_id = t.observed_user_id`;
  // Observers of the source, in the source's courses.
  const watching = `enrollments t where t.course_id in (select e.course_id from enrollments e where e.user_id = ${source})
    and t.type = 'ObserverEnrollment' and t.observed_user_id = ${source} and t.user_id <> ${destination}`;
  const alsoWatching = `exists (select 1 from enrollments d where d.user_id = t.user_id and ${same('d', 't')} and d.observed_user_id = ${destination})`;
  return [
    noteMerge(db, pair, moved, { key: 'json_array(t.id)', from: `${ofSource} and not exists (${double})` }),
    noteMerge(db, pair, doubled, {
      key: `json_array(t.id, (${double}))`,
      before: `json_array(${stateOf('t')}, (select ${stateOf('d')} from enrollments d where d.id in (${double})))`,
      from: `${ofSource} and t.enrollment_state <> 'deleted' and exists (${double})`,
    }),
    noteMerge(db, pair, observed, { key: 'json_array(t.id)', from: `${watching} and not ${alsoWatching}` }),
    noteMerge(db, pair, ended, {
      key: 'json_array(t.id)',
      before: stateOf('t'),
      from: `${watching} and t.enrollment_state <> 'deleted' and ${alsoWatching}`,
    }),
    // Enrollments in which the user would observe themselves.
    noteMerge(db, pair, ended, {
      key: 'json_array(t.id)',
      before: stateOf('t'),
      from: `enrollments t where t.enrollment_state <> 'deleted' and t.type = 'ObserverEnrollment'
        and (t.user_id, t.observed_user_id) in (values (${source}, ${destination}), (${destination}, ${source}))`,
    }),
  ];
}

/** Duplicates whose state was better in the source, and was taken over. */
const isBetter = `${rank("before ->> '$[0].state'")} > ${rank("before ->> '$[1].state'")}`;

interface Told {
  /** The part of the key that identifies the row. */
  readonly id: string;
  readonly notes: string;
  /** The new state, as JSON of the note. */
  readonly state: string;
  /** The required current state. */
  readonly from: string;
}

/** Sets rows to a state recorded in a note. */
function takeState(db: Database, { id, notes, state, from }: Told, now: string): Statement {
  const of = (field: string) =>
    sql.raw(`(select ${state} ->> '$.${field}' from user_merge_items where ${notes} and ${id} = enrollments.id limit 1)`);
  return runSql(
    db,
    sql`update enrollments set enrollment_state = ${of('state')}, completed_at = ${of('completed_at')}, updated_at = ${now}
      where id in (select ${sql.raw(id)} from user_merge_items where ${sql.raw(notes)}) and enrollment_state = ${sql.raw(from)}`,
  );
}

const first = "(row_key ->> '$[0]')";
const second = "(row_key ->> '$[1]')";

export function passEnrollments(db: Database, pair: MergePair, way: MergeDirection, now: string): Statement[] {
  const [from, to] = way === 'over' ? [pair.source, pair.destination] : [pair.destination, pair.source];
  const notes = (kind: string) => underWay(pair, kind, way);
  const named = (kind: string) => sql.raw(`(select ${first} from user_merge_items where ${notes(kind)})`);
  const betterNotes = `${notes(doubled)} and ${isBetter}`;
  const was = (side: 0 | 1) =>
    `(select before ->> '$[${side}].state' from user_merge_items where ${betterNotes} and ${second} = enrollments.id limit 1)`;
  const took = (side: 0 | 1): Told => ({
    id: second,
    notes: betterNotes,
    state: `(before -> '$[${side}]')`,
    from: was(side === 0 ? 1 : 0),
  });
  return [
    runSql(
      db,
      sql`update or ignore enrollments set user_id = ${to}, (sortable_name, sort_email, sort_sis_id) =
          (select u.sort_name, u.sort_email, u.sort_sis_id from users u where u.id = ${to}), updated_at = ${now}
        where user_id = ${from} and id in ${named(moved)}`,
    ),
    runSql(
      db,
      sql`update or ignore enrollments set observed_user_id = ${to}, updated_at = ${now} where observed_user_id = ${from} and id in ${named(observed)}`,
    ),
    ...(way === 'over'
      ? [
          takeState(db, took(0), now),
          runSql(
            db,
            sql`update enrollments set enrollment_state = 'deleted', completed_at = null, updated_at = ${now}
              where id in ${named(doubled)} or id in ${named(ended)}`,
          ),
        ]
      : [
          takeState(db, took(1), now),
          takeState(db, { id: first, notes: notes(doubled), state: "(before -> '$[0]')", from: "'deleted'" }, now),
          takeState(db, { id: first, notes: notes(ended), state: 'before', from: "'deleted'" }, now),
        ]),
  ];
}
