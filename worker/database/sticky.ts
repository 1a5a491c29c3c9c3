// Which fields stick once people have changed them by hand: triggers/sticky.ts remembers it, and an SIS import leaves them alone.

interface Sticky {
  readonly table: string;
  /** Columns; or a field, the column that holds it, and how it is taken from there. */
  readonly fields: readonly (string | readonly [field: string, of: string, value: string])[];
  readonly unless?: string;
}

export const stickyFields: readonly Sticky[] = [
  { table: 'users', fields: ['name', 'sortable_name', 'short_name', 'pronouns'] },
  { table: 'logins', fields: ['unique_id', 'workflow_state'] },
  { table: 'accounts', fields: ['name', 'parent_account_id'] },
  { table: 'terms', fields: ['name', 'start_at', 'end_at'] },
  {
    table: 'courses',
    fields: [
      'name',
      'course_code',
      'account_id',
      'enrollment_term_id',
      'workflow_state',
      'start_at',
      'end_at',
      ['grade_passback_setting', 'settings', "settings ->> '$.grade_passback_setting'"],
    ],
    // A course is claimed by itself once somebody who teaches has come.
    unless: "old.workflow_state = 'created' and new.workflow_state = 'claimed'",
  },
  { table: 'sections', fields: ['course_id', 'name', 'start_at', 'end_at'] },
  { table: 'enrollments', fields: ['start_at', 'end_at'] },
  { table: 'groups', fields: ['name'] },
];

/** The fields of a table that can stick, by the names under which they are remembered. */
export const stickyOf = (table: string): readonly string[] =>
  stickyFields.find((one) => one.table === table)?.fields.map((field) => (typeof field === 'string' ? field : field[0])) ?? [];
