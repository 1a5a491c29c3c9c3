// The output of the command line: sizes, a progress line and the final report.

import type { SyncStatus } from '../contract/state';
import type { SyncReport } from '../engine/sync/engine';
import type { SyncProgress } from '../engine/sync/request';
import type { VerificationVerdict } from '../engine/sync/verify/verdict';
import { size } from '../language/amounts';
import { issueWords, whyWords } from '../language/issues';
import { inLocale, type MessageKey, t } from '../language/texts';
import { type Sample, sampled, timeLeftWords } from '../language/time_left';

const number = (digits: number) =>
  inLocale((locale) => new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }));
const tenths = number(1);
const dateAndTime = inLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }));

export const dateAndTimeText = (at: string): string => dateAndTime().format(new Date(at));

const usualWidth = 24;
const narrowest = 6;

const shareOf = ({ done, total, bytes_done, bytes_total }: SyncProgress): number =>
  Math.min(1, bytes_total > 0 ? bytes_done / bytes_total : total > 0 ? done / total : 1);

/** Fits into one terminal line, because longer output could not be overwritten. The bar is shortened first, then the text. */
export function progressLine(progress: SyncProgress, left: string | null = null, columns = 80): string {
  const { done, total, bytes_done, bytes_total } = progress;
  const counts = t('cli.progress', { done, total, bytes: size(bytes_done), of: size(bytes_total) });
  const words = left === null ? counts : `${counts}, ${left}`;
  const most = columns - 1;
  const width = Math.min(usualWidth, most - words.length - 1);
  if (width < narrowest) return words.slice(0, Math.max(0, most));
  const full = Math.round(shareOf(progress) * width);
  return `${'█'.repeat(full)}${'░'.repeat(width - full)} ${words}`;
}

/** Overwrites its own line on a terminal; prints nothing anywhere else. */
export function progressOn(stream: NodeJS.WriteStream): { readonly show: (progress: SyncProgress) => void; readonly end: () => void } {
  let last = 0;
  let isShown = false;
  let samples: readonly Sample[] = [];
  return {
    show(progress) {
      const now = Date.now();
      if (!stream.isTTY || progress.total === 0 || now - last < 80) return;
      last = now;
      isShown = true;
      samples = sampled(samples, shareOf(progress), now);
      stream.write(`\r\u001b[2K${progressLine(progress, timeLeftWords(samples), stream.columns)}`);
    },
    end() {
      if (isShown) stream.write('\r\u001b[2K');
      isShown = false;
    },
  };
}

/** The sync method. */
export const wayWords = {
  feed: 'cli.byFeed',
  lists: 'cli.byLists',
} as const satisfies Readonly<Record<string, MessageKey>>;

const endings: Readonly<Record<SyncReport['outcome'], MessageKey>> = {
  complete: 'cli.complete',
  'complete with issues': 'cli.withIssues',
  paused: 'cli.paused',
  waiting: 'cli.filesWaiting',
  offline: 'cli.offline',
  'sign in': 'cli.stopped',
  failed: 'cli.failed',
};

/** With the command that resolves the issue, where there is one. */
export function issueLine(issue: Pick<SyncReport['issues'][number], 'what' | 'where' | 'why' | 'reason'>): string {
  const advice = issue.what === 'many changes' ? ` ${t('cli.confirm')}` : '';
  return `  ${issueWords(issue)}: ${issue.where}: ${whyWords(issue)}${advice}`;
}

export function reportLines({ outcome, downloaded, bytes, unchanged, requests, issues, duration_ms }: SyncReport): string[] {
  const heading = t(endings[outcome], { count: issues.length });
  const files = t('cli.counts', { downloaded, size: size(bytes), unchanged, requests, seconds: tenths().format(duration_ms / 1000) });
  return [`${heading}: ${files}`, ...issues.map(issueLine)];
}

export const exitStatus = (outcome: SyncReport['outcome']): number =>
  ({ complete: 0, 'complete with issues': 2, paused: 2, waiting: 2, 'sign in': 3, offline: 4, failed: 1 })[outcome];

export function verdictLines({ checked, edited, issues, proven, as_of, is_asked, has_hashes }: VerificationVerdict): string[] {
  const asServer = () => (is_asked ? t('cli.allAsHas') : as_of ? t('cli.allAsHadOn', { when: dateAndTimeText(as_of) }) : t('cli.allAsHad'));
  const result = issues.length === 0 ? asServer() : t('cli.differ', { count: issues.length });
  return [
    t('cli.read', { count: checked, result }),
    ...(has_hashes ? [] : [t('verify.noHashes')]),
    ...edited.map((path) => `  ${t('cli.editedByYou', { path })}`),
    ...issues.map(issueLine),
    ...proven.map(({ name, files, here, is_identical, as_of: told }) => {
      if (!is_identical) return t('cli.different', { name, files });
      return here === files
        ? t('cli.identical', { name, files, when: dateAndTimeText(told) })
        : t('cli.identicalPart', { name, files, here, when: dateAndTimeText(told) });
    }),
  ];
}

const troubleWords: Readonly<Record<NonNullable<SyncStatus['trouble']>['kind'], MessageKey>> = {
  expired: 'cli.expired',
  revoked: 'cli.revoked',
  unreachable: 'cli.unreachable',
  'no such host': 'cli.noSuchHost',
  gone: 'cli.gone',
};

/** The connection problem of the account, and the notice that the server was restored or set up again. */
export function troubleLines({ trouble, rebuilt_at }: Pick<SyncStatus, 'trouble' | 'rebuilt_at'>): string[] {
  return [
    ...(trouble
      ? [t('cli.trouble', { what: t(troubleWords[trouble.kind]), when: dateAndTimeText(trouble.since), why: whyWords(trouble) })]
      : []),
    ...(rebuilt_at ? [t('cli.rebuilt', { when: dateAndTimeText(rebuilt_at) })] : []),
  ];
}
