// A course whose people follow the feed while things are written, each held against what REST shows them.

import { expect } from 'vitest';
import { as, ground } from './api';
import { aCourse } from './ground';
import { differences, mirrorOf, restView } from './mirror';

export type Watcher = 'teacher' | 'ta' | 'designer' | 'student' | 'student2' | 'observer' | 'stranger';

/** A course with everybody in it, each with a mirror of the feed. */
export async function aWatchedCourse(parts: readonly Watcher[] = ['teacher', 'student', 'student2', 'observer', 'stranger']) {
  const scene = await aCourse(ground);
  const admin = await ground.admin();
  const watchers = parts.map((part) => ({ part, person: scene[part], mirror: mirrorOf(as(scene[part])) }));
  return {
    ...scene,
    admin,
    /** Holds every feed against REST, and says what was written last. */
    async agree(after: string) {
      await Promise.all(
        watchers.map(async ({ part, person, mirror }) => {
          await mirror.catchUp();
          const rest = await restView(as(person), person, scene.course);
          // What REST has evaluated while it read reaches the feed too.
          await mirror.catchUp();
          expect(differences(mirror.view, rest), `${part}, after ${after}`).toEqual([]);
        }),
      );
    },
    seenBy: (part: string) => watchers.find((one) => one.part === part)?.mirror.view ?? new Map(),
  };
}
