// Alignments of rubrics with outcomes, and the results of students, which follow from assessments by rubrics, attempts at quizzes whose questions are of
// aligned banks, and live assessments.

import { everyEvent, type Trigger, trigger } from './trigger.ts';

const linked = (column: string) => `${column} like '%"learning_outcome_id"%'`;

const align = `insert or ignore into outcome_alignments (learning_outcome_id, content_type, content_id)
    select o.id, 'Rubric', new.id from json_each(new.criteria) c join learning_outcomes o on o.id = c.value ->> 'learning_outcome_id' where new.workflow_state = 'active';`;

/** A later assessment replaces the result. */
const replaces = `on conflict (learning_outcome_id, user_id, association_type, association_id, question_bank_id) do update set course_id = excluded.course_id, title = excluded.title, score = excluded.score,
      possible = excluded.possible, mastery = excluded.mastery, percent = excluded.percent, hide_points = excluded.hide_points, hidden = excluded.hidden,
      submitted_or_assessed_at = excluded.submitted_or_assessed_at, updated_at = excluded.updated_at;`;

/** The share of the points that is mastery. */
const masteryShare = 'coalesce(al.mastery_score, case when o.points_possible > 0 then o.mastery_points * 1.0 / o.points_possible end , 1)';

/** For each aligned bank, the points of its questions in the newest attempt. An essay that waits for its score delays them. */
const recordAttempt = `insert into outcome_results
      (course_id, user_id, learning_outcome_id, association_type, association_id, question_bank_id, title, score, possible, mastery, percent, submitted_or_assessed_at, created_at, updated_at)
    select s.course_id, s.user_id, o.id, 'Quiz', z.id, al.content_id, z.title, sum(r.value ->> 'points'), sum(p.value ->> 'points'),
      sum(r.value ->> 'points') >= ${masteryShare} * sum(p.value ->> 'points'),
      case when sum(p.value ->> 'points') > 0 then sum(r.value ->> 'points') * 1.0 / sum(p.value ->> 'points') end as share,
      coalesce(new.finished_at, new.updated_at), new.updated_at, new.updated_at
    from quiz_submissions s join quizzes z on z.id = s.quiz_id and z.quiz_type in ('assignment', 'practice_quiz')
      join json_each(new.presented) p join json_each(new.results) r on r.value ->> 'question_id' = p.value ->> 'id'
      join quiz_questions q on q.id = p.value ->> 'id' left join quiz_questions b on b.id = q.assessment_question_id
      join outcome_alignments al on al.content_type = 'AssessmentQuestionBank' and al.content_id = coalesce(q.question_bank_id, b.question_bank_id)
      join learning_outcomes o on o.id = al.learning_outcome_id and o.workflow_state <> 'deleted'
    where s.id = new.quiz_submission_id and not exists (select 1 from quiz_attempts later
      where later.quiz_submission_id = new.quiz_submission_id and later.attempt > new.attempt and later.results is not null)
    group by o.id, al.content_id
    ${replaces}`;

/** The share of its checks that a student has passed. */
const recordLive = `insert into outcome_results
      (course_id, user_id, learning_outcome_id, association_type, association_id, title, score, possible, mastery, percent, submitted_or_assessed_at, created_at, updated_at)
    select c.course_id, c.user_id, o.id, 'LiveAssessment', v.id, v.title, avg(c.passed) * o.points_possible, o.points_possible, avg(c.passed) >= ${masteryShare}, avg(c.passed),
      max(c.assessed_at), new.updated_at, new.updated_at
    from live_assessment_results c join live_assessments v on v.id = c.assessment_id
      join outcome_alignments al on al.content_type = 'LiveAssessment' and al.content_id = v.id
      join learning_outcomes o on o.id = al.learning_outcome_id and o.workflow_state <> 'deleted'
    where c.assessment_id = new.assessment_id and c.user_id = new.user_id group by o.id
    ${replaces}`;

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
    ${replaces}`;

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
  ...everyEvent.map((event) => {
    const aligned = event === 'delete' ? 'old' : 'new';
    return trigger({
      on: 'outcome_alignments',
      name: `blueprint_note_question_bank_${event}`,
      event,
      when: `${aligned}.content_type = 'AssessmentQuestionBank' and exists (select 1 from question_banks q join blueprint_templates b on b.course_id = q.context_id and b.workflow_state = 'active'
      where q.id = ${aligned}.content_id and q.context_type = 'Course' and q.workflow_state = 'active')`,
      run: [
        `delete from blueprint_changes where kind = 'question_bank' and item_id = ${aligned}.content_id;`,
        `insert into blueprint_changes (course_id, kind, item_id) select q.context_id, 'question_bank', q.id from question_banks q where q.id = ${aligned}.content_id;`,
      ],
      purpose: 'Record a changed question bank of a blueprint for its next sync: the outcomes that it assesses have changed.',
    });
  }),
  ...(['insert', 'delete'] as const).map((event) => {
    const link = event === 'insert' ? 'new' : 'old';
    return trigger({
      on: 'learning_outcome_links',
      name: `blueprint_note_outcome_group_${event}`,
      event,
      when: `${link}.context_type = 'Course' and exists (select 1 from blueprint_templates b where b.course_id = ${link}.context_id and b.workflow_state = 'active')`,
      run: [
        `delete from blueprint_changes where kind = 'outcome_group' and item_id = ${link}.learning_outcome_group_id;`,
        `insert into blueprint_changes (course_id, kind, item_id) values (${link}.context_id, 'outcome_group', ${link}.learning_outcome_group_id);`,
      ],
      purpose: 'Record a changed group of outcomes of a blueprint for its next sync: its links have changed.',
    });
  }),
  trigger({
    on: 'quiz_attempts',
    name: 'outcomes_update',
    event: 'update',
    of: ['results', 'workflow_state'],
    when: `new.results is not null and new.workflow_state = 'complete' and (new.results is not old.results or new.workflow_state <> old.workflow_state)
      and exists (select 1 from outcome_alignments known where known.content_type = 'AssessmentQuestionBank')`,
    run: [recordAttempt],
    purpose: 'Record the outcome results of an attempt with questions of aligned banks, when it is scored and when its score changes.',
  }),
  trigger({
    on: 'question_banks',
    name: 'outcomes_update',
    event: 'update',
    of: ['workflow_state'],
    when: "new.workflow_state = 'deleted'",
    run: ["delete from outcome_alignments where content_type = 'AssessmentQuestionBank' and content_id = new.id;"],
    purpose: 'End the alignments of a deleted question bank.',
  }),
  trigger({
    on: 'live_assessment_results',
    name: 'outcomes_insert',
    event: 'insert',
    run: [recordLive],
    purpose: 'Record the outcome result of a student who was checked in a live assessment.',
  }),
];
