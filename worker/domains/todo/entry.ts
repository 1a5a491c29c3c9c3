// A to-do item of any kind, and the order in which lists merge them.

import type { Json } from '@carrel/shared/resources/resource';
import type { Todo } from '@carrel/shared/resources/todo';

export interface TodoKey {
  /** `9999` when undated, to sort last. */
  readonly at: string;
  /** Of the assignment or quiz. */
  readonly id: number;
  readonly type: 'submitting' | 'grading' | 'quiz';
}

export interface TodoEntry {
  readonly key: TodoKey;
  readonly json: Json<typeof Todo>;
}

const compare = (one: string, other: string): number => Number(one > other) - Number(one < other);

export const byTodoKey = (one: TodoKey, other: TodoKey): number =>
  compare(one.at, other.at) || one.id - other.id || compare(one.type, other.type);

/** The addresses that hide an item. @param asset such as `assignment_5` */
export function todoActions(asset: string, purpose: 'submitting' | 'grading', origin: string) {
  const ignore = `${origin}/api/v1/users/self/todo/${asset}/${purpose}`;
  return { ignore: `${ignore}?permanent=0`, ignore_permanently: `${ignore}?permanent=1` };
}
