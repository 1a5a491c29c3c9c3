// Read state of submissions: every endpoint, each below a course and below a section.

import { ReadState } from '@carrel/shared/resources/submission_lists';
import { type SQL, sql } from 'drizzle-orm';
import type { Call } from '../../http/call';
import { del, get, put } from '../../http/endpoint';
import { selectIds } from '../../http/listing';
import { found, Problem, unauthorized } from '../../http/problem';
import { answer, write } from '../../http/reply';
import { thatStudents } from '../assignments/submissions/policy';
import { assignmentAt, slotOf, submissionContexts } from './context';
import { items, markItem, markSubmissionRead, markUnread, type ReadItem, readState, unmarkable } from './read_state';

/** The id of the path's submission, if visible to the caller. */
const theSlot = (
  call: Parameters<typeof slotOf>[0] & Parameters<typeof assignmentAt>[0] & Pick<Call, 'db'> & { user: { id: number } },
): SQL => sql`(${selectIds(call.db, slotOf(call, assignmentAt(call), call.user.id))})`;

const readParts = ['rubric_assessments', 'rubric_comments', 'document_annotations'] as const;

function itemOf(part: (typeof readParts)[number]): string {
  return part === 'document_annotations' ? 'annotations' : 'rubric';
}

export const readStateRoutes = submissionContexts.flatMap((place) => {
  const single = `${place}/assignments/:assignment_id/submissions/:user_id` as const;
  return [
    put(`${single}/read`, { can: thatStudents, returns: { json: null }, status: 204, summary: 'Mark a submission as read' }, (call) =>
      write(markSubmissionRead(call, theSlot(call)), answer(null), unmarkable),
    ),

    del(`${single}/read`, { can: thatStudents, returns: { json: null }, status: 204, summary: 'Mark a submission as unread' }, (call) =>
      write(markUnread(call, theSlot(call)), answer(null), unmarkable),
    ),

    put(
      `${single}/read/:item`,
      { can: thatStudents, returns: { json: null }, status: 204, summary: 'Mark a submission item as read' },
      (call) => {
        if (!items.includes(call.path.item as ReadItem))
          throw new Problem(400, { errors: [{ message: `item is not one of ${items.join(', ')}` }] });
        return write(markItem(call, theSlot(call), call.path.item), answer(null), unmarkable);
      },
    ),

    ...readParts.flatMap((part) => [
      get(
        `${single}/${part}/read`,
        { can: thatStudents, returns: { json: ReadState }, summary: 'Get the read state of a submission item' },
        async (call) => {
          const [[state]] = await call.db.perform([readState(call.db, theSlot(call), call.me.id, itemOf(part))]);
          return answer({ read: found(state).is_read === 1 });
        },
      ),
      put(
        `${single}/${part}/read`,
        { can: thatStudents, returns: { json: ReadState }, summary: 'Mark a submission item as read' },
        (call) => {
          if (!call.user.isMe) throw unauthorized();
          return write(markItem(call, theSlot(call), itemOf(part)), answer({ read: true }), unmarkable);
        },
      ),
    ]),
  ];
});
