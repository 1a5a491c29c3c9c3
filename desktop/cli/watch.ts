// `carrel watch`: stays connected for every account and prints the result of each sync.

import type { D1Bookmark } from '@carrel/shared/sync/d1_bookmark';
import { type AccountId, accountIdOf, fileSecrets, readAccounts, type SignedIn } from '../engine/accounts/account';
import { RegularSyncs } from '../engine/accounts/regular_syncs';
import { Workspace } from '../engine/accounts/workspace';
import { bearerOf } from '../engine/server/bearer';
import { type LiveConnection, listen } from '../engine/server/live';
import { causeOf, systemClock } from '../engine/server/session';
import type { SyncReport } from '../engine/sync/engine';
import { t } from '../language/texts';
import { accountOf } from './accounts';
import { exitStatus, reportLines } from './words';

export interface Watching {
  readonly store: string;
  readonly account?: string | undefined;
  readonly json: boolean;
  readonly say: (line: string) => void;
}

/** Ends on a signal, or when no account can be followed any more: all are signed out or cannot be opened. */
export async function watch({ store, account, json, say }: Watching): Promise<number> {
  const { all } = readAccounts(store);
  const followed = account === undefined && all.length > 1 ? all : [accountOf(store, account)];
  const stopped = Promise.withResolvers<number>();
  const left = new Set<AccountId>(followed.map(accountIdOf));
  const tell = (signedIn: SignedIn, report: Pick<SyncReport, 'outcome'> & Partial<SyncReport>, lines: readonly string[]): void => {
    if (json) say(JSON.stringify({ account: accountIdOf(signedIn), ...report }));
    else if (followed.length === 1) for (const line of lines) say(line);
    else
      for (const line of [t('cli.accountAt', { name: signedIn.name, url: signedIn.url }), ...lines.map((line) => `  ${line}`)]) say(line);
  };
  const ends: (() => Promise<void>)[] = [];
  const follow = async (signedIn: SignedIn): Promise<void> => {
    let live: LiveConnection | undefined;
    let regular: RegularSyncs | undefined;
    /** The other accounts continue. */
    const leave = (status: number): void => {
      live?.close();
      live = undefined;
      regular?.close();
      left.delete(accountIdOf(signedIn));
      if (left.size === 0) stopped.resolve(status);
    };
    const fail = (problem: unknown): void => {
      const why = causeOf(problem);
      tell(signedIn, { outcome: 'failed', issues: [{ what: 'failed', where: signedIn.url, why }] }, [`${t('cli.failed')}: ${why}`]);
      leave(exitStatus('failed'));
    };
    try {
      const bearer = await bearerOf(accountIdOf(signedIn), signedIn.url, fileSecrets(store));
      const workspace: Workspace = new Workspace({
        store,
        signedIn,
        token: bearer,
        isWatching: true,
        onSettled: () => void again().catch(fail),
      });
      ends.push(() => workspace.close());
      const hear = (): void => {
        const onSignal = (bookmark: D1Bookmark): void => {
          workspace.session.bookmark.note(bookmark);
          syncAgain();
        };
        live ??= listen({ url: signedIn.url, bearing: bearer, clock: systemClock, onSignal });
      };
      let isFirst = true;
      let last = '';
      const again = async (): Promise<void> => {
        const report = await workspace.sync({ isThorough: isFirst });
        isFirst = false;
        regular?.ended(report);
        const { downloaded, bytes, outcome, issues } = report;
        const said = JSON.stringify([outcome, issues]);
        // A sync that changed nothing and has the same result as the last one is not printed.
        if (report.requests > 0 && (said !== last || downloaded + bytes > 0)) tell(signedIn, report, reportLines(report));
        last = said;
        if (report.outcome === 'sign in') return leave(exitStatus(report.outcome));
        if (!left.has(accountIdOf(signedIn)) || workspace.session.isClosed) return;
        // A server without a sync feed has no live connection; the first answer shows which kind it is.
        if (workspace.way !== 'lists') return hear();
        live?.close();
        live = undefined;
      };
      const syncAgain = () => void again().catch(fail);
      regular = new RegularSyncs({
        clock: systemClock,
        isConnected: () => live?.isOpen === true,
        sync: syncAgain,
      });
      ends.push(async () => leave(0));
      if (workspace.way !== 'lists') hear();
      syncAgain();
    } catch (problem) {
      fail(problem);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.resolve(0));
  for (const one of followed) await follow(one);
  const status = await stopped.promise;
  await Promise.all(ends.reverse().map((end) => end()));
  return status;
}
