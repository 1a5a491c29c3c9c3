// Grades in the outbox: entered, added to unsent ones, decided after a conflict.

import { randomUUID } from 'node:crypto';
import type { Unfinished, WritingPlace } from '../../contract/writing';
import { type GradeBody, mergedEntry, wordsOfEntry } from '../grading/grade_entry';
import { durably } from '../store/driver';
import type { IntentQueue } from './intent_queue';
import { gradeEntity, type Intent, isUnheard } from './intents';
import { deleteTextDraft, goOn } from './text_drafts';

export type GradeIntent = Extract<Intent, { readonly verb: 'grade' }>;

export const isGrade = (intent: Intent): intent is GradeIntent => intent.verb === 'grade';

/** The user has not decided yet what is to count. */
export const isConflict = ({ hold }: Pick<Intent, 'hold'>): boolean => hold === 'graded meanwhile' || hold === 'newer attempt';

/**
 * All of them in one transaction. What was not sent yet is replaced field by field; it keeps what the grader had seen first, and its
 * conflict, if there is one.
 */
export function enterGrades(queue: IntentQueue, bodies: readonly GradeBody[], finished?: WritingPlace): string[] {
  return durably(queue.user.database, () => {
    const last = new Map(queue.pending().map((intent) => [intent.entity, intent]));
    if (finished) deleteTextDraft(queue.user, finished);
    return bodies.map((body) => {
      const entity = gradeEntity(body.assignment_id, body.user_id);
      const before = last.get(entity);
      if (!before || !isGrade(before) || !isUnheard(before)) return queue.add(entity, { verb: 'grade', body });
      const merged = { ...before.body, entry: mergedEntry(before.body.entry, body.entry) };
      return replace(queue, before, merged, isConflict(before));
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
    queue.drop(intent);
  });
}

/** The draft to which the words of a grade return. */
export function draftOfGrade(body: GradeBody): { readonly at: WritingPlace; readonly words: Unfinished } | undefined {
  const { course_id, assignment_id, user_id, entry } = body;
  const text = wordsOfEntry(entry);
  return text === '' ? undefined : { at: { kind: 'comment', course_id, assignment_id, user_id }, words: { text } };
}
