// Which attributes of synced items are locked.

import { expect, test } from 'vitest';
import { blueprintSettingsAfter, blueprintSettingsJson, defaultRestrictions } from './restrictions';

test('locks cover the content of every item until the course sets other attributes, for all items or by type', () => {
  expect(defaultRestrictions(null, 'page')).toEqual({ content: true });
  const byType = blueprintSettingsAfter(null, {
    use_blueprint_restrictions_by_object_type: true,
    blueprint_restrictions_by_object_type: { attachment: { content: true }, quiz: undefined },
  });
  expect(defaultRestrictions(byType ?? null, 'file')).toMatchObject({ content: true, points: false });
  expect(defaultRestrictions(byType ?? null, 'page')).toEqual({});
  expect(blueprintSettingsAfter(null, {})).toBeUndefined();
  expect(blueprintSettingsJson(null)).toEqual({
    blueprint_restrictions: { content: true, points: false, due_dates: false, availability_dates: false },
  });
});
