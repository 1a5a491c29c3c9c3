// What an action uses, in the units of the price list, from the counts of the wrapper and of the operating system.

import type { UsageCounts } from '../wrapped_worker/counts';
import { school } from './day';
import { prices } from './prices';

export type Unit = keyof typeof prices;
/** `d1_bytes` and `r2_bytes` are what is added to storage. */
export type Usage = Readonly<Record<Unit, number>> & {
  /** Messages to sockets; each makes a desk ask the feed. */
  readonly signals: number;
  readonly emails: number;
};

export interface Measured {
  readonly counts: UsageCounts;
  readonly d1_bytes: number;
  readonly cpu_ms: number;
  readonly signals: number;
}

const units = Object.keys(prices) as Unit[];
const gigabytesOfObject = 0.128;

export function usageOf(before: Measured, after: Measured, times: number): Usage {
  const each = (name: keyof UsageCounts) => (after.counts[name] - before.counts[name]) / times;
  const invocations = each('requests') + each('queue_deliveries') + each('ticks');
  return {
    requests: invocations,
    cpu_ms: (after.cpu_ms - before.cpu_ms) / times,
    // One for each invocation, of objects, too, and one for each line.
    log_events: (invocations + each('object_requests') + each('log_lines')) * school.logSampling,
    d1_rows_read: each('d1_rows_read'),
    d1_rows_written: each('d1_rows_written'),
    d1_bytes: (after.d1_bytes - before.d1_bytes) / times,
    object_requests: each('object_requests') + each('object_messages') / 20,
    object_gb_s: ((each('object_ms') + each('object_trips') * school.tripFromObject) / 1000) * gigabytesOfObject,
    object_rows_read: each('object_rows_read'),
    object_rows_written: each('object_rows_written'),
    r2_class_a: each('r2_class_a'),
    r2_class_b: each('r2_class_b'),
    r2_bytes: each('r2_bytes_written'),
    queue_operations: each('queue_operations'),
    kv_reads: each('kv_reads'),
    kv_writes: each('kv_writes'),
    signals: (after.signals - before.signals) / times,
    emails: each('emails'),
  };
}

export const noUsage: Usage = { ...(Object.fromEntries(units.map((unit) => [unit, 0])) as Record<Unit, number>), signals: 0, emails: 0 };

const combined = (a: Usage, b: Usage, by: (a: number, b: number) => number): Usage =>
  Object.fromEntries(Object.keys(noUsage).map((name) => [name, by(a[name as keyof Usage], b[name as keyof Usage])])) as unknown as Usage;

export const usageSum = (all: readonly Usage[]): Usage => all.reduce((sum, one) => combined(sum, one, (a, b) => a + b), noUsage);
export const scaled = (usage: Usage, by: number): Usage => combined(usage, noUsage, (a) => a * by);

/** Dollars of a month in which this is used. What is added to storage is kept for `monthsOfGrowth` on average. */
export function dollarsOf(usage: Usage, unit: Unit): number {
  const months = unit === 'd1_bytes' || unit === 'r2_bytes' ? school.monthsOfGrowth : 1;
  return (Math.max(0, usage[unit]) * months * prices[unit].dollars) / prices[unit].unit;
}

export const dollarsOfAll = (usage: Usage): number => units.reduce((sum, unit) => sum + dollarsOf(usage, unit), 0);
