// The state and the settings of an imported course.

import { expect, test } from 'vitest';
import { courseSettingsAfter, courseState } from './decide_courses';

test.each<[string, string | undefined, string]>([
  ['active', undefined, 'claimed'],
  ['active', 'available', 'available'],
  ['active', 'completed', 'available'],
  ['active', 'deleted', 'claimed'],
  ['published', 'claimed', 'available'],
  ['completed', 'available', 'completed'],
])('a course that is %s in the file and was %s becomes %s', (status, before, after) =>
  expect(courseState(status as never, before as never)).toBe(after),
);

test('an import keeps course settings that a row does not name', () => {
  expect(courseSettingsAfter('{"a":1,"homeroom_course":true}', false, 'nightly_sync')).toBe(
    '{"a":1,"grade_passback_setting":"nightly_sync"}',
  );
  expect(courseSettingsAfter('{"a":1}', undefined, undefined)).toBe('{"a":1}');
});
