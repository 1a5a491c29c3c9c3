// The assignments of a course for those who teach it: dates, points, whether students see them, and what waits to be graded.

import type { TaughtAssignment } from '../../contract/teaching.ts';
import { distance, moment } from '../../language/dates.ts';
import { inLocale, t } from '../../language/texts.ts';
import { UnsentTag } from '../authoring/UnsentTag.tsx';
import { useLive } from '../live.ts';
import { Blank } from '../parts/Blank.tsx';
import { Shown } from '../parts/Shown.tsx';
import { Tag } from '../parts/Tag.tsx';
import { addressOfReading, hrefOf } from '../routes.ts';

const number = inLocale((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }));

export function TaughtAssignments({ course_id }: { course_id: number }) {
  const assignments = useLive('courses', 'course.taught_assignments', { course_id });
  const now = new Date();
  return (
    <Shown live={assignments}>
      {(found) =>
        found.length === 0 ? (
          <Blank icon="assignment" title={t('assignments.none')} />
        ) : (
          <section className="graded taught" aria-labelledby="taught">
            <h2 id="taught">
              {t('tab.assignments')}
              {found.some(({ to_grade }) => to_grade !== null) && (
                <small>{t('taught.toGradeIn', { count: found.reduce((sum, { to_grade }) => sum + (to_grade ?? 0), 0) })}</small>
              )}
            </h2>
            <div className="graded-sheet">
              <table aria-labelledby="taught">
                <thead>
                  <tr>
                    <th scope="col">{t('grades.work')}</th>
                    <th scope="col" className="due">
                      {t('due')}
                    </th>
                    <th scope="col" className="points">
                      {t('facts.points')}
                    </th>
                    <th scope="col" className="state">
                      {t('taught.state')}
                    </th>
                    <th scope="col" className="to-grade">
                      {t('teaching.toGrade')}
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {found.map((one) => (
                    <Row key={one.id} assignment={one} now={now} />
                  ))}
                </tbody>
              </table>
            </div>
          </section>
        )
      }
    </Shown>
  );
}

function Row({
  assignment: { id, open, title, group, due_at, has_other_dates, points_possible, published, to_grade, unsent },
  now,
}: RowProps) {
  const due = due_at ? <time dateTime={due_at}>{moment(due_at, now)}</time> : <span className="soft">{t('due.none')}</span>;
  return (
    <tr>
      <th scope="row">
        <a data-stop href={addressOfReading(open)}>
          {title}
        </a>
        {group && <small className="of-group">{group}</small>}
        <small className="due-below">
          {due}
          {points_possible !== null && ` · ${t('points', { count: points_possible })}`}
        </small>
        {(has_other_dates || !published || unsent) && (
          <span className="tags">
            {!published && (
              <span className="state-below">
                <Tag tone="warn">{t('taught.notPublished')}</Tag>
              </span>
            )}
            {has_other_dates && <Tag>{t('taught.otherDates')}</Tag>}
            {unsent && <UnsentTag unsent={unsent} />}
          </span>
        )}
      </th>
      <td className="due">
        {due}
        {due_at && <small className="entry-distance">{distance(due_at, now)}</small>}
      </td>
      <td className="points">{points_possible === null ? <Nothing /> : number().format(points_possible)}</td>
      <td className="state">
        {published ? <Tag tone="good">{t('taught.published')}</Tag> : <Tag tone="warn">{t('taught.notPublished')}</Tag>}
      </td>
      <td className="to-grade">
        {to_grade ? (
          <a href={hrefOf({ at: 'grade', course_id: open.course_id, assignment_id: id, user_id: null })}>
            <b aria-hidden="true">{number().format(to_grade)}</b>
            <span className="sr-only">{t('teaching.countToGrade', { count: to_grade })}</span>
          </a>
        ) : (
          <Nothing />
        )}
      </td>
    </tr>
  );
}

interface RowProps {
  readonly assignment: TaughtAssignment;
  readonly now: Date;
}

const Nothing = () => (
  <>
    <span aria-hidden="true" className="soft">
      {'–'}
    </span>
    <span className="sr-only">{t('taught.nothing')}</span>
  </>
);
