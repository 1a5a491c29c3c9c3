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
    why: 'Grows with the configuration of the institution, not with its people or courses.',
  },
  {
    tables: ['accounts', 'account_ancestors'],
    where: /integration_id in|sis_account_id|^select \(select \(select max\(id\)/,
    why: 'SIS imports and provisioning reports go through all accounts: faculties and departments, some hundreds.',
  },
  { tables: ['chores'], why: 'Holds one row for each scheduled chore.' },
  { tables: ['acting', 'sis_writing'], why: 'Holds one row at most: in whose name a batch is written.' },
  {
    tables: ['planner_notes'],
    where: /from planner_notes n .* and 0\b/s,
    why: 'The part of the planner that a filter leaves out: SQLite plans it, and never begins it.',
  },
  { tables: ['courses'], where: /json\('"a"'\)/, why: 'A statement of a test, over the courses that it has made.' },
  { tables: ['admins'], where: /not exists \(select 1 from admins\)/, why: 'Stops at the first administrator.' },
  {
    tables: ['admins'],
    where: /union all select user_id from admins where workflow_state = 'active'\) limit/,
    why: 'Counts staff up to a limit, to choose between two ways to search.',
  },
  {
    tables: ['users'],
    where: /select \* from users where .*limit/s,
    why: 'A search that walks an index in order, up to the limit of its window; it can be walked once for each way to search.',
  },
  {
    tables: ['folders'],
    where: /from user_merge_items/,
    why: 'A split of two people gives back folders that are deleted too, which no index holds; it is rare and made by hand.',
  },
  {
    tables: ['page_views', 'sis_import_changes', 'sis_import_errors'],
    where: /^delete from \w+ where id in \(select id from/,
    why: 'Walks the oldest rows by id under a limit.',
  },
  {
    tables: ['appointment_groups', 'appointment_group_contexts'],
    why: 'Grows with the appointment groups of the institution; the code of an event names its group as text, which no index holds.',
  },
];

export const isAllowedScan = (table: string, statement: string): boolean =>
  allowed.some(({ tables, where }) => tables.includes(table) && (where?.test(statement) ?? true));
