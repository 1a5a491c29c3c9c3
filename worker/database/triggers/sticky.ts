// The triggers that remember what people have changed by hand, so that an SIS import leaves it alone. No write path can forget it;
// only a batch that says so (a row in `sis_writing`) changes without leaving a mark.

import { stickyFields } from '../sticky.ts';

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
