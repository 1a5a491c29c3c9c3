// The grades of a course, of the user or of the student whom they observe: the score of each assignment, what counts, and the total that the
// server calculated.

import { keptScores } from '@carrel/shared/grading/kept_scores';
import { periodOf } from '@carrel/shared/grading/period_of_date';
import type { AssumedScore, GradedRow, GradesView } from '../../contract/grades';
import { hasWeightedPeriods, totalsIn } from '../grading/totals';
import { learnerIn, shownWorkIn } from '../model/observing';
import type { AssignmentGroupJson, AssignmentJson, CourseJson, SubmissionJson, TopicJson } from '../model/resources';
import { enrolledIn } from '../model/teaching';
import { totalOf } from '../server/totals';
import type { Cache } from '../store/cache';
import type { UserStore } from '../store/user';

interface Here {
  readonly cache: Cache;
  readonly user: UserStore;
  readonly signedIn: { readonly user_id: number };
}

interface AskedGrades {
  readonly what_if?: readonly AssumedScore[];
  readonly grading_period_id?: number;
}

export function gradesView(here: Here, courseId: number, { what_if, grading_period_id }: AskedGrades = {}): GradesView {
  const { cache, signedIn } = here;
  const learner = learnerIn(here, courseId);
  const student = typeof learner === 'object' ? learner : undefined;
  const course = cache.get<CourseJson>('course', courseId);
  const enrollment = enrolledIn(cache, courseId, signedIn.user_id).find(({ type, associated_user_id }) =>
    student ? type === 'ObserverEnrollment' && associated_user_id === student.id : type === 'StudentEnrollment',
  );
  const total = totalOf(cache, enrollment);
  const submissions = new Map(
    cache
      .ofCourse<SubmissionJson>('submission', courseId)
      .filter(shownWorkIn(here, courseId))
      .map((submission) => [submission.assignment_id, submission]),
  );
  const assumed = new Map(what_if?.map(({ assignment_id, score }) => [assignment_id, score]));
  const topics = new Map(
    cache
      .ofCourse<TopicJson>('discussion_topic', courseId)
      .flatMap((topic) => (topic.assignment_id ? [[topic.assignment_id, topic.id]] : [])),
  );
  const rowOf = (assignment: AssignmentJson): GradedRow => {
    const { id, name, due_at, points_possible = null } = assignment;
    const submission = withAssumed(submissions.get(id), assumed.get(id));
    const topic = topics.get(id);
    return {
      id,
      open:
        topic === undefined
          ? { kind: 'assignment', course_id: courseId, id }
          : { kind: 'discussion_topic', course_id: courseId, id: topic },
      title: name,
      due_at: due_at ?? null,
      score: submission?.score ?? null,
      is_assumed: assumed.has(id),
      grade: submission?.grade ?? null,
      points_possible,
      late: submission?.late ?? false,
      missing: submission?.missing ?? false,
      aside: asideOf(assignment, submission),
    };
  };
  const isWeighted = course?.apply_assignment_group_weights ?? false;
  const periods = course?.grading_periods ?? [];
  const isInPeriod = ({ due_at }: AssignmentJson) =>
    grading_period_id === undefined || periodOf(periods, due_at ?? null)?.id === grading_period_id;
  const assignments = cache
    .ofCourse<AssignmentJson>('assignment', courseId)
    .filter(isInPeriod)
    .toSorted((a, b) => (a.due_at ?? '9999').localeCompare(b.due_at ?? '9999') || (a.position ?? 0) - (b.position ?? 0) || a.id - b.id);
  const allGroups = cache.ofCourse<AssignmentGroupJson>('assignment_group', courseId);
  const groups = allGroups
    .toSorted((a, b) => a.position - b.position || a.id - b.id)
    .map(({ id, name, group_weight, rules }) => {
      const rows = withDropped(
        assignments.filter((assignment) => assignment.assignment_group_id === id && assignment.published !== false).map(rowOf),
        rules,
      );
      const counting = rows.filter(({ aside }) => aside === null);
      return {
        id,
        name,
        weight: isWeighted ? (group_weight ?? 0) : null,
        drop_lowest: rules?.drop_lowest ?? 0,
        drop_highest: rules?.drop_highest ?? 0,
        points: sum(counting.map(({ score }) => score)),
        points_possible: sum(counting.map(({ points_possible }) => points_possible)),
        rows,
      };
    })
    .filter(({ rows }) => rows.length > 0);
  return {
    student: student?.name ?? null,
    is_hidden: course?.hide_final_grades ?? false,
    score: total?.current_score ?? null,
    grade: total?.current_grade ?? null,
    is_weighted: isWeighted,
    computed:
      what_if || grading_period_id !== undefined
        ? { score: computedScore(grading_period_id === undefined ? course : withoutPeriods(course), allGroups, assignments, groups) }
        : null,
    periods: periods.map(({ id, title = '' }) => ({ id, title })),
    groups,
  };
}

/** What the student would have with the assumed score. */
function withAssumed(submission: SubmissionJson | undefined, score: number | null | undefined): Partial<SubmissionJson> | undefined {
  return score === undefined ? submission : { ...submission, score, grade: null, excused: false, missing: false };
}

/** A total within one period is made of its groups alone. */
const withoutPeriods = (course: CourseJson | undefined): CourseJson | undefined =>
  course && { ...course, has_weighted_grading_periods: false, grading_periods: [] };

function computedScore(
  course: CourseJson | undefined,
  groups: readonly AssignmentGroupJson[],
  assignments: readonly AssignmentJson[],
  shown: GradesView['groups'],
): number | null {
  // Only graders learn the weights of periods.
  if (hasWeightedPeriods(course) && course?.grading_periods?.some(({ weight }) => weight == null)) return null;
  const work = new Map(
    shown
      .flatMap(({ rows }) => rows)
      .map(({ id, score, aside }) => [id, { score, isPending: false, excused: aside === 'excused', isHidden: false }]),
  );
  return totalsIn(course, groups, assignments)({ work, unassigned: new Set(), periods: new Map() }).current;
}

/** Marks the rows that the drop rules of their group leave out of the total so far. */
function withDropped(rows: readonly GradedRow[], rules: AssignmentGroupJson['rules'] = {}): GradedRow[] {
  const items = rows.flatMap(({ id, score, points_possible, aside }) =>
    score !== null && points_possible !== null && (aside === null || aside === 'no points')
      ? [{ id, score, possible: points_possible, canDrop: !rules.never_drop?.includes(id) }]
      : [],
  );
  const kept = new Set(keptScores(items, rules).map(({ id }) => id));
  return rows.map((row) => (row.aside === null && !kept.has(row.id) ? { ...row, aside: 'dropped' } : row));
}

const sum = (numbers: readonly (number | null)[]): number =>
  Math.round(numbers.reduce<number>((all, one) => all + (one ?? 0), 0) * 100) / 100;

function asideOf(
  { omit_from_final_grade, points_possible, grading_type }: AssignmentJson,
  submission: Partial<SubmissionJson> | undefined,
): GradedRow['aside'] {
  if (omit_from_final_grade) return 'not in the total';
  if (grading_type === 'not_graded') return 'no points';
  if (submission?.excused) return 'excused';
  if (submission?.score == null) return 'not graded yet';
  return points_possible ? null : 'no points';
}
