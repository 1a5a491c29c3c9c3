// Whether the students of an assignment are anonymous: from when anonymous grading is switched on until the posting job has posted everything, and again
// once something is hidden or new.

import { type Trigger, trigger } from './trigger.ts';

const isOn = (row: string) => `coalesce(${row}.options ->> 'anonymous_grading', 0)`;
const decide = `update assignments set anonymize_students = ${isOn('new')} where assignments.id = new.id and assignments.anonymize_students <> ${isOn('new')};`;
const hideAgain = `update assignments set anonymize_students = 1
    where assignments.id = new.assignment_id and ${isOn('assignments')} = 1 and assignments.anonymize_students = 0;`;

export const anonymousGradingTriggers: readonly Trigger[] = [
  trigger({
    on: 'assignments',
    name: 'anonymous_insert',
    event: 'insert',
    when: `new.anonymize_students <> ${isOn('new')}`,
    run: [decide],
    purpose:
      'Make the students of a new assignment with anonymous grading anonymous; a copy does not inherit that its original is revealed.',
  }),
  trigger({
    on: 'assignments',
    name: 'anonymous_update',
    event: 'update',
    of: ['options'],
    when: `${isOn('new')} <> ${isOn('old')}`,
    run: [decide],
    purpose: 'Follow anonymous grading when it is switched on or off.',
  }),
  trigger({
    on: 'submissions',
    name: 'anonymous_insert',
    event: 'insert',
    when: "new.posted_at is null and new.workflow_state <> 'deleted'",
    run: [hideAgain],
    purpose: 'Make students anonymous again when a submission appears that is not posted.',
  }),
  trigger({
    on: 'submissions',
    name: 'anonymous_update',
    event: 'update',
    of: ['posted_at'],
    when: 'new.posted_at is null and old.posted_at is not null',
    run: [hideAgain],
    purpose: 'Make students anonymous again when a grade is hidden.',
  }),
];
