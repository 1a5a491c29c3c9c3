// Long work in slices: done at once here, with pauses by in_slices.ts.

/** Of so many items a slice is made: some milliseconds. */
export const slice = 5000;

export function atOnce<T>(work: Generator<void, T>): T {
  for (let part = work.next(); ; part = work.next()) if (part.done) return part.value;
}
