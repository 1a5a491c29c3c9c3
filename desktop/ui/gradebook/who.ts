// Which students of an assignment a message is for. Pure.

import type { GradebookColumn, GradebookRow } from '../../contract/gradebook.ts';
import type { Book } from './book.ts';

export const whoKinds = ['not submitted', 'missing', 'not graded', 'below', 'above', 'everyone'] as const;
export type WhoKind = (typeof whoKinds)[number];

/** @param score the limit of `below` and `above`; null: not entered yet, so that nobody is meant */
export function studentsWho(
  { view, cellOf }: Book,
  { assignment_id }: Pick<GradebookColumn, 'assignment_id'>,
  kind: WhoKind,
  score: number | null,
): GradebookRow[] {
  return view.rows.filter(({ user_id, state }) => {
    const cell = cellOf(user_id, assignment_id);
    if (!cell || state !== 'active') return false;
    if (kind === 'everyone') return true;
    if (cell.excused) return false;
    if (kind === 'not submitted') return cell.attempt === 0 && cell.submitted_at === null;
    if (kind === 'missing') return cell.missing;
    if (kind === 'not graded') return cell.score === null && cell.grade === null;
    if (score === null || cell.score === null) return false;
    return kind === 'below' ? cell.score < score : cell.score > score;
  });
}
