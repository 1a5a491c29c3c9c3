// Responses to questions of a New Quiz as clients send them, and as they are stored.

import { lookUp } from '@carrel/shared/wire/look_up';
import type { SavedAnswer } from '../answers/saved_answer';
import { decimalOf, decimalText } from '../scoring/decimal';
import {
  amountOf,
  booleanOf,
  entriesIn,
  interactionDataOf,
  interactionSlugOf,
  isMapping,
  listedParts,
  type Mapping,
  mappingOf,
  partText,
  textsIn,
} from './parts';

export type ReadResponse = { readonly response: SavedAnswer } | { readonly error: string };

/** Bytes of a text. */
const longestText = 16 * 1024;

const error = (message: string) => ({ error: message });
const named = (given: unknown) => String(given).slice(0, 50);
const isCleared = (given: unknown) => given === null || given === undefined || given === '';
const isTooLong = (text: string) => new TextEncoder().encode(text).length > longestText;

function readTrueFalse(_: Mapping, given: unknown): ReadResponse {
  const value = booleanOf(given);
  return value === undefined ? error('must be true or false') : { response: value };
}

const choiceIds = (entry: Mapping, shown: readonly string[] | undefined) =>
  shown ?? entriesIn(interactionDataOf(entry).choices).map(({ id }) => id);

function readChoice(entry: Mapping, given: unknown, shown: readonly string[] | undefined): ReadResponse {
  const id = partText(given);
  return id !== undefined && choiceIds(entry, shown).includes(id) ? { response: id } : error(`has no choice '${named(given)}'`);
}

/** Known ids, each once. */
function readIds(given: unknown, known: readonly string[]): { readonly ids: readonly string[] } | { readonly error: string } {
  const list = Array.isArray(given) ? given : listedParts(given);
  if (!list) return error('must be a list of ids');
  const ids = list.filter((one) => !isCleared(one)).map(partText);
  const unknown = ids.findIndex((id) => id === undefined || !known.includes(id));
  if (unknown >= 0) return error(`has no choice '${named(list[unknown])}'`);
  const all = ids as string[];
  return new Set(all).size < all.length ? error('names a choice twice') : { ids: all };
}

function readSeveral(entry: Mapping, given: unknown, shown: readonly string[] | undefined): ReadResponse {
  const read = readIds(given, choiceIds(entry, shown));
  return 'error' in read ? read : { response: read.ids.length === 0 ? null : [...read.ids].sort() };
}

function readOrder(entry: Mapping, given: unknown, shown: readonly string[] | undefined): ReadResponse {
  const known = choiceIds(entry, shown);
  const read = readIds(given, known);
  if ('error' in read) return read;
  if (read.ids.length === 0) return { response: null };
  return read.ids.length === known.length ? { response: read.ids } : error('must have all choices in an order');
}

type ReadPart = (id: string, given: unknown) => { readonly value: string | readonly string[] } | { readonly error: string };

/** A map by ids, of which cleared ones are left out. */
function readMap(given: unknown, known: readonly string[], readPart: ReadPart): ReadResponse {
  if (!isMapping(given)) return error('must be an object by id');
  const parts: [string, string | readonly string[]][] = [];
  for (const [id, part] of Object.entries(given)) {
    if (!known.includes(id)) return error(`has no part '${named(id)}'`);
    if (isCleared(part)) continue;
    const read = readPart(id, part);
    if ('error' in read) return read;
    parts.push([id, read.value]);
  }
  return { response: parts.length === 0 ? null : Object.fromEntries(parts.sort(([a], [b]) => (a < b ? -1 : 1))) };
}

function readMatches(entry: Mapping, given: unknown): ReadResponse {
  const { questions, answers } = interactionDataOf(entry);
  const texts = textsIn(answers);
  return readMap(
    given,
    entriesIn(questions).map(({ id }) => id),
    (_, part) => {
      const text = partText(part);
      return text !== undefined && texts.includes(text) ? { value: text } : error(`has no answer '${named(part)}'`);
    },
  );
}

function readCategories(entry: Mapping, given: unknown): ReadResponse {
  const { categories, distractors } = interactionDataOf(entry);
  const options = entriesIn(distractors).map(({ id }) => id);
  const used = new Set<string>();
  return readMap(
    given,
    entriesIn(categories).map(({ id }) => id),
    (_, part) => {
      const read = readIds(part, options);
      if ('error' in read) return read;
      if (read.ids.some((id) => used.has(id))) return error('names a choice twice');
      for (const id of read.ids) used.add(id);
      return { value: [...read.ids].sort() };
    },
  );
}

function readNumber(_: Mapping, given: unknown): ReadResponse {
  const number = decimalOf(given);
  return number ? { response: decimalText(number) } : error('must be a decimal number');
}

/** The ids that may be chosen in a blank; undefined where a text is entered. */
export function choicesOfBlank(entry: Mapping, blank: Mapping): readonly string[] | undefined {
  if (blank.answer_type === 'dropdown') return entriesIn(blank.choices).map(({ id }) => id);
  if (blank.answer_type === 'wordbank') return entriesIn(interactionDataOf(entry).word_bank_choices).map(({ id }) => id);
  return undefined;
}

function readBlanks(entry: Mapping, given: unknown): ReadResponse {
  const { blanks, reuse_word_bank_choices } = interactionDataOf(entry);
  const all = new Map(entriesIn(blanks).map((blank) => [blank.id, blank]));
  const used = new Set<string>();
  return readMap(given, [...all.keys()], (id, part) => {
    const blank = all.get(id) ?? {};
    const text = partText(part);
    if (text === undefined) return error('must have texts');
    const choices = choicesOfBlank(entry, mappingOf(blank));
    if (!choices) return isTooLong(text) ? error('is too long') : { value: text };
    if (!choices.includes(text)) return error(`has no choice '${named(text)}'`);
    const isOnce = mappingOf(blank).answer_type === 'wordbank' && booleanOf(reuse_word_bank_choices) !== true;
    if (isOnce && used.has(text)) return error('names a choice twice');
    if (isOnce) used.add(text);
    return { value: text };
  });
}

function readPoint(_: Mapping, given: unknown): ReadResponse {
  const { x, y } = mappingOf(given);
  const [across, down] = [amountOf(x), amountOf(y)];
  return across === undefined || down === undefined ? error('must have x and y') : { response: { x: across, y: down } };
}

function readEssay(_: Mapping, given: unknown): ReadResponse {
  if (typeof given === 'object') return error('must be a text');
  return isTooLong(String(given)) ? error('is too long') : { response: String(given) };
}

/** Ids of files; whether they are the student's own is for the caller to find out. */
function readFiles(entry: Mapping, given: unknown): ReadResponse {
  const list = Array.isArray(given) ? given : (listedParts(given) ?? [given]);
  const ids = list.filter((one) => !isCleared(one)).map((one) => (/^\d{1,15}$/.test(String(one).trim()) ? Number(one) : Number.NaN));
  if (ids.some((id) => !Number.isSafeInteger(id) || id < 1)) return error('must be a list of ids of files');
  const { files_count, restrict_count } = interactionDataOf(entry);
  const unique = [...new Set(ids)];
  const most = booleanOf(restrict_count) ? (amountOf(files_count) ?? 1) : 100;
  if (unique.length > most) return error(`has more than ${most} files`);
  return { response: unique.length === 0 ? null : unique };
}

const readers: Readonly<Record<string, (entry: Mapping, given: unknown, shown: readonly string[] | undefined) => ReadResponse>> = {
  'true-false': readTrueFalse,
  choice: readChoice,
  'multi-answer': readSeveral,
  matching: readMatches,
  categorization: readCategories,
  ordering: readOrder,
  numeric: readNumber,
  formula: readNumber,
  'rich-fill-blank': readBlanks,
  'hot-spot': readPoint,
  essay: readEssay,
  'file-upload': readFiles,
};

/** Whether the name of a file ends in one of the types that a question allows, such as `.pdf, .odt`. */
export function isAllowedFile(entry: Mapping, name: string): boolean {
  const { restrict_types, allowed_types } = mappingOf(entry.properties);
  if (booleanOf(restrict_types) !== true) return true;
  const types = (textsIn(allowed_types).length > 0 ? textsIn(allowed_types) : String(allowed_types ?? '').split(','))
    .map((type) => type.trim().toLowerCase().replace(/^\./, ''))
    .filter((type) => type !== '');
  return types.length === 0 || types.some((type) => name.toLowerCase().endsWith(`.${type}`));
}

/**
 * What is stored for a response: nothing for a cleared one.
 * @param shown the choices that the attempt presents
 */
export function itemResponse(entry: Mapping, given: unknown, shown: readonly string[] | undefined): ReadResponse {
  if (isCleared(given) || (Array.isArray(given) && given.length === 0)) return { response: null };
  return lookUp(readers, interactionSlugOf(entry))?.(entry, given, shown) ?? error('cannot be answered');
}
