// The parameters of content migrations, and what is stored of them.

import { dateOn } from '@carrel/shared/wire/clock';
import {
  bool,
  date,
  either,
  endTime,
  idField,
  idsWithin,
  int,
  listOf,
  mapOf,
  number,
  object,
  optional,
  referenceTo,
  type Shape,
  text,
  time,
  word,
} from '@carrel/shared/wire/fields';
import { badParameter } from '../../http/problem';
import { importSelectionOf } from './copying/selection';
import { type DateOptions, insertableTypes, type MigrationSettings, type Selection } from './table';

const day = optional(either(date, time));
/** A whole day is its last one. */
const lastDay = optional(either(date, endTime));

export const changeParams = {
  pre_attachment: optional(
    object({
      name: optional(text),
      filename: optional(text),
      size: optional(number),
      content_type: optional(text),
      url: optional(text),
      in_parts: optional(bool),
    }),
  ),
  settings: optional(
    object({
      file_url: optional(word),
      content_export_id: optional(idField('content_export')),
      source_course_id: optional(referenceTo('course')),
      folder_id: optional(idField('folder')),
      overwrite_quizzes: optional(bool),
      question_bank_id: optional(idField('question_bank')),
      question_bank_name: optional(word),
      insert_into_module_id: optional(idField('module')),
      insert_into_module_type: optional(text),
      insert_into_module_position: optional(int),
      move_to_assignment_group_id: optional(idField('assignment_group')),
      importer_skips: optional(listOf(text)),
      import_blueprint_settings: optional(bool),
      import_quizzes_next: optional(bool),
    }),
  ),
  date_shift_options: optional(
    object({
      shift_dates: optional(bool),
      remove_dates: optional(bool),
      old_start_date: day,
      old_end_date: lastDay,
      new_start_date: day,
      new_end_date: lastDay,
      day_substitutions: optional(mapOf(int)),
      time_zone: optional(word),
    }),
  ),
  selective_import: optional(bool),
  select: optional(idsWithin('content')),
  copy: optional(idsWithin('content')),
  do_not_run: optional(bool),
};
export const createParams = { migration_type: optional(text), ...changeParams };

export type MigrationGiven = Shape<typeof changeParams>;

/**
 * The settings to store, over those that are stored.
 * @throws Problem 400 for values that no importer knows
 */
export function migrationSettingsOf({ settings: given = {} }: MigrationGiven, before: MigrationSettings): MigrationSettings {
  const { insert_into_module_type: type, import_blueprint_settings, import_quizzes_next, source_course_id, ...rest } = given;
  if (import_blueprint_settings) throw badParameter('settings[import_blueprint_settings]', 'is not supported');
  if (import_quizzes_next) throw badParameter('settings[import_quizzes_next]', 'is not supported');
  const insertable = type ? insertableTypes.find((one) => one === type) : before.insert_into_module_type;
  if (type && !insertable) throw badParameter('settings[insert_into_module_type]', `is not one of ${insertableTypes.join(', ')}`);
  const position = given.insert_into_module_position;
  if (position !== undefined && position < 1) throw badParameter('settings[insert_into_module_position]', 'is not a position');
  const name = rest.question_bank_name?.slice(0, 255);
  return { ...before, ...rest, ...(insertable && { insert_into_module_type: insertable }), ...(name && { question_bank_name: name }) };
}

const isZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
};

const weekday = (value: string | number): boolean => /^[0-6]$/.test(String(value));

/** @throws Problem 400 for an unknown time zone or weekday */
export function dateOptionsOf({ date_shift_options: given }: MigrationGiven, before: DateOptions): DateOptions {
  if (!given) return before;
  const zone = given.time_zone ?? before.zone;
  if (!isZone(zone)) throw badParameter('date_shift_options[time_zone]', 'is not a time zone');
  const bad = Object.entries(given.day_substitutions ?? {}).find(([from, to]) => !weekday(from) || !weekday(to));
  if (bad) throw badParameter(`date_shift_options[day_substitutions][${bad[0]}]`, 'is not a weekday from 0 to 6');
  const dayIn = (value: string | undefined) => (value === undefined || value.length === 10 ? value : dateOn(value, zone));
  const days = {
    old_start: dayIn(given.old_start_date),
    old_end: dayIn(given.old_end_date),
    new_start: dayIn(given.new_start_date),
    new_end: dayIn(given.new_end_date),
    substitutions: given.day_substitutions,
    shift: given.shift_dates,
    remove: given.remove_dates,
  };
  return { ...before, ...Object.fromEntries(Object.entries(days).filter(([, value]) => value !== undefined)), zone };
}

/** What the client has selected; `select` counts before `copy`. Undefined when neither is given. */
export function selectionGiven({ select, copy }: MigrationGiven): Selection | undefined {
  const given = select ?? copy;
  return given === undefined || given === null || given === '' ? undefined : importSelectionOf(given);
}
