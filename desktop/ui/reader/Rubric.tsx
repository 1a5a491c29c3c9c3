// The rubric of an assignment, and the user's assessment.

import type { RubricView } from '../../contract/reading.ts';
import { t } from '../../language/texts.ts';
import { Icon } from '../parts/Icon.tsx';
import { ProseText } from '../parts/ProseText.tsx';

const points = (value: number) => t('points', { count: value });

export const Rubric = ({ of: { criteria, earned, points: all } }: { of: RubricView }) => (
  <section className="rubric" aria-labelledby="rubric">
    <h2 id="rubric">
      {t('rubric.title')}
      <small className="work-attempts">{earned === null ? points(all) : t('rubric.earned', { earned, points: all })}</small>
    </h2>
    <ul className="criteria">
      {criteria.map((one) => (
        <li key={one.id} className="criterion">
          <p className="criterion-head">
            <b>{one.title}</b>
            {one.points !== null && (
              <small>{one.earned === null ? points(one.points) : t('rubric.earned', { earned: one.earned, points: one.points })}</small>
            )}
          </p>
          <ProseText of={one.description} className="soft" />
          {one.ratings.length > 0 && (
            <ol className="ratings">
              {one.ratings.map((rating) => (
                <li key={rating.id} data-given={rating.is_given} aria-current={rating.is_given || undefined}>
                  <p>
                    {rating.is_given && <Icon name="check" />}
                    <b>{rating.title}</b> {rating.points !== null && <small>{points(rating.points)}</small>}
                  </p>
                  <ProseText of={rating.description} className="soft" />
                </li>
              ))}
            </ol>
          )}
          <ProseText of={one.comment} className="said-of" />
        </li>
      ))}
    </ul>
  </section>
);
