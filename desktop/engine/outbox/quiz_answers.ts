// The answers of a running attempt: which of them the server lacks, and how they are sent.

import type { QuestionShape, QuizAnswer } from '../../contract/quizzes';
import type { AttemptQuestionJson } from '../model/quiz_resources';
import { answerFrom, answerToSend, questionShape } from '../quizzes/answers';
import { submissionsOf } from '../server/quiz_requests';
import type { Session } from '../server/session';
import { uploadFile } from '../server/upload';
import type { KeptAnswer, StoredAttempt } from '../store/quiz_attempts';
import type { UserStore } from '../store/user';
import { htmlOf } from '../text/prose';
import { bytesAt } from './work_drafts';

interface Uploading {
  readonly session: Session;
  readonly user: UserStore;
}

/** The server does not have it. */
export const isHereOnly = ({ changed, sent }: KeptAnswer): boolean => changed > sent;
/** A refused answer waits for the student to change it. */
export const isUnsent = (answer: KeptAnswer): boolean => isHereOnly(answer) && answer.refused === null;

export function shapeIn({ questions }: StoredAttempt, { question_id }: Pick<KeptAnswer, 'question_id'>): QuestionShape {
  const question = questions.find(({ id }) => id === question_id);
  return question ? questionShape(question) : 'none';
}

/** An answer as the server takes it, once its files are there. */
export async function sendableAnswer(
  { session, user }: Uploading,
  attempt: StoredAttempt,
  { question_id, answer }: KeptAnswer,
): Promise<unknown> {
  const shape = shapeIn(attempt, { question_id });
  const fileIds: number[] = [];
  for (const file of shape === 'files' ? filesOf(answer) : []) {
    const { name, size, sha256 } = file;
    const key = `quiz-${attempt.submission_id}-${attempt.attempt}-${question_id}-${sha256.slice(0, 32)}`;
    const address = `${submissionsOf(attempt)}/self/files`;
    fileIds.push((await uploadFile({ session, user, file: bytesAt(user, sha256), name, size, sha256, address, key })).id);
  }
  return answerToSend(shape, answer, { fileIds, asHtml: htmlOf });
}

/** What the server has. */
export const keptAnswer = (question: AttemptQuestionJson) => ({
  question_id: question.id,
  answer: answerFrom(question),
  is_flagged: question.flagged ?? false,
});

export const filesOf = (answer: QuizAnswer) =>
  typeof answer === 'object' && answer !== null && 'files' in answer && Array.isArray(answer.files)
    ? (answer.files as readonly { readonly name: string; readonly size: number; readonly sha256: string }[])
    : [];
