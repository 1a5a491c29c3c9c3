// The outcomes of a course as its student stands with them.

import { ratingReached, rollupScore, scaledPoints } from '@carrel/shared/grading/outcome_scores';
import type { OutcomeResultView, OutcomeView } from '../../contract/outcomes';
import type { OutcomeLinkJson, OutcomeResultJson } from '../model/outcome_resources';
import type { AssignmentJson } from '../model/resources';
import { studiesIn } from '../model/teaching';
import type { Cache } from '../store/cache';
import { prose } from '../text/prose';
import { leadIn } from './link_targets';

type Outcome = OutcomeLinkJson['outcome'];

interface Here {
  readonly cache: Cache;
  readonly signedIn: { readonly url: string; readonly user_id: number };
}

interface TakerHere {
  readonly cache: Cache;
  readonly signedIn: { readonly user_id: number };
}

/** Whether the user is a student of the course, and it has outcomes. */
export const hasOutcomes = ({ cache, signedIn }: TakerHere, courseId: number): boolean =>
  studiesIn(cache, courseId, signedIn.user_id) && cache.countOfCourse('outcome_link', courseId) > 0;

/** By group and title. An outcome that is linked twice is shown once. */
export function outcomeList(here: Here, courseId: number): OutcomeView[] {
  if (!hasOutcomes(here, courseId)) return [];
  const links = here.cache.ofCourse<OutcomeLinkJson>('outcome_link', courseId);
  const results = Map.groupBy(here.cache.ofCourse<OutcomeResultJson>('outcome_result', courseId), ({ links: of }) =>
    Number(of.learning_outcome),
  );
  const once = new Map(links.map((link) => [link.outcome.id, link]));
  return [...once.values()]
    .map((link) => outcomeView(here, link, results.get(link.outcome.id) ?? []))
    .sort((a, b) => (a.group ?? '').localeCompare(b.group ?? '') || a.title.localeCompare(b.title) || a.id - b.id);
}

const factsOf = ({
  calculation_method = 'decaying_average',
  calculation_int = null,
  mastery_points = 3,
  points_possible = 5,
}: Outcome) => ({
  calculation_method,
  calculation_int,
  mastery_points,
  points_possible,
});

const resultFacts = ({ id, score = null, percent = null, possible = null, submitted_or_assessed_at, links }: OutcomeResultJson) => {
  const [, kind, ofId] = /^(.+)_(\d+)$/.exec(links.alignment) ?? [];
  return {
    id,
    score,
    percent,
    possible,
    submitted_or_assessed_at,
    association_type: kind === 'quiz' ? ('Quiz' as const) : ('Assignment' as const),
    association_id: Number(ofId ?? 0),
  };
};

function outcomeView(here: Here, { outcome, outcome_group }: OutcomeLinkJson, results: readonly OutcomeResultJson[]): OutcomeView {
  const facts = factsOf(outcome);
  const ratings = [...(outcome.ratings ?? [])].sort((a, b) => b.points - a.points);
  const score = rollupScore(results.map(resultFacts), facts)?.score ?? null;
  const reached = score === null ? undefined : ratingReached(score, ratings);
  return {
    id: outcome.id,
    title: outcome.display_name || outcome.title,
    group: outcome_group?.title ?? null,
    description: prose(outcome.friendly_description || outcome.description, { base: here.signedIn.url, to: leadIn(here.cache) }),
    ratings: ratings.map(({ description, points }) => ({ title: description, points })).reverse(),
    points_possible: facts.points_possible,
    mastery_points: facts.mastery_points,
    score,
    rating: reached === undefined ? null : (ratings[reached]?.description ?? null),
    is_mastered: score !== null && score >= facts.mastery_points,
    hides_points: results.some(({ hide_points }) => hide_points),
    results: results
      .map((result) => resultView(here.cache, result, scaledPoints(resultFacts(result), facts)))
      .sort((a, b) => a.at.localeCompare(b.at) || a.id - b.id),
  };
}

function resultView(cache: Cache, { id, submitted_or_assessed_at, links }: OutcomeResultJson, points: number | null): OutcomeResultView {
  const assignment = links.assignment ? cache.get<AssignmentJson>('assignment', Number(/\d+$/.exec(links.assignment)?.[0])) : undefined;
  return { id, at: submitted_or_assessed_at, points, title: assignment?.name ?? null, assignment_id: assignment?.id ?? null };
}
