// The place of each assignment in its course, by due state, so that a bucket by position is one walk.

import { nowSql } from './now.ts';
import { columnsDiffer, trigger } from './trigger.ts';

// In brackets, as every `case` of a trigger: tools that split a migration into statements count unbracketed ones.
const stateOf = (due: string) => `(case when ${due} is null then 'undated' when ${due} < ${nowSql} then 'past' else 'ahead' end)`;
const isHandedIn = (id: string) => `exists (select 1 from submissions s where s.assignment_id = ${id} and s.submission_type is not null)`;

const placed = (row: string) =>
  `${row}.id, ${row}.course_id, coalesce((select g.position from assignment_groups g where g.id = ${row}.assignment_group_id), 0), ${row}.assignment_group_id, ${row}.position, coalesce(${row}.due_at, '9999'), ${stateOf(`${row}.due_at`)}, ${isHandedIn(`${row}.id`)}`;
const add = (row: string, from = '') =>
  `insert into assignment_places (assignment_id, course_id, group_position, assignment_group_id, position, due_at, due_state, is_handed_in) select ${placed(row)}${from} where ${row}.workflow_state <> 'deleted';`;
const remove = (row: string) => `delete from assignment_places where assignment_id = ${row}.id;`;

const columns = ['course_id', 'assignment_group_id', 'position', 'due_at', 'workflow_state'];

/** Named `copy_…` because they copy data; the scheduled run and readers correct places that are out of date. */
export const assignmentPlaceTriggers = [
  trigger({
    on: 'assignments',
    name: 'copy_place_insert',
    event: 'insert',
    run: [add('new')],
    purpose: 'Add the sort keys of a new assignment.',
  }),
  trigger({
    on: 'assignments',
    name: 'copy_place_update',
    event: 'update',
    of: columns,
    when: columnsDiffer(columns),
    run: [remove('new'), add('new')],
    purpose: 'Update the sort keys of an assignment whose group, position, date or state changes.',
  }),
  trigger({
    on: 'assignments',
    name: 'copy_place_delete',
    event: 'delete',
    run: [remove('old')],
    purpose: 'Remove the sort keys of an assignment.',
  }),
  trigger({
    on: 'assignment_groups',
    name: 'copy_place_of_group',
    event: 'update',
    of: ['position'],
    when: 'new.position <> old.position',
    run: [
      "update assignment_places set group_position = new.position where assignment_id in (select a.id from assignments a where a.assignment_group_id = new.id and a.workflow_state <> 'deleted');",
    ],
    purpose: 'Copy the position of a group to the sort keys of its assignments.',
  }),
  trigger({
    on: 'submissions',
    name: 'copy_hand_in_insert',
    event: 'insert',
    when: 'new.submission_type is not null',
    run: ['update assignment_places set is_handed_in = 1 where assignment_id = new.assignment_id and is_handed_in = 0;'],
    purpose: 'Record that an assignment has submissions.',
  }),
  trigger({
    on: 'submissions',
    name: 'copy_hand_in_update',
    event: 'update',
    of: ['submission_type'],
    when: '(new.submission_type is null) <> (old.submission_type is null)',
    run: [`update assignment_places set is_handed_in = ${isHandedIn('new.assignment_id')} where assignment_id = new.assignment_id;`],
    purpose: 'Record whether an assignment still has submissions.',
  }),
  trigger({
    on: 'submissions',
    name: 'copy_hand_in_delete',
    event: 'delete',
    when: 'old.submission_type is not null',
    run: [`update assignment_places set is_handed_in = ${isHandedIn('old.assignment_id')} where assignment_id = old.assignment_id;`],
    purpose: 'Record whether an assignment still has submissions.',
  }),
];

export const assignmentPlacesAgain: readonly string[] = ['delete from assignment_places;', add('a', ' from assignments a')];
