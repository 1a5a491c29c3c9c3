// The version of a set of grading periods: stored scores and the feed compare it, whichever write has changed the set or one of its periods.
// Stored scores of the courses with the set are computed again: those of a term by a chore, because a term may have any number of courses.

import { columnsDiffer, trigger } from './trigger.ts';

const raise = (row: 'new' | 'old') => `update grading_period_sets set version = version + 1 where id = ${row}.grading_period_group_id;`;
/** A run that has begun starts again, because the courses that it has passed have changed as well. */
const queueTerms = (terms: string) =>
  `insert into term_score_runs (id) select t.id from terms t where ${terms} on conflict (id) do update set at_course_id = 0 where term_score_runs.at_course_id <> 0;`;
const ofPeriod = ['title', 'weight', 'start_date', 'end_date', 'close_date', 'workflow_state'];
const ofSet = ['title', 'weighted', 'display_totals_for_all_grading_periods', 'workflow_state'];

export const gradingPeriodTriggers = [
  trigger({
    on: 'grading_periods',
    name: 'version_insert',
    event: 'insert',
    run: [raise('new')],
    purpose: 'A new period is a new version of its set.',
  }),
  trigger({
    on: 'grading_periods',
    name: 'version_update',
    event: 'update',
    of: ofPeriod,
    when: columnsDiffer(ofPeriod),
    run: [raise('new')],
    purpose: 'A changed period is a new version of its set.',
  }),
  trigger({
    on: 'grading_period_sets',
    name: 'version_update',
    event: 'update',
    of: ofSet,
    when: columnsDiffer(ofSet),
    run: ['update grading_period_sets set version = version + 1 where id = new.id;'],
    purpose: 'A changed set is a new version.',
  }),
  trigger({
    on: 'grading_period_sets',
    name: 'score_update',
    event: 'update',
    of: ['version'],
    when: 'new.version <> old.version',
    run: [
      'update course_score_marks set generation = generation + 1 where id = new.course_id;',
      queueTerms('t.grading_period_group_id = new.id'),
    ],
    purpose: 'The stored scores of the courses with the set are no longer current.',
  }),
  trigger({
    on: 'terms',
    name: 'score_update',
    event: 'update',
    of: ['grading_period_group_id'],
    when: columnsDiffer(['grading_period_group_id']),
    run: [queueTerms('t.id = new.id')],
    purpose: 'The stored scores of the courses of the term are no longer current.',
  }),
];
