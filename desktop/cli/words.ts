// What the command line says: amounts, a moving line on a terminal, a report at the end.

import type { Progress, Report } from '../engine/engine';
import type { Verdict } from '../engine/study';
import type { SyncStatus } from '../ui/views/state';

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];

export function amount(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

const width = 24;

export function progressLine({ done, total, bytes_done, bytes_total }: Progress): string {
  const share = bytes_total > 0 ? bytes_done / bytes_total : total > 0 ? done / total : 1;
  const full = Math.round(Math.min(1, share) * width);
  return `${'█'.repeat(full)}${'░'.repeat(width - full)} ${done}/${total} files, ${amount(bytes_done)} of ${amount(bytes_total)}`;
}

/** Draws over itself on a terminal; says nothing anywhere else. */
export function progressOn(stream: NodeJS.WriteStream): { readonly show: (progress: Progress) => void; readonly end: () => void } {
  let last = 0;
  let isShown = false;
  return {
    show(progress) {
      if (!stream.isTTY || progress.total === 0 || Date.now() - last < 80) return;
      last = Date.now();
      isShown = true;
      stream.write(`\r\u001b[2K${progressLine(progress)}`);
    },
    end() {
      if (isShown) stream.write('\r\u001b[2K');
      isShown = false;
    },
  };
}

/** How the server is asked what has changed. */
export const wayWords = {
  feed: 'Asked by the sync feed: what has changed, in one request.',
  lists: 'This server has no sync feed: asked list by list, as any Canvas server can be.',
} as const;

const endings: Readonly<Record<Report['outcome'], string>> = {
  complete: 'Complete',
  'complete with issues': 'Complete with issues',
  paused: 'Paused',
  waiting: 'Files wait; go on with carrel transfers resume',
  offline: 'The server cannot be reached; what was synced before is here',
  'sign in': 'Stopped: sign in again with carrel login',
  failed: 'Failed',
};

export function reportLines({ outcome, downloaded, bytes, unchanged, requests, issues, duration_ms }: Report): string[] {
  const heading =
    outcome === 'complete with issues' ? `Complete with ${issues.length} ${issues.length === 1 ? 'issue' : 'issues'}` : endings[outcome];
  const files = `${downloaded} downloaded (${amount(bytes)}), ${unchanged} unchanged, ${requests} requests, ${(duration_ms / 1000).toFixed(1)} s`;
  return [`${heading}: ${files}`, ...issues.map(({ what, where, why }) => `  ${what}: ${where}: ${why}${adviceFor(what)}`)];
}

/** What the person may do about an issue, where a command does it. */
export const adviceFor = (what: string): string => (what === 'many changes' ? ' Go on with: carrel sync --confirm' : '');

export const exitStatus = (outcome: Report['outcome']): number =>
  ({ complete: 0, 'complete with issues': 2, paused: 2, waiting: 2, 'sign in': 3, offline: 4, failed: 1 })[outcome];

export function verdictLines({ checked, edited, issues, proven, as_of, is_asked }: Verdict): string[] {
  const had = is_asked ? 'has them' : `had them${as_of ? ` on ${new Date(as_of).toLocaleString()}` : ''}: it cannot be reached now`;
  const result = issues.length === 0 ? `all are as the server ${had}` : `${issues.length} differ`;
  return [
    `${checked} files read: ${result}.`,
    ...edited.map((path) => `  edited by you: ${path}`),
    ...issues.map(({ what, where, why }) => `  ${what}: ${where}: ${why}`),
    ...proven.map(({ name, files, is_identical, as_of: told }) =>
      is_identical
        ? `${name}: identical to the server as of ${new Date(told).toLocaleString()} (${files} files)`
        : `${name}: not identical to the server (${files} files there)`,
    ),
  ];
}

const troubleWords: Readonly<Record<NonNullable<SyncStatus['trouble']>['kind'], string>> = {
  expired: 'The token’s time is over. Sign in again: carrel login',
  revoked: 'The server no longer knows the token: it was taken back. Sign in again: carrel login',
  unreachable: 'The server cannot be reached; it is tried again with the next sync.',
  'no such host':
    'The server’s name cannot be found: this computer is offline, or the server has moved. If it has, sign in at its new address.',
  gone: 'At the server’s address something else answers. If it has moved, sign in at its new address; nothing here is removed.',
};

/** What keeps the account from its server, and that it has begun another history. */
export function troubleLines({ trouble, rebuilt_at }: Pick<SyncStatus, 'trouble' | 'rebuilt_at'>): string[] {
  const since = (at: string) => new Date(at).toLocaleString();
  return [
    ...(trouble ? [`${troubleWords[trouble.kind]} (since ${since(trouble.since)}: ${trouble.why})`] : []),
    ...(rebuilt_at
      ? [
          `The server began another history on ${since(rebuilt_at)}, as after a restore; everything was asked for again, and nothing here was removed.`,
        ]
      : []),
  ];
}
