// The answers of each type of question from the parts of a QTI item. Pure.

import type { QuestionData, StoredAnswer } from '../../domains/quiz_questions/table';
import { elementsOf, firstElement, numberAt, spacedTextOf, textAt } from '../xml/read';
import type { Item, Response, ScoringCondition, Test } from './item';
import { decimal, digitsOf } from './numbers';
import type { Rich } from './texts';

type Data = Partial<QuestionData> & { readonly answers: readonly StoredAnswer[] };

/** Ids of answers or matches: an ident that is a number keeps it, the others are numbered. */
export class PartNumbers {
  private readonly ids = new Map<string, number>();
  private readonly used = new Set<number>();

  constructor(idents: readonly string[]) {
    for (const ident of idents) {
      const id = /^[1-9]\d{0,8}$/.test(ident) ? Number(ident) : 0;
      if (id > 0 && !this.used.has(id)) this.take(ident, id);
    }
    for (const ident of idents) this.of(ident);
  }

  private take(ident: string, id: number): number {
    this.ids.set(ident, id);
    this.used.add(id);
    return id;
  }

  of(ident: string): number {
    const known = this.ids.get(ident);
    if (known !== undefined) return known;
    let id = this.used.size + 1;
    while (this.used.has(id)) id += 1;
    return this.take(ident, id);
  }
}

const idsOf = ({ fields }: Item): string[] =>
  (fields.get('original_answer_ids') ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

/** The comment of an answer: the feedback named after it, or what a condition shows for it alone. */
function commentOf({ conditions, feedback }: Item, ident: string, isAbout: (test: Test) => boolean): Partial<StoredAnswer> {
  const shownFor = conditions.find(
    ({ tests, shows, score }) => tests.length === 1 && tests.every(isAbout) && (score === undefined || score <= 0) && shows.length > 0,
  );
  const own = feedback.get(`${ident}_fb`) ?? shownFor?.shows.map((one) => feedback.get(one)).find((one) => one !== undefined);
  return { comments: own?.text ?? '', ...(own?.html ? { comments_html: own.html } : {}) };
}

const contentOf = ({ text, html }: Rich) => ({ text, ...(html === undefined ? {} : { html }) });

/** A score for each label; several conditions add up. */
function scoresOf({ conditions }: Item, respident: string): Map<string, number> {
  const scores = new Map<string, number>();
  for (const { tests, score } of conditions) {
    if (score === undefined) continue;
    for (const test of tests)
      if (!test.isNegated && test.respident === respident) scores.set(test.value, (scores.get(test.value) ?? 0) + score);
  }
  return scores;
}

const choiceIn =
  (isRight: (scores: ReadonlyMap<string, number>, ident: string) => boolean) =>
  (item: Item): Data => {
    const response = item.responses[0];
    const labels = response?.labels ?? [];
    const numbers = new PartNumbers(labels.map(({ ident }) => ident));
    const scores = scoresOf(item, response?.ident ?? '');
    return {
      answers: labels.map(({ ident, content }) => ({
        id: numbers.of(ident),
        ...contentOf(content),
        ...commentOf(item, ident, (test) => test.value === ident && !test.isNegated),
        weight: isRight(scores, ident) ? 100 : 0,
      })),
    };
  };

/** Only the best label is right where several have points. */
const oneChoice = choiceIn((scores, ident) => {
  const best = Math.max(0, ...scores.values());
  return best > 0 && scores.get(ident) === best;
});
const severalChoices = choiceIn((scores, ident) => (scores.get(ident) ?? 0) > 0);

/**
 * The points that each wrong choice of several costs; undefined unless all of them cost the same.
 * @param points those of the question
 */
export function dockOf(item: Item, points: number): number | undefined {
  const own = item.fields.get('incorrect_dock');
  if (own !== undefined) return Math.max(0, Number(own)) || undefined;
  const response = item.responses[0];
  const scores = scoresOf(item, response?.ident ?? '');
  const wrong = (response?.labels ?? []).map(({ ident }) => scores.get(ident) ?? 0).filter((score) => score <= 0);
  const [first = 0] = wrong;
  const whole = item.conditions.filter(isScored).reduce((sum, { score = 0 }) => sum + score, 0);
  return first < 0 && whole > 0 && wrong.every((score) => score === first) ? decimal((points * -first) / whole) : undefined;
}

const isScored = ({ score }: ScoringCondition): boolean => score !== undefined && score > 0;

function shortAnswer(item: Item): Data {
  const texts = item.conditions
    .filter(isScored)
    .flatMap(({ tests }) => tests.filter(({ isNegated }) => !isNegated).map(({ value }) => value));
  const ids = idsOf(item);
  const distinct = ids.length === texts.length ? texts : [...new Set(texts)];
  const idents = distinct.map((text, at) => ids[at] ?? `answer ${at} ${text}`);
  const numbers = new PartNumbers(idents);
  return {
    answers: distinct.map((text, at) => ({
      id: numbers.of(idents[at] ?? text),
      text,
      ...commentOf(item, idents[at] ?? '', (test) => test.value === text && !test.isNegated),
      weight: 100,
    })),
  };
}

const blankOf = ({ ident, prompt }: Response): string =>
  ident.startsWith('response_') ? ident.slice('response_'.length) : prompt.text || ident;

function inBlanks(item: Item, weightOf: (ident: string, isScored: boolean) => number): Data {
  const labels = item.responses.flatMap((response) => response.labels.map((label) => ({ ...label, response })));
  const counts = new Map<string, number>();
  for (const { ident } of labels) counts.set(ident, (counts.get(ident) ?? 0) + 1);
  // Writers may number the choices of each blank from one.
  const keyed = labels.map((one) => ({ ...one, key: counts.get(one.ident) === 1 ? one.ident : `${one.response.ident} ${one.ident}` }));
  const numbers = new PartNumbers(keyed.map(({ key }) => key));
  const scores = new Map(item.responses.map(({ ident }) => [ident, scoresOf(item, ident)]));
  return {
    answers: keyed.map(({ ident, key, content, response }) => ({
      id: numbers.of(key),
      ...contentOf(content),
      ...commentOf(item, ident, (test) => test.value === ident && test.respident === response.ident && !test.isNegated),
      weight: weightOf(ident, (scores.get(response.ident)?.get(ident) ?? 0) > 0),
      blank_id: blankOf(response),
    })),
  };
}

function fillIn(item: Item): Data {
  if (item.responses.every(({ labels, kind }) => kind !== 'response_lid' || labels.length === 0)) return typedBlanks(item);
  const wrong = (item.fields.get('wrong_answer_ids') ?? '').split(',');
  return inBlanks(item, (ident) => (wrong.includes(ident) ? 0 : 100));
}

/** Blanks of other writers: a text field each, whose right texts are in the conditions. */
function typedBlanks(item: Item): Data {
  const accepted = item.responses.flatMap(({ ident }) =>
    [...scoresOf(item, ident)].flatMap(([text, score]) => (score > 0 ? [{ blank_id: ident, text }] : [])),
  );
  return { answers: accepted.map((one, at) => ({ id: at + 1, comments: '', weight: 100, ...one })) };
}

function matching(item: Item): Data {
  const ids = item.responses.map(({ ident }) => ident.replace(/^response_/, ''));
  const numbers = new PartNumbers(ids);
  const labels = item.responses.flatMap((response) => response.labels);
  const known = new Map(labels.map(({ ident, content }) => [ident, content.text]));
  const matchIds = new PartNumbers([...known.keys()]);
  const answers = item.responses.map((response, at) => {
    const right = [...scoresOf(item, response.ident)].find(([, score]) => score > 0)?.[0] ?? '';
    return {
      id: numbers.of(ids[at] ?? ''),
      text: response.prompt.text,
      left: response.prompt.text,
      ...(response.prompt.html === undefined ? {} : { left_html: response.prompt.html }),
      right: known.get(right) ?? '',
      ...commentOf(item, ids[at] ?? '', (test) => test.respident === response.ident),
      weight: 100,
      match_id: matchIds.of(right),
    };
  });
  const rights = new Set(answers.map(({ right }) => right));
  return {
    answers,
    matches: [...known].map(([ident, text]) => ({ match_id: matchIds.of(ident), text })),
    matching_answer_incorrect_matches: [...known.values()].filter((text) => !rights.has(text)).join('\n'),
  };
}

type Numerical = Pick<StoredAnswer, 'numerical_answer_type' | 'exact' | 'margin' | 'start' | 'end' | 'approximate' | 'precision'>;

/** What the comparisons of a condition accept; undefined if they are no interval. */
export function numericalOf(tests: readonly Pick<Test, 'name' | 'value'>[], margin: string | undefined): Numerical | undefined {
  const of = (...names: string[]) => {
    const text = tests.find(({ name }) => names.includes(name))?.value;
    return text === undefined || text === '' || !Number.isFinite(Number(text)) ? undefined : Number(text);
  };
  const equal = of('varequal');
  const [low, high] = [of('vargte', 'vargt'), of('varlte', 'varlt')];
  if (equal !== undefined && of('vargt') !== undefined && high !== undefined)
    return { numerical_answer_type: 'precision_answer', approximate: equal, precision: digitsOf(equal, high - equal) };
  if (equal !== undefined) {
    const distance = low === undefined ? 0 : decimal(equal - low);
    return { numerical_answer_type: 'exact_answer', exact: equal, margin: margin ? marginText(margin) : distance };
  }
  if (low !== undefined && high !== undefined) return { numerical_answer_type: 'range_answer', start: low, end: high };
  return undefined;
}
const marginText = (text: string): number | string => (text.endsWith('%') ? text : Number(text) || 0);

function numerical(item: Item): Data {
  const margins = (item.fields.get('answer_margins') ?? '').split(',');
  const found = item.conditions.filter(isScored).flatMap(({ tests }, at) => numericalOf(tests, margins[at]) ?? []);
  const ids = idsOf(item);
  const idents = found.map((_, at) => ids[at] ?? `answer ${at}`);
  const numbers = new PartNumbers(idents);
  return {
    answers: found.map((one, at) => ({
      id: numbers.of(idents[at] ?? ''),
      text: '',
      ...commentOf(item, idents[at] ?? '', () => false),
      weight: 100,
      ...one,
    })),
  };
}

function calculated({ element }: Item): Data {
  const root =
    firstElement(element, 'resprocessing', 'itemproc_extension', 'calculated') ?? firstElement(element, 'itemproc_extension', 'calculated');
  const sets = elementsOf(firstElement(root, 'var_sets'), 'var_set');
  const idents = sets.map(({ attributes }, at) => attributes.ident ?? `set ${at}`);
  const numbers = new PartNumbers(idents);
  const formulas = firstElement(root, 'formulas');
  const tolerance = textAt(root, 'answer_tolerance') ?? '0';
  return {
    variables: elementsOf(firstElement(root, 'vars'), 'var').map((one) => ({
      name: one.attributes.name ?? '',
      min: numberAt(one, 'min') ?? 0,
      max: numberAt(one, 'max') ?? 0,
      scale: Number(one.attributes.scale) || 0,
    })),
    formulas: elementsOf(formulas, 'formula').map((one) => ({ formula: spacedTextOf(one) })),
    answer_tolerance: Number.isFinite(Number(tolerance)) ? Number(tolerance) : tolerance,
    formula_decimal_places: Number(formulas?.attributes.decimal_places) || 0,
    answers: sets.map((one, at) => ({
      id: numbers.of(idents[at] ?? ''),
      weight: 100,
      answer: numberAt(one, 'answer') ?? 0,
      variables: elementsOf(one, 'var').map((each) => ({ name: each.attributes.name ?? '', value: spacedTextOf(each) })),
    })),
  };
}

const none = (): Data => ({ answers: [] });

/** How the answers of each type are read. */
export const answerReaders: Readonly<Record<string, (item: Item) => Data>> = {
  multiple_choice_question: oneChoice,
  true_false_question: oneChoice,
  multiple_answers_question: severalChoices,
  short_answer_question: shortAnswer,
  fill_in_multiple_blanks_question: fillIn,
  multiple_dropdowns_question: (item) => inBlanks(item, (_, isRight) => (isRight ? 100 : 0)),
  matching_question: matching,
  numerical_question: numerical,
  calculated_question: calculated,
  essay_question: none,
  file_upload_question: none,
  text_only_question: none,
};
