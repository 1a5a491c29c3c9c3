// Whether an assignment posts grades manually: its own policy, or that of its course; moderated and anonymous assignments always do.

import { columnsDiffer, type Trigger, trigger } from './trigger.ts';

const ofCourse = (course: string) => `(select coalesce(c.settings ->> 'post_manually', 0) from courses c where c.id = ${course})`;
const always = (row: string) =>
  `coalesce(${row}.options ->> 'moderated_grading', 0) or coalesce(${row}.options ->> 'anonymous_grading', 0)`;
const manual = (row: string, course: string) => `(${always(row)} or coalesce(${row}.own_post_manually, ${course}, 0))`;

const decide = `update assignments set post_manually = ${manual('new', ofCourse('new.course_id'))}
    where assignments.id = new.id and assignments.post_manually is not ${manual('new', ofCourse('new.course_id'))};`;
const decidedBy = ['post_manually', 'own_post_manually', 'options', 'course_id'];

export const postPolicyTriggers: readonly Trigger[] = [
  trigger({
    on: 'assignments',
    name: 'post_policy_insert',
    event: 'insert',
    run: [decide],
    purpose: 'Derive the posting policy of a new assignment.',
  }),
  trigger({
    on: 'assignments',
    name: 'post_policy_update',
    event: 'update',
    of: decidedBy,
    when: columnsDiffer(decidedBy),
    run: [decide],
    purpose: 'Derive the posting policy of an assignment whose own policy, moderation or anonymity changes.',
  }),
  trigger({
    on: 'courses',
    name: 'post_policy_update',
    event: 'update',
    of: ['settings'],
    when: "coalesce(new.settings ->> 'post_manually', 0) <> coalesce(old.settings ->> 'post_manually', 0)",
    run: [
      `update assignments set post_manually = ${manual('assignments', "coalesce(new.settings ->> 'post_manually', 0)")}
    where assignments.course_id = new.id and assignments.own_post_manually is null and assignments.workflow_state <> 'deleted'
      and assignments.post_manually is not ${manual('assignments', "coalesce(new.settings ->> 'post_manually', 0)")};`,
    ],
    purpose: 'Apply the posting policy of a course to assignments without one of their own.',
  }),
];
