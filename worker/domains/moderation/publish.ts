// Which provisional grade counts for each submission. Pure (reference 03 §8.2).

export interface Candidate {
  readonly id: number;
  readonly submission_id: number;
  readonly is_final: boolean;
  readonly score: number | null;
}

export interface ChosenGrade<Grade extends Candidate = Candidate> {
  readonly submission_id: number;
  readonly grade: Grade;
}

/**
 * The selected grade, else that of the final grader, else the only one.
 * @returns undefined if a submission with several grades has no choice
 */
export function choicesOf<Grade extends Candidate>(
  candidates: readonly Grade[],
  selected: ReadonlyMap<number, number>,
): ChosenGrade<Grade>[] | undefined {
  const bySubmission = Map.groupBy(candidates, ({ submission_id }) => submission_id);
  const choices = [...bySubmission].map(([submission_id, all]) => {
    const chosen = all.find(({ id }) => id === selected.get(submission_id)) ?? all.find(({ is_final }) => is_final);
    const graded = all.filter(({ score }) => score !== null);
    const only = graded.length <= 1 ? (graded[0] ?? all[0]) : undefined;
    return { submission_id, grade: chosen ?? only };
  });
  return choices.every((one): one is ChosenGrade<Grade> => one.grade !== undefined) ? choices : undefined;
}
