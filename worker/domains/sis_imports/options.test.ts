// The options of an import.

import { expect, test } from 'vitest';
import { optionsOf } from './options';

test.each<[object, RegExp]>([
  [{ import_type: 'ims_xml' }, /import_type/],
  [{ batch_mode: true }, /batch_mode_term_id/],
  [{ multi_term_batch_mode: true }, /change_threshold is required/],
  [{ change_threshold: 0 }, /between 1 and 100/],
  [{ change_threshold: 101 }, /between 1 and 100/],
  [{ diff_row_count_threshold: 0 }, /positive/],
  [{ diffing_data_set_identifier: 'é'.repeat(65) }, /128 bytes/],
  [{ diffing_drop_status: 'gone' }, /diffing_drop_status/],
  [{ diffing_user_remove_status: 'inactive' }, /diffing_user_remove_status/],
  [{ batch_mode_enrollment_drop_status: 'x' }, /batch_mode_enrollment_drop_status/],
])('the options %j are refused', (given, message) => expect(() => optionsOf(given, undefined)).toThrow(message));

test('options that need another one are ignored', () => {
  expect(optionsOf({ add_sis_stickiness: true }, undefined)).toEqual({});
  expect(optionsOf({ override_sis_stickiness: true, add_sis_stickiness: true, clear_sis_stickiness: true }, undefined)).toEqual({
    override_sis_stickiness: true,
    clear_sis_stickiness: true,
  });
  expect(optionsOf({ batch_mode: true, diffing_data_set_identifier: 'a' }, 7)).toEqual({ batch_mode: true, batch_mode_term_id: 7 });
});
