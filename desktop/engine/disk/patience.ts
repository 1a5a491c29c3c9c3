// Retries operations that a disk refuses for a moment.

/** Virus scanners and indexers keep files open for a moment. Windows can report that as a missing permission. */
export async function patiently<T>(act: () => T): Promise<T | Error> {
  for (let nth = 1; ; nth++) {
    try {
      return act();
    } catch (problem) {
      const code = errorCodeOf(problem) ?? '';
      const isPassing = code === 'EBUSY' || (process.platform === 'win32' && (code === 'EPERM' || code === 'EACCES'));
      if (!isPassing || nth === 6) return problem instanceof Error ? problem : new Error(String(problem));
      await new Promise((resolve) => setTimeout(resolve, 40 * nth));
    }
  }
}

export const errorCodeOf = (problem: unknown): string | undefined =>
  problem instanceof Error && 'code' in problem && typeof problem.code === 'string' ? problem.code : undefined;
