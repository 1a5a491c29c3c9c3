// The rubric of an assignment, and how the user's work was assessed. Pure.

import type { RubricView } from '../../contract/reading';
import type { AssignmentJson, SubmissionJson } from '../model/resources';
import { proseOf } from '../text/prose';

export function rubricOf({ rubric }: AssignmentJson, submission: SubmissionJson | undefined): RubricView | null {
  if (!rubric || rubric.length === 0) return null;
  const given = submission?.rubric_assessment ?? {};
  const criteria = rubric.map(({ id, description, long_description, points, ratings }) => {
    const judged = given[id];
    return {
      id,
      title: description || id,
      description: proseOf(long_description),
      points: points ?? null,
      earned: judged?.points ?? null,
      comment: proseOf(judged?.comments),
      ratings: (ratings ?? []).map((rating, at) => ({
        id: rating.id ?? String(at),
        title: rating.description || '',
        description: proseOf(rating.long_description),
        points: rating.points ?? null,
        // By its id, otherwise by its points: some servers send only the points.
        is_given:
          judged !== undefined &&
          (judged.rating_id ? judged.rating_id === rating.id : judged.points != null && judged.points === rating.points),
      })),
    };
  });
  const earned = criteria.flatMap((one) => one.earned ?? []);
  const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0);
  return { criteria, points: sum(criteria.map(({ points }) => points ?? 0)), earned: earned.length === 0 ? null : sum(earned) };
}
