// Options of an import, and their validation (reference 01 B16).

import { bool, number, optional, referenceTo, type Shape, text } from '@carrel/shared/wire/fields';
import { problem } from '../../http/problem';
import { firstReason } from './row_rules';
import type { ImportOptions } from './table';

export const importParams = {
  import_type: optional(text),
  extension: optional(text),
  batch_mode: optional(bool),
  batch_mode_term_id: optional(referenceTo('term')),
  multi_term_batch_mode: optional(bool),
  batch_mode_enrollment_drop_status: optional(text),
  skip_deletes: optional(bool),
  override_sis_stickiness: optional(bool),
  add_sis_stickiness: optional(bool),
  clear_sis_stickiness: optional(bool),
  update_sis_id_if_login_claimed: optional(bool),
  diffing_data_set_identifier: optional(text),
  diffing_remaster_data_set: optional(bool),
  diffing_drop_status: optional(text),
  diffing_user_remove_status: optional(text),
  diff_row_count_threshold: optional(number),
  change_threshold: optional(number),
};

export type ImportGiven = Partial<Shape<typeof importParams>>;

const dropStatuses = ['deleted', 'completed', 'inactive'] as const;
const removeStatuses = ['deleted', 'suspended'] as const;
const longestIdentifier = 128;

function among<const W extends readonly string[]>(name: string, known: W, given: string | undefined): W[number] | undefined {
  if (!given) return undefined;
  if (!known.includes(given)) throw problem(400, `Invalid ${name}: must be one of ${known.join(', ')}`);
  return given;
}

const isOutside = (given: number | undefined, least: number, most = Number.POSITIVE_INFINITY): boolean =>
  given !== undefined && !(given >= least && given <= most);

/** Why the options of an import cannot hold. */
function refusalOf(given: ImportGiven, term_id: number | undefined): string | undefined {
  const isMulti = given.multi_term_batch_mode === true;
  const lacksTerm = given.batch_mode === true && !isMulti && term_id === undefined;
  const length = new TextEncoder().encode(given.diffing_data_set_identifier ?? '').length;
  return firstReason(
    [(given.import_type ?? 'instructure_csv') !== 'instructure_csv', 'Invalid import_type: only instructure_csv is supported'],
    [lacksTerm, 'Batch mode specified, but the given batch_mode_term_id cannot be found.'],
    [isMulti && given.change_threshold === undefined, 'change_threshold is required to use multi term_batch mode.'],
    [isOutside(given.change_threshold, 1, 100), 'change_threshold must be between 1 and 100'],
    [isOutside(given.diff_row_count_threshold, 1), 'diff_row_count_threshold must be positive'],
    [length > longestIdentifier, `diffing_data_set_identifier is longer than ${longestIdentifier} bytes`],
  );
}

/**
 * @param term_id the term for batch mode, if it was named and exists
 * @throws Problem 400
 */
export function optionsOf(given: ImportGiven, term_id: number | undefined): ImportOptions {
  const refusal = refusalOf(given, term_id);
  if (refusal) throw problem(400, refusal);
  const isMulti = given.multi_term_batch_mode === true;
  const isBatch = given.batch_mode === true || isMulti;
  const threshold = given.change_threshold;
  const rowThreshold = given.diff_row_count_threshold;
  const identifier = given.diffing_data_set_identifier || undefined;
  const drop = among('batch_mode_enrollment_drop_status', dropStatuses, given.batch_mode_enrollment_drop_status);
  const diffDrop = among('diffing_drop_status', dropStatuses, given.diffing_drop_status);
  const removal = among('diffing_user_remove_status', removeStatuses, given.diffing_user_remove_status);
  const overrides = given.override_sis_stickiness === true;
  const said: ImportOptions = {
    batch_mode: given.batch_mode,
    batch_mode_term_id: isBatch && !isMulti ? term_id : undefined,
    multi_term_batch_mode: given.multi_term_batch_mode,
    batch_mode_enrollment_drop_status: isBatch ? drop : undefined,
    skip_deletes: given.skip_deletes,
    override_sis_stickiness: given.override_sis_stickiness,
    // Clearing stickiness takes precedence over adding it; both require overriding it.
    clear_sis_stickiness: overrides ? given.clear_sis_stickiness : undefined,
    add_sis_stickiness: overrides && given.clear_sis_stickiness !== true ? given.add_sis_stickiness : undefined,
    update_sis_id_if_login_claimed: given.update_sis_id_if_login_claimed,
    ...(!isBatch &&
      identifier !== undefined && {
        diffing_data_set_identifier: identifier,
        diffing_remaster_data_set: given.diffing_remaster_data_set,
        diffing_drop_status: diffDrop,
        diffing_user_remove_status: removal,
        diff_row_count_threshold: rowThreshold === undefined ? undefined : Math.floor(rowThreshold),
      }),
    change_threshold: threshold,
  };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)) as ImportOptions;
}
