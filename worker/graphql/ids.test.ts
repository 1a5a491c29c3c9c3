import { expect, test } from 'vitest';
import { globalId, legacyId, readGlobalId, readNumber } from './ids';

test('an id of the graph names its type and the id of REST', () => {
  expect(globalId('Course', 7)).toBe('Q291cnNlLTc=');
  expect(readGlobalId('Q291cnNlLTc=')).toEqual({ type: 'Course', id: '7' });
  expect(readGlobalId('Q291cnNlLTc')).toEqual({ type: 'Course', id: '7' });
  expect(readGlobalId(globalId('PostPolicy', 'course:7'))).toEqual({ type: 'PostPolicy', id: 'course:7' });
});

test('other texts are no ids', () => {
  for (const text of ['', '7', '%%%', btoa('course-7'), btoa('Course'), btoa('Course-'), btoa('Course-7 or 1')])
    expect(readGlobalId(text), text).toBeUndefined();
  for (const given of ['', '-1', '1.5', '1e3', 'x', '99999999999999999999', null, {}])
    expect(readNumber(given), String(given)).toBeUndefined();
});

test('an argument takes both ids, and none of another type', () => {
  expect(legacyId('7', 'Course')).toBe(7);
  expect(legacyId(7, 'Course')).toBe(7);
  expect(legacyId(globalId('Course', 7), 'Course')).toBe(7);
  expect(legacyId(globalId('Assignment', 7), 'Course')).toBeUndefined();
  expect(legacyId(null, 'Course')).toBeUndefined();
});
