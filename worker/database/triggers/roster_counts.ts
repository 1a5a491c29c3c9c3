// Number of users per course and section, in total and by type: each user once, regardless of the number of enrollments.

import { columnsDiffer, trigger } from './trigger.ts';

const counts = (row: string) => `${row}.enrollment_state in ('active', 'invited')`;
const keys = ['user_id', 'course_id', 'course_section_id', 'type'];

/** Not `or ignore`: SQLite would replace it by the conflict clause of the outer statement. */
const begin = `insert into roster_counts (course_id, course_section_id, type, people) select new.course_id, s.value, t.value, 0
    from json_each(json_array(0, new.course_section_id)) s cross join json_each(json_array('', new.type)) t
    where ${counts('new')} and not exists (select 1 from roster_counts r where r.course_id = new.course_id and r.course_section_id = s.value and r.type = t.value);`;
/** Without effect when another row already counts the user. */
const step = (row: 'new' | 'old', sign: '+' | '-') => `update roster_counts set people = people ${sign} 1
    where ${counts(row)} and course_id = ${row}.course_id and course_section_id in (0, ${row}.course_section_id) and type in ('', ${row}.type)
      and not exists (select 1 from enrollments o where o.user_id = ${row}.user_id and o.course_id = ${row}.course_id and o.id <> ${row}.id and ${counts('o')}
        and roster_counts.course_section_id in (0, o.course_section_id) and roster_counts.type in ('', o.type));`;

/** Named `copy_…`, because they copy data. */
export const rosterCountTriggers = [
  trigger({
    on: 'enrollments',
    name: 'copy_roster_count_insert',
    event: 'insert',
    when: counts('new'),
    run: [begin, step('new', '+')],
    purpose: 'Count a new member of a course and its section.',
  }),
  trigger({
    on: 'enrollments',
    name: 'copy_roster_count_update',
    event: 'update',
    of: ['enrollment_state', ...keys],
    when: `(${counts('new')}) <> (${counts('old')}) or (${counts('new')} and (${columnsDiffer(keys)}))`,
    run: [step('old', '-'), begin, step('new', '+')],
    purpose: 'Count a member who joins, leaves or moves.',
  }),
  trigger({
    on: 'enrollments',
    name: 'copy_roster_count_delete',
    event: 'delete',
    when: counts('old'),
    run: [step('old', '-')],
    purpose: 'Uncount a member whose enrollment is deleted.',
  }),
];

const counted = (section: string, type: string) =>
  `insert into roster_counts (course_id, course_section_id, type, people) select course_id, ${section}, ${type}, count(distinct user_id) from enrollments e where ${counts('e')} group by 1, 2, 3;`;

export const rosterCountsAgain: readonly string[] = [
  'delete from roster_counts;',
  ...['0', 'course_section_id'].flatMap((section) => ["''", 'type'].map((type) => counted(section, type))),
];
