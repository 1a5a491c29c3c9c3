// Byte ranges and conditional requests for files.

import { expect, test } from 'vitest';
import { type DownloadVerdict, evaluateConditions } from './conditions';

const etag = '"abc"';

const file = { size: 100, etag, modified_at: '2026-09-01T08:00:00Z' };

const then = 'Tue, 01 Sep 2026 08:00:00 GMT';

const before = 'Mon, 31 Aug 2026 08:00:00 GMT';

const later = 'Wed, 02 Sep 2026 08:00:00 GMT';

const whole: DownloadVerdict = { kind: 'whole' };

const part = (offset: number, length: number): DownloadVerdict => ({ kind: 'range', offset, length });

const unchanged: DownloadVerdict = { kind: 'unchanged' };

const failed: DownloadVerdict = { kind: 'failed' };

const unsatisfiable: DownloadVerdict = { kind: 'unsatisfiable' };

const cases: [Record<string, string>, DownloadVerdict, string?][] = [
  [{}, whole],
  [{ range: 'bytes=0-9' }, part(0, 10)],
  [{ range: 'bytes=10-' }, part(10, 90)],
  [{ range: 'bytes=-10' }, part(90, 10)],
  [{ range: 'bytes=-1000' }, part(0, 100)],
  [{ range: 'bytes=90-1000' }, part(90, 10)],
  [{ range: 'BYTES=5-5' }, part(5, 1)],
  [{ range: 'bytes=100-' }, unsatisfiable],
  [{ range: 'bytes=-0' }, unsatisfiable],
  [{ range: 'bytes=9-1' }, whole],
  [{ range: 'bytes=0-1,5-6' }, whole],
  [{ range: 'items=0-1' }, whole],
  [{ range: 'bytes=a-b' }, whole],
  [{ range: 'bytes=-' }, whole],
  [{ range: 'bytes=0-9' }, whole, 'HEAD'],
  [{ range: 'bytes=0-9', 'if-range': etag }, part(0, 10)],
  [{ range: 'bytes=0-9', 'if-range': '"other"' }, whole],
  [{ range: 'bytes=0-9', 'if-range': `W/${etag}` }, whole],
  [{ range: 'bytes=0-9', 'if-range': then }, part(0, 10)],
  [{ range: 'bytes=0-9', 'if-range': before }, whole],
  [{ 'if-none-match': etag }, unchanged],
  [{ 'if-none-match': `W/${etag}` }, unchanged],
  [{ 'if-none-match': `"x", ${etag}` }, unchanged],
  [{ 'if-none-match': '*' }, unchanged],
  [{ 'if-none-match': '"x"' }, whole],
  [{ 'if-none-match': '"x"', 'if-modified-since': later }, whole],
  [{ 'if-modified-since': then }, unchanged],
  [{ 'if-modified-since': later }, unchanged],
  [{ 'if-modified-since': before }, whole],
  [{ 'if-modified-since': 'yesterday' }, whole],
  [{ 'if-none-match': etag, range: 'bytes=0-9' }, unchanged],
  [{ 'if-match': etag }, whole],
  [{ 'if-match': '*' }, whole],
  [{ 'if-match': '"x"' }, failed],
  [{ 'if-match': `W/${etag}` }, failed],
  [{ 'if-unmodified-since': before }, failed],
  [{ 'if-unmodified-since': then }, whole],
  [{ 'if-match': '"x"', 'if-none-match': etag }, failed],
];

test.each(cases)('%j → %j %s', (headers, verdict, method = 'GET') => {
  expect(evaluateConditions(method, new Headers(headers), file)).toEqual(verdict);
});

test('an empty file has no range', () => {
  expect(evaluateConditions('GET', new Headers({ range: 'bytes=0-' }), { ...file, size: 0 })).toEqual(unsatisfiable);
});
