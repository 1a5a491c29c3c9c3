// Budgets of polls.

import { beforeAll } from 'vitest';
import { ground } from '../support/api';
import { type Budget, fillRows, fillTime, holdBudgets, inBulk, type Scene, type Twins, twins } from '../support/budgets';

interface Learning extends Scene {
  /** Of the teacher, with many choices and sessions. */
  readonly poll: number;
}

let scenes: Twins<Learning>;
const stamp = "'2026-09-01T08:00:00Z', '2026-09-01T08:00:00Z'";

const filled = async (scene: Scene): Promise<Learning> => ({ ...scene, poll: await ground.poll(scene.teacher) });

beforeAll(async () => {
  const { small, large } = await twins(ground);
  scenes = { small: await filled(small), large: await filled(large) };
  await inBulk(fillAll);
}, fillTime);

async function fillAll(): Promise<void> {
  await fillRows(scenes, 'polls', 'user_id, question, created_at, updated_at', ({ teacher }) => `${teacher.id}, 'Which?', ${stamp}`);
  await fillRows(scenes, 'poll_choices', 'poll_id, text, position, created_at, updated_at', ({ poll }) => `${poll}, 'Choice', n, ${stamp}`);
  for (const isOpen of [0, 1])
    await fillRows(
      scenes,
      'poll_sessions',
      'poll_id, course_id, is_published, opened_at, created_at, updated_at',
      ({ poll, course }) => `${poll}, ${course.id}, ${isOpen}, '2026-09-01T08:00:00Z', ${stamp}`,
    );
}

type Path = (scene: Learning) => string;
const asked = (by: 'teacher' | 'student', path: Path, more: Partial<Budget<Learning>> = {}): Budget<Learning> => ({
  asks: (scene) => ({ by: scene[by], path: path(scene) }),
  ...more,
});
const sessions = { madeOf: ['session', 'poll', 'answers'] };

holdBudgets<Learning, 'outcomes'>(() => scenes, {
  'GET /api/1/polls': [asked('teacher', () => '/api/1/polls')],
  'GET /polls': [asked('teacher', () => '/polls')],
  'GET /polls/:poll_id/poll_choices': [
    asked('student', ({ poll }) => `/polls/${poll}/poll_choices`, { madeOf: ['choice', 'poll', 'answer'] }),
  ],
  'GET /polls/:poll_id/poll_sessions': [asked('teacher', ({ poll }) => `/polls/${poll}/poll_sessions`, sessions)],
  'GET /poll_sessions/opened': [asked('student', () => '/poll_sessions/opened', sessions)],
  'GET /poll_sessions/closed': [asked('student', () => '/poll_sessions/closed', sessions)],
});
