// Rollups of students and of a course, from their results (reference 04 §15.3). Pure.

import { aggregated, type RollupScore, rollupScore } from '@carrel/shared/grading/outcome_scores';
import type { OutcomeOfCourse, ResultRow, Seat } from './read';

/** The scores of each student, by outcome. */
export type StudentScores = ReadonlyMap<number, ReadonlyMap<number, RollupScore<ResultRow>>>;

/** The scores of all students in the outcomes, each from the results of that student and outcome. */
export function outcomeScoresOf(results: readonly ResultRow[], outcomes: readonly OutcomeOfCourse[]): StudentScores {
  const outcomeOf = new Map(outcomes.map((outcome) => [outcome.id, outcome]));
  const scores = new Map<number, Map<number, RollupScore<ResultRow>>>();
  for (const [user_id, own] of Map.groupBy(results, (result) => result.user_id)) {
    const byOutcome = new Map<number, RollupScore<ResultRow>>();
    for (const [id, some] of Map.groupBy(own, (result) => result.learning_outcome_id)) {
      const outcome = outcomeOf.get(id);
      const score = outcome && rollupScore(some, outcome);
      if (score) byOutcome.set(id, score);
    }
    scores.set(user_id, byOutcome);
  }
  return scores;
}

const statusOf = (state: string): string => (state === 'completed' || state === 'inactive' ? state : 'active');

/** One rollup for each student and section, with the scores in the order of the outcomes. */
export const studentRollups = (seats: readonly Seat[], outcomes: readonly OutcomeOfCourse[], scores: StudentScores) =>
  seats.map((seat) => ({
    scores: outcomes.flatMap(({ id }) => {
      const score = scores.get(seat.user_id)?.get(id);
      return score
        ? [
            {
              score: score.score,
              title: score.newest.title,
              submitted_at: score.newest.submitted_or_assessed_at,
              count: score.count,
              hide_points: score.newest.hide_points,
              links: { outcome: String(id) },
            },
          ]
        : [];
    }),
    links: { user: String(seat.user_id), section: String(seat.section_id), status: statusOf(seat.state) },
  }));

/** The rollup of a course: for each outcome the mean or median of its students' scores. */
export function courseRollup(
  course_id: number,
  students: readonly number[],
  outcomes: readonly OutcomeOfCourse[],
  scores: StudentScores,
  stat: 'mean' | 'median',
) {
  const of = (outcome_id: number) => students.flatMap((id) => scores.get(id)?.get(outcome_id) ?? []);
  return {
    scores: outcomes.flatMap(({ id }) => {
      const found = of(id);
      const points = found.flatMap(({ score }) => score ?? []);
      const newest = found.map((one) => one.newest).sort((a, b) => (a.submitted_or_assessed_at < b.submitted_or_assessed_at ? 1 : -1))[0];
      return newest && points.length > 0
        ? [
            {
              score: aggregated(points, stat),
              title: newest.title,
              submitted_at: newest.submitted_or_assessed_at,
              count: points.length,
              hide_points: newest.hide_points,
              links: { outcome: String(id) },
            },
          ]
        : [];
    }),
    links: { course: String(course_id) },
  };
}

/** Students by their score in an outcome; those without one come last ascending, and first descending. */
export function byScore(students: readonly number[], scores: StudentScores, outcome_id: number, isDescending: boolean): number[] {
  const scoreOf = (id: number) => scores.get(id)?.get(outcome_id)?.score ?? Number.POSITIVE_INFINITY;
  const ascending = [...students].sort((a, b) => {
    const [one, other] = [scoreOf(a), scoreOf(b)];
    return one === other ? a - b : one - other;
  });
  return isDescending ? ascending.reverse() : ascending;
}
