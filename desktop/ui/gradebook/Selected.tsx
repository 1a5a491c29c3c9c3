// Beside the grid: what is selected, with its actions or its statistics.

import type { GradebookCell, GradebookColumn } from '../../contract/gradebook.ts';
import { moment } from '../../language/dates.ts';
import { wordsOfHold } from '../../language/holds.ts';
import { t } from '../../language/texts.ts';
import { Icon } from '../parts/Icon.tsx';
import { Tag, type TagTone } from '../parts/Tag.tsx';
import { hrefOf } from '../routes.ts';
import { type CellState, cellStatesOf } from './book.ts';
import { stateIcons, stateWords } from './CellContent.tsx';
import { gradeWords } from './entry.ts';
import type { Target } from './grid/Grid.tsx';
import type { ColumnStatistics } from './statistics.ts';
import { figuresOf, percentText } from './totals.ts';
import { pointsWords } from './words.ts';

const tones: Readonly<Record<CellState, TagTone>> = {
  'to grade': 'warn',
  late: 'warn',
  missing: 'bad',
  excused: 'plain',
  unsent: 'busy',
  conflict: 'bad',
};

export const StateTags = ({ cell }: { cell: GradebookCell }) =>
  cellStatesOf(cell).map((state) => (
    <Tag key={state} tone={tones[state]} icon={stateIcons[state]}>
      {t(stateWords[state])}
    </Tag>
  ));

interface Given {
  readonly course_id: number;
  readonly target: Target;
  readonly statistics: (assignment_id: number) => ColumnStatistics;
  readonly totals: ColumnStatistics['scores'];
  readonly comment: () => void;
}

export function Selected({ course_id, target, statistics, totals, comment }: Given) {
  const { row, column, cell, isTotal } = target;
  const figures = isTotal ? figuresOf(totals, percentText) : column ? figuresOf(statistics(column.assignment_id).scores) : [];
  return (
    <section className="book-selected" aria-label={t('book.selected')}>
      <div className="selected-what">
        {row && (
          <b>
            <bdi>{row.name}</bdi>
          </b>
        )}
        {(column || isTotal) && (
          <span>
            <bdi>{column ? column.title : t('book.total')}</bdi>
          </span>
        )}
        {cell && column && <CellFacts cell={cell} column={column} />}
        {row && isTotal && row.current_score !== null && (
          <span className="soft">
            {t('book.totals', { current: percentText(row.current_score), final: percentText(row.final_score ?? row.current_score) })}
          </span>
        )}
        {row && !column && !isTotal && row.last_activity_at && (
          <span className="soft">{t('book.lastActive', { when: moment(row.last_activity_at) })}</span>
        )}
      </div>
      {(figures.length > 0 || column) && (
        <dl className="selected-figures">
          {figures.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
          {column && (
            <div>
              <dt>{t('book.toGrade')}</dt>
              <dd>{statistics(column.assignment_id).to_grade}</dd>
            </div>
          )}
        </dl>
      )}
      {cell && column && row && (
        <div className="selected-acts">
          <button type="button" className="quiet" onClick={comment}>
            <Icon name="discussion" />
            {t('grading.comment')}
          </button>
          <a className="button" href={hrefOf({ at: 'grade', course_id, assignment_id: column.assignment_id, user_id: row.user_id })}>
            <Icon name="open" />
            {t('book.openWork')}
          </a>
        </div>
      )}
    </section>
  );
}

function CellFacts({ cell, column }: { cell: GradebookCell; column: GradebookColumn }) {
  const grade = cell.excused ? '' : gradeWords(column, cell);
  const why = cell.unsent?.refused ?? (cell.unsent?.hold ? t(wordsOfHold(cell.unsent.hold, 'grade')) : null);
  return (
    <>
      <span className="soft">{grade === '' ? pointsWords(column) : t('book.gradeAndPoints', { grade, points: pointsWords(column) })}</span>
      <span className="tags">
        <StateTags cell={cell} />
      </span>
      {why && <span className="selected-why">{why}</span>}
      {cell.submitted_at && <span className="soft">{t('book.handedIn', { when: moment(cell.submitted_at), attempt: cell.attempt })}</span>}
      {cell.points_deducted !== null && cell.points_deducted > 0 && (
        <span className="soft">{t('book.deducted', { points: cell.points_deducted })}</span>
      )}
    </>
  );
}
