// Taking a quiz: all questions, the time left, and where the answers are saved.

import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { AttemptView } from '../../contract/quizzes.ts';
import { moment } from '../../language/dates.ts';
import { howFar } from '../../language/quizzes.ts';
import { t } from '../../language/texts.ts';
import { cloth } from '../courses/cloth.ts';
import { call } from '../host.ts';
import { useLive } from '../live.ts';
import { Blank } from '../parts/Blank.tsx';
import { Dialog } from '../parts/Dialog.tsx';
import { Heading, Up } from '../parts/Heading.tsx';
import { Icon } from '../parts/Icon.tsx';
import { Shown } from '../parts/Shown.tsx';
import { complain } from '../parts/Toast.tsx';
import { go, hrefOf } from '../routes.ts';
import { settleAll } from '../writing/keeping.ts';
import { LateAnswers } from './LateAnswers.tsx';
import type { QuizPlace } from './place.ts';
import { Question } from './Question.tsx';
import { type QuestionStep, Steps, useStep } from './Steps.tsx';
import { TimeLeft, useCountdown } from './TimeLeft.tsx';

export function AttemptPage(at: QuizPlace) {
  const attempt = useLive('courses', 'quiz.attempt', { id: at.id });
  return (
    <div className="quiz" data-cloth={cloth(at.course_id)}>
      <Shown live={attempt}>
        {(found) =>
          found && found.turned_in_at === null ? (
            <Attempt attempt={found} at={at} />
          ) : (
            <>
              <Heading title={found?.title ?? t('tab.quizzes')} above={<BackToQuiz at={at} />} />
              <Blank icon={found ? 'hourglass' : 'check'} title={t(found ? 'quiz.isWaiting' : 'quiz.notRunning')}>
                <p>
                  <a href={hrefOf({ at: 'quiz', ...at })}>{t('quiz.back')}</a>
                </p>
              </Blank>
            </>
          )
        }
      </Shown>
    </div>
  );
}

const BackToQuiz = ({ at }: { at: QuizPlace }) => <Up to={hrefOf({ at: 'quiz', ...at })}>{t('quiz.back')}</Up>;

function Attempt({ attempt, at }: { attempt: AttemptView; at: QuizPlace }) {
  const { title, questions, ends_at, ends_by_itself, is_over, steps } = attempt;
  const [isAsking, setAsking] = useState(false);
  const step = useStep(attempt);
  const left = useCountdown(ends_at);
  const isTimeUp = left !== null && left <= 0;
  const turnIn = async () => {
    setAsking(false);
    try {
      await settleAll();
      await call('quiz.turn_in', { id: at.id });
      go({ at: 'quiz', ...at });
    } catch (failure) {
      complain(failure);
    }
  };
  useAtTimeUp(isTimeUp && ends_by_itself && !is_over, turnIn);
  if (is_over)
    return (
      <>
        <Heading title={title} above={<BackToQuiz at={at} />} />
        <LateAnswers id={at.id} />
      </>
    );
  return (
    <>
      <Heading title={title} above={<BackToQuiz at={at} />} />
      <div className="quiz-bar">
        <SavedState attempt={attempt} at={at} />
        {left !== null && ends_at && <TimeLeft left={left} ends_at={ends_at} />}
      </div>
      <div className="quiz-desk">
        <div>
          <ol className="quiz-questions">
            {(steps ? questions.slice(step.at, step.at + 1) : questions).map((question) => (
              <Question key={question.id} question={question} quiz_id={at.id} isOff={isTimeUp || step.isGoing} />
            ))}
          </ol>
          {steps && <Steps steps={steps} step={step} isOff={isTimeUp} />}
        </div>
        <nav className="quiz-map" aria-label={t('quiz.map')}>
          {(!steps || steps.can_go_back) && <QuestionMap attempt={attempt} step={step} />}
          <button type="button" className="primary" onClick={() => setAsking(true)}>
            {t('quiz.turnIn')}
          </button>
        </nav>
      </div>
      {isAsking && <TurnInDialog attempt={attempt} turnIn={turnIn} close={() => setAsking(false)} />}
    </>
  );
}

function QuestionMap({ attempt, step }: { attempt: AttemptView; step: QuestionStep }) {
  const { questions, steps } = attempt;
  return (
    <ul>
      {questions.map((question, place) =>
        question.number === null ? null : (
          <li key={question.id}>
            <button
              type="button"
              data-answered={question.is_answered}
              data-flagged={question.is_flagged}
              aria-label={mapWords(question)}
              aria-current={steps && place === step.at ? 'step' : undefined}
              onClick={() => (steps ? step.show(place) : toQuestion(question.id))}
            >
              {question.number}
              {question.is_flagged && <Icon name="marker" />}
            </button>
          </li>
        ),
      )}
    </ul>
  );
}

function mapWords({ number, is_answered, is_flagged }: AttemptView['questions'][number]): string {
  const words = [t('quiz.question', { number: number ?? 0 }), t(is_answered ? 'quiz.isAnswered' : 'quiz.isOpen')];
  return [...words, ...(is_flagged ? [t('quiz.isFlagged')] : [])].join(', ');
}

function toQuestion(id: number) {
  const element = document.getElementById(`question-${id}`);
  element?.scrollIntoView({ block: 'start' });
  element?.focus({ preventScroll: true });
}

/** Once, and not while the page is still being left. */
function useAtTimeUp(isUp: boolean, act: () => Promise<void>) {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    if (isUp) void latest.current();
  }, [isUp]);
}

interface DialogGiven {
  readonly attempt: AttemptView;
  readonly turnIn: () => Promise<void>;
  readonly close: () => void;
}

function TurnInDialog({ attempt, turnIn, close }: DialogGiven) {
  const open = attempt.questions.filter(({ number, shape, is_answered }) => number !== null && shape !== 'none' && !is_answered);
  const flagged = attempt.questions.filter(({ is_flagged }) => is_flagged);
  const left = attempt.steps ? attempt.steps.count - attempt.steps.reached : 0;
  return (
    <Dialog title={t('quiz.turnInAsk')} onClose={close}>
      <div className="form">
        {left > 0 && <p>{t('quiz.stepsLeft', { count: left })}</p>}
        {open.length > 0 && <p>{t('quiz.openQuestions', { count: open.length, numbers: numbersOf(open) })}</p>}
        {flagged.length > 0 && <p>{t('quiz.flaggedQuestions', { count: flagged.length, numbers: numbersOf(flagged) })}</p>}
        <p>{attempt.trouble === 'offline' ? t('quiz.turnInOffline') : t('quiz.turnInMeans')}</p>
        <footer>
          <span className="spring" />
          <button type="button" className="quiet" onClick={close}>
            {t('cancel')}
          </button>
          <button type="button" data-first className="primary" onClick={() => void turnIn()}>
            {t('quiz.turnIn')}
          </button>
        </footer>
      </div>
    </Dialog>
  );
}

const numbersOf = (questions: AttemptView['questions']): string => questions.map(({ number }) => number).join(', ');

/** Where the answers are: calm, whatever the network does. */
function SavedState({ attempt, at }: { attempt: AttemptView; at: QuizPlace }) {
  const { questions, trouble, needs_code, ends_at } = attempt;
  const unsent = questions.filter(({ is_sent, refused }) => !is_sent && refused === null).length;
  const isRefused = questions.some(({ refused }) => refused !== null);
  if (needs_code) return <CodeAgain at={at} />;
  const isOffline = trouble === 'offline';
  const text = isOffline
    ? t('quiz.savedHere', { count: unsent })
    : trouble !== null
      ? t('quiz.savedTrouble', { count: unsent, reason: trouble })
      : unsent > 0
        ? t('quiz.saving')
        : t(isRefused ? 'quiz.savedBut' : 'quiz.savedThere');
  return (
    <p className="quiz-saved" data-tone={isOffline || isRefused || trouble !== null ? 'warn' : 'good'} role="status">
      <Icon name={unsent > 0 ? 'hourglass' : isRefused ? 'warning' : 'check'} />
      <span>
        {text}
        {isOffline && ends_at && ` ${t('quiz.serverEnds', { when: moment(ends_at) })}`} <small>{howFar(attempt)}</small>
      </span>
    </p>
  );
}

function CodeAgain({ at }: { at: QuizPlace }) {
  const [code, setCode] = useState('');
  const send = (event: FormEvent) => {
    event.preventDefault();
    call('quiz.start', { ...at, access_code: code }).catch(complain);
  };
  return (
    <form className="quiz-code" onSubmit={send}>
      <label>
        <span>{t('quiz.codeAgain')}</span>
        <input required autoComplete="off" value={code} onChange={({ target }) => setCode(target.value)} />
      </label>
      <button type="submit">{t('quiz.sendCode')}</button>
    </form>
  );
}
