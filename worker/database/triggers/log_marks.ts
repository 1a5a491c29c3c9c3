// Marks in the change log, which cursors are compared with.

import { trigger } from './trigger.ts';

// A change that is repeated gets a new number by an update.
export const markTriggers = (['insert', 'update'] as const).map((event) =>
  trigger({
    on: 'changes',
    name: event === 'insert' ? 'mark_second' : 'mark_second_again',
    event,
    ...(event === 'update' && { of: ['seq'] }),
    when: 'not exists (select 1 from log_marks where log_marks.changed_at = new.changed_at)',
    run: ['insert into log_marks (changed_at, nonce, first_seq) values (new.changed_at, lower(hex(randomblob(8))), new.seq);'],
    purpose: 'Mark each second in which the change log grows.',
  }),
);
