import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RegularSyncs } from './regular_syncs';

beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-11-23T08:00:00Z') }));
afterEach(() => void vi.useRealTimers());

const minutes = (count: number) => vi.advanceTimersByTime(count * 60_000);
const time = () => new Date().toISOString().slice(11, 16);

/** A desk whose syncs end at once; returns the times of its syncs. */
function desk({ isConnected = true, outcome = 'complete' }: { isConnected?: boolean; outcome?: 'complete' | 'offline' } = {}) {
  const syncs: string[] = [];
  const state = { isConnected };
  const regular: RegularSyncs = new RegularSyncs({
    clock: { now: () => new Date() },
    isConnected: () => state.isConnected,
    sync: () => {
      syncs.push(time());
      regular.ended({ outcome });
    },
  });
  regular.ended({ outcome });
  return { syncs, state, regular };
}

test('a connected desk asks every half hour, and every ten minutes without a connection or after a problem', () => {
  const connected = desk();
  const alone = desk({ isConnected: false });
  const troubled = desk({ outcome: 'offline' });
  minutes(60);
  expect(connected.syncs).toEqual(['08:30', '09:00']);
  for (const { syncs } of [alone, troubled]) expect(syncs).toEqual(['08:10', '08:20', '08:30', '08:40', '08:50', '09:00']);
});

test('a desk whose connection ended ten minutes ago asks at once', () => {
  const { syncs, state } = desk();
  minutes(15);
  state.isConnected = false;
  minutes(1);
  expect(syncs).toEqual(['08:16']);
});

test('after the computer has slept, or its clock was set back, the next look notices it', () => {
  const { syncs } = desk();
  vi.setSystemTime(Date.parse('2026-11-23T12:00:00Z'));
  minutes(1);
  expect(syncs).toEqual(['12:01']);
  vi.setSystemTime(Date.parse('2026-11-22T12:00:00Z'));
  minutes(1);
  expect(syncs).toEqual(['12:01', '12:01']);
});

test('a desk that was closed asks for nothing', () => {
  const { syncs, regular } = desk();
  regular.close();
  minutes(120);
  expect(syncs).toEqual([]);
});
