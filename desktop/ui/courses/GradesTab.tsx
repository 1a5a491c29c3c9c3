// The grades of a course: the total as the server calculates it, and the scores behind it.

import type { GradedGroup, GradedRow, GradesView } from '../../contract/grades.ts';
import { exactPercent } from '../../language/amounts.ts';
import { moment } from '../../language/dates.ts';
import { inLocale, type MessageKey, t } from '../../language/texts.ts';
import { GradeChart } from '../charts/GradeChart.tsx';
import { useLive } from '../live.ts';
import { Blank } from '../parts/Blank.tsx';
import { rich } from '../parts/rich.ts';
import { Shown } from '../parts/Shown.tsx';
import { Tag } from '../parts/Tag.tsx';
import { addressOfReading } from '../routes.ts';

export function GradesTab({ course_id }: { course_id: number }) {
  const grades = useLive('courses', 'course.grades', { course_id });
  return (
    <Shown live={grades}>
      {(found) =>
        found.groups.length === 0 ? (
          <Blank icon="grades" title={t('grades.none')} />
        ) : (
          <>
            {found.student !== null && (
              <p className="soft">{t('observing.gradesOf', { name: found.student || t('observing.theStudent') })}</p>
            )}
            <div className="grade-summary">
              <Total of={found} />
              <GradeChart of={found} />
            </div>
            {found.groups.map((group) => (
              <Group key={group.id} group={group} />
            ))}
          </>
        )
      }
    </Shown>
  );
}

const number = inLocale((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }));

const Total = ({ of: { student, is_hidden, score, grade, is_weighted } }: { of: GradesView }) => (
  <dl className="facts">
    <div>
      <dt>{t('grades.soFar')}</dt>
      <dd>
        {is_hidden
          ? t(student === null ? 'grades.hidden' : 'observing.hidden')
          : score === null
            ? t('grades.nothingYet')
            : [grade, exactPercent(score / 100)].filter(Boolean).join(' · ')}
      </dd>
    </div>
    <div>
      <dt>{t('grades.howMade')}</dt>
      <dd>{is_weighted ? t('grades.byWeight') : t('grades.byPoints')}</dd>
    </div>
  </dl>
);

function dropped({ drop_lowest, drop_highest }: GradedGroup): string | null {
  const given = { lowest: drop_lowest, highest: drop_highest };
  if (drop_lowest > 0) return t(drop_highest > 0 ? 'grades.dropBoth' : 'grades.dropLowest', given);
  return drop_highest > 0 ? t('grades.dropHighest', given) : null;
}

function Group({ group }: { group: GradedGroup }) {
  const { name, weight, points, points_possible, rows } = group;
  const notes = [weight !== null && t('grades.weight', { share: exactPercent(weight / 100) }), dropped(group)].filter(
    (note) => typeof note === 'string',
  );
  return (
    <section className="graded" aria-labelledby={`group-${group.id}`}>
      <h2 id={`group-${group.id}`}>
        {name}
        {notes.map((note) => (
          <small key={note}>{note}</small>
        ))}
      </h2>
      <div className="graded-sheet">
        <table aria-labelledby={`group-${group.id}`}>
          <thead>
            <tr>
              <th scope="col">{t('grades.work')}</th>
              <th scope="col" className="due">
                {t('due')}
              </th>
              <th scope="col" className="score">
                {t('grades.score')}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.id} row={row} />
            ))}
          </tbody>
          {points_possible > 0 && (
            <tfoot>
              <tr>
                <th scope="row">{t('grades.counted')}</th>
                <td className="due" />
                <td className="score">
                  {rich('grades.pointsOf', {
                    points: number().format(points),
                    possible: number().format(points_possible),
                    share: exactPercent(points / points_possible),
                    small: (text) => <small>{text}</small>,
                  })}
                </td>
              </tr>
            </tfoot>
          )}
        </table>
      </div>
    </section>
  );
}

const asides: Readonly<Record<Exclude<NonNullable<GradedRow['aside']>, 'not graded yet'>, MessageKey>> = {
  excused: 'grades.excused',
  'not in the total': 'grades.notInTotal',
  'no points': 'grades.noPoints',
  dropped: 'grades.dropped',
};

function Row({ row: { open, title, due_at, score, grade, points_possible, late, missing, aside } }: { row: GradedRow }) {
  const isPlain = grade === null || grade === String(score);
  // Rows without a grade already show that in the score column.
  const said = aside && aside !== 'not graded yet' ? asides[aside] : null;
  return (
    <tr data-aside={aside !== null}>
      <th scope="row">
        <a data-stop href={addressOfReading(open)}>
          {title}
        </a>
        {due_at && (
          <small className="due-below">
            <time dateTime={due_at}>{moment(due_at)}</time>
          </small>
        )}
        {(late || missing || said) && (
          <span className="tags">
            {missing && <Tag tone="bad">{t('missing')}</Tag>}
            {late && <Tag tone="warn">{t('late')}</Tag>}
            {said && <Tag>{t(said)}</Tag>}
          </span>
        )}
      </th>
      <td className="due">{due_at ? <time dateTime={due_at}>{moment(due_at)}</time> : <span className="soft">{t('due.none')}</span>}</td>
      <td className="score">
        {!isPlain && <b>{grade} </b>}
        {score === null ? (
          <>
            <span aria-hidden="true">{'–'}</span>
            <span className="sr-only">{t('grades.noScore')}</span>
          </>
        ) : (
          number().format(score)
        )}
        {points_possible !== null && points_possible > 0 && (
          <small> {t('grades.of', { possible: number().format(points_possible) })}</small>
        )}
      </td>
    </tr>
  );
}
