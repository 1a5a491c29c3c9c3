// Writes and times that change a quiz in the feed, and what a blueprint records of quizzes. A graded quiz is also sent when its assignment changes
// (sync/showing.ts).

import { type BlueprintSource, courseScope, me, type ScheduleSource, type TriggerSource } from '../../database/triggers/source.ts';

export const quizSources: readonly TriggerSource[] = [
  { table: 'quizzes', kind: 'quiz', item: '$.id', scope: courseScope },
  // Attempts at New Quizzes have negative ids of quizzes. A quiz with attempts cannot be unpublished, which staff see: only the first attempt of a student matters.
  {
    table: 'quiz_submissions',
    kind: 'quiz',
    item: '$.quiz_id',
    logs: 'the `quiz` for staff',
    scope: "'staff_' || $.course_id",
    columns: ['workflow_state'],
    when: "$.quiz_id > 0 and $.workflow_state <> 'preview' and not exists (select 1 from quiz_submissions o where o.quiz_id = $.quiz_id and o.id <> $.id and o.workflow_state not in ('settings_only', 'preview'))",
  },
  {
    table: 'quiz_submissions',
    kind: 'quiz',
    item: '$.quiz_id',
    as: 'for_student',
    logs: 'the `quiz` for the student',
    scope: me,
    columns: ['manually_unlocked'],
    when: '$.quiz_id > 0 and $.manually_unlocked is not null',
  },
  {
    table: 'quiz_submissions',
    kind: 'quiz',
    item: '$.quiz_id',
    as: 'no_longer_for_student',
    logs: 'the `quiz` for the student',
    events: ['update'],
    scope: me,
    columns: ['manually_unlocked'],
    when: '$.quiz_id > 0 and $.manually_unlocked is not null',
    isBefore: true,
  },
];

/** The dates of a graded quiz are those of its assignment. */
export const quizSchedule: readonly ScheduleSource[] = [
  {
    table: 'quizzes',
    kind: 'quiz',
    item: '$.id',
    scope: courseScope,
    fields: ['unlock_at', 'lock_at', 'due_at'],
    when: '$.assignment_id is null',
  },
];

export const quizBlueprint = {
  table: 'quizzes',
  kind: 'quiz',
  course: '$.course_id',
  locks: {
    content: ['title', 'description'],
    points: ['points_possible'],
    due_dates: ['due_at'],
    availability_dates: ['unlock_at', 'lock_at'],
    state: ['workflow_state'],
  },
  // Of its questions.
  derived: { points: "$.quiz_type not in ('survey', 'graded_survey')" },
} as const satisfies BlueprintSource;

/** Of parts of a quiz. */
export const assignmentOfPart = { of: 'assignment', item: '(select z.assignment_id from quizzes z where z.id = $.quiz_id)' } as const;
