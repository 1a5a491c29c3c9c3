// A course whose people follow the feed while things are written, each held against what REST shows them.

import { expect, vi } from 'vitest';
import { as, ground } from './api';
import type { Answer } from './client';
import { aCourse, type Person } from './ground';
import { differences, mirrorOf, restView } from './mirror';
import { countWrites, rememberingReader, writes } from './written';

export type Watcher = 'admin' | 'teacher' | 'ta' | 'designer' | 'student' | 'student2' | 'observer' | 'stranger';

/** The answer's body, once something has been written. */
export function wrote(answer: Answer): Answer['body'] {
  expect([200, 201, 204], JSON.stringify(answer.body)).toContain(answer.status);
  return answer.body;
}

/** Waits for a job that a write has begun. */
export const finished = (person: Person, { id }: { id: number }) =>
  vi.waitFor(async () => expect(wrote(await as(person).get(`/progress/${id}`)).workflow_state).toBe('completed'), { timeout: 20_000 });

/**
 * A course with everybody in it, each with a mirror of the feed. What REST tells is asked for again when something that it was made of
 * has been written.
 * @param inTime asks for everything every time, because answers change without a write
 */
export async function aWatchedCourse(
  parts: readonly Watcher[] = ['teacher', 'student', 'student2', 'observer', 'stranger'],
  { inTime = false } = {},
) {
  await countWrites();
  const scene = await aCourse(ground);
  const admin = await ground.admin();
  const people = { ...scene, admin };
  const watchers = parts.map((part) => ({
    part,
    person: people[part],
    mirror: mirrorOf(as(people[part])),
    reader: rememberingReader(as(people[part])),
  }));
  const courses: { readonly id: number }[] = [scene.course];
  return {
    ...people,
    at: `/courses/${scene.course.id}`,
    /** Another course that these people come to be in. */
    watchToo: (course: { readonly id: number }) => courses.push(course),
    /** Holds every feed against REST, and says what was written last. */
    async agree(after: string) {
      await Promise.all(
        watchers.map(async ({ part, person, mirror, reader }) => {
          await mirror.catchUp();
          if (!inTime) reader.since(await writes());
          const rest = await restView(inTime ? as(person) : reader, person, courses);
          // What REST has evaluated while it read reaches the feed too.
          await mirror.catchUp();
          expect(differences(mirror.view, rest), `${part}, after ${after}`).toEqual([]);
        }),
      );
    },
    /** What the feed tells one of them now. */
    toldTo: (part: Watcher) => watchers.find((one) => one.part === part)?.mirror.catchUp() ?? Promise.resolve([]),
    seenBy: (part: Watcher) => watchers.find((one) => one.part === part)?.mirror.view ?? new Map(),
  };
}
