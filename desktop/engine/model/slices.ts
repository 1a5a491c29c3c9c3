// Long work in slices: run at once here, or with pauses by pauses.ts.

/** Items in one slice, which takes some milliseconds. */
export const slice = 5000;

export function atOnce<T>(work: Generator<void, T>): T {
  for (let part = work.next(); ; part = work.next()) if (part.done) return part.value;
}
