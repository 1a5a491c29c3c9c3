// The state of the sync in plain words: one truthful sentence, and what to do about each kind of trouble.

import type { SyncStatus } from '../channels.ts';
import { count, size } from '../words/amounts.ts';
import { howLongAgo, moment } from '../words/dates.ts';

/** How the desk's lamp burns. */
export type Light = 'lit' | 'working' | 'dim' | 'asking';

export interface Standing {
  readonly light: Light;
  readonly short: string;
  readonly sentence: string;
}

export function standing(status: SyncStatus): Standing {
  const { phase, last_complete_at, issues } = status;
  const last = last_complete_at ? `Last complete ${howLongAgo(last_complete_at)}.` : 'It has never been complete yet.';
  if (phase === 'sign in')
    return {
      light: 'asking',
      short: 'Sign in again',
      sentence: `The server no longer accepts your token. What is here stays readable. ${last}`,
    };
  if (phase === 'offline')
    return { light: 'dim', short: 'Offline', sentence: `The server cannot be reached. You are reading what is on this computer. ${last}` };
  if (phase === 'paused') {
    const why = status.held_back ? 'Very many files would change at once.' : 'The study folder is not where it was.';
    return { light: 'asking', short: 'Paused', sentence: `${why} The sync waits for you. ${last}` };
  }
  if (phase === 'syncing') return { light: 'working', short: 'Syncing', sentence: progressWords(status) };
  if (issues.length > 0)
    return { light: 'asking', short: count(issues.length, 'issue'), sentence: `Complete with ${count(issues.length, 'issue')}. ${last}` };
  return last_complete_at
    ? { light: 'lit', short: 'Up to date', sentence: `Everything was in step with the server ${moment(last_complete_at)}.` }
    : { light: 'dim', short: 'Not synced yet', sentence: 'Nothing has been fetched yet.' };
}

function progressWords({ done, total, bytes_done, bytes_total }: SyncStatus): string {
  if (total === 0) return 'Asking the server what is new…';
  const items = `${done.toLocaleString('en')} of ${count(total, 'item')}`;
  return bytes_total > 0 ? `${items}, ${size(bytes_done)} of ${size(bytes_total)}` : items;
}

export const shareDone = ({ done, total, bytes_done, bytes_total }: SyncStatus) =>
  bytes_total > 0 ? bytes_done / bytes_total : total > 0 ? done / total : null;

/** What to do about an issue, recognised by what its reason says. */
const advice: readonly (readonly [RegExp, string])[] = [
  [/lock|unlock/i, 'Nothing to do: it comes by itself when it opens.'],
  [/quota|space|disk full|ENOSPC/i, 'Free some space on this disk, or mark files “not wanted here”; then sync again.'],
  [/forbidden|permission|unauthori[sz]ed|40[13]/i, 'Ask your teacher whether you should see it. The rest is not affected.'],
  [/not found|404|gone/i, 'It was taken away on the server while it was fetched. The next sync settles it.'],
  [/name|character/i, 'It is kept under a name this computer can hold.'],
  [/open elsewhere|EBUSY|EPERM|in use/i, 'Close the file in the other program; then sync again.'],
  [/hash|sha|bytes|length|truncat|cut/i, 'What came was not whole, so it was thrown away. It is fetched again with the next sync.'],
  [/timeout|timed out|50\d|429|throttl|connection|network/i, 'The server had trouble. It is tried again with the next sync.'],
];

export const adviceFor = (why: string) => advice.find(([sign]) => sign.test(why))?.[1] ?? 'It is tried again with the next sync.';
