// The points of an assignment, in words.

import type { GradebookColumn } from '../../contract/gradebook.ts';
import { t } from '../../language/texts.ts';
import { decimalIn } from './entry.ts';

export const pointsWords = ({ points_possible, grading_type }: GradebookColumn): string =>
  grading_type === 'not_graded'
    ? t('book.notGraded')
    : points_possible === null
      ? t('book.noPoints')
      : t('book.outOf', { points: decimalIn(points_possible) });

/** For the title of a column. */
export const shortPoints = (column: GradebookColumn): string =>
  column.grading_type === 'not_graded' || column.points_possible === null
    ? pointsWords(column)
    : t('book.outOfShort', { points: decimalIn(column.points_possible) });
