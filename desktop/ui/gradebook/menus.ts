// The actions of a cell and of a column.

import type { GradebookCell, GradebookColumn, GradeEntry } from '../../contract/gradebook.ts';
import { t } from '../../language/texts.ts';
import { retry } from '../outbox/acts.ts';
import { go } from '../routes.ts';
import { type BookSort, needsDecision } from './book.ts';
import { isGradable } from './entry.ts';
import type { MenuItem } from './Menu.tsx';

interface CellActs {
  readonly course_id: number;
  readonly column: GradebookColumn;
  readonly cell: GradebookCell;
  readonly put: (entry: GradeEntry) => void;
  readonly comment: () => void;
}

export function cellActs({ course_id, column, cell, put, comment }: CellActs): readonly MenuItem[] {
  const { assignment_id } = column;
  const work: MenuItem = {
    says: t(needsDecision(cell) ? 'book.decide' : 'book.openWork'),
    icon: needsDecision(cell) ? 'compare' : 'open',
    act: () => go({ at: 'grade', course_id, assignment_id, user_id: cell.user_id }),
  };
  if (!isGradable(column)) return [work];
  const hasGrade = cell.grade !== null || cell.score !== null;
  const { unsent } = cell;
  return [
    work,
    { says: t('grading.comment'), icon: 'discussion', act: comment },
    { says: t('grades.excused'), isOn: cell.excused, act: () => put({ excused: !cell.excused }) },
    { says: t('missing'), isOn: cell.missing, isOff: cell.excused, act: () => put({ status: cell.missing ? 'none' : 'missing' }) },
    { says: t('late'), isOn: cell.late, isOff: cell.excused, act: () => put({ status: cell.late ? 'none' : 'late' }) },
    ...(hasGrade || cell.excused ? [{ says: t('book.clear'), icon: 'close' as const, act: () => put({ grade: null }) }] : []),
    ...(unsent?.refused ? [{ says: t('again'), icon: 'sync' as const, act: () => void retry(unsent.id) }] : []),
  ];
}

interface ColumnActs {
  readonly course_id: number;
  /** Undefined: the names or the totals. */
  readonly column: GradebookColumn | undefined;
  readonly by: BookSort['by'];
  readonly sort: BookSort;
  readonly onSort: (sort: BookSort) => void;
  /** Chooses students of the assignment to write to. */
  readonly message: (column: GradebookColumn) => void;
  /** Asks for whom its grades are shown, or hides them. */
  readonly post: (column: GradebookColumn, shown: boolean) => void;
}

export function columnActs({ course_id, column, by, sort, onSort, message, post }: ColumnActs): readonly MenuItem[] {
  const isNumber = by !== 'name';
  const one = (descending: boolean): MenuItem => ({
    says: t(isNumber ? (descending ? 'book.highestFirst' : 'book.lowestFirst') : descending ? 'book.fromZ' : 'book.fromA'),
    isOn: sort.by === by && sort.descending === descending,
    act: () => onSort({ by, descending }),
  });
  const sorts = isNumber ? [one(true), one(false)] : [one(false), one(true)];
  if (!column) return sorts;
  const { assignment_id } = column;
  return [
    ...sorts,
    ...(column.is_anonymous ? [] : [{ says: t('message.who'), icon: 'inbox' as const, act: () => message(column) }]),
    { says: t('posting.show'), icon: 'open' as const, act: () => post(column, true) },
    { says: t('posting.hide'), icon: 'hidden' as const, act: () => post(column, false) },
    { says: t('book.gradeAll'), icon: 'open', act: () => go({ at: 'grade', course_id, assignment_id, user_id: null }) },
    {
      says: t('book.openAssignment'),
      icon: 'assignment',
      act: () => go({ at: 'read', reference: { kind: 'assignment', course_id, id: assignment_id } }),
    },
  ];
}
