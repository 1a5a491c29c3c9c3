// Triggers of the change log: one live row per item and scope, replaced by every write.

import { sources } from './change_sources.ts';
import { now } from './now.ts';
import { everyEvent, type Source } from './sources/source.ts';

function body(source: Source, row: 'new' | 'old'): string {
  const at = (sql: string) => sql.replaceAll('$.', `${row}.`);
  const chosen = at(source.select ?? `select ${source.scope} as scope, '${source.kind}' as kind, ${source.item} as item_id`);
  // Sources with two scopes share the select.
  const named = `(${source.select ? `with chosen(scope, kind, item_id) as (${chosen}) select distinct * from chosen` : chosen})`;
  // SQLite replaces a conflict clause inside a trigger by that of the outer statement, so the older row is deleted explicitly.
  return `delete from changes where (scope, kind, item_id) in ${named};
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, '${row === 'old' && !source.select ? 'delete' : 'upsert'}', ${now} from ${named};`;
}

/** An update that names a column may leave it unchanged. */
const differs = (columns: readonly string[]) => columns.map((column) => `new.${column} is not old.${column}`).join(' or ');

/** The column of a row's user: a merge or split moves the row from one user to another. */
const owner = 'user_id';
const isOwned = ({ scope, select, events = everyEvent, isBefore }: Source) =>
  !isBefore && events.includes('update') && (scope ?? select ?? '').includes(`$.${owner}`);

const changesHands = (source: Source, at: number): string[] => {
  if (!isOwned(source)) return [];
  const rows = source.columns && !source.columns.includes(owner) ? (['old', 'new'] as const) : (['old'] as const);
  return rows.map((row) => {
    const when = ['new.user_id <> old.user_id', ...(source.when ? [source.when.replaceAll('$.', `${row}.`)] : [])];
    return `create trigger change_${at}_${source.table}_hands_${row} after update of ${owner} on ${source.table} when ${when.map((one) => `(${one})`).join(' and ')} begin\n  ${body(source, row)}\nend;`;
  });
};

export function changeTriggers(): string[] {
  return sources.flatMap((source, at) => [
    ...changesHands(source, at),
    ...(source.events ?? everyEvent).map((event) => {
      const row = event === 'delete' || source.isBefore ? 'old' : 'new';
      const matters = event === 'update' ? source.columns : undefined;
      const conditions = [
        ...(source.when ? [source.when.replaceAll('$.', `${row}.`)] : []),
        ...(matters ? [differs(matters)] : []),
        ...(event === 'update' && source.onUpdate ? [source.onUpdate] : []),
      ];
      const when = conditions.length > 0 ? ` when ${conditions.map((one) => `(${one})`).join(' and ')}` : '';
      return `create trigger change_${at}_${source.table}_${event} after ${event}${matters ? ` of ${matters.join(', ')}` : ''} on ${source.table}${when} begin\n  ${body(source, row)}\nend;`;
    }),
  ]);
}
