// How often each choice of a poll was chosen.

export interface Counted {
  readonly poll_choice_id: number;
}

/** By the id of the choice; choices that no one has chosen are absent. */
export function countChoices(answers: readonly Counted[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { poll_choice_id } of answers) counts.set(String(poll_choice_id), (counts.get(String(poll_choice_id)) ?? 0) + 1);
  return Object.fromEntries(counts);
}
