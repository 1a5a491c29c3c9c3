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

/** Which items a sync copies, which it deletes, and which it leaves because they were edited. */
function itemsOf(news: readonly Changed[], follower: Follower, locks: Locks): Items {
  const edited = new Map(follower.edited.map((one) => [`${one.kind} ${one.source_id}`, one]));
  const { items, deleted, conflicts }: Items = { items: {}, deleted: {}, conflicts: [] };
  for (const one of news) {
    const { kind, id } = one;
    if (kind === 'syllabus' || kind === 'settings') continue;
    const found = edited.get(`${kind} ${id}`);
    const changes = found ? conflictOf(found, locks(kind, id)) : [];
    if (changes.length === 0) {
      const list = isGone(one) ? deleted : items;
      list[kind] = [...(list[kind] ?? []), id];
      continue;
    }
    // An item deleted on both sides is not a conflict.
    if (!(isGone(one) && found?.is_gone)) conflicts.push({ kind, id, changes });
  }
  return { items, deleted, conflicts };
}

/** @param changed every change since the course became a blueprint */
export function chosenFor(
  changed: readonly Changed[],
  follower: Follower,
  locks: Locks,
  options: SyncOptions,
): { choice: Choice; conflicts: Conflict[] } {
  const isFirst = follower.synced_seq === null;
  const news = changed.filter(({ seq }) => isFirst || seq > (follower.synced_seq ?? 0));
  const { items, deleted, conflicts } = itemsOf(news, follower, locks);
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
