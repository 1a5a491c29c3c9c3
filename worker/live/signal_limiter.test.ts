import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Signal, SignalLimiter, spreadFor } from './signal_limiter';

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

test('a user receives at most one signal a second, and the last one covers all', () => {
  const sent: (Signal & { readonly user: number; readonly at: number })[] = [];
  const limiter = new SignalLimiter((user, signal) => sent.push({ ...signal, user, at: Date.now() - 1_000_000 }));
  const signal = (users: number[], bookmark: string, spread: number) => limiter.signal(users, { bookmark, spread });
  signal([1], 'b1', 50);
  vi.advanceTimersByTime(400);
  signal([1, 2], 'b3', 0);
  signal([1], 'b2', 70);
  vi.advanceTimersByTime(500);
  signal([2], 'b4', 10);
  expect(sent).toEqual([
    { user: 1, bookmark: 'b1', spread: 50, at: 0 },
    { user: 2, bookmark: 'b3', spread: 0, at: 400 },
  ]);
  vi.advanceTimersByTime(100);
  expect(sent.slice(2)).toEqual([{ user: 1, bookmark: 'b3', spread: 0, at: 1000 }]);
  vi.advanceTimersByTime(400);
  expect(sent.slice(3)).toEqual([{ user: 2, bookmark: 'b4', spread: 10, at: 1400 }]);
  // A pending timer would keep the object in memory.
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(1000);
  signal([1, 2], 'b5', 0);
  expect(sent.length).toBe(6);
});

test('a small audience queries the feed at once, a large one over a time that grows with it', () => {
  expect([1, 2, 10, 30, 5000, 20_000, 1_000_000].map(spreadFor)).toEqual([0, 0, 0, 300, 50_000, 200_000, 300_000]);
});
