// The bar above the work: which student is open, who is next, and how far the grading is.

import type { GradingQueue } from '../../contract/gradebook.ts';
import { t } from '../../language/texts.ts';
import { Icon } from '../parts/Icon.tsx';
import { ProgressBar } from '../parts/ProgressBar.tsx';
import { Tag } from '../parts/Tag.tsx';
import type { Neighbours, QueuedStudent } from './next.ts';

/** Signs for the list, which takes text only. */
const signs: Readonly<Record<QueuedStudent['state'], string>> = { graded: '✓', 'to grade': '●', nothing: '–', excused: '∅' };
const signOf = ({ has_conflict, is_unsent, state }: QueuedStudent) => (has_conflict ? '⚠' : `${signs[state]}${is_unsent ? '…' : ''}`);

interface Given extends Neighbours {
  readonly queue: GradingQueue;
  readonly user_id: number;
  readonly open: (user_id: number) => void;
}

export function StudentWalk({ queue: { students }, user_id, at, previous, next, toGrade, open }: Given) {
  const graded = students.filter(({ state }) => state === 'graded' || state === 'excused').length;
  const waiting = students.filter(({ state }) => state === 'to grade').length;
  const unsent = students.filter(({ is_unsent }) => is_unsent).length;
  const conflicts = students.filter(({ has_conflict }) => has_conflict).length;
  return (
    <div className="grading-bar">
      <div className="grading-walk">
        <button
          type="button"
          className="round"
          data-key="k"
          aria-label={t('grading.previous')}
          title={t('grading.previousKey')}
          disabled={!previous}
          onClick={() => previous && open(previous.user_id)}
        >
          <Icon name="back" />
        </button>
        <label>
          <span className="sr-only">{t('book.student')}</span>
          <select value={user_id} onChange={({ target }) => open(Number(target.value))}>
            {students.map((student) => (
              <option key={student.user_id} value={student.user_id}>
                {t('grading.option', { sign: signOf(student), name: student.name })}
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          className="round"
          data-key="j"
          aria-label={t('grading.next')}
          title={t('grading.nextKey')}
          disabled={!next}
          onClick={() => next && open(next.user_id)}
        >
          <Icon name="forward" />
        </button>
        <button type="button" data-key="n" disabled={!toGrade} onClick={() => toGrade && open(toGrade.user_id)}>
          {t('grading.nextToGrade')}
        </button>
      </div>
      <div className="grading-progress">
        <span className="soft">{t('grading.at', { at: at + 1, of: students.length })}</span>
        {waiting > 0 ? (
          <Tag tone="warn" icon="dot">
            {t('book.toGradeCount', { count: waiting })}
          </Tag>
        ) : (
          <Tag tone="good" icon="check">
            {t('grading.allGraded')}
          </Tag>
        )}
        {unsent > 0 && (
          <Tag tone="busy" icon="hourglass">
            {t('grading.unsentCount', { count: unsent })}
          </Tag>
        )}
        {conflicts > 0 && (
          <Tag tone="bad" icon="warning">
            {t('grading.conflictCount', { count: conflicts })}
          </Tag>
        )}
        <ProgressBar
          quiet
          share={students.length === 0 ? 0 : graded / students.length}
          label={t('grading.gradedOf', { graded, of: students.length })}
        />
      </div>
      <p className="sr-only" role="status">
        {t('grading.now', { name: students[at]?.name ?? '', at: at + 1, of: students.length })}
      </p>
    </div>
  );
}
