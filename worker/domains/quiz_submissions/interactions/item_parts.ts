// How much of a response to a question of a New Quiz is right, by the type of the question (reference 04 §10.2). Responses are in the form that
// `itemResponse` returns, questions as their editors sent them.

import { lookUp } from '@carrel/shared/wire/look_up';
import { addDecimals, compareDecimals, type Decimal, decimalOf, marginOf, negated, toDecimals, toSignificant } from '../scoring/decimal';
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
  scoringDataOf,
  textsIn,
} from './parts';
import { isRightText } from './text_matches';

/** `points` are those of the response itself, where they do not follow from the parts. */
export interface ScoredParts {
  readonly total: number;
  readonly right: number;
  readonly wrong: number;
  readonly points?: number;
}

const wholly = (isRight: boolean): ScoredParts => ({ total: 1, right: isRight ? 1 : 0, wrong: 0 });
const sameTexts = (a: readonly string[], b: readonly string[]) => a.length === b.length && a.every((one, at) => one === b[at]);
const sameSet = (a: readonly string[], b: readonly string[]) => sameTexts([...new Set(a)].sort(), [...new Set(b)].sort());

function choiceParts(entry: Mapping, given: unknown): ScoredParts {
  const { value, values } = scoringDataOf(entry);
  const isRight = partText(given) !== undefined && partText(given) === partText(value);
  if (entry.scoring_algorithm !== 'VaryPointsByAnswer') return wholly(isRight);
  const its = (listedParts(values) ?? []).map(mappingOf).find((one) => partText(one.value) === partText(given));
  return { ...wholly(isRight), points: amountOf(its?.points) ?? 0 };
}

function severalParts(entry: Mapping, given: unknown): ScoredParts {
  const [key, chosen] = [textsIn(scoringDataOf(entry).value), textsIn(given)];
  if (entry.scoring_algorithm === 'AllOrNothing') return wholly(sameSet(key, chosen));
  const right = chosen.filter((id) => key.includes(id)).length;
  return { total: key.length, right, wrong: chosen.length - right };
}

function matchingParts(entry: Mapping, given: unknown): ScoredParts {
  const [key, chosen] = [mappingOf(scoringDataOf(entry).value), mappingOf(given)];
  const ids = Object.keys(key);
  const right = ids.filter((id) => partText(lookUp(chosen, id)) === partText(lookUp(key, id))).length;
  return entry.scoring_algorithm === 'PartialDeep' ? { total: ids.length, right, wrong: 0 } : wholly(right === ids.length);
}

/** A category is right with exactly its own options in it. */
function categoryParts(entry: Mapping, given: unknown): ScoredParts {
  const { value, score_method } = scoringDataOf(entry);
  const key = new Map(entriesIn(value).map((one) => [one.id, textsIn(scoringDataOf(one).value)]));
  const chosen = mappingOf(given);
  const ids = entriesIn(interactionDataOf(entry).categories).map(({ id }) => id);
  const right = ids.filter((id) => sameSet(textsIn(lookUp(chosen, id)), key.get(id) ?? [])).length;
  return score_method === 'partial_credit' ? { total: ids.length, right, wrong: 0 } : wholly(right === ids.length);
}

const isAbout = (value: Decimal, exact: Decimal, margin: number | string | undefined): boolean => {
  const around = marginOf(margin, exact);
  return compareDecimals(value, addDecimals(exact, negated(around))) >= 0 && compareDecimals(value, addDecimals(exact, around)) <= 0;
};

const marginIn = ({ margin, margin_type }: Mapping): string => (margin_type === 'percent' ? `${margin}%` : String(margin));

/** Longer numbers are no different. */
const mostDigits = 20;

/** Whether a number is an expected one. Numbers are compared after rounding where their precision is given. */
export function fitsExpectedNumber(value: Decimal, expected: Mapping): boolean {
  const exact = decimalOf(expected.value);
  if (expected.type === 'withinARange') {
    const [start, end] = [decimalOf(expected.start), decimalOf(expected.end)];
    return start !== undefined && end !== undefined && compareDecimals(value, start) >= 0 && compareDecimals(value, end) <= 0;
  }
  if (!exact) return false;
  if (expected.type === 'marginOfError') return isAbout(value, exact, marginIn(expected));
  if (expected.type === 'preciseResponse') {
    const digits = Math.min(Math.trunc(amountOf(expected.precision) ?? 0), mostDigits);
    const rounded = (one: Decimal) =>
      expected.precision_type === 'significantDigits' ? toSignificant(one, Math.max(digits, 1)) : toDecimals(one, digits);
    return compareDecimals(rounded(value), rounded(exact)) === 0;
  }
  return expected.type === 'exactResponse' && compareDecimals(value, exact) === 0;
}

function numberParts(entry: Mapping, given: unknown): ScoredParts {
  const value = decimalOf(given);
  const expected = (listedParts(scoringDataOf(entry).value) ?? []).filter(isMapping);
  return wholly(value !== undefined && expected.some((one) => fitsExpectedNumber(value, one)));
}

/** The generated solution whose variables an attempt has. */
export const solutionOf = (entry: Mapping, variant: number | undefined): Mapping | undefined => {
  const solutions = listedParts(mappingOf(scoringDataOf(entry).value).generated_solutions) ?? [];
  const its = variant === undefined ? undefined : solutions[variant];
  return isMapping(its) ? its : undefined;
};

function formulaParts(entry: Mapping, given: unknown, variant: number | undefined): ScoredParts {
  const solution = solutionOf(entry, variant);
  const value = decimalOf(given);
  if (!value || !solution) return wholly(false);
  const numeric = mappingOf(mappingOf(scoringDataOf(entry).value).numeric);
  const expected = numeric.type === undefined || numeric.type === 'withinARange' ? { type: 'exactResponse' } : numeric;
  return wholly(fitsExpectedNumber(value, { ...expected, value: solution.output }));
}

function blanksParts(entry: Mapping, given: unknown): ScoredParts {
  const texts = mappingOf(given);
  const blanks = entriesIn(scoringDataOf(entry).value);
  const right = blanks.filter((blank) => {
    const text = partText(lookUp(texts, blank.id));
    if (text === undefined) return false;
    const data = scoringDataOf(blank);
    return blank.scoring_algorithm === 'Equivalence'
      ? text === partText(data.value)
      : isRightText(String(blank.scoring_algorithm), data, text);
  }).length;
  return { total: blanks.length, right, wrong: 0 };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

const pointIn = (given: unknown): Point | undefined => {
  const { x, y } = mappingOf(given);
  const [across, down] = [amountOf(x), amountOf(y)];
  return across === undefined || down === undefined ? undefined : { x: across, y: down };
};

/** Counts how often a ray from the point to the right crosses the outline. */
function isInPolygon({ x, y }: Point, corners: readonly Point[]): boolean {
  let isInside = false;
  for (const [at, a] of corners.entries()) {
    const b = corners[(at + 1) % corners.length] ?? a;
    if (a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) isInside = !isInside;
  }
  return isInside;
}

/** An oval touches the sides of the box that its points span. */
export function isInRegion(point: Point, region: Mapping): boolean {
  const corners = (listedParts(region.coordinates) ?? []).flatMap((one) => pointIn(one) ?? []);
  if (region.type === 'polygon') return isInPolygon(point, corners);
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  if (point.x < left || point.x > right || point.y < top || point.y > bottom) return false;
  if (region.type !== 'oval') return true;
  const [width, height] = [(right - left) / 2, (bottom - top) / 2];
  if (width === 0 || height === 0) return true;
  return ((point.x - left) / width - 1) ** 2 + ((point.y - top) / height - 1) ** 2 <= 1;
}

function hotSpotParts(entry: Mapping, given: unknown): ScoredParts {
  const point = pointIn(given);
  const { value } = scoringDataOf(entry);
  const regions = (listedParts(value) ?? [value]).filter(isMapping);
  return wholly(point !== undefined && regions.some((region) => isInRegion(point, region)));
}

const trueFalseParts = (entry: Mapping, given: unknown): ScoredParts =>
  wholly(booleanOf(given) !== undefined && booleanOf(given) === booleanOf(scoringDataOf(entry).value));

const orderParts = (entry: Mapping, given: unknown): ScoredParts => wholly(sameTexts(textsIn(scoringDataOf(entry).value), textsIn(given)));

const partsBySlug: Readonly<Record<string, (entry: Mapping, given: unknown, variant: number | undefined) => ScoredParts>> = {
  'true-false': trueFalseParts,
  choice: choiceParts,
  'multi-answer': severalParts,
  matching: matchingParts,
  categorization: categoryParts,
  ordering: orderParts,
  numeric: numberParts,
  formula: formulaParts,
  'rich-fill-blank': blanksParts,
  'hot-spot': hotSpotParts,
};

const byHand = new Set(['essay', 'file-upload']);

/** A grader scores the responses to such a question. */
export const isScoredByHand = (entry: Mapping): boolean => byHand.has(interactionSlugOf(entry));

/** @param variant which generated solution of a formula the attempt has @returns no parts for a stimulus, and for what a grader scores */
export function partsOfItem(entry: Mapping, given: unknown, variant: number | undefined): ScoredParts {
  const parts = lookUp(partsBySlug, interactionSlugOf(entry));
  if (!parts) return { total: 0, right: 0, wrong: 0 };
  return given === null || given === undefined ? wholly(false) : parts(entry, given, variant);
}
