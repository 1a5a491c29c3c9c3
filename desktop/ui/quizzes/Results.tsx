// What was reached in the attempts, as the server shows it now. Nothing of it is stored.

import { useEffect, useState } from 'react';
import type { QuizResults, ResultQuestion } from '../../contract/quizzes.ts';
import { moment } from '../../language/dates.ts';
import { resultWords, scoreWords } from '../../language/quizzes.ts';
import { t } from '../../language/texts.ts';
import { call } from '../host.ts';
import { LoadFailure, Loading } from '../parts/Blank.tsx';
import { ProseText } from '../parts/ProseText.tsx';
import { Tag, type TagTone } from '../parts/Tag.tsx';
import { GivenAnswer } from './GivenAnswer.tsx';
import type { QuizPlace } from './place.ts';

export function Results({ at: { course_id, id }, possible }: { at: QuizPlace; possible: number | null }) {
  const [asked, setAsked] = useState<number | undefined>();
  const [found, setFound] = useState<{ results?: QuizResults; failure?: Error }>({});
  const [isAgain, setAgain] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks again when the user wants it
  useEffect(() => {
    let isShown = true;
    call('quiz.results', { course_id, id, ...(asked !== undefined && { attempt: asked }) }).then(
      (results) => isShown && setFound({ results }),
      (failure) => isShown && setFound(({ results }) => ({ results, failure })),
    );
    return () => {
      isShown = false;
    };
  }, [course_id, id, asked, isAgain]);
  const { results, failure } = found;
  return (
    <section className="quiz-results" aria-labelledby="quiz-results">
      <h2 id="quiz-results">{t('quiz.results')}</h2>
      {!results && !failure && <Loading />}
      {!results && failure && <LoadFailure failure={failure} readAgain={async () => setAgain((times) => times + 1)} />}
      {results && results.attempts.length > 0 && (
        <>
          <Attempts of={results} possible={possible} choose={setAsked} />
          {results.questions === null ? (
            <p className="soft">{t('quiz.resultsHidden')}</p>
          ) : (
            <ol className="quiz-questions">
              {results.questions.map((question) => (
                <Result key={question.id} question={question} />
              ))}
            </ol>
          )}
        </>
      )}
    </section>
  );
}

interface AttemptsGiven {
  readonly of: QuizResults;
  readonly possible: number | null;
  readonly choose: (attempt: number) => void;
}

const Attempts = ({ of: { attempts, attempt }, possible, choose }: AttemptsGiven) => (
  <ul className="quiz-attempts">
    {attempts.map((one) => (
      <li key={one.attempt}>
        <button type="button" aria-pressed={one.attempt === attempt} onClick={() => choose(one.attempt)}>
          <span>{t('quiz.attempt', { attempt: one.attempt })}</span>
          {one.score !== null && <b>{scoreWords(one.score, possible)}</b>}
          <small>
            {one.finished_at && moment(one.finished_at)}
            {one.is_pending && ` · ${t('quiz.state.review')}`}
          </small>
        </button>
      </li>
    ))}
  </ul>
);

const tones: Readonly<Record<ResultQuestion['result'], TagTone>> = {
  right: 'good',
  'partly right': 'warn',
  wrong: 'bad',
  'not scored yet': 'plain',
  'not scored': 'plain',
};

const Result = ({ question }: { question: ResultQuestion }) => (
  <li className="quiz-question">
    {question.number !== null && (
      <h3>
        {t('quiz.question', { number: question.number })}
        {question.result !== 'not scored' && (
          <Tag tone={tones[question.result]} icon={question.result === 'right' ? 'check' : undefined}>
            {t(resultWords[question.result])}
          </Tag>
        )}
        {question.points !== null && <small>{t('points', { count: question.points })}</small>}
      </h3>
    )}
    <ProseText of={question.text} />
    <GivenAnswer question={question} right={question.right} />
    {question.comment.length > 0 && (
      <div className="quiz-comment">
        <small>{t('quiz.comment')}</small>
        <ProseText of={question.comment} />
      </div>
    )}
  </li>
);
