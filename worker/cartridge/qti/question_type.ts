// Which type of question an item of QTI is: as its metadata says, or else by its responses. Pure.

import { lookUp } from '@carrel/shared/wire/look_up';
import type { Item, Response } from './item';
import { answerReaders } from './read_answers';

const profiles: Readonly<Record<string, string>> = {
  'cc.multiple_choice': 'multiple_choice_question',
  'cc.multiple_response': 'multiple_answers_question',
  'cc.true_false': 'true_false_question',
  'cc.fib': 'short_answer_question',
  'cc.pattern_match': 'short_answer_question',
  'cc.essay': 'essay_question',
};

const byProfile = (profile: string | undefined): string | undefined => lookUp(profiles, profile?.toLowerCase().replace(/\.v\d+p\d+$/, ''));

const isTrueFalse = ({ labels }: Response): boolean =>
  labels.length === 2 && ['true', 'false'].every((word) => labels.some(({ content }) => content.text.trim().toLowerCase() === word));

const labelTexts = ({ labels }: Response): string => JSON.stringify(labels.map(({ content }) => content.text));

function byChoices([first, ...others]: readonly Response[]): string | undefined {
  if (!first) return undefined;
  if (others.length > 0)
    return others.every((one) => labelTexts(one) === labelTexts(first)) ? 'matching_question' : 'multiple_dropdowns_question';
  if (first.isMultiple) return 'multiple_answers_question';
  return isTrueFalse(first) ? 'true_false_question' : 'multiple_choice_question';
}

const isNumerical = ({ responses, conditions }: Item): boolean =>
  responses.some(
    ({ kind, fibtype }) => kind === 'response_num' || fibtype === 'decimal' || fibtype === 'integer' || fibtype === 'scientific',
  ) || conditions.some(({ tests }) => tests.some(({ name }) => /^var[gl]te?$/.test(name)));

function byResponses(item: Item): string {
  const { responses, conditions } = item;
  const chosen = byChoices(responses.filter(({ kind }) => kind === 'response_lid' || kind === 'response_grp'));
  if (chosen) return chosen;
  if (responses.length === 0) return 'text_only_question';
  if (isNumerical(item)) return 'numerical_question';
  if (responses.length > 1) return 'fill_in_multiple_blanks_question';
  return conditions.some(({ tests, score = 0 }) => score > 0 && tests.length > 0) ? 'short_answer_question' : 'essay_question';
}

/** Undefined for a type by a name that is not known and without responses that show what it is. */
export function questionTypeOf(item: Item): { readonly type: string | undefined; readonly named: string | undefined } {
  const named = item.fields.get('question_type') || undefined;
  if (named !== undefined && lookUp(answerReaders, named)) return { type: named, named };
  const type =
    byProfile(item.fields.get('cc_profile')) ?? (named === undefined || item.responses.length > 0 ? byResponses(item) : undefined);
  return { type, named: named ?? item.fields.get('cc_profile') };
}
