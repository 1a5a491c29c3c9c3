// A quiz before, between and after attempts: what it asks, how to start it, and what was reached.

import { type FormEvent, useState } from 'react';
import type { QuizView } from '../../contract/quizzes.ts';
import { moment } from '../../language/dates.ts';
import { howFar, quizHoldWords, quizKindWords, scoreWords } from '../../language/quizzes.ts';
import { t } from '../../language/texts.ts';
import { cloth } from '../courses/cloth.ts';
import { call } from '../host.ts';
import { useLive } from '../live.ts';
import { Blank } from '../parts/Blank.tsx';
import { Heading, Up } from '../parts/Heading.tsx';
import { Icon } from '../parts/Icon.tsx';
import { ProseText } from '../parts/ProseText.tsx';
import { Shown } from '../parts/Shown.tsx';
import { complain } from '../parts/Toast.tsx';
import { go, hrefOf } from '../routes.ts';
import { LateAnswers } from './LateAnswers.tsx';
import type { QuizPlace } from './place.ts';
import { StateOfQuiz } from './QuizList.tsx';
import { Results } from './Results.tsx';

export function QuizPage(at: QuizPlace) {
  const quiz = useLive('courses', 'quiz.open', { ...at });
  return (
    <div className="quiz" data-cloth={cloth(at.course_id)}>
      <Shown live={quiz}>
        {(found) =>
          found ? (
            <Quiz quiz={found} at={at} />
          ) : (
            <>
              <Heading title={t('tab.quizzes')} above={<Up to={hrefOf({ at: 'courses' })}>{t('courses.title')}</Up>} />
              <Blank icon="quiz" title={t('why.quizGone')} />
            </>
          )
        }
      </Shown>
    </div>
  );
}

function Quiz({ quiz, at }: { quiz: QuizView; at: QuizPlace }) {
  const { title, course_name, description, running, hold, attempts_made } = quiz;
  const canStart = hold === null && running === null;
  return (
    <>
      <Heading
        title={title}
        above={<Up to={hrefOf({ at: 'course', course_id: at.course_id, tab: 'quizzes' })}>{course_name || t('tab.quizzes')}</Up>}
      >
        <StateOfQuiz of={quiz} />
      </Heading>
      <Facts quiz={quiz} />
      <ProseText of={description} />
      <section className="quiz-start" aria-label={t('quiz.yourAttempt')}>
        {running && !running.is_over && <Running quiz={quiz} running={running} at={at} />}
        {running?.is_over && <LateAnswers id={at.id} />}
        {canStart && <Start quiz={quiz} at={at} />}
        {hold !== null && running === null && (
          <p className="work-hold">
            <Icon name="lock" />
            {t(quizHoldWords[hold])}
          </p>
        )}
        {quiz.on_server && (
          <p>
            <a href={quiz.on_server} target="_blank" rel="noreferrer">
              {t('work.onServer')}
            </a>
          </p>
        )}
      </section>
      {(quiz.state === 'done' || quiz.state === 'review' || attempts_made > 1) && <Results at={at} possible={quiz.points_possible} />}
    </>
  );
}

function Facts({ quiz }: { quiz: QuizView }) {
  const { kind, question_count, points_possible, time_limit, due_at, unlock_at, lock_at, attempts_made, attempts_allowed, score } = quiz;
  const facts: readonly (readonly [string, string] | null)[] = [
    [t('quiz.kind'), t(quizKindWords[kind])],
    [t('quiz.questionCount'), String(question_count)],
    points_possible === null ? null : [t('facts.points'), String(points_possible)],
    [t('quiz.time'), time_limit === null ? t('quiz.noLimit') : t('quiz.minutes', { count: time_limit })],
    due_at ? [t('due'), moment(due_at)] : null,
    unlock_at && new Date(unlock_at) > new Date() ? [t('quiz.opens'), moment(unlock_at)] : null,
    lock_at ? [t('quiz.closes'), moment(lock_at)] : null,
    [
      t('quiz.attempts'),
      attempts_allowed === null
        ? t('quiz.attemptsUnlimited', { made: attempts_made })
        : t('work.attemptsOf', { made: attempts_made, allowed: attempts_allowed }),
    ],
    score === null ? null : [t('quiz.counts'), scoreWords(score, points_possible)],
  ];
  return (
    <dl className="facts quiz-sheet">
      {facts.map((fact) =>
        fact ? (
          <div key={fact[0]}>
            <dt>{fact[0]}</dt>
            <dd>{fact[1]}</dd>
          </div>
        ) : null,
      )}
    </dl>
  );
}

function Running({ quiz, running, at }: { quiz: QuizView; running: NonNullable<QuizView['running']>; at: QuizPlace }) {
  if (running.turned_in_at !== null)
    return (
      <p className="quiz-note" role="status">
        <Icon name="hourglass" />
        {t('quiz.waitsToBeSent', { when: moment(running.turned_in_at) })}
      </p>
    );
  return (
    <>
      <p>
        <a className="button primary" href={hrefOf({ at: 'attempt', ...at })}>
          {t('quiz.continue')}
        </a>
      </p>
      <p className="soft">
        {howFar(running)}
        {running.ends_at && ` · ${t('quiz.endsAt', { when: moment(running.ends_at) })}`}
        {quiz.works_offline && ` · ${t('quiz.worksOffline')}`}
      </p>
    </>
  );
}

function Start({ quiz, at }: { quiz: QuizView; at: QuizPlace }) {
  const { needs_code, works_offline, one_at_a_time, time_limit, state } = quiz;
  const [code, setCode] = useState('');
  const [isStarting, setStarting] = useState(false);
  const start = async (event: FormEvent) => {
    event.preventDefault();
    setStarting(true);
    try {
      await call('quiz.start', { ...at, ...(needs_code && { access_code: code }) });
      go({ at: 'attempt', ...at });
    } catch (failure) {
      complain(failure);
    } finally {
      setStarting(false);
    }
  };
  return (
    <form className="form quiz-begin" onSubmit={(event) => void start(event)}>
      {state === 'elsewhere' && <p>{t('quiz.runsElsewhere')}</p>}
      {needs_code && (
        <label>
          <span>{t('quiz.code')}</span>
          <input required autoComplete="off" value={code} onChange={({ target }) => setCode(target.value)} />
        </label>
      )}
      <p className="work-acts">
        <button type="submit" className="primary" disabled={isStarting}>
          {t(state === 'elsewhere' ? 'quiz.continueHere' : quiz.attempts_made > 0 ? 'quiz.startAgain' : 'quiz.start')}
        </button>
        <small>
          {one_at_a_time && `${t(one_at_a_time === 'with a way back' ? 'quiz.oneByOne' : 'quiz.oneByOneForGood')} `}
          {works_offline
            ? t('quiz.offlineMeans')
            : time_limit !== null
              ? t('quiz.startMeansTime', { count: time_limit })
              : t('quiz.startMeans')}
        </small>
      </p>
    </form>
  );
}
