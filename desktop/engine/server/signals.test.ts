import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NewestBookmark } from './bookmark';
import { SpreadSignals } from './signals';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('5,000 desks that receive signals at once do not query the feed in the same second', () => {
  const perSecond = new Array<number>(51).fill(0);
  const bookmarks = new Set<string | null>();
  for (let desk = 0; desk < 5000; desk++) {
    const began = performance.now();
    const signals = new SpreadSignals(
      () => 0.001 + 0.999 * Math.random(),
      (bookmark) => {
        const second = Math.floor((performance.now() - began) / 1000);
        perSecond[second] = (perSecond[second] ?? 0) + 1;
        bookmarks.add(bookmark);
      },
    );
    for (const bookmark of ['b1', 'b3', 'b2']) signals.take({ bookmark, spread: 50_000 });
    // One after the other, because fake timers take longer the more there are.
    vi.advanceTimersByTime(50_000);
  }
  expect(perSecond.reduce((sum, one) => sum + one, 0)).toBe(5000);
  // A hundred on average.
  expect(Math.max(...perSecond)).toBeLessThan(160);
  expect([...bookmarks]).toEqual(['b3']);
});

test('a signal for few users causes a request at once, also during a wait, and without the fields of newer servers', () => {
  const passed: (string | null)[] = [];
  const signals = new SpreadSignals(
    () => 0.5,
    (bookmark) => passed.push(bookmark),
  );
  signals.take({});
  signals.take({ bookmark: 'b1', spread: 0 });
  expect(passed).toEqual([null, 'b1']);
  signals.take({ bookmark: 'b3', spread: 60_000 });
  vi.advanceTimersByTime(10_000);
  expect(passed.length).toBe(2);
  signals.take({ bookmark: 'b2', spread: 0 });
  expect(passed.slice(2)).toEqual(['b3']);
  vi.advanceTimersByTime(60_000);
  expect(passed.length).toBe(3);
  signals.take({ bookmark: 'b4', spread: 1000 });
  signals.close();
  vi.advanceTimersByTime(1000);
  expect(passed.length).toBe(3);
});

test('the newest bookmark is sent for five minutes, and nothing that is not one', () => {
  let now = 1_000_000;
  const bookmark = new NewestBookmark(() => new Date(now));
  expect(bookmark.headers).toEqual({});
  for (const given of ['0002-a', '0001-b', null, undefined, 'a\r\nb: c', '']) bookmark.note(given);
  expect(bookmark.headers).toEqual({ 'x-d1-bookmark': '0002-a' });
  bookmark.noteResponse(new Response(null, { headers: { 'X-D1-Bookmark': '0003-c' } }));
  expect(bookmark.headers).toEqual({ 'x-d1-bookmark': '0003-c' });
  now += 5 * 60_000;
  expect(bookmark.headers).toEqual({});
  // After a restore the counters are smaller.
  bookmark.note('0001-d');
  expect(bookmark.headers).toEqual({ 'x-d1-bookmark': '0001-d' });
});
