// The triggers that remember what people have changed by hand, so that an SIS import leaves it alone. No write path can forget it;
// only a batch that says so (a row in `sis_writing`) changes without leaving a mark.

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

export const stickyTriggers = (): string[] =>
  stickyFields.map(({ table, fields, unless }) => {
    const all = fields.map((field) => (typeof field === 'string' ? ([field, field, field] as const) : field));
    const differs = (value: string) => `new.${value} is not old.${value}`;
    const columns = [...new Set(all.map(([, of]) => of))].join(', ');
    const added = all.map(
      ([field, , value]) =>
        `(case when ${differs(value)} and instr(coalesce(stuck_sis_fields, ','), ',${field},') = 0 then '${field},' else '' end)`,
    );
    const matters = all.map(([, , value]) => differs(value)).join(' or ');
    const when = `not exists (select 1 from sis_writing) and (${matters})${unless ? ` and not (${unless})` : ''}`;
    return `create trigger stick_${table} after update of ${columns} on ${table} when ${when} begin
  update ${table} set stuck_sis_fields = coalesce(stuck_sis_fields, ',') || ${added.join(' || ')} where id = new.id;
end;`;
  });
