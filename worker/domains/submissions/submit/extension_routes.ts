// Extra attempts of students in an assignment (reference 03 §7).

import { AssignmentExtensions } from '@carrel/shared/resources/assignment_extension';
import { idField, int, listOf, object, optional } from '@carrel/shared/wire/fields';
import { getTableColumns, sql } from 'drizzle-orm';
import { valuesInOrder } from '../../../database/values_in_order';
import { post } from '../../../http/endpoint';
import { badParameter, found, problem } from '../../../http/problem';
import { answer, write } from '../../../http/reply';
import { submissionId } from '../../../rules/submission_ids';
import { assignmentAt, submissionContexts } from '../context';
import { readGradePrecondition } from '../grading/authorisation';
import { jsonField } from '../grading/writes';
import { submissions } from '../table';
import { hasAttempts } from './attempts';

const most = 1000;

export const extensionRoutes = submissionContexts.map((place) =>
  post(
    `${place}/assignments/:assignment_id/extensions`,
    {
      can: ['manage_grades', 'manage_assignments_edit'],
      params: { assignment_extensions: optional(listOf(object({ user_id: idField('user'), extra_attempts: int }))) },
      returns: { json: AssignmentExtensions },
      summary: 'Give students extra attempts',
    },
    async (call) => {
      const { course, section, now, params } = call;
      const given = params.assignment_extensions ?? [];
      if (given.length === 0) throw badParameter('assignment_extensions', 'is missing');
      const wrong = given.find(({ extra_attempts }) => extra_attempts < 0 || extra_attempts > most);
      if (wrong) throw badParameter('assignment_extensions[extra_attempts]', `must be between 0 and ${most}`);
      const precondition = await readGradePrecondition(
        { ...call, user: undefined },
        { course, section, assignments: assignmentAt(call), users: given.map(({ user_id }) => String(user_id)), fileIds: [] },
      );
      const assignment = found(precondition.assignments[0]);
      if (!assignment.submission_types.some(hasAttempts) || assignment.submission_types.includes('discussion_topic'))
        throw problem(400, 'The assignment has no attempts.');
      const reachable = new Set(precondition.students.map(({ user_id }) => user_id));
      const stranger = given.find(({ user_id }) => !reachable.has(user_id));
      if (stranger) throw badParameter('assignment_extensions[user_id]', `${stranger.user_id} is not a student here`);
      // The last value counts when a student is named twice.
      const rows = [...new Map(given.map((one) => [one.user_id, one])).values()].map((one) => ({ assignment_id: assignment.id, ...one }));
      const cells = {
        id: jsonField('id'),
        course_id: sql`${course.id}`,
        assignment_id: jsonField('assignment_id'),
        user_id: jsonField('user_id'),
        attachment_ids: sql`'[]'`,
        excused: sql`0`,
        is_missing_score: sql`0`,
        extra_attempts: jsonField('extra_attempts'),
        workflow_state: sql`'unsubmitted'`,
        created_at: sql`${now}`,
        updated_at: sql`${now}`,
      };
      const sent = JSON.stringify(rows.map((one) => ({ ...one, id: submissionId(assignment.id, one.user_id) })));
      return write(
        [
          call.db.build
            .insert(submissions)
            .select(sql`select ${valuesInOrder(getTableColumns(submissions), cells)} from json_each(${sent}) where true`)
            .onConflictDoUpdate({ target: submissions.id, set: { extra_attempts: sql`excluded.extra_attempts`, updated_at: now } }),
        ],
        answer({ assignment_extensions: rows }),
      );
    },
  ),
);
