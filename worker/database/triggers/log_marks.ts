// Marks in the change log, which cursors are compared with.

import { trigger } from './trigger.ts';

export const markTriggers = [
  trigger({
    on: 'changes',
    name: 'mark_second',
    event: 'insert',
    when: 'not exists (select 1 from log_marks where log_marks.changed_at = new.changed_at)',
    run: ['insert into log_marks (changed_at, nonce, first_seq) values (new.changed_at, lower(hex(randomblob(8))), new.seq);'],
    purpose: 'Mark each second in which the change log grows.',
  }),
];
