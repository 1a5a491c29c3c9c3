// The parts of a question of a New Quiz, and errors for those that are missing.

import { badParameter } from '../../../http/problem';
import { isMapping, listedParts, type Mapping, partText } from '../../quiz_submissions/interactions/parts';

/** The parts of a question that depend on its type. */
export interface QuestionParts {
  readonly item_body: string;
  readonly interaction_type_slug: string;
  readonly interaction_data: unknown;
  readonly properties: unknown;
  readonly scoring_data: unknown;
  readonly answer_feedback: unknown;
  readonly scoring_algorithm: string;
}

/** The error for a part of a question. */
export const wrongPart = (part: keyof QuestionParts, message: string) => badParameter(`item[entry][${part}]`, message);

/** The value of scoring data. @throws Problem 400 */
export function scoredValue({ scoring_data }: Pick<QuestionParts, 'scoring_data'>): unknown {
  if (!isMapping(scoring_data)) throw wrongPart('scoring_data', 'is not an object');
  return scoring_data.value;
}

/** @throws Problem 400 */
export function interactionOf({ interaction_data }: Pick<QuestionParts, 'interaction_data'>): Mapping {
  if (!isMapping(interaction_data)) throw wrongPart('interaction_data', 'is not an object');
  return interaction_data;
}

/**
 * The ids of a list of objects with an id, or of a map by id, each once.
 * @throws Problem 400 for anything else, and for less than one
 */
export function idsOfParts(given: unknown, name: string, part: keyof QuestionParts = 'interaction_data'): readonly string[] {
  const entries =
    listedParts(given) ?? (isMapping(given) ? Object.entries(given).map(([id, one]) => (isMapping(one) ? { id, ...one } : one)) : []);
  const ids = entries.map((one) => (isMapping(one) ? partText(one.id) : undefined));
  const known = ids.filter((id) => id !== undefined);
  if (known.length === 0 || known.length < ids.length) throw wrongPart(part, `must have ${name}, each with an id`);
  if (new Set(known).size < known.length) throw wrongPart(part, `has ${name} with the same id`);
  return known;
}

/** A list of words. @throws Problem 400 */
export function wordsOf(given: unknown, name: string, part: keyof QuestionParts): readonly string[] {
  const all = listedParts(given)?.map(partText);
  if (!all || all.length === 0 || all.includes(undefined)) throw wrongPart(part, `must have ${name}, a list of texts`);
  return all as string[];
}
