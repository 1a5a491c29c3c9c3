// Fields that a user has changed, in an import.

import { describe, expect, test } from 'vitest';
import { acceptedValues } from './stickiness';

describe('stickiness of edited fields', () => {
  const row = { name: 'By hand', code: 'old', stuck_sis_fields: ',name,' };
  const wanted = { name: 'From SIS', code: 'new' };
  test.each<[string, object, object | undefined]>([
    ['manual changes are kept', {}, { name: 'By hand', code: 'new', stuck_sis_fields: ',name,' }],
    ['unless the import overrides them', { override_sis_stickiness: true }, { name: 'From SIS', code: 'new', stuck_sis_fields: ',name,' }],
    [
      'and clears stickiness',
      { override_sis_stickiness: true, clear_sis_stickiness: true },
      { name: 'From SIS', code: 'new', stuck_sis_fields: null },
    ],
    [
      'or adds stickiness',
      { override_sis_stickiness: true, add_sis_stickiness: true },
      { name: 'From SIS', code: 'new', stuck_sis_fields: ',name,code,' },
    ],
  ])('%s', (_, options, expected) => expect(acceptedValues(row, wanted, ['name', 'code'], options)).toEqual(expected));

  test('an unchanged row changes nothing', () => {
    expect(acceptedValues(row, { name: 'From SIS', code: 'old' }, ['name', 'code'], {})).toBeUndefined();
    expect(acceptedValues(row, { name: undefined, code: undefined }, ['name'], { override_sis_stickiness: true })).toBeUndefined();
  });
});
