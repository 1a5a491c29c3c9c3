// Tables that a statement may read from end to end, and why.

interface Allowed {
  readonly tables: readonly string[];
  /** Only in statements that contain this text. */
  readonly where?: RegExp;
  readonly why: string;
}

const allowed: readonly Allowed[] = [
  {
    tables: ['roles', 'role_overrides', 'terms', 'authentication_providers', 'facts', 'developer_keys'],
    why: 'Grows with the configuration of the institution, not with its users or courses.',
  },
  {
    tables: ['accounts', 'account_ancestors'],
    where: /integration_id in|sis_account_id|^select \(select \(select max\(id\)/,
    why: 'SIS imports and provisioning reports read all accounts: faculties and departments, a few hundred.',
  },
  {
    tables: ['outcome_results'],
    where: /row_number\(\) over \(order by ordered\./,
    why: 'A report that an administrator has asked for in another order than that of the results.',
  },
  { tables: ['webhook_subscriptions', 'webhook_topics'], why: 'There are at most 20 subscriptions, each with at most some 70 events.' },
  { tables: ['chores'], why: 'Holds one row for each scheduled chore.' },
  { tables: ['lti_keys'], why: 'Holds at most three keys.' },
  { tables: ['acting', 'sis_writing'], why: 'Holds one row at most: in whose name a batch is written.' },
  {
    tables: ['planner_notes'],
    where: /from planner_notes n .* and 0\b/s,
    why: 'A branch of the planner that a filter excludes: SQLite plans it, and never runs it.',
  },
  { tables: ['courses'], where: /json\('"a"'\)/, why: 'A statement of a test, over the courses that it has made.' },
  { tables: ['admins'], where: /not exists \(select 1 from admins\)/, why: 'Stops at the first administrator.' },
  {
    tables: ['admins'],
    where: /union all select user_id from admins where workflow_state = 'active'\) limit/,
    why: 'Counts staff up to a limit, to choose between two search strategies.',
  },
  {
    tables: ['users'],
    where: /select \* from users where .*limit/s,
    why: 'A search that reads an index in order, up to its scan window; possibly once per strategy.',
  },
  {
    tables: ['folders'],
    where: /from user_merge_items/,
    why: 'Splitting users restores deleted folders, which no index contains; it is rare and started manually.',
  },
  {
    tables: ['sis_import_changes', 'sis_import_errors'],
    where: /^delete from \w+ where id in \(select id from/,
    why: 'Reads the oldest rows by id, up to a limit.',
  },
  {
    tables: ['page_view_runs'],
    where: /^select .* from "page_view_runs" where "page_view_runs"\."workflow_state" = '(active|building)'/,
    why: 'Reads all runs along a partial index; merges keep them at about a hundred, however many views they contain.',
  },
  {
    tables: ['appointment_groups', 'appointment_group_contexts'],
    why: 'Grows with the appointment groups of the institution; an event names its group in a text code without an index.',
  },
];

export const isAllowedScan = (table: string, statement: string): boolean =>
  allowed.some(({ tables, where }) => tables.includes(table) && (where?.test(statement) ?? true));
