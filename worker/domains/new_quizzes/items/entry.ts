// The content of an item after a write: a question, a stimulus, or how many questions of a bank are drawn.

import { sanitise } from '@carrel/shared/html/sanitise';
import { withoutHost } from '../../../html/addresses';
import { badParameter } from '../../../http/problem';
import { amountOf, booleanOf, isMapping, type Mapping } from '../../quiz_submissions/interactions/parts';
import type { NewQuizEntryType, new_quiz_items } from '../table';
import type { EntryGiven, NewQuizItemGiven } from './input';
import { type QuestionParts, wrongPart } from './reading';
import { checkQuestion } from './shapes';

type Before = Pick<typeof new_quiz_items.$inferSelect, 'entry' | 'points_possible' | 'properties'>;

/** Bytes of an item as JSON. */
const largestEntry = 100_000;

/** Members of the data of a question that are shown as HTML. */
const htmlMembers = new Set(['item_body', 'itemBody', 'question_body', 'working_item_body']);

/** The same data with HTML that is safe to show. */
export function withSafeHtml(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return htmlMembers.has(name) ? sanitise(value) : value;
  if (Array.isArray(value)) return value.map((one) => withSafeHtml(one));
  if (!isMapping(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withSafeHtml(one, key)]));
}

/** A part of a question, which a form may send as JSON text. @throws Problem 400 for text that is not JSON */
function partOf(given: EntryGiven, part: 'interaction_data' | 'properties' | 'scoring_data' | 'answer_feedback', before: Mapping): unknown {
  const sent = given[part];
  if (sent === undefined) return before[part];
  if (typeof sent !== 'string') return withSafeHtml(sent);
  try {
    return withSafeHtml(JSON.parse(sent));
  } catch {
    throw wrongPart(part, 'is not an object');
  }
}

const htmlAfter = (sent: string | null | undefined, before: unknown, origin: string): string =>
  sent === undefined ? ((before as string | undefined) ?? '') : sanitise(withoutHost(sent ?? '', origin));

const wordAfter = (sent: string | null | undefined, before: unknown, otherwise: string): string =>
  sent === undefined ? ((before as string | undefined) ?? otherwise) : sent || otherwise;

function titleAfter(sent: string | null | undefined, before: unknown): string {
  const title = wordAfter(sent, before, '');
  if (title.length > 255) throw badParameter('item[entry][title]', 'is too long (maximum is 255 characters)');
  return title;
}

/** A form sends the key of a true-false question as text. */
const scoringAfter = (slug: string, data: unknown): unknown =>
  slug === 'true-false' && isMapping(data) ? { ...data, value: booleanOf(data.value) ?? data.value } : data;

/** Without the interaction data, which a form cannot send where they are empty. */
const required = ['item_body', 'interaction_type_slug', 'scoring_data', 'scoring_algorithm'] as const;

/** @throws Problem 400 that names the parameter */
function questionAfter(given: EntryGiven, before: Mapping, origin: string): Mapping {
  const missing = required.find((name) => given[name] == null && before[name] === undefined);
  if (missing) throw badParameter(`item[entry][${missing}]`, 'is missing');
  const slug = given.interaction_type_slug ?? String(before.interaction_type_slug);
  const answer_feedback = partOf(given, 'answer_feedback', before);
  const properties = partOf(given, 'properties', before) ?? {};
  if (!isMapping(properties)) throw wrongPart('properties', 'is not an object');
  const parts: QuestionParts = {
    item_body: htmlAfter(given.item_body, before.item_body, origin),
    interaction_type_slug: slug,
    interaction_data: partOf(given, 'interaction_data', before) ?? {},
    properties,
    scoring_data: scoringAfter(slug, partOf(given, 'scoring_data', before)),
    answer_feedback,
    scoring_algorithm: given.scoring_algorithm ?? String(before.scoring_algorithm),
  };
  checkQuestion(parts);
  const feedback = given.feedback === undefined ? before.feedback : given.feedback;
  return {
    title: titleAfter(given.title, before.title),
    calculator_type: wordAfter(given.calculator_type, before.calculator_type, 'none'),
    feedback: Object.fromEntries(
      Object.entries((feedback as Mapping | null | undefined) ?? {}).map(([name, text]) => [name, sanitise(text as string | null)]),
    ),
    ...parts,
    answer_feedback: isMapping(answer_feedback)
      ? Object.fromEntries(Object.entries(answer_feedback).map(([id, text]) => [id, sanitise(String(text))]))
      : undefined,
  };
}

/** @throws Problem 400 for a source that is no web address */
function stimulusAfter(given: EntryGiven, before: Mapping, origin: string): Mapping {
  const source_url = given.source_url === undefined ? ((before.source_url as string | null | undefined) ?? null) : given.source_url;
  if (source_url && !/^https?:$/.test(URL.parse(source_url)?.protocol ?? ''))
    throw badParameter('item[entry][source_url]', 'is not an http or https address');
  return {
    title: titleAfter(given.title, before.title),
    body: htmlAfter(given.body, before.body, origin),
    instructions: htmlAfter(given.instructions, before.instructions, origin),
    source_url,
    orientation: wordAfter(given.orientation, before.orientation, 'left'),
  };
}

/** How many questions a bank gives. @throws Problem 400 */
function sampleOf(properties: unknown, before: Mapping): Mapping {
  const sent = isMapping(properties) ? properties.sample_num : undefined;
  if (sent === undefined || sent === null || sent === '') return { sample_num: before.sample_num ?? 1 };
  const count = amountOf(sent);
  if (count === undefined || !Number.isInteger(count) || count < 1 || count > 1000)
    throw badParameter('item[properties][sample_num]', 'is not a number from 1 to 1000');
  return { sample_num: count };
}

/** @throws Problem 400 */
function pointsAfter(sent: number | null | undefined, before: number): number {
  const points = sent ?? before;
  if (points < 0 || points > 999_999_999) throw badParameter('item[points_possible]', 'must be between 0 and 999999999');
  return points;
}

/** @throws Problem 400 */
function propertiesAfter(type: NewQuizEntryType, sent: unknown, before: Mapping): Mapping {
  if (type === 'Bank') return sampleOf(sent, before);
  if (sent === undefined || sent === null || sent === '') return before;
  if (!isMapping(sent)) throw badParameter('item[properties]', 'is not an object');
  return sent;
}

/**
 * The columns of an item after a write, which may name some of its parts only.
 * @param before none for a new one
 * @throws Problem 400 that names the parameter
 */
export function contentOfItem(
  type: NewQuizEntryType,
  { entry = {}, ...given }: NewQuizItemGiven,
  before: Before | undefined,
  origin: string,
) {
  const old = before?.entry ?? {};
  const content = type === 'Item' ? questionAfter(entry, old, origin) : type === 'Stimulus' ? stimulusAfter(entry, old, origin) : {};
  const properties = propertiesAfter(type, given.properties, before?.properties ?? {});
  if (JSON.stringify([content, properties]).length > largestEntry)
    throw badParameter('item[entry]', `is longer than ${largestEntry} characters`);
  return {
    entry: content,
    properties,
    points_possible: type === 'Stimulus' ? 0 : pointsAfter(given.points_possible, before?.points_possible ?? 1),
  };
}
