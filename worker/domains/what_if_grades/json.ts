// What-if grades as clients see them.

import type { GroupTotal, WhatIfTotals } from '../enrollments/grades/what_if';

/** @param submissionOf the id of the student's submission to an assignment */
const groupsJson = (groups: readonly GroupTotal[], submissionOf: (assignment: number) => number) =>
  Object.fromEntries(
    groups.map(({ id, score, possible, weight, grade, dropped }) => [
      String(id),
      { id, global_id: id, score, possible, weight, grade, dropped: dropped.map(submissionOf) },
    ]),
  );

const totalJson = ({ grade, total, possible, groups }: WhatIfTotals['current'], submissionOf: (assignment: number) => number) => ({
  grade,
  total,
  possible,
  dropped: groups.flatMap(({ dropped }) => dropped.map(submissionOf)),
});

export const whatIfJson = ({ current, final }: WhatIfTotals, submissionOf: (assignment: number) => number) => ({
  current: totalJson(current, submissionOf),
  current_groups: groupsJson(current.groups, submissionOf),
  final: totalJson(final, submissionOf),
  final_groups: groupsJson(final.groups, submissionOf),
});
