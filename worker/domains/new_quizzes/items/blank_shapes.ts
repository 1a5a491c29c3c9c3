// The shape of questions with several blanks.

import { lookUp } from '@carrel/shared/wire/look_up';
import { amountOf, booleanOf, isMapping, listedParts, type Mapping, partText } from '../../quiz_submissions/interactions/parts';
import { isQuickPattern } from '../../quiz_submissions/interactions/text_matches';
import { idsOfParts, interactionOf, type QuestionParts, scoredValue, wrongPart } from './reading';

const answerTypes = ['openEntry', 'dropdown', 'wordbank'];

interface Blank {
  readonly type: string;
  /** The ids that may be chosen. */
  readonly choices: readonly string[];
}

const isPattern = (given: unknown): boolean => {
  try {
    return typeof given === 'string' && given !== '' && isQuickPattern(given) && new RegExp(given, 'u').source !== '';
  } catch {
    return false;
  }
};

const isText = (given: unknown): boolean => partText(given) !== undefined;

/** How a blank may be scored: whether its scoring data fit, and what they must have. */
const algorithms: Readonly<Record<string, readonly [fits: (given: Mapping, blank: Blank) => boolean, needs: string]>> = {
  TextContainsAnswer: [({ value }) => isText(value), 'a text as value'],
  TextEquivalence: [({ value }) => isText(value), 'a text as value'],
  TextInChoices: [
    ({ value }) => (listedParts(value) ?? []).length > 0 && (listedParts(value) ?? []).every(isText),
    'a list of texts as value',
  ],
  TextCloseEnough: [
    ({ value, edit_distance, ignore_case }) =>
      isText(value) &&
      Number.isInteger(amountOf(edit_distance)) &&
      Number(edit_distance) >= 0 &&
      (ignore_case === undefined || booleanOf(ignore_case) !== undefined),
    'a text as value, a number as edit_distance, and true or false as ignore_case',
  ],
  TextRegex: [({ value }) => isPattern(value), 'a regular expression as value, without groups that repeat in several ways'],
  Equivalence: [({ value }, { choices }) => choices.includes(partText(value) ?? ''), 'the id of a choice as value'],
};

/** By id. @throws Problem 400 */
function blanksOf(question: QuestionParts): ReadonlyMap<string, Blank> {
  const { blanks, word_bank_choices } = interactionOf(question);
  const ids = idsOfParts(blanks, 'blanks');
  const given = listedParts(blanks) ?? Object.values(blanks as Mapping);
  return new Map(
    ids.map((id, at) => {
      const { answer_type, choices } = given[at] as Mapping;
      const type = String(answer_type);
      if (!answerTypes.includes(type))
        throw wrongPart('interaction_data', `must have blanks with an answer_type of ${answerTypes.join(', ')}`);
      if (!question.item_body.includes(`blank_${id}`)) throw wrongPart('item_body', `has no element with the id blank_${id}`);
      const own =
        type === 'dropdown'
          ? idsOfParts(choices, 'choices')
          : type === 'wordbank'
            ? idsOfParts(word_bank_choices, 'word_bank_choices')
            : [];
      return [id, { type, choices: own }] as const;
    }),
  );
}

/** @throws Problem 400 */
export function checkBlanks(question: QuestionParts): void {
  const blanks = blanksOf(question);
  const scored = listedParts(scoredValue(question)) ?? [];
  const ids = idsOfParts(scored, 'value', 'scoring_data');
  if (ids.length < blanks.size || ids.some((id) => !blanks.has(id)))
    throw wrongPart('scoring_data', 'must have value with an entry for each blank');
  for (const [at, id] of ids.entries()) {
    const { scoring_algorithm, scoring_data } = scored[at] as Mapping;
    const algorithm = lookUp(algorithms, String(scoring_algorithm));
    const blank = blanks.get(id) as Blank;
    const isChosen = scoring_algorithm === 'Equivalence';
    if (!algorithm || isChosen !== (blank.type !== 'openEntry'))
      throw wrongPart('scoring_data', `must have a scoring_algorithm for blank ${id} that fits its answer_type`);
    const [fits, needs] = algorithm;
    if (!isMapping(scoring_data) || !fits(scoring_data, blank)) throw wrongPart('scoring_data', `must have ${needs} for blank ${id}`);
  }
}
