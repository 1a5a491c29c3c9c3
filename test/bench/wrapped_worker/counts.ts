// What a wrapped Worker has used so far, in the units of the bill. One isolate serves requests, queue, schedule and objects, so these are all of them.

export interface UsageCounts {
  requests: number;
  queue_deliveries: number;
  ticks: number;
  /** Lines that the Worker wrote to its log; the platform adds one for each invocation. */
  log_lines: number;
  d1_trips: number;
  d1_statements: number;
  d1_rows_read: number;
  d1_rows_written: number;
  object_requests: number;
  /** Messages that clients sent to objects, without automatic answers, which the client of the bench counts itself. */
  object_messages: number;
  /** Milliseconds in which objects were busy, as the local clock sees them. */
  object_ms: number;
  /** D1 trips that objects waited for. */
  object_trips: number;
  object_rows_read: number;
  object_rows_written: number;
  r2_class_a: number;
  r2_class_b: number;
  r2_bytes_written: number;
  /** Writes, reads and deletions, one for each 64 KB of a message. */
  queue_operations: number;
  kv_reads: number;
  kv_writes: number;
  emails: number;
}

export const noCounts = (): UsageCounts => ({
  requests: 0,
  queue_deliveries: 0,
  ticks: 0,
  log_lines: 0,
  d1_trips: 0,
  d1_statements: 0,
  d1_rows_read: 0,
  d1_rows_written: 0,
  object_requests: 0,
  object_messages: 0,
  object_ms: 0,
  object_trips: 0,
  object_rows_read: 0,
  object_rows_written: 0,
  r2_class_a: 0,
  r2_class_b: 0,
  r2_bytes_written: 0,
  queue_operations: 0,
  kv_reads: 0,
  kv_writes: 0,
  emails: 0,
});

export const counts: UsageCounts = noCounts();

/** Work that has begun and not ended: `settled` waits for its end. */
export const work = { pending: 0, d1_bytes: 0 };

export async function tracked<T>(promise: Promise<T>): Promise<T> {
  work.pending += 1;
  try {
    return await promise;
  } finally {
    work.pending -= 1;
  }
}
