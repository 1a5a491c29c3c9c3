// The sync status in one sentence, and what to do about each problem.

import type { SyncStatus } from '../contract/state.ts';
import type { WaitsFor } from '../contract/transfers.ts';
import { size } from './amounts.ts';
import { howLongAgo, moment } from './dates.ts';
import { type MessageKey, t } from './texts.ts';

export const waitingWords: Readonly<Record<WaitsFor, MessageKey>> = {
  hand: 'waiting.hand',
  metered: 'waiting.metered',
  battery: 'waiting.battery',
};

/** The state of the lamp. */
export type Light = 'lit' | 'working' | 'dim' | 'asking';

interface Standing {
  readonly light: Light;
  readonly short: string;
  readonly sentence: string;
}

export function syncStatusText(status: SyncStatus): Standing {
  const { phase, last_complete_at, issues, trouble } = status;
  const last = last_complete_at ? t('sync.lastTime', { when: howLongAgo(last_complete_at) }) : t('sync.neverComplete');
  if (phase === 'sign in')
    return {
      light: 'asking',
      short: t('signIn.again'),
      sentence: t(trouble?.kind === 'expired' ? 'sync.expired' : trouble?.kind === 'revoked' ? 'sync.revoked' : 'sync.signIn', { last }),
    };
  if (phase === 'offline')
    return {
      light: 'dim',
      short: t('offline'),
      sentence: t(trouble?.kind === 'no such host' ? 'sync.noSuchHost' : 'sync.offline', { last }),
    };
  if (trouble?.kind === 'gone' && phase === 'idle')
    return { light: 'asking', short: t('sync.goneShort'), sentence: t('sync.gone', { last }) };
  if (phase === 'paused') {
    const why = t(status.held_back ? 'paused.many' : 'paused.moved');
    return { light: 'asking', short: t('paused'), sentence: t('sync.paused', { why, last }) };
  }
  if (phase === 'syncing') return { light: 'working', short: t('sync.syncing'), sentence: progressWords(status) };
  if (status.waiting)
    return { light: 'dim', short: t('waiting.title'), sentence: t('waiting.sentence', { why: t(waitingWords[status.waiting.why]) }) };
  if (status.no_room) return { light: 'asking', short: t('room.title'), sentence: last };
  if (issues.length > 0)
    return {
      light: 'asking',
      short: t('issues.count', { count: issues.length }),
      sentence: t('sync.withIssues', { count: issues.length, last }),
    };
  return last_complete_at
    ? { light: 'lit', short: t('sync.upToDate'), sentence: t('sync.inStep', { when: moment(last_complete_at) }) }
    : { light: 'dim', short: t('sync.notYet'), sentence: t('sync.nothingYet') };
}

/** What the user can do when the account cannot reach its server. */
export const toDo: Readonly<Record<NonNullable<SyncStatus['trouble']>['kind'], MessageKey>> = {
  expired: 'trouble.expired',
  revoked: 'trouble.revoked',
  unreachable: 'trouble.unreachable',
  'no such host': 'trouble.noSuchHost',
  gone: 'trouble.gone',
};

function progressWords({ done, total, bytes_done, bytes_total }: SyncStatus): string {
  if (total === 0) return t('sync.askingNew');
  const items = t('sync.items', { done, total });
  return bytes_total > 0 ? t('sync.itemsAndBytes', { items, done: size(bytes_done), total: size(bytes_total) }) : items;
}

export const shareDone = ({ done, total, bytes_done, bytes_total }: SyncStatus) =>
  bytes_total > 0 ? bytes_done / bytes_total : total > 0 ? done / total : null;
