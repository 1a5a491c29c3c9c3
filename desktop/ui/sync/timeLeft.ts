// The estimated time left of the current sync.

import { useRef } from 'react';
import type { SyncStatus } from '../../contract/state.ts';
import { shareDone } from '../../language/sync_status.ts';
import { type Sample, sampled, timeLeftWords } from '../../language/time_left.ts';

export function useTimeLeft(status: SyncStatus, now = Date.now()): string | null {
  const samples = useRef<readonly Sample[]>([]);
  const share = status.phase === 'syncing' ? shareDone(status) : null;
  samples.current = share === null ? [] : sampled(samples.current, share, now);
  return timeLeftWords(samples.current);
}
