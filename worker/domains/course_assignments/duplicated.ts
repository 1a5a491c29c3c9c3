// A duplicate as clients ask for it: as an assignment, or in the form of a quiz for pages that list New Quizzes beside classic ones.

import type { Assignment } from '@carrel/shared/resources/assignment';
import { AssignmentAsQuiz, DuplicatedAssignment } from '@carrel/shared/resources/duplicated_assignment';
import { cut, type Json } from '@carrel/shared/resources/resource';
import { oneOf, optional } from '@carrel/shared/wire/fields';
import type { Call } from '../../http/call';
import { type Serializer, serializer } from '../../http/serializer';
import { assignmentWithTopic } from '../discussion_topics/topic_of_assignment';

export const resultType = { result_type: optional(oneOf('Assignment', 'Quiz')) };

/** What the caller may do with the duplicate, which they have just made. */
function rightsOn({ course }: Pick<Call, 'course'>) {
  const manage = course?.can('manage_assignments_edit') ?? false;
  return {
    read: true,
    create: course?.can('manage_assignments_add') ?? false,
    manage,
    update: manage,
    delete: course?.can('manage_assignments_delete') ?? false,
  };
}

function inFormOfQuiz(copy: Json<typeof Assignment>, call: Call): Json<typeof AssignmentAsQuiz> {
  const permissions = rightsOn(call);
  const page = `${call.origin}/courses/${copy.course_id}/assignments/${copy.id}`;
  const unpublishable = copy.unpublishable ?? false;
  return {
    ...copy,
    assignment_id: copy.id,
    title: copy.name,
    description: copy.description ?? null,
    quiz_type: 'quizzes.next',
    mobile_url: `${page}?force_user=1&persist_headless=1`,
    unpublishable,
    can_unpublish: unpublishable,
    can_update: permissions.update,
    permissions,
  };
}

type Row = typeof assignmentWithTopic extends Serializer<infer R> ? R : never;

export const duplicated = serializer({
  ...assignmentWithTopic,
  resource: DuplicatedAssignment,
  json(row: Row, call, found) {
    const copy = assignmentWithTopic.json(row, call, found) as Json<typeof Assignment>;
    if (call.tree.result_type !== 'Quiz') return copy;
    return { ...cut(AssignmentAsQuiz, inFormOfQuiz(copy, call)), new_positions: copy.new_positions };
  },
});
