// Totals with the scores that a student tries out in place of those they have. Pure.

import { countedItems, type PeriodScoreFacts, rounded, scoresByPeriod, wholeCourse } from '@carrel/shared/grading/course_scores';
import { keptScores, sumOfScores } from '@carrel/shared/grading/kept_scores';
import { type CountedCourses, factsOf, type Work } from './facts';

export interface GroupTotal {
  /** The assignment group. */
  readonly id: number;
  readonly score: number;
  readonly possible: number;
  readonly weight: number;
  /** A percentage; null without possible points. */
  readonly grade: number | null;
  /** Ids of the assignments that its rules drop. */
  readonly dropped: readonly number[];
}

interface Total {
  /** A percentage; null while nothing counts. */
  readonly grade: number | null;
  readonly total: number;
  readonly possible: number;
  readonly groups: readonly GroupTotal[];
}

export interface WhatIfTotals {
  readonly current: Total;
  readonly final: Total;
}

const given = '9';

/** The work with the entered scores, which count as graded and posted; excused assignments stay excused. */
export const withEnteredScores = (work: Work, entered: ReadonlyMap<number, number>): Work => ({
  ...work,
  work: [
    ...work.work.filter(([id]) => !entered.has(id)),
    ...[...entered].map(([id, score]) => {
      const [, , , excused = 0] = work.work.find(([one]) => one === id) ?? [];
      return [id, score, 0, excused, given, given] as const;
    }),
  ],
});

function totalOf(facts: PeriodScoreFacts, groupIds: readonly number[], isFinal: boolean): Total {
  const groups = facts.groups.map((group, at): GroupTotal => {
    const items = countedItems(group, facts, { isPosted: true, isFinal });
    const kept = keptScores(items, group.rules);
    const { score, possible } = sumOfScores(kept);
    return {
      id: groupIds[at] ?? 0,
      score: rounded(score),
      possible: rounded(possible),
      weight: group.group_weight,
      grade: possible === 0 ? null : rounded((score / possible) * 100),
      dropped: items.filter((item) => !kept.includes(item)).map(({ id }) => id),
    };
  });
  const sum = (name: 'score' | 'possible') => rounded(groups.reduce((all, group) => all + group[name], 0));
  const whole = scoresByPeriod(facts).get(wholeCourse);
  return { grade: (isFinal ? whole?.final_score : whole?.current_score) ?? null, total: sum('score'), possible: sum('possible'), groups };
}

/**
 * The totals of a student, of the whole course.
 * @param result of `computedWork`
 * @param entered by assignment
 */
export function whatIfTotals(result: string, row: CountedCourses[number], entered: ReadonlyMap<number, number>): WhatIfTotals {
  const facts = factsOf(withEnteredScores(JSON.parse(result) as Work, entered), row);
  return { current: totalOf(facts, facts.groupIds, false), final: totalOf(facts, facts.groupIds, true) };
}
