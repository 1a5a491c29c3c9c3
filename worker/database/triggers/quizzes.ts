// A graded quiz follows its assignment: name, text, dates and state, whichever endpoint or job changes the assignment.

import { columnsDiffer, trigger } from './trigger.ts';

const followed = ['name', 'description', 'due_at', 'unlock_at', 'lock_at', 'only_visible_to_overrides', 'workflow_state'] as const;

const state = "iif(new.workflow_state = 'published', 'available', new.workflow_state)";
const set = {
  title: 'new.name',
  description: 'new.description',
  due_at: 'new.due_at',
  unlock_at: 'new.unlock_at',
  lock_at: 'new.lock_at',
  only_visible_to_overrides: 'new.only_visible_to_overrides',
  workflow_state: state,
} as const;
const differs = Object.entries(set).map(([column, value]) => `${column} is not ${value}`);

export const quizTriggers = [
  trigger({
    on: 'assignments',
    name: 'update_quiz',
    event: 'update',
    of: followed,
    when: `new.submission_types = '["online_quiz"]' and (${columnsDiffer(followed)})`,
    run: [
      `update quizzes set ${Object.entries(set)
        .map(([column, value]) => `${column} = ${value}`)
        .join(', ')}, version_number = version_number + 1, updated_at = new.updated_at,
    published_at = iif(new.workflow_state = 'published' and workflow_state <> 'available', new.updated_at, published_at)
    where assignment_id = new.id and assignment_id is not null and workflow_state <> 'deleted' and (${differs.join(' or ')});`,
    ],
    purpose: 'Copy the name, text, dates and state of an assignment to its quiz.',
  }),
];
