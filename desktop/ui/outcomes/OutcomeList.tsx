// The outcomes of a course: for each one a scale with what was reached, every assessment a point on it, and the same in words.

import type { CSSProperties } from 'react';
import type { OutcomeResultView, OutcomeView } from '../../contract/outcomes.ts';
import { moment } from '../../language/dates.ts';
import { scoreWords } from '../../language/quizzes.ts';
import { t } from '../../language/texts.ts';
import { useLive } from '../live.ts';
import { Blank } from '../parts/Blank.tsx';
import { ProseText } from '../parts/ProseText.tsx';
import { Shown } from '../parts/Shown.tsx';
import { Tag } from '../parts/Tag.tsx';
import { hrefOf } from '../routes.ts';

export function OutcomeList({ course_id }: { course_id: number }) {
  const outcomes = useLive('courses', 'course.outcomes', { course_id });
  return (
    <Shown live={outcomes}>
      {(found) =>
        found.length === 0 ? (
          <Blank icon="grades" title={t('outcome.none')} />
        ) : (
          <>
            <p className="soft">
              {t('outcome.mastered', { count: found.filter(({ is_mastered }) => is_mastered).length, of: found.length })}
            </p>
            {[...Map.groupBy(found, ({ group }) => group)].map(([group, all]) => (
              <section key={group ?? ''} className="outcomes">
                {group !== null && <h2>{group}</h2>}
                <ul>
                  {all.map((outcome) => (
                    <Outcome key={outcome.id} outcome={outcome} course_id={course_id} />
                  ))}
                </ul>
              </section>
            ))}
          </>
        )
      }
    </Shown>
  );
}

function Outcome({ outcome, course_id }: { outcome: OutcomeView; course_id: number }) {
  const { title, description, score, rating, ratings, is_mastered, mastery_points, hides_points, points_possible, results } = outcome;
  return (
    <li className="outcome">
      <header>
        <h3>
          <bdi>{title}</bdi>
        </h3>
        {score !== null && <Tag tone={is_mastered ? 'good' : 'plain'}>{t(is_mastered ? 'outcome.isMastered' : 'outcome.notYet')}</Tag>}
      </header>
      <ProseText of={description} />
      <p className="outcome-score">
        {score === null ? (
          t(results.length === 0 ? 'outcome.noResults' : 'outcome.tooFew')
        ) : (
          <>
            {rating !== null && <b>{rating}</b>}
            {rating !== null && !hides_points && ' · '}
            {!hides_points && scoreWords(score, points_possible)}
          </>
        )}
      </p>
      {!hides_points && (
        <>
          <Scale outcome={outcome} />
          <p className="outcome-ratings">
            {ratings.map((one) => (
              <span key={one.points} data-mastery={one.points >= mastery_points}>
                {t('outcome.ratingFrom', { rating: one.title, points: one.points })}
              </span>
            ))}
          </p>
        </>
      )}
      {results.length > 0 && (
        <details>
          <summary>{t('outcome.results', { count: results.length })}</summary>
          <ol>
            {results.map((result) => (
              <Result key={result.id} result={result} of={outcome} course_id={course_id} />
            ))}
          </ol>
        </details>
      )}
    </li>
  );
}

/** From 0 to 100. */
const share = (points: number, of: number): number => (of > 0 ? Math.min(100, Math.max(0, (100 * points) / of)) : 0);
const at = (points: number, of: number) => ({ '--at': `${share(points, of)}%` }) as CSSProperties;

/** A picture of what the words beside it say. */
function Scale({ outcome: { ratings, points_possible, mastery_points, score, results } }: { outcome: OutcomeView }) {
  return (
    <div className="outcome-scale" aria-hidden="true">
      <span className="outcome-line" />
      {score !== null && <span className="outcome-reached" style={at(score, points_possible)} />}
      {ratings.map((rating) => (
        <span
          key={rating.points}
          className="outcome-mark"
          data-mastery={rating.points >= mastery_points}
          style={at(rating.points, points_possible)}
        />
      ))}
      {results.map(({ id, points }) =>
        points === null ? null : <span key={id} className="outcome-result" style={at(points, points_possible)} />,
      )}
      {score !== null && <span className="outcome-now" style={at(score, points_possible)} />}
    </div>
  );
}

interface ResultGiven {
  readonly result: OutcomeResultView;
  readonly of: OutcomeView;
  readonly course_id: number;
}

function Result({ result: { at: when, points, title, assignment_id }, of, course_id }: ResultGiven) {
  const name = title ?? t('outcome.otherAssessment');
  return (
    <li>
      {assignment_id === null ? (
        name
      ) : (
        <a href={hrefOf({ at: 'read', reference: { kind: 'assignment', course_id, id: assignment_id } })}>{name}</a>
      )}{' '}
      <small>
        {moment(when)}
        {points !== null && !of.hides_points && ` · ${scoreWords(points, of.points_possible)}`}
      </small>
    </li>
  );
}
