// The price list of the platform, as public pages state it. Dollars for each unit, and what the plan includes each month.

export const pricesReadOn = '2026-11-23';

export interface Price {
  readonly name: string;
  /** How many of what is counted make one unit of the price. */
  readonly unit: number;
  readonly dollars: number;
  readonly included: number;
  readonly source: string;
}

const million = 1_000_000;
const gigabyte = 1_000_000_000;
const docs = 'https://developers.cloudflare.com';
const workers = `${docs}/workers/platform/pricing/`;
const logs = `${docs}/workers/observability/logs/workers-logs/#pricing`;
const d1 = `${docs}/d1/platform/pricing/`;
const objects = `${docs}/durable-objects/platform/pricing/`;
const r2 = `${docs}/r2/pricing/`;

/** In the order of the table. The names are those of `Usage` in `usage.ts`. */
export const prices = {
  requests: { name: 'Worker requests', unit: million, dollars: 0.3, included: 10 * million, source: workers },
  cpu_ms: { name: 'Worker CPU, ms', unit: million, dollars: 0.02, included: 30 * million, source: workers },
  log_events: { name: 'Workers Logs, events', unit: million, dollars: 0.6, included: 20 * million, source: logs },
  d1_rows_read: { name: 'D1 rows read', unit: million, dollars: 0.001, included: 25_000 * million, source: d1 },
  d1_rows_written: { name: 'D1 rows written', unit: million, dollars: 1, included: 50 * million, source: d1 },
  d1_bytes: { name: 'D1 storage, bytes', unit: gigabyte, dollars: 0.75, included: 5 * gigabyte, source: d1 },
  object_requests: { name: 'Durable Object requests', unit: million, dollars: 0.15, included: million, source: objects },
  object_gb_s: { name: 'Durable Object duration, GB-s', unit: million, dollars: 12.5, included: 400_000, source: objects },
  object_rows_read: { name: 'Durable Object rows read', unit: million, dollars: 0.001, included: 25_000 * million, source: objects },
  object_rows_written: { name: 'Durable Object rows written', unit: million, dollars: 1, included: 50 * million, source: objects },
  r2_class_a: { name: 'R2 class A operations', unit: million, dollars: 4.5, included: million, source: r2 },
  r2_class_b: { name: 'R2 class B operations', unit: million, dollars: 0.36, included: 10 * million, source: r2 },
  r2_bytes: { name: 'R2 storage, bytes', unit: gigabyte, dollars: 0.015, included: 10 * gigabyte, source: r2 },
  queue_operations: {
    name: 'Queue operations',
    unit: million,
    dollars: 0.4,
    included: million,
    source: `${docs}/queues/platform/pricing/`,
  },
  kv_reads: { name: 'KV reads', unit: million, dollars: 0.5, included: 10 * million, source: `${docs}/kv/platform/pricing/` },
  kv_writes: { name: 'KV writes, deletions, lists', unit: million, dollars: 5, included: million, source: `${docs}/kv/platform/pricing/` },
} as const satisfies Readonly<Record<string, Price>>;

/** The base price of the plan, whatever is used. */
export const planDollars = 5;

/** Not among the sums: a school sends from its own mail service through `MAIL_ENDPOINT`, or pays this. */
export const emailPrice: Price = {
  name: 'Email',
  unit: 1000,
  dollars: 0.35,
  included: 3000,
  source: `${docs}/email-service/platform/pricing/`,
};
