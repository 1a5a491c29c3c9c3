// Which changes a sync applies to one course, and which it skips because the copy was edited there. Pure.

import { lookUp } from '@carrel/shared/wire/look_up';
import type { Choice, CopiedKind } from '../course_copy/table';
import { type Changed, isGone } from './changes';
import { type Conflict, type Lockable, lockables, type SyncOptions } from './table';

/** A copy in the associated course that differs from the last sync. */
export interface Edited {
  readonly kind: CopiedKind;
  readonly source_id: number;
  /** `,content,points` */
  readonly changed: string;
  readonly is_gone: number;
}

export interface Follower {
  /** Null before its first sync. */
  readonly synced_seq: number | null;
  readonly syllabus_changed: boolean;
  readonly edited: readonly Edited[];
}

/** The locks on an item of the blueprint. */
export type Locks = (kind: CopiedKind, id: number) => { readonly [L in Lockable]?: boolean | number } | undefined;

/** The unlocked parts of a copy that were edited; a deleted copy is restored when anything in it is locked. */
function conflictOf({ changed, is_gone }: Edited, locks: ReturnType<Locks>): string[] {
  const isLocked = locks !== undefined && lockables.some((name) => locks[name]);
  if (is_gone) return isLocked ? [] : ['deleted'];
  return changed.split(',').filter((name) => name !== '' && !lookUp<boolean | number | undefined>(locks, name));
}

interface Items {
  readonly items: { [K in CopiedKind]?: number[] };
  readonly deleted: { [K in CopiedKind]?: number[] };
  readonly conflicts: Conflict[];
}

const keyOf = ({ kind, id }: { readonly kind: string; readonly id: number }) => `${kind} ${id}`;

/** The item that a change is a part of; itself for others. */
const wholeOf = ({ kind, id, whole_kind, whole_id }: Changed) =>
  whole_kind === null || whole_id === null ? { kind, id } : { kind: whole_kind, id: whole_id };

const isPart = ({ whole_kind, whole_id }: Changed): boolean => whole_kind !== null && whole_id !== null;

type ConflictOfKey = (item: Pick<Changed, 'kind' | 'id'>, whole?: Pick<Changed, 'kind' | 'id'>) => readonly string[];

/** Which items a sync copies, which it deletes, and which it leaves because they were edited; parts follow the item that they belong to. */
function itemsOf(news: readonly Changed[], edited: ReadonlyMap<string, Edited>, conflicting: ConflictOfKey): Items {
  const { items, deleted, conflicts }: Items = { items: {}, deleted: {}, conflicts: [] };
  for (const one of news) {
    const { kind, id } = one;
    if (kind === 'syllabus' || kind === 'settings') continue;
    const whole = wholeOf(one);
    // Its item, which is a change as well, has the conflict.
    if (isPart(one) && conflicting(whole).length > 0) continue;
    const changes = conflicting(one, whole);
    if (changes.length === 0) {
      const list = isGone(one) ? deleted : items;
      list[kind] = [...(list[kind] ?? []), id];
      continue;
    }
    // An item deleted on both sides is not a conflict.
    if (!(isGone(one) && edited.get(keyOf(one))?.is_gone)) conflicts.push({ kind, id, changes: [...changes] });
  }
  return { items, deleted, conflicts };
}

/** The changes that a course does not have yet, and all parts of items whose edits are overwritten there. */
function newsOf(
  changed: readonly Changed[],
  isNew: (one: Changed) => boolean,
  edited: ReadonlyMap<string, Edited>,
  conflicting: ConflictOfKey,
) {
  const isOverwritten = (one: Changed) => edited.has(keyOf(one)) && conflicting(one).length === 0;
  const overwritten = new Set(changed.filter((one) => isNew(one) && isOverwritten(one)).map(keyOf));
  return changed.filter((one) => isNew(one) || (isPart(one) && overwritten.has(keyOf(wholeOf(one)))));
}

/** @param changed every change since the course became a blueprint */
export function chosenFor(
  changed: readonly Changed[],
  follower: Follower,
  locks: Locks,
  options: SyncOptions,
): { choice: Choice; conflicts: Conflict[] } {
  const isFirst = follower.synced_seq === null;
  const edited = new Map(follower.edited.map((one) => [keyOf({ kind: one.kind, id: one.source_id }), one]));
  const conflicting: ConflictOfKey = (item, whole = item) => {
    const found = edited.get(keyOf(item));
    return found ? conflictOf(found, locks(whole.kind as CopiedKind, whole.id)) : [];
  };
  const news = newsOf(changed, ({ seq }) => isFirst || seq > (follower.synced_seq ?? 0), edited, conflicting);
  const { items, deleted, conflicts } = itemsOf(news, edited, conflicting);
  const hasNews = news.find(({ kind }) => kind === 'syllabus');
  const syllabus = (isFirst || hasNews !== undefined) && !follower.syllabus_changed;
  if (hasNews && follower.syllabus_changed) conflicts.push({ kind: 'syllabus', id: hasNews.id, changes: ['content'] });
  return {
    choice: {
      alone: true,
      items,
      deleted,
      settings: options.copy_settings ?? isFirst,
      syllabus,
      ...(options.send_item_notifications && { heard: true }),
      ...(isFirst && options.publish_after_initial_sync && { publish: true }),
    },
    conflicts,
  };
}
