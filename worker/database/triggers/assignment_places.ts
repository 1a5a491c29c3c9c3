// The place of each assignment in its course, by due state, so that a bucket by position is one walk.

import { now } from './now.ts';

// In brackets, as every `case` of a trigger: tools that split a migration into statements count unbracketed ones.
const stateOf = (due: string) => `(case when ${due} is null then 'undated' when ${due} < ${now} then 'past' else 'ahead' end)`;
const isHandedIn = (id: string) => `exists (select 1 from submissions s where s.assignment_id = ${id} and s.submission_type is not null)`;

const placed = (row: string) =>
  `${row}.id, ${row}.course_id, coalesce((select g.position from assignment_groups g where g.id = ${row}.assignment_group_id), 0), ${row}.assignment_group_id, ${row}.position, coalesce(${row}.due_at, '9999'), ${stateOf(`${row}.due_at`)}, ${isHandedIn(`${row}.id`)}`;
const add = (row: string, from = '') =>
  `insert into assignment_places (assignment_id, course_id, group_position, assignment_group_id, position, due_at, due_state, is_handed_in) select ${placed(row)}${from} where ${row}.workflow_state <> 'deleted';`;
const remove = (row: string) => `delete from assignment_places where assignment_id = ${row}.id;`;

const columns = ['course_id', 'assignment_group_id', 'position', 'due_at', 'workflow_state'];
const differs = columns.map((column) => `new.${column} is not old.${column}`).join(' or ');

/** Named `copy_…` because they copy data; the scheduled run and readers correct places that are out of date. */
export const assignmentPlaceTriggers: readonly string[] = [
  `create trigger copy_place_of_assignment_insert after insert on assignments begin\n  ${add('new')}\nend;`,
  `create trigger copy_place_of_assignment_update after update of ${columns.join(', ')} on assignments when ${differs} begin\n  ${remove('new')}\n  ${add('new')}\nend;`,
  `create trigger copy_place_of_assignment_delete after delete on assignments begin\n  ${remove('old')}\nend;`,
  `create trigger copy_place_of_group after update of position on assignment_groups when new.position <> old.position begin
  update assignment_places set group_position = new.position where assignment_id in (select a.id from assignments a where a.assignment_group_id = new.id and a.workflow_state <> 'deleted');
end;`,
  `create trigger copy_hand_in_insert after insert on submissions when new.submission_type is not null begin
  update assignment_places set is_handed_in = 1 where assignment_id = new.assignment_id and is_handed_in = 0;
end;`,
  `create trigger copy_hand_in_update after update of submission_type on submissions when (new.submission_type is null) <> (old.submission_type is null) begin
  update assignment_places set is_handed_in = ${isHandedIn('new.assignment_id')} where assignment_id = new.assignment_id;
end;`,
  `create trigger copy_hand_in_delete after delete on submissions when old.submission_type is not null begin
  update assignment_places set is_handed_in = ${isHandedIn('old.assignment_id')} where assignment_id = old.assignment_id;
end;`,
];

export const assignmentPlacesAgain: readonly string[] = ['delete from assignment_places;', add('a', ' from assignments a')];
