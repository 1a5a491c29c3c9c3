// `carrel recovered` and `carrel restore`: lists and restores what a sync has replaced or removed here.

import { join } from 'node:path';
import type { SyncStatus } from '../contract/state';
import { type SignedIn, storeOf } from '../engine/accounts/account';
import { recoveredFiles, restore } from '../engine/channels/recovered';
import { systemClock } from '../engine/server/session';
import { openUser, type UserStore } from '../engine/store/user';
import { size } from '../language/amounts';
import { t } from '../language/texts';
import { accountOf } from './accounts';
import { type Arguments, Misused } from './arguments';
import { dateAndTimeText } from './words';

type Given = Pick<Arguments, 'account' | 'json' | 'words' | 'to'> & { readonly store: string };
type Say = (line: string) => void;

const whyKept = { replaced: 'recovered.replaced', removed: 'recovered.removed' } as const;

export async function listRecovered({ store, account, json }: Given, say: Say): Promise<number> {
  const files = withUser(store, accountOf(store, account), true, recoveredFiles);
  if (json) say(JSON.stringify({ recovered: files }));
  else if (files.length === 0) say(t('recovered.none'));
  else {
    for (const { number, path, at, size: bytes, why } of files)
      say(`${String(number).padStart(5)}  ${path} (${size(bytes)}; ${t(whyKept[why], { when: dateAndTimeText(at) })})`);
    say(t('recovered.howTo'));
  }
  return 0;
}

export async function restoreByWords({ store, account, json, words: [word, ...more], to }: Given, say: Say): Promise<number> {
  if (word === undefined || more.length > 0) throw new Misused(t('cli.sayRecovered'));
  const signedIn = accountOf(store, account);
  const user = openUser(join(storeOf(store, signedIn), 'user.db'), systemClock.now);
  try {
    const { kept, file } = await restore(user, word, to);
    if (json) say(JSON.stringify({ outcome: 'restored', number: kept.number, path: kept.path, file }));
    else say(t('recovered.restored', { where: file }));
    return 0;
  } finally {
    user.close();
  }
}

export const keptLines = ({ files, bytes }: SyncStatus['recovered']): string[] =>
  files === 0 ? [] : [t('cli.recovered', { count: files, size: size(bytes) })];

function withUser<T>(store: string, signedIn: SignedIn, readOnly: boolean, act: (user: UserStore) => T): T {
  const user = openUser(join(storeOf(store, signedIn), 'user.db'), systemClock.now, readOnly);
  try {
    return act(user);
  } finally {
    user.close();
  }
}
