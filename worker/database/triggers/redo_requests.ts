// A request to do a submission again ends with the next attempt, by whichever way it is submitted.

import { columnsDiffer, type Trigger, trigger } from './trigger.ts';

const submitted = ['attempt', 'submitted_at'];

export const redoRequestTriggers: readonly Trigger[] = [
  trigger({
    on: 'submissions',
    name: 'redo_request_update',
    event: 'update',
    of: submitted,
    when: `new.redo_requested_at is not null and (${columnsDiffer(submitted)})`,
    run: ['update submissions set redo_requested_at = null where id = new.id;'],
    purpose: 'End the request to do a submission again, once the student has submitted.',
  }),
];
