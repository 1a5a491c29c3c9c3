// One question at a time: which one is shown, and the way to the next.

import { useEffect, useRef, useState } from 'react';
import type { AttemptView, QuizSteps } from '../../contract/quizzes.ts';
import { t } from '../../language/texts.ts';
import { call } from '../host.ts';
import { complain } from '../parts/Toast.tsx';
import { settleAll } from '../writing/keeping.ts';

export interface QuestionStep {
  /** The index of the question that is shown, of those that are here. */
  readonly at: number;
  readonly isLast: boolean;
  /** The server is asked for the next question. */
  readonly isGoing: boolean;
  show(at: number): void;
  goOn(): Promise<void>;
}

export function useStep({ id, questions }: AttemptView): QuestionStep {
  const newest = questions.length - 1;
  const [chosen, setChosen] = useState(newest);
  const [isGoing, setGoing] = useState(false);
  const reached = questions.at(-1)?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another question was reached
  useEffect(() => setChosen(newest), [reached]);
  const at = Math.min(chosen, newest);
  useFocusOn(questions[at]?.id);
  const goOn = async () => {
    if (at < newest) return setChosen(at + 1);
    setGoing(true);
    try {
      await settleAll();
      await call('quiz.go_on', { id });
    } catch (failure) {
      complain(failure);
    } finally {
      setGoing(false);
    }
  };
  return { at, isLast: at === newest, isGoing, show: setChosen, goOn };
}

/** A question that takes the place of another one, not the first. */
function useFocusOn(id: number | undefined) {
  const before = useRef(id);
  useEffect(() => {
    if (before.current !== id) document.getElementById(`question-${id}`)?.focus();
    before.current = id;
  }, [id]);
}

export function Steps({ steps, step, isOff }: { steps: QuizSteps; step: QuestionStep; isOff: boolean }) {
  const { reached, count, can_go_back } = steps;
  const hasNext = !step.isLast || reached < count;
  return (
    <div className="quiz-steps">
      {can_go_back && step.at > 0 && (
        <button type="button" onClick={() => step.show(step.at - 1)}>
          {t('quiz.goBack')}
        </button>
      )}
      {hasNext && (
        <button type="button" className="primary" disabled={isOff || step.isGoing} onClick={() => void step.goOn()}>
          {t('quiz.goOn')}
        </button>
      )}
      {hasNext && !can_go_back && <small>{t('quiz.goOnForGood')}</small>}
    </div>
  );
}
