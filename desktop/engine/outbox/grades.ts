// Grades in the outbox: entered, added to unsent ones, decided after a conflict.

import { randomUUID } from 'node:crypto';
import type { Unfinished, WritingPlace } from '../../contract/writing';
import { type GradeBody, mergedBody, wordsOfEntry } from '../grading/grade_entry';
import { durably } from '../store/driver';
import type { UserStore } from '../store/user';
import type { IntentQueue } from './intent_queue';
import { gradeEntity, type Intent, isUnheard } from './intents';
import { deleteTextDraft, goOn } from './text_drafts';

export type GradeIntent = Extract<Intent, { readonly verb: 'grade' }>;

export const isGrade = (intent: Intent): intent is GradeIntent => intent.verb === 'grade';

/** The user has not decided yet what is to count. */
export const isConflict = ({ hold }: Pick<Intent, 'hold'>): boolean => hold === 'graded meanwhile' || hold === 'newer attempt';

export interface EnteredWith {
  /** The draft that it was, which is deleted. */
  readonly finished?: WritingPlace | undefined;
  /** What else changes in the same transaction. */
  readonly also?: () => void;
}

/**
 * All of them in one transaction. What was not sent yet is replaced field by field; it keeps what the grader had seen first, and its
 * conflict, if there is one.
 */
export function enterGrades(queue: IntentQueue, bodies: readonly GradeBody[], { finished, also }: EnteredWith = {}): string[] {
  return durably(queue.user.database, () => {
    const last = new Map(queue.pending().map((intent) => [intent.entity, intent]));
    if (finished) deleteTextDraft(queue.user, finished);
    also?.();
    return bodies.map((body) => {
      const entity = gradeEntity(body);
      const before = last.get(entity);
      if (!before || !isGrade(before) || !isUnheard(before)) return queue.add(entity, { verb: 'grade', body });
      return replace(queue, before, mergedBody(before.body, body), isConflict(before));
    });
  });
}

/** With another id, because another request must not have the same key. */
function replace(queue: IntentQueue, { id }: GradeIntent, body: GradeBody, isHeld: boolean): string {
  const next = randomUUID();
  queue.user.prepare('UPDATE outbox SET id = ?, body = ?, attempts = 0 WHERE id = ?').run(next, JSON.stringify(body), id);
  if (!isHeld) queue.user.prepare("UPDATE outbox SET state = 'queued', reason = NULL, hold = NULL WHERE id = ?").run(next);
  return next;
}

/** Sends it for the state that the user has seen now. */
export function sendAnyway(queue: IntentQueue, intent: GradeIntent): void {
  const { meanwhile, ...body } = intent.body;
  const { version, attempt, score, grade, excused } = meanwhile ?? body.known;
  durably(queue.user.database, () => replace(queue, intent, { ...body, known: { version, attempt, score, grade, excused } }, false));
}

/** Gives the grade up; its words become a draft. */
export function giveUp(queue: IntentQueue, intent: GradeIntent): void {
  durably(queue.user.database, () => {
    const draft = draftOfGrade(intent.body);
    if (draft) goOn(queue.user, draft.at, draft.words, queue.now());
    backToFolder(queue.user, intent.body);
    queue.drop(intent);
  });
}

/** Within a transaction of the caller: what came from a folder is a change there again. */
export function backToFolder(user: UserStore, body: GradeBody): void {
  if (body.who !== undefined) user.graded.giveBack(body, body.who, body.files ?? []);
}

/** The draft to which the words of a grade return; those of an anonymous student are in `grades.csv`. */
export function draftOfGrade(body: GradeBody): { readonly at: WritingPlace; readonly words: Unfinished } | undefined {
  const { course_id, assignment_id, user_id, entry } = body;
  const text = wordsOfEntry(entry);
  return text === '' || body.anonymous_id !== undefined
    ? undefined
    : { at: { kind: 'comment', course_id, assignment_id, user_id }, words: { text } };
}
