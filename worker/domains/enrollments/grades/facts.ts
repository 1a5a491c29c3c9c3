// The data behind course scores, read with a page: assignment groups once per course, submissions per student.

import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../../database/open';
import { withColumns } from '../../../database/together';
import { assignedTo } from '../../../rules/assigned';
import { isHidden } from '../../../rules/posted';
import { defaultScheme, gradeNameOf } from '../../../rules/score_to_grade';
import type { DropRules } from '../../assignment_groups/table';
import { type CourseScores, courseScores, type ScoredWork } from './scores';

/** Assignments with restricted visibility; all others are for everyone and need no check. */
const forSome = (course: SQL): SQL => sql`select assignment_id from assignment_overrides where course_id = ${course}
  union all select id from assignments where course_id = ${course} and only_visible_to_overrides = 1
  union all select coalesce(t.assignment_id, i.content_id) from module_overrides v join module_items i on i.module_id = v.module_id and i.type in ('Assignment', 'Discussion')
    left join discussion_topics t on i.type = 'Discussion' and t.id = i.content_id where v.course_id = ${course}`;

/**
 * A student's submissions in a course, and the assignments not assigned to them: JSON, as a column.
 * @param course a literal id is evaluated once per statement, a column once per row; most courses have no restricted assignments
 */
export const workColumn = (user: SQL, course: SQL): SQL<string> => sql<string>`json_object(
  'work', (select json_group_array(json_array(s.assignment_id, s.score, s.workflow_state = 'pending_review', s.excused, s.graded_at, s.posted_at))
    from submissions s where s.user_id = ${user} and s.course_id = ${course} and s.workflow_state <> 'deleted'),
  'others', case when exists (${forSome(course)}) then (select json_group_array(assignments.id) from assignments
    where assignments.id in (${forSome(course)}) and assignments.workflow_state = 'published' and not ${assignedTo(user)}) else json('[]') end)`;

interface GroupRow {
  readonly course_id: number;
  readonly group_weight: number;
  /** JSON. */
  readonly rules: string;
  /** JSON: `[id, points_possible, post_manually]` of each assignment that counts. */
  readonly members: string;
}

/** Assignment groups with their counted assignments; ids as a select, or undefined when no scores are returned. */
export const countedGroups = ({ build }: Database, courseIds: SQL) =>
  withColumns(
    build.all<GroupRow>(sql`select g.course_id, g.group_weight, g.rules,
      (select json_group_array(json_array(a.id, coalesce(a.points_possible, 0), a.post_manually)) from assignments a
        where a.assignment_group_id = g.id and a.workflow_state <> 'deleted' and a.workflow_state = 'published' and a.omit_from_final_grade = 0 and a.grading_type <> 'not_graded') as members
    from assignment_groups g where g.course_id in (${courseIds}) and g.workflow_state = 'available'`),
    ['course_id', 'group_weight', 'rules', 'members'],
  );

interface Graded {
  readonly id: number;
  readonly apply_assignment_group_weights: boolean;
}

type Told = readonly [
  assignment_id: number,
  score: number | null,
  pending: number,
  excused: number,
  graded_at: string | null,
  posted_at: string | null,
];

/** @param result the student's column; null when the caller may not see the scores */
export function scoresFrom(
  result: string | null | undefined,
  rows: readonly GroupRow[],
  course: Graded,
  isConcluded: boolean,
): CourseScores | undefined {
  if (result === null || result === undefined) return undefined;
  const { work, others } = JSON.parse(result) as { work: Told[]; others: number[] };
  const manual = new Set<number>();
  const groups = rows
    .filter((row) => row.course_id === course.id)
    .map(({ group_weight, rules, members }) => ({
      group_weight,
      rules: JSON.parse(rules) as DropRules,
      assignments: (JSON.parse(members) as [number, number, number][]).flatMap(([id, points_possible, post_manually]) => {
        if (post_manually === 1) manual.add(id);
        return others.includes(id) ? [] : { id, points_possible };
      }),
    }));
  const done = new Map<number, ScoredWork>(
    work.map(([id, score, pending, excused, graded_at, posted_at]) => [
      id,
      { score, isPending: pending === 1, excused: excused === 1, isHidden: isHidden({ graded_at, posted_at }, manual.has(id)) },
    ]),
  );
  return courseScores({ groups, work: done, isWeighted: course.apply_assignment_group_weights, isConcluded });
}

/** The letter grade of a score if the course uses the built-in grading standard; undefined for an unknown one. */
export const letterGradeOf = (
  score: number | null,
  { grading_standard_id }: { readonly grading_standard_id: number | null },
): string | null => (score === null || grading_standard_id !== 0 ? null : gradeNameOf(score, defaultScheme));
