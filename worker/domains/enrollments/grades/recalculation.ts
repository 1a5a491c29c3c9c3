// How far a recalculation of stored scores has come, as a Progress. Pure.

export interface ScoreCounts {
  /** Students with stored scores. */
  readonly students: number;
  /** Those whose stored scores are current. */
  readonly current: number;
}

/** @returns the state and the percentage of a Progress: less than 100 until all scores are current */
export function recalculationState({ students, current }: ScoreCounts) {
  if (current >= students) return { workflow_state: 'completed' as const, completion: 100 };
  if (current === 0) return { workflow_state: 'queued' as const, completion: 0 };
  return { workflow_state: 'running' as const, completion: Math.floor((current / students) * 100) };
}
