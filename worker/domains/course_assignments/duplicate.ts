// Duplicates an assignment, with its discussion topic or the items of its New Quiz (reference 03 §1.4).

import { and, eq, sql } from 'drizzle-orm';
import { idOf } from '../../contexts/references';
import { post } from '../../http/endpoint';
import { rows } from '../../http/listing';
import { found, Problem } from '../../http/problem';
import { one, write } from '../../http/reply';
import { duplicateNewQuiz, isNewQuiz } from '../../rules/new_quizzes';
import { refuseClosedDates } from '../assignments/closed_periods';
import { presentAssignments } from '../assignments/policy';
import { assignments } from '../assignments/table';
import { copyName, duplicate, newestAssignment } from '../assignments/writes';
import { presentTopics } from '../discussion_topics/policy';
import { discussion_topics } from '../discussion_topics/table';
import { makeTopicOf } from './assigned_topic';
import { duplicated, resultType } from './duplicated';

export const duplicateRoute = post(
  '/courses/:course_id/assignments/:assignment_id/duplicate',
  { can: 'manage_assignments_add', params: resultType, returns: duplicated, summary: 'Duplicate an assignment' },
  async (call) => {
    const { db, course } = call;
    const id = idOf('assignment', call.path.assignment_id);
    const itself = eq(assignments.id, sql`(${id})`);
    const [sources, names, newQuizzes, topics] = await db.perform([
      db.build
        .select()
        .from(assignments)
        .where(and(eq(assignments.course_id, course.id), itself)),
      db.build
        .select({ name: assignments.name })
        .from(assignments)
        .where(and(eq(assignments.course_id, course.id), presentAssignments)),
      db.build.select({ id: assignments.id }).from(assignments).where(and(itself, isNewQuiz)),
      db.build
        .select()
        .from(discussion_topics)
        .where(and(sql`${discussion_topics.assignment_id} = (${id})`, presentTopics(course))),
    ]);
    const source = found(sources[0]);
    if (source.workflow_state === 'deleted' || source.submission_types.includes('online_quiz'))
      throw new Problem(400, { error: 'cannot duplicate this assignment' });
    refuseClosedDates(course, [source.due_at], call.now);
    const name = copyName(source.name, new Set(names.map((other) => other.name)));
    const positions = sql<string>`(select json_group_object(id, position) from (select id, position from assignments where assignment_group_id = ${source.assignment_group_id} and ${presentAssignments}))`;
    return write(
      [
        ...duplicate(call, source, name),
        ...(newQuizzes.length > 0 ? duplicateNewQuiz(db, source.id, newestAssignment, call.now) : []),
        ...makeTopicOf(call, { ...source, name, workflow_state: 'unpublished' }, topics[0]),
      ],
      one(
        rows(assignments, {
          where: sql`${assignments.id} = ${newestAssignment}`,
          columns: { new_positions: positions.as('new_positions') },
        }),
      ),
    );
  },
);
