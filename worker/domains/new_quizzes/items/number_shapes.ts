// The scoring data of numeric and formula questions.

import { lookUp } from '@carrel/shared/wire/look_up';
import { amountOf, isMapping, listedParts, type Mapping, partText } from '../../quiz_submissions/interactions/parts';
import { type QuestionParts, scoredValue, wrongPart } from './reading';

const isAmount = (given: unknown): boolean => amountOf(given) !== undefined;
const isPositive = (given: unknown): boolean => (amountOf(given) ?? -1) >= 0;

/** How a number may be expected; each names what is wrong. */
const expectations: Readonly<Record<string, (given: Mapping) => string | undefined>> = {
  exactResponse: ({ value }) => (isAmount(value) ? undefined : 'an exactResponse needs a number as value'),
  marginOfError: ({ value, margin, margin_type }) =>
    isAmount(value) && isPositive(margin) && ['absolute', 'percent'].includes(String(margin_type))
      ? undefined
      : 'a marginOfError needs a number as value and as margin, and absolute or percent as margin_type',
  withinARange: ({ start, end }) => {
    const [from, to] = [amountOf(start), amountOf(end)];
    return from !== undefined && to !== undefined && from <= to ? undefined : 'a withinARange needs start and end, in this order';
  },
  preciseResponse: ({ value, precision, precision_type }) =>
    isAmount(value) &&
    Number.isInteger(amountOf(precision)) &&
    isPositive(precision) &&
    ['decimals', 'significantDigits'].includes(String(precision_type))
      ? undefined
      : 'a preciseResponse needs a number as value, a count of digits as precision, and decimals or significantDigits as precision_type',
};

/** @throws Problem 400 */
export function checkNumeric(question: QuestionParts): void {
  const all = listedParts(scoredValue(question)) ?? [];
  if (all.length === 0) throw wrongPart('scoring_data', 'must have value, a list of expected numbers');
  for (const one of all) {
    const check = isMapping(one) ? lookUp(expectations, String(one.type)) : undefined;
    const wrong = check ? check(one as Mapping) : `has a type that is not one of ${Object.keys(expectations).join(', ')}`;
    if (wrong !== undefined) throw wrongPart('scoring_data', wrong);
  }
}

const isSolution = (one: unknown, names: ReadonlySet<string>): boolean =>
  isMapping(one) &&
  isAmount(one.output) &&
  (listedParts(one.inputs) ?? []).every((input) => isMapping(input) && names.has(String(input.name)) && isAmount(input.value));

/** @throws Problem 400 */
export function checkFormula(question: QuestionParts): void {
  const value = scoredValue(question);
  if (!isMapping(value) || partText(value.formula) === undefined) throw wrongPart('scoring_data', 'must have a formula in value');
  const variables = listedParts(value.variables) ?? [];
  for (const one of variables)
    if (
      !isMapping(one) ||
      partText(one.name) === undefined ||
      !isAmount(one.min) ||
      !isAmount(one.max) ||
      Number(one.min) > Number(one.max)
    )
      throw wrongPart('scoring_data', 'must have variables, each with a name, and min and max in this order');
  const names = new Set(variables.map((one) => String((one as Mapping).name)));
  if (names.size < variables.length) throw wrongPart('scoring_data', 'has variables with the same name');
  const solutions = listedParts(value.generated_solutions) ?? [];
  if (!solutions.every((one) => isSolution(one, names)))
    throw wrongPart(
      'scoring_data',
      'must have generated_solutions, each with a number as output and with values of the variables as inputs',
    );
  if (value.numeric === undefined) return;
  // A margin of a formula is about the solution of each student, so it has no value of its own.
  const { numeric } = value;
  const check = isMapping(numeric) ? lookUp(expectations, String(numeric.type)) : undefined;
  const wrong = check ? check({ ...(numeric as Mapping), value: 0 }) : 'has numeric without a known type';
  if (wrong !== undefined) throw wrongPart('scoring_data', wrong);
}
