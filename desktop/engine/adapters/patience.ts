// Disks that refuse something for a moment only.

/** Virus scanners and indexers hold files for a moment. On Windows that is told as a missing right, too. */
export async function patiently<T>(act: () => T): Promise<T | Error> {
  for (let nth = 1; ; nth++) {
    try {
      return act();
    } catch (problem) {
      const code = codeOf(problem) ?? '';
      const isPassing = code === 'EBUSY' || (process.platform === 'win32' && (code === 'EPERM' || code === 'EACCES'));
      if (!isPassing || nth === 6) return problem instanceof Error ? problem : new Error(String(problem));
      await new Promise((resolve) => setTimeout(resolve, 40 * nth));
    }
  }
}

export const codeOf = (problem: unknown): string | undefined =>
  problem instanceof Error && 'code' in problem && typeof problem.code === 'string' ? problem.code : undefined;
