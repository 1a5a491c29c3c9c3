// Alignments of rubrics with outcomes, and the results of students, which follow from the criteria of rubrics and their assessments.

import { type Trigger, trigger } from './trigger.ts';

const linked = (column: string) => `${column} like '%"learning_outcome_id"%'`;

const align = `insert or ignore into outcome_alignments (learning_outcome_id, content_type, content_id)
    select o.id, 'Rubric', new.id from json_each(new.criteria) c join learning_outcomes o on o.id = c.value ->> 'learning_outcome_id' where new.workflow_state = 'active';`;

// Wrangler finds the end of a trigger only if a blank follows each `end`.
/** Criteria that were never assessed leave no result; those whose points were removed keep one without a score. */
const record = `insert into outcome_results
      (course_id, user_id, learning_outcome_id, association_type, association_id, title, score, possible, mastery, percent, hide_points, hidden, submitted_or_assessed_at, created_at, updated_at)
    select new.course_id, new.user_id, o.id, 'Assignment', new.assignment_id, a.name, d.value ->> 'points', c.value ->> 'points',
      case when d.value ->> 'points' is null then null else (d.value ->> 'points') >= coalesce(c.value ->> 'mastery_points', o.mastery_points) end as mastery,
      case when (c.value ->> 'points') > 0 then (d.value ->> 'points') * 1.0 / (c.value ->> 'points') end as share,
      u.hide_points, u.hide_outcome_results, coalesce((select s.submitted_at from submissions s where s.id = new.submission_id), new.updated_at), new.updated_at, new.updated_at
    from rubrics r join json_each(r.criteria) c
      join learning_outcomes o on o.id = c.value ->> 'learning_outcome_id'
      join rubric_associations u on u.id = new.rubric_association_id
      join assignments a on a.id = new.assignment_id
      left join json_each(new.data) d on d.value ->> 'criterion_id' = c.value ->> 'id'
    where r.id = new.rubric_id and (d.value ->> 'points' is not null or exists (select 1 from outcome_results x
      where x.learning_outcome_id = o.id and x.user_id = new.user_id and x.association_type = 'Assignment' and x.association_id = new.assignment_id))
    on conflict (learning_outcome_id, user_id, association_type, association_id) do update set course_id = excluded.course_id, title = excluded.title, score = excluded.score,
      possible = excluded.possible, mastery = excluded.mastery, percent = excluded.percent, hide_points = excluded.hide_points, hidden = excluded.hidden,
      submitted_or_assessed_at = excluded.submitted_or_assessed_at, updated_at = excluded.updated_at;`;

export const outcomeTriggers: readonly Trigger[] = [
  trigger({
    on: 'rubrics',
    name: 'outcomes_insert',
    event: 'insert',
    when: linked('new.criteria'),
    run: [align],
    purpose: 'Align a new rubric with the outcomes of its criteria.',
  }),
  trigger({
    on: 'rubrics',
    name: 'outcomes_update',
    event: 'update',
    of: ['criteria', 'workflow_state'],
    when: `(${linked('new.criteria')} or ${linked('old.criteria')}) and (new.criteria <> old.criteria or new.workflow_state <> old.workflow_state)`,
    run: ["delete from outcome_alignments where content_type = 'Rubric' and content_id = new.id;", align],
    purpose: 'Align a rubric with the outcomes of its criteria again when they change.',
  }),
  trigger({
    on: 'rubric_assessments',
    name: 'outcomes_insert',
    event: 'insert',
    when: `new.assessment_type = 'grading' and ${linked('new.data')}`,
    run: [record],
    purpose: 'Record the outcome results of an assessment by a rubric.',
  }),
  trigger({
    on: 'rubric_assessments',
    name: 'outcomes_update',
    event: 'update',
    of: ['data', 'rubric_id'],
    when: `new.assessment_type = 'grading' and (${linked('new.data')} or ${linked('old.data')})`,
    run: [record],
    purpose: 'Record the outcome results of an assessment that was changed.',
  }),
];
