// Whether the parts of a question fit its type: what students interact with, the key, and how it is scored (reference 04 §10.2).

import { lookUp } from '@carrel/shared/wire/look_up';
import { badParameter } from '../../../http/problem';
import { amountOf, booleanOf, isMapping, listedParts, type Mapping, partText } from '../../quiz_submissions/interactions/parts';
import { checkBlanks } from './blank_shapes';
import { checkFormula, checkNumeric } from './number_shapes';
import { idsOfParts, interactionOf, type QuestionParts, scoredValue, wordsOf, wrongPart } from './reading';

interface Interaction {
  readonly algorithms: readonly string[];
  /** @throws Problem 400 that names the part */
  check(question: QuestionParts): void;
}

const choicesOf = (question: QuestionParts) => idsOfParts(interactionOf(question).choices, 'choices');

function checkTrueFalse(question: QuestionParts): void {
  const { true_choice, false_choice } = interactionOf(question);
  if (partText(true_choice) === undefined || partText(false_choice) === undefined)
    throw wrongPart('interaction_data', 'must have true_choice and false_choice');
  if (booleanOf(scoredValue(question)) === undefined) throw wrongPart('scoring_data', 'must have value, true or false');
}

/** Points by answer. @throws Problem 400 */
function checkVaryingPoints({ scoring_data }: QuestionParts, choices: readonly string[]): void {
  const values = listedParts((scoring_data as Mapping).values) ?? [];
  const fits = (one: unknown) => isMapping(one) && choices.includes(partText(one.value) ?? '') && (amountOf(one.points) ?? -1) >= 0;
  if (values.length === 0 || !values.every(fits))
    throw wrongPart('scoring_data', 'must have values, each with the id of a choice as value, and points');
}

function checkChoice(question: QuestionParts): void {
  const choices = choicesOf(question);
  if (!choices.includes(partText(scoredValue(question)) ?? '')) throw wrongPart('scoring_data', 'must have value, the id of a choice');
  if (question.scoring_algorithm === 'VaryPointsByAnswer') checkVaryingPoints(question, choices);
  const { answer_feedback } = question;
  if (answer_feedback === undefined || answer_feedback === null) return;
  if (
    !isMapping(answer_feedback) ||
    Object.entries(answer_feedback).some(([id, text]) => !choices.includes(id) || typeof text !== 'string')
  )
    throw wrongPart('answer_feedback', 'must be texts by the id of a choice');
}

function checkMultiAnswer(question: QuestionParts): void {
  const choices = choicesOf(question);
  const right = wordsOf(scoredValue(question), 'value', 'scoring_data');
  if (right.some((id) => !choices.includes(id))) throw wrongPart('scoring_data', 'must have value, a list of ids of choices');
}

function checkMatching(question: QuestionParts): void {
  const { questions, answers } = interactionOf(question);
  const ids = idsOfParts(questions, 'questions');
  const texts = wordsOf(answers, 'answers', 'interaction_data');
  const value = scoredValue(question);
  const fits = (id: string) => isMapping(value) && texts.includes(partText(lookUp(value, id)) ?? '');
  if (!isMapping(value) || !ids.every(fits) || Object.keys(value).length > ids.length)
    throw wrongPart('scoring_data', 'must have value, one of the answers by the id of each question');
}

function checkCategorization(question: QuestionParts): void {
  const { categories, distractors, category_order } = interactionOf(question);
  const ids = idsOfParts(categories, 'categories');
  // Named for the wrong ones among them, it has all options.
  const options = idsOfParts(distractors, 'distractors');
  const order = category_order === undefined ? ids : wordsOf(category_order, 'category_order', 'interaction_data');
  if (order.length !== ids.length || ids.some((id) => !order.includes(id)))
    throw wrongPart('interaction_data', 'must have category_order, the ids of all categories');
  const scored = listedParts(scoredValue(question)) ?? [];
  const named = idsOfParts(scored, 'value', 'scoring_data');
  const members = scored.flatMap((one) => listedParts(((one as Mapping).scoring_data as Mapping | undefined)?.value) ?? []);
  if (named.some((id) => !ids.includes(id)) || members.some((id) => !options.includes(partText(id) ?? '')))
    throw wrongPart('scoring_data', 'must have value, entries with the id of a category and ids of distractors in scoring_data');
  if (new Set(members).size < members.length) throw wrongPart('scoring_data', 'has a distractor in two categories');
  const { score_method } = question.scoring_data as Mapping;
  if (score_method !== undefined && !['all_or_nothing', 'partial_credit'].includes(String(score_method)))
    throw wrongPart('scoring_data', 'must have all_or_nothing or partial_credit as score_method');
}

function checkOrdering(question: QuestionParts): void {
  const choices = choicesOf(question);
  const order = wordsOf(scoredValue(question), 'value', 'scoring_data');
  if (order.length !== choices.length || choices.some((id) => !order.includes(id)))
    throw wrongPart('scoring_data', 'must have value, the ids of all choices in their order');
}

const figures = ['square', 'rectangle', 'oval', 'polygon'];
const isPoint = (one: unknown) => isMapping(one) && amountOf(one.x) !== undefined && amountOf(one.y) !== undefined;
const isRegion = (one: unknown) =>
  isMapping(one) &&
  figures.includes(String(one.type)) &&
  (listedParts(one.coordinates) ?? []).length > 1 &&
  (listedParts(one.coordinates) ?? []).every(isPoint);

function checkHotSpot(question: QuestionParts): void {
  const { image_url } = interactionOf(question);
  const url = typeof image_url === 'string' ? URL.parse(image_url) : null;
  if (!url || !/^https?:$/.test(url.protocol)) throw wrongPart('interaction_data', 'must have image_url, an http or https address');
  const value = scoredValue(question);
  const regions = listedParts(value) ?? [value];
  if (regions.length === 0 || !regions.every(isRegion))
    throw wrongPart('scoring_data', `must have value, regions with a type of ${figures.join(', ')} and coordinates`);
}

function checkEssay(question: QuestionParts): void {
  const { word_limit_enabled, word_limit_min, word_limit_max, ...flags } = interactionOf(question);
  const wrong = ['rce', 'word_count', 'spell_check', 'file_upload'].find((name) => {
    const given = lookUp(flags, name) ?? '';
    return given !== '' && booleanOf(given) === undefined;
  });
  if (wrong) throw wrongPart('interaction_data', `must have true or false as ${wrong}`);
  if (booleanOf(word_limit_enabled) !== true) return;
  const [least, most] = [amountOf(word_limit_min ?? 0), amountOf(word_limit_max)];
  if (least === undefined || most === undefined || least < 0 || least > most)
    throw wrongPart('interaction_data', 'must have word_limit_min and word_limit_max, in this order');
}

function checkFileUpload(question: QuestionParts): void {
  const { files_count, restrict_count } = interactionOf(question);
  if (booleanOf(restrict_count) === true && (amountOf(files_count) ?? 0) < 1)
    throw wrongPart('interaction_data', 'must have files_count, at least 1');
}

const interactions: Readonly<Record<string, Interaction>> = {
  'true-false': { algorithms: ['Equivalence'], check: checkTrueFalse },
  choice: { algorithms: ['Equivalence', 'VaryPointsByAnswer'], check: checkChoice },
  'multi-answer': { algorithms: ['AllOrNothing', 'PartialScore'], check: checkMultiAnswer },
  matching: { algorithms: ['DeepEquals', 'PartialDeep'], check: checkMatching },
  categorization: { algorithms: ['Categorization'], check: checkCategorization },
  ordering: { algorithms: ['DeepEquals'], check: checkOrdering },
  numeric: { algorithms: ['Numeric'], check: checkNumeric },
  formula: { algorithms: ['Numeric'], check: checkFormula },
  'rich-fill-blank': { algorithms: ['MultipleMethods'], check: checkBlanks },
  'hot-spot': { algorithms: ['HotSpot'], check: checkHotSpot },
  essay: { algorithms: ['None'], check: checkEssay },
  'file-upload': { algorithms: ['None'], check: checkFileUpload },
};

/** @throws Problem 400 that names the part for an unknown type, an algorithm of another type, and data that do not fit the type */
export function checkQuestion(question: QuestionParts): void {
  const { interaction_type_slug: slug, scoring_algorithm } = question;
  const interaction = lookUp(interactions, slug);
  if (!interaction) throw badParameter('item[entry][interaction_type_slug]', `is not one of ${Object.keys(interactions).join(', ')}`);
  if (!interaction.algorithms.includes(scoring_algorithm))
    throw badParameter('item[entry][scoring_algorithm]', `is not one of ${interaction.algorithms.join(', ')}`);
  scoredValue(question);
  interaction.check(question);
}
