// Answers that the server did not take before the attempt ended: they stay until the student has seen them.

import type { QuizQuestionView } from '../../contract/quizzes.ts';
import { t } from '../../language/texts.ts';
import { call } from '../host.ts';
import { useLive } from '../live.ts';
import { Icon } from '../parts/Icon.tsx';
import { ProseText } from '../parts/ProseText.tsx';
import { complain } from '../parts/Toast.tsx';
import { GivenAnswer } from './GivenAnswer.tsx';

export function LateAnswers({ id }: { id: number }) {
  const attempt = useLive('courses', 'quiz.attempt', { id });
  const late = attempt.value?.questions.filter(({ is_sent }) => !is_sent) ?? [];
  return (
    <div className="quiz-late" role="alert">
      <h2>
        <Icon name="warning" />
        {t('quiz.late')}
      </h2>
      <p>{t('quiz.lateMeans', { count: late.length })}</p>
      <ol>
        {late.map((question) => (
          <Late key={question.id} question={question} />
        ))}
      </ol>
      <button type="button" onClick={() => void call('quiz.forget', { id }).catch(complain)}>
        {t('quiz.forget')}
      </button>
    </div>
  );
}

const Late = ({ question }: { question: QuizQuestionView }) => (
  <li>
    <h3>{question.number === null ? '' : t('quiz.question', { number: question.number })}</h3>
    <ProseText of={question.text} />
    <GivenAnswer question={question} />
    {question.refused !== null && question.refused !== 'not a number' && (
      <p className="field-problem">{t('quiz.refused', { reason: question.refused })}</p>
    )}
  </li>
);
