// Queues the submissions that a late policy has to be applied to again: those of a course or of an assignment, now or when a due date passes.

import { nowSql } from './now.ts';
import { columnsDiffer, everyEvent, type Trigger, trigger } from './trigger.ts';

/** A run that has begun starts again, because what it has passed may have changed. */
const restarts = 'on conflict (course_id, assignment_id, user_id, not_before) do update set at_assignment_id = 0, at_user_id = 0;';
const runs = (select: string) => `insert into late_policy_runs (course_id, assignment_id, not_before) ${select} ${restarts}`;
const ofCourse = (course: string) => `late_policies p where p.course_id = ${course}`;
const now = (course: string, assignment: string) => runs(`select ${course}, ${assignment}, ${nowSql} from ${ofCourse(course)}`);
/** Missing scores are given once the date has passed. */
const later = (course: string, assignment: string, due: string) =>
  runs(
    `select ${course}, ${assignment}, ${due} from ${ofCourse(course)} and p.missing_submission_deduction_enabled and ${due} > ${nowSql}`,
  );
const eachDue = (table: 'assignments' | 'assignment_overrides', id: string, live: string) =>
  runs(
    `select d.course_id, ${id}, d.due_at from ${table} d where d.course_id = new.course_id and new.missing_submission_deduction_enabled and d.due_at > ${nowSql} and ${live}`,
  );

const policy = [
  'missing_submission_deduction_enabled',
  'missing_submission_deduction',
  'late_submission_deduction_enabled',
  'late_submission_deduction',
  'late_submission_interval',
  'late_submission_minimum_percent_enabled',
  'late_submission_minimum_percent',
];
const ofPolicy = [
  runs(`select new.course_id, 0, ${nowSql} where true`),
  eachDue('assignments', 'd.id', "d.workflow_state <> 'deleted'"),
  eachDue('assignment_overrides', 'd.assignment_id', "d.workflow_state = 'active'"),
];

const gradedBy = ['due_at', 'points_possible', 'grading_type', 'submission_types', 'only_visible_to_overrides', 'workflow_state'];
const movedBy = ['due_at', 'due_at_overridden', 'unassign_item', 'workflow_state'];
const overrides = (event: 'insert' | 'update' | 'delete'): Trigger => {
  const row = event === 'delete' ? 'old' : 'new';
  return trigger({
    on: 'assignment_overrides',
    name: `queue_late_policy_${event}`,
    event,
    ...(event === 'update' && { of: movedBy, when: columnsDiffer(movedBy) }),
    run: [
      now(`${row}.course_id`, `${row}.assignment_id`),
      ...(event === 'delete' ? [] : [later('new.course_id', 'new.assignment_id', 'new.due_at')]),
    ],
    purpose: 'Queue the late policy for an assignment whose overrides change.',
  });
};
const members = (event: 'insert' | 'delete'): Trigger => {
  const row = event === 'delete' ? 'old' : 'new';
  return trigger({
    on: 'assignment_override_students',
    name: `queue_late_policy_${event}`,
    event,
    run: [
      runs(
        `select p.course_id, a.id, ${nowSql} from assignments a join late_policies p on p.course_id = a.course_id where a.id = ${row}.assignment_id`,
      ),
    ],
    purpose: 'Queue the late policy for an assignment whose overrides get other students.',
  });
};

const pastDue = (table: 'assignments' | 'assignment_overrides') =>
  `exists (select 1 from ${table} d where d.course_id = new.course_id and d.due_at <= ${nowSql})`;
const seated = ['enrollment_state', 'course_section_id', 'type', 'user_id', 'course_id'];
/** Nothing is missing yet in a course without an earlier due date, such as those of a term that has not begun. */
const joining = (event: 'insert' | 'update'): Trigger =>
  trigger({
    on: 'enrollments',
    name: `queue_late_policy_${event}`,
    event,
    ...(event === 'update' && { of: seated }),
    when: `new.enrollment_state = 'active' and new.type = 'StudentEnrollment'${event === 'update' ? ` and (${columnsDiffer(seated)})` : ''}`,
    run: [
      `insert into late_policy_runs (course_id, assignment_id, user_id, not_before) select new.course_id, 0, new.user_id, ${nowSql} from ${ofCourse('new.course_id')}
        and (p.missing_submission_deduction_enabled or p.late_submission_deduction_enabled) and (${pastDue('assignments')} or ${pastDue('assignment_overrides')}) ${restarts}`,
    ],
    purpose: 'Queue the late policy for a student who joins a course or a section after a due date.',
  });
const restricted = ['student_ids', 'course_section_id', 'module_id'];
const modules = (event: 'insert' | 'update' | 'delete'): Trigger =>
  trigger({
    on: 'module_overrides',
    name: `queue_late_policy_${event}`,
    event,
    ...(event === 'update' && { of: restricted, when: columnsDiffer(restricted) }),
    run: [now(`${event === 'delete' ? 'old' : 'new'}.course_id`, '0')],
    purpose: 'Queue the late policy for a course whose modules get other students.',
  });

const placed = ['workflow_state', 'module_id', 'content_id', 'type'];
/** Items of a restricted module are assigned to the students whom it names. */
const moduleItems = (event: 'insert' | 'update' | 'delete'): Trigger => {
  const row = event === 'delete' ? 'old' : 'new';
  const isRestricted = `exists (select 1 from module_overrides v where v.module_id in (${event === 'update' ? 'old.module_id, new.module_id' : `${row}.module_id`}))`;
  return trigger({
    on: 'module_items',
    name: `queue_late_policy_${event}`,
    event,
    ...(event === 'update' && { of: placed }),
    when: event === 'update' ? `(${columnsDiffer(placed)}) and ${isRestricted}` : isRestricted,
    run: [now(`${row}.course_id`, '0')],
    purpose: 'Queue the late policy for a course whose restricted modules get other items.',
  });
};

export const latePolicyTriggers: readonly Trigger[] = [
  trigger({
    on: 'late_policies',
    name: 'queue_insert',
    event: 'insert',
    when: 'new.late_submission_deduction_enabled or new.missing_submission_deduction_enabled',
    run: ofPolicy,
    purpose: 'Queue the submissions of the course for its new policy, now and at each due date.',
  }),
  trigger({
    on: 'late_policies',
    name: 'queue_update',
    event: 'update',
    of: policy,
    when: columnsDiffer(policy),
    run: ofPolicy,
    purpose: 'Queue the submissions of the course for its changed policy, now and at each due date.',
  }),
  trigger({
    on: 'assignments',
    name: 'queue_late_policy_insert',
    event: 'insert',
    when: 'new.due_at is not null',
    run: [
      runs(
        `select new.course_id, new.id, max(new.due_at, ${nowSql}) from ${ofCourse('new.course_id')} and p.missing_submission_deduction_enabled`,
      ),
    ],
    purpose: 'Queue the missing scores of a new assignment for its due date, which may have passed.',
  }),
  trigger({
    on: 'assignments',
    name: 'queue_late_policy_update',
    event: 'update',
    of: gradedBy,
    when: columnsDiffer(gradedBy),
    run: [now('new.course_id', 'new.id'), later('new.course_id', 'new.id', 'new.due_at')],
    purpose: 'Queue the late policy for an assignment whose date, points or type changes.',
  }),
  ...(['insert', 'update', 'delete'] as const).map(overrides),
  ...(['insert', 'delete'] as const).map(members),
  ...(['insert', 'update'] as const).map(joining),
  ...everyEvent.map(modules),
  ...everyEvent.map(moduleItems),
  trigger({
    on: 'modules',
    name: 'queue_late_policy_update',
    event: 'update',
    of: ['workflow_state'],
    when: 'new.workflow_state <> old.workflow_state and exists (select 1 from module_overrides v where v.module_id = new.id)',
    run: [now('new.course_id', '0')],
    purpose: 'Queue the late policy for a course whose restricted modules are published, unpublished or deleted.',
  }),
  ...(['insert', 'update'] as const).map((event) =>
    trigger({
      on: 'group_memberships',
      name: `queue_late_policy_${event}`,
      event,
      ...(event === 'update' && { of: ['workflow_state'], when: 'new.workflow_state <> old.workflow_state' }),
      run: [
        runs(
          `select p.course_id, o.assignment_id, ${nowSql} from groups g cross join assignments a on a.group_category_id = g.group_category_id
      join assignment_overrides o on o.assignment_id = a.id and o.workflow_state = 'active' and o.set_type = 'Group' and o.set_id = g.id
      join late_policies p on p.course_id = o.course_id where g.id = new.group_id`,
        ),
      ],
      purpose: 'Queue the late policy for assignments with other dates for a group whose members change.',
    }),
  ),
];
