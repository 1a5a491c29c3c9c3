// Course scores: which submissions count, what each group drops, and the totals (reference 03 §11). Pure.

import { type DropCounts, keptScores, type ScoredItem, sumOfScores } from './kept_scores';

/** A published assignment that counts and is assigned to the student. */
interface Counted {
  readonly id: number;
  readonly points_possible: number;
}

/** Which scores an assignment group drops, and the assignments whose score it never drops. */
interface DropRules extends DropCounts {
  readonly never_drop?: readonly number[];
}

export interface CountedGroup {
  readonly group_weight: number;
  readonly rules: DropRules;
  readonly assignments: readonly Counted[];
}

export interface ScoredWork {
  readonly score: number | null;
  /** Submitted but not graded. */
  readonly isPending: boolean;
  readonly excused: boolean;
  /** Hidden until grades are posted. */
  readonly isHidden: boolean;
}

export interface ScoreFacts {
  readonly groups: readonly CountedGroup[];
  /** By assignment id; absent without a submission. */
  readonly work: ReadonlyMap<number, ScoredWork>;
  readonly isWeighted: boolean;
}

/** Which scores count: those visible to students or to graders; missing work is ignored or counts as zero. */
interface View {
  readonly isPosted: boolean;
  readonly isFinal: boolean;
}

export interface CourseScores {
  readonly current_score: number | null;
  readonly final_score: number | null;
  readonly unposted_current_score: number | null;
  readonly unposted_final_score: number | null;
  readonly current_points: number;
  readonly unposted_current_points: number;
}

/** Rounds half away from zero to two decimals, after removing floating-point noise. */
export const rounded = (value: number): number => (Math.sign(value) * Math.round(Number((Math.abs(value) * 100).toPrecision(13)))) / 100;

/** The scores of a group that count, before its drop rules. */
export function countedItems({ assignments, rules }: CountedGroup, { work }: ScoreFacts, { isPosted, isFinal }: View): ScoredItem[] {
  return assignments.flatMap(({ id, points_possible }) => {
    const done = work.get(id);
    if (done?.excused) return [];
    const isUnseen = isPosted && done?.isHidden === true;
    const score = isUnseen ? null : (done?.score ?? null);
    if (!isFinal && (score === null || done?.isPending)) return [];
    return [{ id, score: score ?? 0, possible: points_possible, canDrop: !isUnseen && !rules.never_drop?.includes(id) }];
  });
}

function total(facts: ScoreFacts, view: View): { percent: number | null; points: number } {
  const sums = facts.groups.map((group) => ({
    ...sumOfScores(keptScores(countedItems(group, facts, view), group.rules)),
    weight: group.group_weight,
  }));
  const points = sums.reduce((all, one) => all + one.score, 0);
  if (facts.isWeighted) {
    const counted = sums.filter((one) => one.possible > 0);
    const weights = counted.reduce((all, one) => all + one.weight, 0);
    if (weights === 0) return { percent: null, points };
    const weighted = counted.reduce((all, one) => all + (one.score / one.possible) * one.weight, 0);
    return { percent: rounded(weights < 100 ? (weighted * 100) / weights : weighted), points };
  }
  const possible = sums.reduce((all, one) => all + one.possible, 0);
  return { percent: possible === 0 ? null : rounded((points / possible) * 100), points };
}

/** Computed scores, with the final grade that a grader has set. */
export interface FinalScores extends CourseScores {
  readonly override_score: number | null;
}

/** The scores of the whole course, and of each grading period by its id. */
export type ScoresByPeriod = ReadonlyMap<number, FinalScores>;

/** The id of the whole course in place of a period's. */
export const wholeCourse = 0;

export interface PeriodScoreFacts extends ScoreFacts {
  readonly periods: readonly { readonly id: number; readonly weight: number | null }[];
  /** Whether the whole is composed of the periods by their weights. */
  readonly hasWeightedPeriods: boolean;
  /** Final grades that graders have set, by period. They replace no score that another is computed from. */
  readonly overrides: ReadonlyMap<number, number>;
  /** The period of an assignment for this student. */
  periodOf(assignmentId: number): number | undefined;
}

/** @param isFinal a period without a score counts as zero; otherwise its weight is left out */
function weighted(shares: readonly { readonly score: number | null; readonly weight: number }[], isFinal: boolean): number | null {
  const counted = isFinal ? shares : shares.filter(({ score }) => score !== null);
  if (counted.length === 0) return null;
  const weights = counted.reduce((all, { weight }) => all + weight, 0);
  const total = counted.reduce((all, { score, weight }) => all + ((score ?? 0) * weight) / 100, 0);
  return rounded(weights === 0 ? 0 : weights < 100 ? (total * 100) / weights : total);
}

/** The scores of a course and its periods. */
export function scoresByPeriod(facts: PeriodScoreFacts): ScoresByPeriod {
  const whole = courseScores(facts);
  const within = facts.periods.map(({ id, weight }) => {
    const groups = facts.groups.map((group) => ({
      ...group,
      assignments: group.assignments.filter((assignment) => facts.periodOf(assignment.id) === id),
    }));
    return { id, weight: weight ?? 0, scores: courseScores({ ...facts, groups }) };
  });
  const composed = (name: keyof CourseScores, isFinal: boolean) =>
    weighted(
      within.map(({ weight, scores }) => ({ weight, score: scores[name] })),
      isFinal,
    );
  const all = facts.hasWeightedPeriods
    ? {
        ...whole,
        current_score: composed('current_score', false),
        final_score: composed('final_score', true),
        unposted_current_score: composed('unposted_current_score', false),
        unposted_final_score: composed('unposted_final_score', true),
      }
    : whole;
  const withOverride = (id: number, scores: CourseScores) => [id, { ...scores, override_score: facts.overrides.get(id) ?? null }] as const;
  return new Map([withOverride(wholeCourse, all), ...within.map(({ id, scores }) => withOverride(id, scores))]);
}

export function courseScores(facts: ScoreFacts): CourseScores {
  const current = total(facts, { isPosted: true, isFinal: false });
  const unposted = total(facts, { isPosted: false, isFinal: false });
  return {
    current_score: current.percent,
    final_score: total(facts, { isPosted: true, isFinal: true }).percent,
    unposted_current_score: unposted.percent,
    unposted_final_score: total(facts, { isPosted: false, isFinal: true }).percent,
    current_points: rounded(current.points),
    unposted_current_points: rounded(unposted.points),
  };
}

/** The totals as graders see them, posted or not: only these, because a gradebook has many students. */
export function gradersScores(facts: PeriodScoreFacts): { readonly current: number | null; readonly final: number | null } {
  if (facts.hasWeightedPeriods) {
    const whole = scoresByPeriod(facts).get(wholeCourse);
    return { current: whole?.unposted_current_score ?? null, final: whole?.unposted_final_score ?? null };
  }
  const current = total(facts, { isPosted: false, isFinal: false }).percent;
  return { current, final: total(facts, { isPosted: false, isFinal: true }).percent };
}

export interface ScoresWithPoints extends CourseScores {
  readonly final_points: number;
}

/** The same with the points of the final score. */
export const scoresWithPoints = (facts: ScoreFacts): ScoresWithPoints => ({
  ...courseScores(facts),
  final_points: rounded(total(facts, { isPosted: true, isFinal: true }).points),
});
