// Which of the listed answers to a question of a New Quiz a response is, so that statistics can count them.

import { lookUp } from '@carrel/shared/wire/look_up';
import { htmlToText } from '../../html/plain';
import { fitsExpectedNumber } from '../quiz_submissions/interactions/item_parts';
import {
  booleanOf,
  entriesIn,
  interactionDataOf,
  interactionSlugOf,
  isMapping,
  listedParts,
  type Mapping,
  mappingOf,
  partText,
  scoringDataOf,
  textsIn,
} from '../quiz_submissions/interactions/parts';
import { isRightText } from '../quiz_submissions/interactions/text_matches';
import { decimalOf } from '../quiz_submissions/scoring/decimal';

interface ListedItemAnswer {
  readonly id: string;
  readonly text: string;
  readonly correct: boolean;
}

/** A blank, a left side, a category, or the whole question. */
export interface ItemPart {
  readonly id: string;
  readonly text: string;
  readonly listed: readonly ListedItemAnswer[];
  /** The ids of the listed answers that a response has; empty without a response, undefined for one that is not listed. */
  readonly chosen: (given: unknown) => readonly (string | undefined)[];
}

const bodyOf = (one: Mapping) => htmlToText(String(one.item_body ?? one.itemBody ?? '')).trim();
const isMissing = (given: unknown) => given === null || given === undefined || given === '';
const among = (listed: readonly ListedItemAnswer[], id: string) => (listed.some((one) => one.id === id) ? id : undefined);
const whole = (listed: readonly ListedItemAnswer[], ids: (given: unknown) => readonly string[]): ItemPart[] => [
  { id: '', text: '', listed, chosen: (given) => (isMissing(given) ? [] : ids(given).map((id) => among(listed, id))) },
];

function trueFalse(entry: Mapping): ItemPart[] {
  const { true_choice, false_choice } = interactionDataOf(entry);
  const right = booleanOf(scoringDataOf(entry).value);
  const listed = [
    { id: 'true', text: String(true_choice), correct: right === true },
    { id: 'false', text: String(false_choice), correct: right === false },
  ];
  return whole(listed, (given) => [String(given)]);
}

function choices(entry: Mapping): ItemPart[] {
  const { value } = scoringDataOf(entry);
  const right = listedParts(value) ? textsIn(value) : [partText(value)];
  const listed = entriesIn(interactionDataOf(entry).choices).map((one) => ({
    id: one.id,
    text: bodyOf(one),
    correct: right.includes(one.id),
  }));
  return whole(listed, (given) => (Array.isArray(given) ? textsIn(given) : [String(given)]));
}

/** The part of a map by ids. */
const ofPart = (given: unknown, id: string) => lookUp(mappingOf(given), id);

function matches(entry: Mapping): ItemPart[] {
  const { questions, answers } = interactionDataOf(entry);
  const key = mappingOf(scoringDataOf(entry).value);
  return entriesIn(questions).map((question) => {
    const right = partText(lookUp(key, question.id));
    const listed = [...new Set(textsIn(answers))].map((text) => ({ id: text, text, correct: text === right }));
    const chosen = (given: unknown) => {
      const text = partText(ofPart(given, question.id));
      return text === undefined ? [] : [among(listed, text)];
    };
    return { id: question.id, text: bodyOf(question), listed, chosen };
  });
}

function categories(entry: Mapping): ItemPart[] {
  const { categories: all, distractors } = interactionDataOf(entry);
  const key = new Map(entriesIn(scoringDataOf(entry).value).map((one) => [one.id, textsIn(scoringDataOf(one).value)]));
  return entriesIn(all).map((category) => {
    const right = key.get(category.id) ?? [];
    const listed = entriesIn(distractors).map((one) => ({ id: one.id, text: bodyOf(one), correct: right.includes(one.id) }));
    const chosen = (given: unknown) => textsIn(ofPart(given, category.id)).map((id) => among(listed, id));
    return { id: category.id, text: bodyOf(category), listed, chosen };
  });
}

const textOfNumber = ({ type, value, start, end }: Mapping) => (type === 'withinARange' ? `[${start}..${end}]` : String(value));

function numbers(entry: Mapping): ItemPart[] {
  const expected = (listedParts(scoringDataOf(entry).value) ?? []).filter(isMapping);
  const listed = expected.map((one, at) => ({ id: String(at + 1), text: textOfNumber(one), correct: true }));
  return whole(listed, (given) => {
    const number = decimalOf(given);
    return [String(number ? expected.findIndex((one) => fitsExpectedNumber(number, one)) + 1 : 0)];
  });
}

function blanks(entry: Mapping): ItemPart[] {
  const { blanks: all, word_bank_choices } = interactionDataOf(entry);
  const key = new Map(entriesIn(scoringDataOf(entry).value).map((one) => [one.id, one]));
  return entriesIn(all).map((blank) => {
    const scored = key.get(blank.id) ?? {};
    const data = scoringDataOf(scored);
    const offered = blank.answer_type === 'dropdown' ? blank.choices : blank.answer_type === 'wordbank' ? word_bank_choices : undefined;
    const listed = offered
      ? entriesIn(offered).map((one) => ({ id: one.id, text: bodyOf(one), correct: one.id === partText(data.value) }))
      : [{ id: '1', text: listedParts(data.value) ? textsIn(data.value).join(', ') : String(data.value), correct: true }];
    const chosen = (given: unknown) => {
      const text = partText(ofPart(given, blank.id));
      if (text === undefined) return [];
      if (offered) return [among(listed, text)];
      return [isRightText(String(mappingOf(scored).scoring_algorithm), data, text) ? '1' : undefined];
    };
    return { id: blank.id, text: blank.id, listed, chosen };
  });
}

const partsBySlug: Readonly<Record<string, (entry: Mapping) => ItemPart[]>> = {
  'true-false': trueFalse,
  choice: choices,
  'multi-answer': choices,
  matching: matches,
  categorization: categories,
  numeric: numbers,
  'rich-fill-blank': blanks,
};

/** None for questions that are answered freely. */
export const countedPartsOfItem = (entry: Mapping): readonly ItemPart[] => lookUp(partsBySlug, interactionSlugOf(entry))?.(entry) ?? [];
