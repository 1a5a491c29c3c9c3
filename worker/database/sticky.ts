// Sticky fields: changes by hand are recorded by triggers/sticky.ts, and SIS imports leave those fields alone.

interface Sticky {
  readonly table: string;
  /** Column names; or a field, its column, and how to read it from there. */
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
    // Being claimed is not a change by hand: it happens when the first instructor is enrolled.
    unless: "old.workflow_state = 'created' and new.workflow_state = 'claimed'",
  },
  { table: 'sections', fields: ['course_id', 'name', 'start_at', 'end_at'] },
  { table: 'enrollments', fields: ['start_at', 'end_at'] },
  { table: 'groups', fields: ['name'] },
];

/** The fields of a table that can be sticky, by the names under which they are recorded. */
export const stickyOf = (table: string): readonly string[] =>
  stickyFields.find((one) => one.table === table)?.fields.map((field) => (typeof field === 'string' ? field : field[0])) ?? [];
