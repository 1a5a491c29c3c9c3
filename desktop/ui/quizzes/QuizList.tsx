// The quizzes of a course for its students: what is due, what runs, and what was reached.

import type { QuizFacts } from '../../contract/quizzes.ts';
import { distance, moment } from '../../language/dates.ts';
import { quizHoldWords, quizKindWords, quizStateWords, scoreWords } from '../../language/quizzes.ts';
import { t } from '../../language/texts.ts';
import { useLive } from '../live.ts';
import { Blank } from '../parts/Blank.tsx';
import type { IconName } from '../parts/Icon.tsx';
import { Shown } from '../parts/Shown.tsx';
import { Tag, type TagTone } from '../parts/Tag.tsx';
import { hrefOf } from '../routes.ts';

export function QuizList({ course_id }: { course_id: number }) {
  const quizzes = useLive('courses', 'quiz.list', { course_id });
  const now = new Date();
  return (
    <Shown live={quizzes}>
      {(found) =>
        found.length === 0 ? (
          <Blank icon="quiz" title={t('quiz.noneHere')} />
        ) : (
          <ul className="entries quizzes">
            {found.map((quiz) => (
              <Row key={quiz.id} quiz={quiz} now={now} />
            ))}
          </ul>
        )
      }
    </Shown>
  );
}

function Row({ quiz, now }: { quiz: QuizFacts; now: Date }) {
  const shut = quiz.hold === 'closed' || quiz.hold === 'locked' || quiz.hold === 'not yet' ? quiz.hold : null;
  const { id, course_id, title, kind, due_at, points_possible, question_count, time_limit, score } = quiz;
  return (
    <li className="quiz-row">
      <div>
        <a data-stop className="quiz-title" href={hrefOf({ at: 'quiz', course_id, id })}>
          <bdi>{title}</bdi>
        </a>
        <small className="quiz-facts">
          <span>{t(quizKindWords[kind])}</span>
          <span>{t('quiz.questions', { count: question_count })}</span>
          {points_possible !== null && <span>{t('points', { count: points_possible })}</span>}
          {time_limit !== null && <span>{t('quiz.minutes', { count: time_limit })}</span>}
        </small>
      </div>
      <div className="quiz-side">
        <StateOfQuiz of={quiz} />
        {shut && quiz.state === 'not started' && (
          <Tag icon="lock" title={t(quizHoldWords[shut])}>
            {t(shut === 'not yet' ? 'quiz.notOpen' : 'quiz.shut')}
          </Tag>
        )}
        {score !== null && <b>{scoreWords(score, points_possible)}</b>}
        {due_at && quiz.state !== 'done' && (
          <small title={moment(due_at, now)}>
            {t('due')} <time dateTime={due_at}>{distance(due_at, now)}</time>
          </small>
        )}
      </div>
    </li>
  );
}

const looks: Readonly<Record<Exclude<QuizFacts['state'], 'not started'>, { tone: TagTone; icon?: IconName }>> = {
  running: { tone: 'busy', icon: 'hourglass' },
  elsewhere: { tone: 'busy', icon: 'hourglass' },
  waiting: { tone: 'busy', icon: 'hourglass' },
  review: { tone: 'plain' },
  done: { tone: 'good', icon: 'check' },
};

export function StateOfQuiz({ of: { state } }: { of: QuizFacts }) {
  if (state === 'not started') return null;
  const { tone, icon } = looks[state];
  return (
    <Tag tone={tone} icon={icon}>
      {t(quizStateWords[state])}
    </Tag>
  );
}
