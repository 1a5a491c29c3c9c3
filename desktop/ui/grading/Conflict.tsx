// Someone else graded meanwhile, or a new attempt came in: both sides beside each other, before anything is sent.

import { useState } from 'react';
import type { GradebookColumn, GradeEntry, GradingConflict } from '../../contract/gradebook.ts';
import { moment } from '../../language/dates.ts';
import { t } from '../../language/texts.ts';
import { gradeWords } from '../gradebook/entry.ts';
import { pointsWords } from '../gradebook/words.ts';
import { call } from '../host.ts';
import { Icon } from '../parts/Icon.tsx';
import { resting } from '../parts/resting.ts';
import { complain, showToast } from '../parts/Toast.tsx';

export function GradeConflict({ column, conflict }: { column: GradebookColumn; conflict: GradingConflict }) {
  const { id, why, mine, theirs } = conflict;
  const [isBusy, setBusy] = useState(false);
  const end = (side: 'mine' | 'theirs') => () => {
    setBusy(true);
    call('grading.resolve', { id, with: side })
      .then(() => showToast(t(side === 'mine' ? 'grading.keptMine' : 'grading.usedTheirs')), complain)
      .finally(() => setBusy(false));
  };
  return (
    <section className="grading-conflict" aria-labelledby="conflict">
      <h2 id="conflict">
        <Icon name="warning" />
        {t(why === 'newer attempt' ? 'grading.newAttempt' : 'grading.gradedMeanwhile')}
      </h2>
      <p>{t(why === 'newer attempt' ? 'grading.newAttemptMeans' : 'grading.gradedMeanwhileMeans')}</p>
      <div className="conflict-sides">
        <div className="conflict-side">
          <h3>{t('grading.mine')}</h3>
          <Grade column={column} says={mineWords(column, mine)} />
          {mine.comment && <p className="soft plain-text">{mine.comment}</p>}
          <button type="button" {...resting(isBusy, end('mine'))}>
            {t('grading.keepMine')}
          </button>
        </div>
        <div className="conflict-side">
          <h3>{theirs.grader ? t('grading.theirsBy', { name: theirs.grader }) : t('grading.theirs')}</h3>
          <Grade column={column} says={theirs.excused ? t('grades.excused') : gradeWords(column, theirs)} />
          <p className="soft">
            {theirs.graded_at && <time dateTime={theirs.graded_at}>{moment(theirs.graded_at)}</time>}{' '}
            {theirs.attempt > 0 && t('grading.onAttempt', { attempt: theirs.attempt })}
          </p>
          <button type="button" {...resting(isBusy, end('theirs'))}>
            {t('grading.useTheirs')}
          </button>
        </div>
      </div>
    </section>
  );
}

const Grade = ({ column, says }: { column: GradebookColumn; says: string }) => (
  <p className="conflict-grade">
    <b>{says === '' ? t('book.noGrade') : says}</b> <small className="soft">{pointsWords(column)}</small>
  </p>
);

function mineWords(column: GradebookColumn, { grade = null, excused }: GradeEntry): string {
  if (excused) return t('grades.excused');
  const score = grade === null ? Number.NaN : Number(grade);
  return gradeWords(column, { grade, score: Number.isFinite(score) ? score : null });
}
