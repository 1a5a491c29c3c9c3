// What a page of the feed reads of graded work, in the trip that also reads the caller's rights.

import type { CourseContext } from '../../contexts/course';
import type { Viewer } from '../../contexts/viewer';
import type { Database } from '../../database/open';
import type { Cursor, Home } from './cursor';
import { type GradedChange, type GradedItem, gradedChangesSince, gradedWalksOf, partOfWork } from './graded_walks';
import { asChange, mayKnow } from './graded_work';
import { hadGradedWork } from './visibility_key';
import type { WaitingChange } from './window';

/** The courses whose graded work the client wants, or may still have. */
const coursesOf = (sent: Cursor | undefined, chosen: readonly number[]): number[] => [
  ...new Set([
    ...chosen,
    ...Object.entries(sent?.lenses ?? {}).flatMap(([id, key]) => (hadGradedWork(key) ? Number(id) : [])),
    ...(sent?.backlog ?? []).flatMap(({ home, part }) => (part >= partOfWork ? home : [])),
  ]),
];

/** The same place of two walks is one: what one of them may not show, the other may. */
function withoutTwins(items: readonly WaitingChange[]): WaitingChange[] {
  const kept = new Map<string, WaitingChange>();
  for (const one of items) {
    const key = `${one.place} ${one.seq}`;
    if (kept.get(key)?.isHidden !== false) kept.set(key, one);
  }
  return [...kept.values()];
}

export function gradedPage(db: Database, me: Viewer, sent: Cursor | undefined, chosen: readonly number[], limit: number) {
  const relevant = coursesOf(sent, chosen);
  const walks = (sent?.backlog ?? []).flatMap((one, place) => (one.part >= partOfWork ? { ...one, place, bound: one.bound ?? 0 } : []));
  const changed = sent && relevant.length > 0 ? [gradedChangesSince(db, me, relevant, sent.seq, limit)] : [];
  return {
    statements: [...changed, ...gradedWalksOf(db, walks, limit)],
    isRelevant: (home: Home | null): home is Home => home !== null && relevant.includes(home),
    /** @param results of the statements, in order */
    read(results: readonly unknown[], courses: ReadonlyMap<number, CourseContext>) {
      const items = results.slice(changed.length).flat() as GradedItem[];
      return {
        /** Also those that the caller may not know of, because the page ends by their number. */
        changes: results.slice(0, changed.length).flat() as GradedChange[],
        waiting: withoutTwins(items.map((one) => ({ ...asChange(one), place: one.place, isHidden: !mayKnow(courses, one) }))),
      };
    },
  };
}
