// Keeps a graded discussion and its assignment in step.

import { trigger } from './trigger.ts';

const stateOfAssignment =
  "(case new.workflow_state when 'deleted' then 'deleted' when 'unpublished' then 'unpublished' else 'published' end)";
const atPublication = (column: string) =>
  `${column} = (case when workflow_state = 'unpublished' and new.workflow_state = 'published' then new.updated_at else ${column} end)`;

/** A change of either is applied to the other. */
export const gradingTriggers = [
  trigger({
    on: 'assignments',
    name: 'step_topic',
    event: 'update',
    of: ['name', 'description', 'workflow_state'],
    when: 'new.name <> old.name or new.description is not old.description or new.workflow_state <> old.workflow_state',
    run: [
      `update discussion_topics set title = new.name, message = new.description, updated_at = new.updated_at,
    ${atPublication('posted_at')},
    ${atPublication('last_reply_at')},
    workflow_state = (case new.workflow_state when 'published' then case workflow_state when 'unpublished' then 'active' else workflow_state end else new.workflow_state end)
  where assignment_id = new.id and workflow_state <> 'deleted' and (title <> new.name or message is not new.description
    or (workflow_state = 'unpublished') <> (new.workflow_state = 'unpublished') or new.workflow_state = 'deleted');`,
    ],
    purpose: 'Copy the name, text and state of an assignment to its graded discussion.',
  }),
  trigger({
    on: 'discussion_topics',
    name: 'step_assignment',
    event: 'update',
    of: ['title', 'message', 'workflow_state'],
    when: 'new.assignment_id is not null and (new.title <> old.title or new.message is not old.message or new.workflow_state <> old.workflow_state)',
    run: [
      `update assignments set name = new.title, description = new.message, updated_at = new.updated_at,
    workflow_state = ${stateOfAssignment}
  where id = new.assignment_id and workflow_state <> 'deleted' and (name <> new.title or description is not new.message
    or workflow_state <> ${stateOfAssignment});`,
    ],
    purpose: 'Copy the title, text and state of a graded discussion to its assignment.',
  }),
];
