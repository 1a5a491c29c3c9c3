// Which students are beside the open one, and who is to be graded next.

import type { GradingQueue } from '../../contract/gradebook.ts';

export type QueuedStudent = GradingQueue['students'][number];

/** The first one of whom a decision or a grade is expected; after `user_id`, and then from the start. */
export function nextToGrade(students: readonly QueuedStudent[], user_id: number | null): QueuedStudent | undefined {
  const here = students.findIndex((student) => student.user_id === user_id);
  const turned = [...students.slice(here + 1), ...students.slice(0, here + 1)];
  return turned.find((student) => student.user_id !== user_id && (student.state === 'to grade' || student.has_conflict));
}

export interface Neighbours {
  readonly at: number;
  readonly previous: QueuedStudent | undefined;
  readonly next: QueuedStudent | undefined;
  readonly toGrade: QueuedStudent | undefined;
}

export function neighboursOf(students: readonly QueuedStudent[], user_id: number): Neighbours {
  const at = students.findIndex((student) => student.user_id === user_id);
  return { at, previous: students[at - 1], next: students[at + 1], toGrade: nextToGrade(students, user_id) };
}
