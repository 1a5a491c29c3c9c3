// What is stored of the parameters of a migration.

import { read } from '@carrel/shared/wire/fields';
import { describe, expect, test } from 'vitest';
import { changeParams, dateOptionsOf, type MigrationGiven, migrationSettingsOf, selectionGiven } from './params';

const given = (tree: object): MigrationGiven => {
  const result = read(changeParams, tree);
  if (!result.ok) throw new Error(`${result.refusal.parameter} ${result.refusal.message}`);
  return result.value;
};

describe('the days of a shift', () => {
  const options = (date_shift_options: object) => dateOptionsOf(given({ date_shift_options }), { zone: 'America/Denver' });

  test('are days in its zone, whether dates or times are given', () => {
    expect(
      options({ shift_dates: 1, old_start_date: '2026-01-05', old_end_date: '2026-05-26T05:00:00Z', day_substitutions: { 1: '2' } }),
    ).toEqual({
      zone: 'America/Denver',
      shift: true,
      old_start: '2026-01-05',
      old_end: '2026-05-25',
      substitutions: { 1: 2 },
    });
    expect(options({ old_end_date: '2026-05-26T05:00:00Z', time_zone: 'Europe/Berlin' })).toMatchObject({ old_end: '2026-05-26' });
    expect(dateOptionsOf(given({}), { zone: 'Etc/UTC', remove: true })).toEqual({ zone: 'Etc/UTC', remove: true });
  });

  test.each<[object, RegExp]>([
    [{ time_zone: 'Nowhere/Else' }, /time_zone.*is not a time zone/],
    [{ day_substitutions: { 7: 1 } }, /day_substitutions\]\[7\].*weekday/],
    [{ day_substitutions: { 1: 9 } }, /day_substitutions\]\[1\].*weekday/],
    [{ new_start_date: 'soon' }, /new_start_date/],
  ])('%j are refused', (wrong, message) => expect(() => options(wrong)).toThrow(message));
});

test('settings are added to those that are stored; unknown values are refused', () => {
  expect(migrationSettingsOf(given({ settings: { folder_id: 3, importer_skips: ['x'] } }), { file_url: 'https://a.org/' })).toEqual({
    file_url: 'https://a.org/',
    folder_id: 3,
    importer_skips: ['x'],
  });
  expect(migrationSettingsOf(given({ settings: { insert_into_module_type: '' } }), {})).toEqual({});
  for (const wrong of [{ insert_into_module_type: 'wiki' }, { insert_into_module_position: 0 }, { import_blueprint_settings: true }])
    expect(() => migrationSettingsOf(given({ settings: wrong }), {})).toThrow(Object.keys(wrong)[0]);
});

test('select counts before copy, and blanks select nothing', () => {
  expect(selectionGiven(given({ select: { pages: [1] }, copy: { all_files: 1 } }))).toEqual({ whole: [], items: { wiki_pages: ['1'] } });
  expect(selectionGiven(given({ copy: { all_files: 1 } }))).toEqual({ whole: ['attachments'], items: {} });
  expect(selectionGiven(given({ copy: '' }))).toBeUndefined();
});
