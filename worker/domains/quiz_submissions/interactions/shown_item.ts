// A question of a New Quiz as a student sees it: without its key, and only with members that are known to tell nothing of it.

import { lookUp } from '@carrel/shared/wire/look_up';
import { solutionOf } from './item_parts';
import {
  entriesIn,
  interactionDataOf,
  interactionSlugOf,
  listedParts,
  type Mapping,
  mappingOf,
  partText,
  scoringDataOf,
  textsIn,
} from './parts';

const textOf = (one: Mapping) => String(one.item_body ?? one.itemBody ?? '');
const choice = (one: Mapping & { readonly id: string }) => ({ id: one.id, item_body: textOf(one) });

/** By text, so that the order says nothing. */
const byText = (all: readonly (Mapping & { readonly id: string })[]) =>
  all.map(choice).sort((a, b) => (a.item_body < b.item_body ? -1 : a.item_body > b.item_body ? 1 : a.id < b.id ? -1 : 1));

const listedChoices = (given: unknown, shown: readonly string[] | undefined) => {
  const all = entriesIn(given);
  return shown ? shown.flatMap((id) => all.find((one) => one.id === id) ?? []).map(choice) : all.map(choice);
};

const picked = (data: Mapping, names: readonly string[]): Mapping =>
  Object.fromEntries(names.flatMap((name) => (lookUp(data, name) === undefined ? [] : [[name, lookUp(data, name)]])));

function shownCategories(data: Mapping) {
  const categories = entriesIn(data.categories);
  const order = textsIn(data.category_order);
  const place = (id: string) => (order.includes(id) ? order.indexOf(id) : order.length);
  return {
    categories: [...categories].sort((a, b) => place(a.id) - place(b.id)).map(choice),
    choices: byText(entriesIn(data.distractors)),
  };
}

const shownBlanks = (data: Mapping) => ({
  blanks: entriesIn(data.blanks).map((blank) => ({
    id: blank.id,
    answer_type: blank.answer_type,
    ...(blank.answer_type === 'dropdown' && { choices: entriesIn(blank.choices).map(choice) }),
  })),
  word_bank_choices: byText(entriesIn(data.word_bank_choices)),
  reuse_word_bank_choices: data.reuse_word_bank_choices ?? false,
});

const essayMembers = ['rce', 'word_count', 'spell_check', 'word_limit_enabled', 'word_limit_min', 'word_limit_max', 'file_upload'];

const dataBySlug: Readonly<Record<string, (data: Mapping, shown: readonly string[] | undefined) => Mapping>> = {
  'true-false': (data) => picked(data, ['true_choice', 'false_choice']),
  choice: (data, shown) => ({ choices: listedChoices(data.choices, shown) }),
  'multi-answer': (data, shown) => ({ choices: listedChoices(data.choices, shown) }),
  ordering: (data, shown) => ({ choices: listedChoices(data.choices, shown) }),
  matching: (data) => ({ questions: entriesIn(data.questions).map(choice), answers: [...new Set(textsIn(data.answers))].sort() }),
  categorization: shownCategories,
  'rich-fill-blank': shownBlanks,
  'hot-spot': (data) => picked(data, ['image_url']),
  essay: (data) => picked(data, essayMembers),
  'file-upload': (data) => picked(data, ['files_count', 'restrict_count']),
};

/** What a student interacts with. @param shown the choices that the attempt presents */
export const shownInteraction = (entry: Mapping, shown: readonly string[] | undefined): Mapping =>
  lookUp(dataBySlug, interactionSlugOf(entry))?.(interactionDataOf(entry), shown) ?? {};

/** The text, with the values that the attempt has in place of the variables of a formula, which are in backticks or brackets. */
export function textOfItem(entry: Mapping, variant: number | undefined): string {
  const text = String(entry.item_body ?? '');
  const inputs = (listedParts(solutionOf(entry, variant)?.inputs) ?? []).map(mappingOf);
  const values: Readonly<Record<string, string>> = Object.fromEntries(
    inputs.map(({ name, value }) => [String(name), partText(value) ?? '']),
  );
  return text.replace(
    /`([^`]{1,100})`|\[([^[\]]{1,100})\]/g,
    (whole, quoted?: string, bracketed?: string) => lookUp(values, (quoted ?? bracketed ?? '').trim()) ?? whole,
  );
}

/** The right response, for those who may see it; undefined without one. */
export function rightResponse(entry: Mapping, variant: number | undefined): unknown {
  const { value } = scoringDataOf(entry);
  const slug = interactionSlugOf(entry);
  if (slug === 'formula') return solutionOf(entry, variant)?.output;
  if (slug === 'essay' || slug === 'file-upload') return undefined;
  const part = (one: Mapping & { readonly id: string }) => [one.id, scoringDataOf(one).value];
  if (slug === 'categorization' || slug === 'rich-fill-blank') return Object.fromEntries(entriesIn(value).map(part));
  return value;
}

/** Feedback on a scored response: for all, for right or wrong ones, and for the choice made. */
export function feedbackOnItem(entry: Mapping, correct: unknown, response: unknown): readonly string[] {
  const { neutral, correct: onRight, incorrect: onWrong } = mappingOf(entry.feedback);
  const byResult = correct === true ? onRight : correct === false || correct === 'partial' ? onWrong : undefined;
  const ofChoice = typeof response === 'string' ? lookUp(mappingOf(entry.answer_feedback), response) : undefined;
  return [neutral, byResult, ofChoice].flatMap((text) => partText(text) ?? []);
}
