// One server for all client tests: a new institution with a course and a user in every role.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collaborations, collaborators } from '@carrel/worker/domains/collaborations/table';
import type { TestProject } from 'vitest/node';
import { aCourse, type BuiltCourse, groundOf, type Person } from '../support/ground';
import { startServer, withDatabase } from '../support/server';

const stories = ['courses', 'groups', 'content', 'files', 'days', 'letters', 'grading', 'quizzes', 'tools'] as const;
export type Cast = Awaited<ReturnType<typeof aCourse>>;

export interface Started {
  readonly url: string;
  readonly course: BuiltCourse;
  readonly admin: Person;
  readonly teacher: Person;
  readonly student: Person;
  /** Every test has its own course and users, so that tests do not affect each other. */
  readonly casts: Readonly<Record<(typeof stories)[number], Cast>>;
  /** Created directly in the database, because other programs make it: a collaboration with the student of the message tests. */
  readonly collaboration_id: number;
  /** A user who signs in with a password. */
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
    const casts = {} as Record<(typeof stories)[number], Cast>;
    for (const story of stories) casts[story] = await aCourse(ground, { name: `Of ${story}` });
    const { letters } = casts;
    const [collaboration] = await ground.db
      .insert(collaborations)
      .values({
        context_type: 'Course',
        context_id: letters.course.id,
        user_id: letters.teacher.id,
        collaboration_type: 'external_tool_collaboration',
        title: 'Minutes',
        created_at: '2026-09-01T08:00:00Z',
        updated_at: '2026-09-01T08:00:00Z',
      })
      .returning({ id: collaborations.id });
    const collaboration_id = (collaboration as { id: number }).id;
    await ground.db.insert(collaborators).values({ collaboration_id, user_id: letters.student.id });
    return {
      casts,
      collaboration_id,
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
