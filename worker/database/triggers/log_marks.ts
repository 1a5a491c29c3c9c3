// Marks in the change log, which cursors are compared with.

export const markTriggers: readonly string[] = [
  `create trigger mark_log after insert on changes when not exists (select 1 from log_marks where log_marks.changed_at = new.changed_at) begin
  insert into log_marks (changed_at, nonce, first_seq) values (new.changed_at, lower(hex(randomblob(8))), new.seq);
end;`,
];
