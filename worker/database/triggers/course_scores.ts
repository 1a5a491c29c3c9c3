// Marks stored scores that a write has changed: the row of one student, or the course. Rows are computed again by a chore (enrollments/grades/job.ts).

import { columnsDiffer, everyEvent, type Trigger, trigger } from './trigger.ts';

/** A student with work gets a row, so that a computation that is under way finds the mark. A row that is marked is not written again. */
const markStudent = (
  row: 'new' | 'old',
) => `insert into course_scores (course_id, user_id, pending) values (${row}.course_id, ${row}.user_id, 'stale')
    on conflict (course_id, user_id) do update set pending = 'stale' where course_scores.pending is not 'stale';`;
/** Of a student who may have no row. */
const markRow = (where: string) => `update course_scores set pending = 'stale' where ${where} and pending is not 'stale';`;
/** A course without stored scores has no mark. */
const markCourse = (course: string) => `update course_score_marks set generation = generation + 1 where id = ${course};`;

const purposeOfStudent = 'The stored scores of the student are no longer current.';
const purposeOfCourse = 'The stored scores of the course are no longer current.';

interface Source {
  readonly on: string;
  /** For updates: the columns on which scores depend. */
  readonly of: readonly string[];
  readonly run: (row: 'new' | 'old') => readonly string[];
  readonly purpose: string;
  readonly events?: readonly (typeof everyEvent)[number][];
  /** A condition with `$` in place of the row. */
  readonly when?: string;
  /** For updates that give the row to another user or course. */
  readonly moves?: readonly string[];
}

const triggersOf = ({ on, of, run, purpose, events = everyEvent, when, moves }: Source): Trigger[] =>
  events.map((event) => {
    const row = event === 'delete' ? 'old' : 'new';
    // An update may take a row out of what the condition is about.
    const condition = when && (event === 'update' ? ['new', 'old'] : [row]).map((one) => when.replaceAll('$', one)).join(' or ');
    const changed = event === 'update' ? `(${columnsDiffer(of)})` : undefined;
    const all = [changed, condition && `(${condition})`].filter((one) => one !== undefined);
    return trigger({
      on,
      name: `score_${event}`,
      event,
      ...(event === 'update' && { of }),
      ...(all.length > 0 && { when: all.join(' and ') }),
      run: event === 'update' && moves ? [...run('new'), ...moves] : run(row),
      purpose,
    });
  });

const markBefore = markRow(
  'course_id = old.course_id and user_id = old.user_id and (old.course_id <> new.course_id or old.user_id <> new.user_id)',
);

const inCourse = (row: 'new' | 'old') => [markCourse(`${row}.course_id`)];
const isGroupDivided = `exists (select 1 from assignment_overrides o where o.set_type = 'Group' and o.set_id = $.group_id and o.workflow_state = 'active')`;
const isModuleRestricted = 'exists (select 1 from module_overrides v where v.module_id = $.module_id)';

const sources: readonly Source[] = [
  {
    on: 'submissions',
    of: ['score', 'excused', 'workflow_state', 'graded_at', 'posted_at', 'course_id', 'user_id'],
    run: (row) => [markStudent(row)],
    moves: [markBefore],
    purpose: purposeOfStudent,
  },
  {
    on: 'final_grade_overrides',
    of: ['score', 'course_id', 'user_id', 'grading_period_id'],
    run: (row) => [markStudent(row)],
    moves: [markBefore],
    purpose: purposeOfStudent,
  },
  {
    on: 'enrollments',
    of: ['enrollment_state', 'course_section_id', 'type', 'user_id', 'course_id'],
    run: (row) => [markRow(`course_id = ${row}.course_id and user_id = ${row}.user_id`)],
    moves: [markBefore],
    purpose: purposeOfStudent,
  },
  {
    on: 'group_memberships',
    of: ['workflow_state', 'group_id', 'user_id'],
    run: (row) => [
      markRow(
        `user_id = ${row}.user_id and course_id = (select g.context_id from groups g where g.id = ${row}.group_id and g.context_type = 'Course')`,
      ),
    ],
    when: isGroupDivided,
    purpose: purposeOfStudent,
  },
  {
    on: 'assignment_override_students',
    of: ['assignment_override_id', 'assignment_id', 'user_id'],
    run: (row) => [
      markRow(`user_id = ${row}.user_id and course_id = (select a.course_id from assignments a where a.id = ${row}.assignment_id)`),
    ],
    purpose: purposeOfStudent,
  },
  {
    on: 'assignments',
    of: [
      'points_possible',
      'omit_from_final_grade',
      'grading_type',
      'workflow_state',
      'post_manually',
      'anonymize_students',
      'assignment_group_id',
      'due_at',
      'only_visible_to_overrides',
      'course_id',
    ],
    run: inCourse,
    purpose: purposeOfCourse,
  },
  { on: 'assignment_groups', of: ['group_weight', 'rules', 'workflow_state'], run: inCourse, purpose: purposeOfCourse },
  {
    on: 'assignment_overrides',
    of: ['due_at', 'due_at_overridden', 'unassign_item', 'workflow_state', 'set_type', 'set_id'],
    run: inCourse,
    purpose: purposeOfCourse,
  },
  {
    on: 'courses',
    of: ['apply_assignment_group_weights', 'enrollment_term_id'],
    run: (row) => [markCourse(`${row}.id`)],
    events: ['update'],
    purpose: purposeOfCourse,
  },
  { on: 'module_overrides', of: ['student_ids', 'course_section_id', 'module_id'], run: inCourse, purpose: purposeOfCourse },
  {
    on: 'module_items',
    of: ['workflow_state', 'module_id', 'content_id', 'type'],
    run: inCourse,
    when: isModuleRestricted,
    purpose: purposeOfCourse,
  },
  {
    on: 'modules',
    of: ['workflow_state'],
    run: inCourse,
    events: ['update'],
    when: 'exists (select 1 from module_overrides v where v.module_id = $.id)',
    purpose: purposeOfCourse,
  },
  {
    on: 'discussion_topics',
    of: ['assignment_id'],
    run: () => [markCourse("iif(new.context_type = 'Course', new.context_id, 0)")],
    events: ['update'],
    purpose: purposeOfCourse,
  },
];

export const courseScoreTriggers: readonly Trigger[] = sources.flatMap(triggersOf);
