// A course whose users follow the feed during writes; each feed is compared with REST.

import { expect, vi } from 'vitest';
import { as, ground } from './api';
import type { Answer } from './client';
import { aCourse, type Person } from './ground';
import { differences, mirrorOf, restView } from './mirror';
import { countWrites, rememberingReader, writesByTable } from './table_writes';

export type Watcher = 'admin' | 'teacher' | 'ta' | 'designer' | 'student' | 'student2' | 'observer' | 'stranger';

/** The response body of a successful write. */
export function wrote(answer: Answer): Answer['body'] {
  expect([200, 201, 204], JSON.stringify(answer.body)).toContain(answer.status);
  return answer.body;
}

/** Waits for a job that a write has started. */
export const finished = (person: Person, { id }: { id: number }) =>
  vi.waitFor(async () => expect(wrote(await as(person).get(`/progress/${id}`)).workflow_state).toBe('completed'), { timeout: 20_000 });

/**
 * A course with a user in every role, each with a mirror of the feed. REST is read again when the tables behind a response have been
 * written.
 * @param inTime reads everything every time, because responses change without a write
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
    /** Another course in which these users get enrolled. */
    watchToo: (course: { readonly id: number }) => courses.push(course),
    /** Compares every feed with REST, and names the last write on a difference. */
    async agree(after: string) {
      await Promise.all(
        watchers.map(async ({ part, person, mirror, reader }) => {
          await mirror.catchUp();
          if (!inTime) reader.since(await writesByTable());
          const rest = await restView(inTime ? as(person) : reader, person, courses);
          // REST reads evaluate module progress, which then appears in the feed as well.
          await mirror.catchUp();
          expect(differences(mirror.view, rest), `${part}, after ${after}`).toEqual([]);
        }),
      );
    },
    /** What the feed returns now to one of them. */
    toldTo: (part: Watcher) => watchers.find((one) => one.part === part)?.mirror.catchUp() ?? Promise.resolve([]),
    seenBy: (part: Watcher) => watchers.find((one) => one.part === part)?.mirror.view ?? new Map(),
  };
}
