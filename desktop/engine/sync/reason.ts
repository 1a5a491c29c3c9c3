// Why something is wrong, as data: a key of the catalogue with its values, so that it is shown in the current language.

import type { Issue, Reason } from '../../contract/state';
import { type MessageKey, t } from '../../language/texts';
import { FolderMissing, RecordsLost } from '../disk/folder';
import { FolderInUse } from '../disk/folder_lock';
import { TooFull } from '../disk/free_space';
import { Blocked } from '../model/ports';
import { BrokenOff } from '../server/canvas/pace';
import { WrongBytes } from '../server/download';
import { NoFeed } from '../server/feed';
import { causeOf, Declined, Offline, Troubled } from '../server/session';
import { isStoreReadOnly } from '../store/driver';

/** A current problem. */
export type SyncProblem = Omit<Issue, 'since'>;

/** The text of an issue, and the key and values from which it was made, if known. */
export interface Why {
  readonly why: string;
  readonly reason?: Reason;
}

export const because = (code: MessageKey, values: Reason['values'] = {}): Why => ({ why: t(code, values), reason: { code, values } });

/** Error messages of operating systems. */
const systems: readonly (readonly [RegExp, MessageKey])[] = [
  [/^(ENOSPC|EDQUOT)$/, 'why.diskFull'],
  [/^(EACCES|EPERM)$/, 'why.notAllowedHere'],
  [/^EROFS$/, 'why.readOnly'],
  [/^(EBUSY|ETXTBSY)$/, 'why.openElsewhere'],
  [/^ENAMETOOLONG$/, 'why.nameTooLong'],
  [/^(ENOENT|ENOTDIR|EISDIR|ENOTEMPTY)$/, 'why.changedHere'],
  [/^(EIO|ENXIO|ENODEV)$/, 'why.diskFails'],
  [/^(EMFILE|ENFILE)$/, 'why.tooManyOpen'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'why.noSuchHost'],
  [/^(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EPIPE|UND_ERR_.*)$/, 'why.noConnection'],
  [/^(CERT_.*|.*_CERT.*|ERR_TLS.*|UNABLE_TO_.*)$/, 'why.certificate'],
];

const statuses: Readonly<Record<number, MessageKey>> = { 401: 'why.forbidden', 403: 'why.forbidden', 404: 'why.gone', 410: 'why.gone' };

function codesOf(problem: unknown): string[] {
  if (!(problem instanceof Error)) return [];
  const own = 'code' in problem ? [String(problem.code)] : [];
  return [...own, ...codesOf(problem.cause), ...(/\b(E[A-Z]{3,}|EAI_AGAIN)\b/.exec(problem.message) ?? []).slice(1)];
}

function reasonOf(problem: unknown): Reason | undefined {
  if (problem instanceof TooFull)
    return { code: 'why.tooFull', values: { files: problem.files, needs: problem.needs, free: problem.free, reserve: problem.reserve } };
  if (problem instanceof FolderMissing) return { code: 'why.folderMissing', values: { folder: problem.folder } };
  if (problem instanceof FolderInUse) return { code: 'why.folderInUse', values: { folder: problem.folder } };
  if (problem instanceof RecordsLost) return { code: 'why.recordsLost', values: { path: problem.path } };
  if (problem instanceof Blocked) return { code: 'why.blocked', values: { where: problem.where } };
  if (problem instanceof WrongBytes) return { code: 'why.wrongBytes', values: {} };
  const system = codesOf(problem).flatMap((code) => systems.find(([sign]) => sign.test(code))?.[1] ?? [])[0];
  if (system) return { code: system, values: {} };
  if (problem instanceof Declined) {
    const code = statuses[problem.status];
    return code && { code, values: { said: problem.message } };
  }
  if (problem instanceof Troubled || problem instanceof BrokenOff || problem instanceof NoFeed)
    return { code: 'why.trouble', values: { said: causeOf(problem) } };
  if (problem instanceof Offline) return { code: 'why.noConnection', values: {} };
  if (isStoreReadOnly(problem)) return { code: 'why.readOnly', values: {} };
  return undefined;
}

/** An unknown problem is reported in its own words. */
export function whyOf(problem: unknown): Why {
  const reason = reasonOf(problem);
  return { why: causeOf(problem), ...(reason && { reason }) };
}
