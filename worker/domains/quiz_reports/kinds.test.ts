import { expect, it } from 'vitest';
import { kindOfReport, reportId, reportKind } from './kinds';

it.each([
  ['student_analysis', false, 28],
  ['student_analysis', true, 29],
  ['item_analysis', true, 30],
  ['item_analysis', false, 30],
])('%s, of all versions: %s, is %i for quiz 7', (type, allVersions, id) => {
  const kind = reportKind(type, allVersions);
  if (!kind) throw new Error('no such kind');
  expect(reportId(7, kind)).toBe(id);
  expect(kindOfReport(7, id)).toEqual(kind);
});

it.each([27, 31, 32, 7, -1, 28.5])('%d is no report of quiz 7', (id) => expect(kindOfReport(7, id)).toBeUndefined());
it('knows no other type', () => expect(reportKind('constructor', false)).toBeUndefined());
