// Problems of the whole disk, which end a sync. A restriction of a single file is reported for that file.

import { isStoreReadOnly } from '../store/driver';

const codeOf = (problem: unknown): unknown => (problem instanceof Error && 'code' in problem ? problem.code : undefined);

export const isReadOnly = (problem: unknown): boolean => isStoreReadOnly(problem) || codeOf(problem) === 'EROFS';

/** SQLite reports a full disk with a code of its own. */
export const isDiskFull = (problem: unknown): boolean => {
  const code = codeOf(problem);
  return code === 'ENOSPC' || code === 'EDQUOT' || (problem instanceof Error && 'errcode' in problem && problem.errcode === 13);
};
