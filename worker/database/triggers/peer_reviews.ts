// Which assignments wait for their automatic peer reviews: those with submissions since the last assignment of reviews.

import { nowSql } from './now.ts';
import { columnsDiffer, trigger } from './trigger.ts';

const option = (name: string) => `a.options ->> '${name}'`;
const isAutomatic = `a.workflow_state = 'published' and ${option('peer_reviews')} and ${option('automatic_peer_reviews')} and ${option('peer_review_count')} > 0`;
/** Reviews are assigned at the set time, or at the due date; without either they are assigned by hand. */
const start = `coalesce(${option('peer_reviews_assign_at')}, a.due_at)`;
/** A later submission changes the time, so that the chore does not delete what it has not seen. */
const runFor = (assignment: string, condition = '1') =>
  `insert into peer_review_runs (assignment_id, run_at) select a.id, max(${start}, ${nowSql}) from assignments a where a.id = ${assignment} and ${isAutomatic} and ${start} is not null and ${condition}
    on conflict (assignment_id) do update set run_at = excluded.run_at;`;

const settings = ['options', 'due_at', 'workflow_state'];

export const peerReviewTriggers = [
  trigger({
    on: 'submissions',
    name: 'assign_reviews_insert',
    event: 'insert',
    when: 'new.submission_type is not null',
    run: [runFor('new.assignment_id')],
    purpose: 'Queue the automatic peer reviews of an assignment with a new submission.',
  }),
  trigger({
    on: 'submissions',
    name: 'assign_reviews_update',
    event: 'update',
    of: ['submission_type'],
    when: 'new.submission_type is not null and old.submission_type is null',
    run: [runFor('new.assignment_id')],
    purpose: 'Queue the automatic peer reviews of an assignment with a new submission.',
  }),
  trigger({
    on: 'assignments',
    name: 'assign_reviews_update',
    event: 'update',
    of: settings,
    when: columnsDiffer(settings),
    run: [
      'delete from peer_review_runs where assignment_id = new.id;',
      runFor('new.id', 'exists (select 1 from submissions s where s.assignment_id = a.id and s.submission_type is not null)'),
    ],
    purpose: 'Move the time at which automatic peer reviews are assigned.',
  }),
];
