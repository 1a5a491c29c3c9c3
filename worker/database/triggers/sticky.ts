// Triggers that record which fields were changed by hand, so that SIS imports leave them alone. They cover every write path; only batches with a row
// in `sis_writing` are exempt.

import { stickyFields } from '../sticky.ts';
import { trigger } from './trigger.ts';

export const stickyTriggers = stickyFields.map(({ table, fields, unless }) => {
  const all = fields.map((field) => (typeof field === 'string' ? ([field, field, field] as const) : field));
  const differs = (value: string) => `new.${value} is not old.${value}`;
  const added = all.map(
    ([field, , value]) =>
      `(case when ${differs(value)} and instr(coalesce(stuck_sis_fields, ','), ',${field},') = 0 then '${field},' else '' end)`,
  );
  const matters = all.map(([, , value]) => differs(value)).join(' or ');
  return trigger({
    on: table,
    name: 'stick_fields',
    event: 'update',
    of: [...new Set(all.map(([, column]) => column))],
    when: `not exists (select 1 from sis_writing) and (${matters})${unless ? ` and not (${unless})` : ''}`,
    run: [`update ${table} set stuck_sis_fields = coalesce(stuck_sis_fields, ',') || ${added.join(' || ')} where id = new.id;`],
    purpose: 'Record the fields that a user has changed, so that SIS imports do not overwrite them.',
  });
});
