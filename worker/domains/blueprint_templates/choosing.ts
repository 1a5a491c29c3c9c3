// What a sync brings to one course, and what it leaves alone there because it has been edited. Decided from values alone.

import { lookUp } from '@carrel/shared/wire/look_up';
import type { Choice, Kind } from '../course_copy/table';
import { type Changed, isGone } from './changes';
import { type Conflict, type Lockable, lockables, type SyncOptions } from './table';

/** A copy in the course that follows which is not as the last sync left it. */
export interface Edited {
  readonly kind: Kind;
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

/** What is locked of a thing of the blueprint. */
export type Locks = (kind: Kind, id: number) => { readonly [L in Lockable]?: boolean | number } | undefined;

/** What has been edited of a copy beyond what is locked; a copy that is gone comes back where anything is locked. */
function conflictOf({ changed, is_gone }: Edited, locks: ReturnType<Locks>): string[] {
  const isLocked = locks !== undefined && lockables.some((name) => locks[name]);
  if (is_gone) return isLocked ? [] : ['deleted'];
  return changed.split(',').filter((name) => name !== '' && !lookUp<boolean | number | undefined>(locks, name));
}

/** @param changed everything that has ever changed in the blueprint, which is everything that there is and was since it became one */
export function chosenFor(
  changed: readonly Changed[],
  follower: Follower,
  locks: Locks,
  options: SyncOptions,
): { choice: Choice; conflicts: Conflict[] } {
  const isFirst = follower.synced_seq === null;
  const edited = new Map(follower.edited.map((one) => [`${one.kind} ${one.source_id}`, one]));
  const items: { [K in Kind]?: number[] } = {};
  const deleted: { [K in Kind]?: number[] } = {};
  const conflicts: Conflict[] = [];
  const news = changed.filter(({ seq }) => isFirst || seq > (follower.synced_seq ?? 0));
  for (const one of news) {
    const { kind, id } = one;
    if (kind === 'syllabus' || kind === 'settings') continue;
    const found = edited.get(`${kind} ${id}`);
    const changes = found ? conflictOf(found, locks(kind, id)) : [];
    if (changes.length > 0) {
      // What is gone here and there is no conflict.
      if (!(isGone(one) && found?.is_gone)) conflicts.push({ kind, id, changes });
      continue;
    }
    const list = isGone(one) ? deleted : items;
    list[kind] = [...(list[kind] ?? []), id];
  }
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
