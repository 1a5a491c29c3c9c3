// Triggers of the change log: one live row per item and scope, replaced by every write.

import { sources } from './change_sources.ts';
import { nowSql } from './now.ts';
import { isOwned, type TriggerSource } from './source.ts';
import { columnsDiffer, everyEvent, ofRow, type Trigger, trigger } from './trigger.ts';

/** Numbers are never used twice, even when the newest change was a tombstone that has been deleted. */
const newestSeq =
  "max(coalesce((select max(seq) from changes), 0), coalesce((select cast(value as integer) from facts where name = 'oldest_seq'), 0))";

function log(source: TriggerSource, row: 'new' | 'old'): readonly string[] {
  const at = (sql: string) => ofRow(sql, row);
  const chosen = at(source.select ?? `select ${source.scope} as scope, '${source.kind}' as kind, ${source.item} as item_id`);
  // Sources with two scopes share the select.
  const named = source.select ? `(with chosen(scope, kind, item_id) as (${chosen}) select distinct * from chosen)` : `(${chosen})`;
  // Only the row of the item itself takes it away. Tombstones are deleted after a while, and a first sync reads the log.
  const op = row === 'old' && source.item === '$.id' ? 'delete' : 'upsert';
  // The live row gets a new number instead of being deleted and inserted again, which would write two rows more. D1 bills rows written.
  return [
    `insert into changes (seq, scope, kind, item_id, op, changed_at)
    select ${newestSeq} + ${source.select ? 'row_number() over ()' : '1'}, scope, kind, item_id, '${op}', ${nowSql} from ${named} where true
    on conflict (scope, kind, item_id) do update set seq = excluded.seq, op = excluded.op, changed_at = excluded.changed_at;`,
  ];
}

/** An update that names a column may leave it unchanged. */
const wordsOf = ({ kind, as, isBefore }: TriggerSource) => `log_${kind}${as ? `_${as}` : ''}${isBefore ? '_before' : ''}`;
const purposeOf = ({ kind, select, logs = select ? `each \`${kind}\` that contains data of the row` : `the \`${kind}\`` }: TriggerSource) =>
  `Log ${logs}`;

/** The column of a row's user: a merge or split moves the row from one user to another. */
const changesHands = (source: TriggerSource): Trigger[] => {
  if (!isOwned(source)) return [];
  const rows = source.columns && !source.columns.includes('user_id') ? (['old', 'new'] as const) : (['old'] as const);
  return rows.map((row) => {
    const when = ['new.user_id <> old.user_id', ...(source.when ? [ofRow(source.when, row)] : [])];
    return trigger({
      on: source.table,
      name: `${wordsOf(source)}_${row === 'old' ? 'given' : 'taken'}`,
      event: 'update',
      of: ['user_id'],
      when: when.map((one) => `(${one})`).join(' and '),
      run: log(source, row),
      purpose: `${purposeOf(source)} for the user that the row ${row === 'old' ? 'belonged' : 'now belongs'} to.`,
    });
  });
};

const writes = (source: TriggerSource): Trigger[] =>
  (source.events ?? everyEvent).map((event) => {
    const row = event === 'delete' || source.isBefore ? 'old' : 'new';
    const matters = event === 'update' ? source.columns : undefined;
    const conditions = [
      ...(source.when ? [ofRow(source.when, row)] : []),
      ...(matters ? [columnsDiffer(matters)] : []),
      ...(event === 'update' && source.onUpdate ? [source.onUpdate] : []),
    ];
    return trigger({
      on: source.table,
      name: `${wordsOf(source)}_${event}`,
      event,
      ...(matters && { of: matters }),
      ...(conditions.length > 0 && { when: conditions.map((one) => `(${one})`).join(' and ') }),
      run: log(source, row),
      purpose: `${purposeOf(source)}${source.isBefore ? ', from the row before the change' : ''}.`,
    });
  });

export const changeTriggers = sources.flatMap((source) => [...changesHands(source), ...writes(source)]);
