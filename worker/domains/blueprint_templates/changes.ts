// Unsynced changes of a blueprint: read in one round trip, returned as change records.

import { getTableName, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../database/open';
import { shared } from '../../database/shared';
import { withColumns } from '../../database/together';
import { kindFacts } from '../../rules/copied_kinds';
import { type CopiedKind, copiedKinds } from '../course_copy/table';
import type { BlueprintChange, ChangeKind } from './table';

/** A changed item of a blueprint, in its current state. */
export interface Changed {
  readonly seq: number;
  readonly kind: ChangeKind;
  readonly id: number;
  readonly name: string;
  readonly workflow_state: string;
  readonly url: string | null;
  readonly is_announcement: number;
  /** Whether an associated course has a copy. */
  readonly is_known: number;
  readonly is_locked: number;
  /** The item that it is a part of; null for others. */
  readonly whole_kind: CopiedKind | null;
  readonly whole_id: number | null;
}

const columns = [
  'seq',
  'kind',
  'id',
  'name',
  'workflow_state',
  'url',
  'is_announcement',
  'is_known',
  'is_locked',
  'whole_kind',
  'whole_id',
];

/** D1 allows at most five terms in a compound select. */
export const inFives = (selects: readonly SQL[]): SQL[] =>
  Array.from({ length: Math.ceil(selects.length / 5) }, (_, at) => sql`${sql.join(selects.slice(at * 5, at * 5 + 5), sql` union all `)}`);

/** The changes of several results, in the order of the changes. */
export const inSequence = (results: readonly (readonly Changed[])[]): Changed[] => results.flat().sort((one, other) => one.seq - other.seq);

/**
 * Reads the changes; `inSequence` merges the results.
 * @param after the last change to exclude, as SQL
 */
export const selectChanges = (db: Database, course_id: number, after: SQL) => {
  const course = shared('course', course_id);
  const seen = sql`c.course_id = ${course} and c.seq > coalesce((${after}), 0)`;
  const ofThings = copiedKinds.map((kind) => {
    const word = sql.raw(`'${kind}'`);
    const { table, title, partOf } = kindFacts[kind];
    const whole = partOf ? `'${partOf.kind}' as whole_kind, t.${partOf.column} as whole_id` : 'null as whole_kind, null as whole_id';
    return sql`select c.seq, c.kind, c.item_id as id, t.${sql.raw(title)} as name, t.workflow_state, ${sql.raw(kind === 'page' ? 't.url' : 'null')} as url, ${sql.raw(kind === 'discussion_topic' ? 't.is_announcement' : '0')} as is_announcement,
      exists (select 1 from copied_items l where l.source_course_id = ${course} and l.kind = ${word} and l.source_id = c.item_id
        and l.course_id in (select s.course_id from blueprint_subscriptions s join blueprint_templates b on b.id = s.template_id where b.course_id = ${course} and s.workflow_state = 'active')) as is_known,
      exists (select 1 from blueprint_items b where b.kind = ${word} and b.item_id = c.item_id and (b.content or b.points or b.due_dates or b.availability_dates or b.state)) as is_locked, ${sql.raw(whole)}
      from blueprint_changes c join ${sql.raw(getTableName(table))} t on t.id = c.item_id where c.kind = ${word} and ${seen}`;
  });
  const ofCourse = sql`select c.seq, c.kind, c.item_id, k.name, 'available', null, 0, 1, 0, null, null from blueprint_changes c join courses k on k.id = c.item_id where c.kind in ('syllabus', 'settings') and ${seen}`;
  return inFives([...ofThings, ofCourse]).map((some) => withColumns(db.build.all<Changed>(some), columns));
};

export const isGone = ({ workflow_state }: Pick<Changed, 'workflow_state'>): boolean => workflow_state === 'deleted';

/** What is reported with the item that it belongs to. */
const unreported: ReadonlySet<ChangeKind> = new Set(['folder', 'module_item', 'new_quiz_item']);

/** The changes to report: folders, module items and items of New Quizzes are not reported on their own, nor are deleted items that were never synced. */
export function recordsOf(changed: readonly Changed[]): BlueprintChange[] {
  return changed
    .filter((one) => !unreported.has(one.kind) && !(isGone(one) && !one.is_known))
    .map((one) => ({
      kind: one.kind,
      id: one.id,
      name: one.name,
      type: isGone(one) ? 'deleted' : one.is_known ? 'updated' : 'created',
      locked: one.is_locked === 1,
      ...(one.url !== null && { url: one.url }),
      ...(one.is_announcement === 1 && { is_announcement: true }),
    }));
}
