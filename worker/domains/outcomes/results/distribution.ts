// How many students have reached each rating of an outcome (reference 04 §15.4). Pure.

import { ratingReached, scaledPoints } from '@carrel/shared/grading/outcome_scores';
import { ratingsWithDefaults } from '../proficiency/scale';
import { alignmentOf } from './linked';
import type { OutcomeOfCourse, ResultRow } from './read';
import type { StudentScores } from './rollups';

interface Reached {
  readonly user_id: number;
  readonly score: number;
}

/** Students below the lowest rating count nowhere. */
function ratingsOf({ ratings, mastery_points }: OutcomeOfCourse, reached: readonly Reached[]) {
  const byRating = Map.groupBy(reached, ({ score }) => ratingReached(score, ratings));
  return ratingsWithDefaults(ratings, mastery_points).map(({ description, points, color }, at) => {
    const students = (byRating.get(at) ?? []).map(({ user_id }) => String(user_id));
    return { description, points, color, count: students.length, student_ids: students };
  });
}

function byAlignment(outcome: OutcomeOfCourse, results: readonly ResultRow[]) {
  const own = results.filter((result) => result.learning_outcome_id === outcome.id);
  return Object.fromEntries(
    [...Map.groupBy(own, alignmentOf)].map(([alignment_id, some]) => {
      const reached = some.flatMap((result) => {
        const score = scaledPoints(result, outcome);
        return score === null ? [] : [{ user_id: result.user_id, score }];
      });
      return [alignment_id, { alignment_id, ratings: ratingsOf(outcome, reached), total_students: reached.length }];
    }),
  );
}

/** By the id of the outcome. @param results for the distribution of each alignment, if it is wanted */
export const masteryDistribution = (
  outcomes: readonly OutcomeOfCourse[],
  scores: StudentScores,
  results: readonly ResultRow[] | undefined,
): Record<string, unknown> =>
  Object.fromEntries(
    outcomes.map((outcome) => {
      const reached = [...scores].flatMap(([user_id, own]) => {
        const score = own.get(outcome.id)?.score;
        return score === null || score === undefined ? [] : [{ user_id, score }];
      });
      const distribution = { outcome_id: String(outcome.id), ratings: ratingsOf(outcome, reached), total_students: reached.length };
      return [String(outcome.id), { ...distribution, ...(results && { alignment_distributions: byAlignment(outcome, results) }) }];
    }),
  );
