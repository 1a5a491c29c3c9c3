// A comment on a student's work, written from the gradebook; the draft is the one of the grading view.

import type { GradebookColumn, GradebookRow } from '../../contract/gradebook.ts';
import { t } from '../../language/texts.ts';
import { CommentForm, CommentList } from '../grading/Comments.tsx';
import { useLive } from '../live.ts';
import { Dialog } from '../parts/Dialog.tsx';
import { Shown } from '../parts/Shown.tsx';

interface Given {
  readonly course_id: number;
  readonly row: GradebookRow;
  readonly column: GradebookColumn;
  readonly onClose: () => void;
}

export function CommentDialog({ course_id, row, column, onClose }: Given) {
  const at = { course_id, assignment_id: column.assignment_id, user_id: row.user_id };
  const work = useLive('courses', 'grading.open', at);
  return (
    <Dialog title={t('book.commentFor', { name: row.name })} onClose={onClose}>
      <p className="soft comment-of">
        <bdi>{column.title}</bdi>
      </p>
      <Shown live={work}>{(found) => (found ? <CommentList of={found.comments} /> : null)}</Shown>
      <CommentForm at={at} isOpen onSent={onClose} />
    </Dialog>
  );
}
