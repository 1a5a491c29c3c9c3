// The quiz of a path, as far as the caller sees it.

import { sql } from 'drizzle-orm';
import { readId } from '../../contexts/references';
import type { Call } from '../../http/call';
import { found, notFound, unauthorized } from '../../http/problem';
import { judged, type Reply } from '../../http/reply';
import { presentQuiz, visibleQuizzes } from '../quizzes/policy';
import { quizzes } from '../quizzes/table';
import type { QuizCall } from './reading';

/** Attempts belong to users, also in public courses. */
export const isReader = (call: Pick<Call, 'me' | 'course'>): boolean => call.me.isKnown && (call.course?.canRead ?? false);

/** @throws Problem 404 for what cannot be an id */
export const quizIn = ({ quiz_id }: { readonly quiz_id: string }): number => {
  const id = readId(quiz_id);
  if (id === undefined) throw notFound();
  return id;
};

/** The reply, if the caller sees the quiz. */
export const ofVisibleQuiz = (call: QuizCall & { readonly path: { readonly quiz_id: string } }, then: Reply): Reply =>
  judged(
    call.db.build
      .select({ is_visible: sql<number>`(${visibleQuizzes(call.course, call)})`.as('is_visible') })
      .from(quizzes)
      .where(presentQuiz(call.course, quizIn(call.path))),
    ([it]) => {
      if (!found(it).is_visible) throw unauthorized();
    },
    then,
  );
