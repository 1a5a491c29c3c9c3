// One server for all clients: a fresh institution with a course and somebody in every part of it.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { aCourse, type BuiltCourse, groundOf, type Person } from '../support/ground';
import { startServer, withDatabase } from '../support/server';

export interface Started {
  readonly url: string;
  readonly course: BuiltCourse;
  readonly admin: Person;
  readonly teacher: Person;
  readonly student: Person;
  /** Somebody who signs in with a password. */
  readonly learner: Person & { readonly password: string };
}

declare module 'vitest' {
  interface ProvidedContext {
    started: Started;
  }
}

export default async function start(project: TestProject): Promise<() => Promise<void>> {
  const persist = await mkdtemp(join(tmpdir(), 'carrel-clients-'));
  const password = 'correct horse battery staple';
  const built = await withDatabase(persist, async (d1) => {
    const ground = groundOf(d1);
    const { course, teacher, student } = await aCourse(ground, { name: 'Astronomy', course_code: 'AST 101' });
    return {
      course,
      teacher,
      student,
      admin: await ground.admin(),
      learner: { ...(await ground.person({ name: 'Lea Learner', password })), password },
    };
  });
  const server = await startServer({ persist });
  project.provide('started', { url: server.url, ...built });
  return async () => {
    await server.stop();
    await rm(persist, { recursive: true, force: true });
  };
}
