// The ways to the grading view, for people who grade.

import type { GradebookColumn } from '../../contract/gradebook.ts';
import { t } from '../../language/texts.ts';
import { useLive } from '../live.ts';
import { Icon } from '../parts/Icon.tsx';
import { Tag } from '../parts/Tag.tsx';
import { hrefOf } from '../routes.ts';

/** On the page of an assignment. */
export function GradeLink({ course_id, assignment_id }: { course_id: number; assignment_id: number }) {
  const book = useLive('courses', 'gradebook.open', { course_id });
  const column = book.value?.columns.find((one) => one.assignment_id === assignment_id);
  if (!book.value?.may_grade || book.value.choice === 'not possible' || (column && !column.may_grade)) return null;
  return (
    <a className="button primary" href={hrefOf({ at: 'grade', course_id, assignment_id, user_id: null })}>
      <Icon name="grades" />
      {t('grading.title')}
    </a>
  );
}

/** Above the assignments of a course: those with work to grade, most of it first. */
export function GradeLinks({ course_id }: { course_id: number }) {
  const book = useLive('courses', 'gradebook.open', { course_id });
  const view = book.value;
  if (!view?.may_grade || view.choice === 'not possible') return null;
  const counts = new Map<number, number>();
  for (const cell of view.cells)
    if (cell.needs_grading && !cell.excused) counts.set(cell.assignment_id, (counts.get(cell.assignment_id) ?? 0) + 1);
  const toGrade = view.columns
    .flatMap((column) => (counts.has(column.assignment_id) ? [{ column, count: counts.get(column.assignment_id) ?? 0 }] : []))
    .sort((a, b) => b.count - a.count);
  return (
    <section className="day to-grade" aria-labelledby="to-grade">
      <h2 id="to-grade">
        {t('book.toGrade')}
        <small>{toGrade.length}</small>
      </h2>
      {view.choice !== 'chosen' ? (
        <p className="soft">
          <a href={hrefOf({ at: 'course', course_id, tab: 'grades' })}>{t('book.choose')}</a>
        </p>
      ) : toGrade.length === 0 ? (
        <p className="soft">{t('grading.nothingToGrade')}</p>
      ) : (
        <ul className="items leaf">
          {toGrade.map(({ column, count }) => (
            <Waiting key={column.assignment_id} course_id={course_id} column={column} count={count} />
          ))}
        </ul>
      )}
    </section>
  );
}

const Waiting = ({ course_id, column, count }: { course_id: number; column: GradebookColumn; count: number }) => (
  <li className="item">
    <Icon name="assignment" />
    <span className="item-title">
      <a data-stop href={hrefOf({ at: 'grade', course_id, assignment_id: column.assignment_id, user_id: null })}>
        <bdi>{column.title}</bdi>
      </a>
    </span>
    <Tag tone="warn" icon="dot">
      {t('book.toGradeCount', { count })}
    </Tag>
  </li>
);
