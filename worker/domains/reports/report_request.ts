// Parses and fixes the parameters of a report, so that a resumed run gives the same result.

import { bool, maybe, object, optional, referenceTo, text, time } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import { sql } from 'drizzle-orm';
import { idOf } from '../../contexts/references';
import type { Call } from '../../http/call';
import { problem } from '../../http/problem';
import { type Period, periodsAsJson } from '../../rules/grading_periods';
import { enrollmentStates, enrollmentTypes } from '../enrollments/table';
import { outcomeOrders } from './outcome_parts';
import { courseHere } from './part';
import { sisParts } from './sis_parts';
import type { ReportRequest } from './table';
import type { ReportType } from './types';

const flag = optional(maybe(bool));
const word = optional(maybe(text));
const term = optional(maybe(referenceTo('term')));
const course = optional(maybe(referenceTo('course')));
const moment = optional(maybe(time));

export const reportParameters = optional(
  object({
    ...(Object.fromEntries(Object.keys(sisParts).map((name) => [name, flag])) as Record<string, typeof flag>),
    skip_message: flag,
    include_deleted: flag,
    created_by_sis: flag,
    enrollment_term_id: term,
    enrollment_term: term,
    term,
    course_id: course,
    course,
    start_at: moment,
    end_at: moment,
    enrollment_filter: word,
    enrollment_states: word,
    enrollment_state: word,
    order: word,
  }),
);

type Given = Readonly<Record<string, unknown>>;

const refused = (message: string) => problem(400, message);
const textAt = (given: Given, ...names: string[]): string | undefined => {
  const value = names.map((name) => lookUp(given, name)).find((one) => typeof one === 'string' && one !== '');
  return value as string | undefined;
};

/** @throws Problem 400 for an unknown value */
function wordsIn<W extends string>(given: string | undefined, known: readonly W[], name: string): readonly W[] | undefined {
  if (given === undefined || given === 'all') return undefined;
  const words = given.split(',').map((one) => one.trim());
  for (const one of words) if (!known.includes(one as W)) throw refused(`${name}: there is no "${one.slice(0, 100)}"`);
  return words as W[];
}

const fortnight = 14 * 86_400_000;

/** @throws Problem 400 for missing dates, and for a range that is too long */
function checkMoments(given: Given, type: ReportType): void {
  for (const [name, { required }] of Object.entries(type.parameters))
    if (required && (lookUp(given, name) === undefined || lookUp(given, name) === null || lookUp(given, name) === ''))
      throw refused(`parameters[${name}] is missing`);
  const [start, end] = [textAt(given, 'start_at'), textAt(given, 'end_at')];
  if (!type.parameters.end_at?.required || start === undefined || end === undefined) return;
  if (end < start) throw refused('end_at must be after start_at');
  if (Date.parse(end) - Date.parse(start) > fortnight) throw refused('start_at and end_at may be at most two weeks apart');
}

const titlesOf = (periods: string) => (JSON.parse(periods) as Period[]).map(({ id, title }) => ({ id, title }));

/** @throws Problem 400 for an unknown term or course */
async function placesOf({ db }: Pick<Call, 'db'>, wish: ReportRequest, term: string | undefined, course: string | undefined) {
  const wanted = { term: term === 'all' ? undefined : term, course };
  if (wanted.term === undefined && wanted.course === undefined) return {};
  const select = (kind: 'term' | 'course', here = sql`true`) =>
    db.build.all<{ id: number }>(
      sql`select c.id from ${sql.raw(`${kind}s`)} c where c.id = (${wanted[kind] === undefined ? sql`select 0` : idOf(kind, wanted[kind])}) and ${here}`,
    );
  const [terms, courses, sets] = await db.perform([
    select('term'),
    select('course', courseHere(wish)),
    db.build.all<{ set_id: number; title: string; periods: string }>(
      sql`select s.id as set_id, s.title, ${periodsAsJson} as periods from terms t join grading_period_sets s on s.id = t.grading_period_group_id
        where t.id = (${wanted.term === undefined ? sql`select 0` : idOf('term', wanted.term)})`,
    ),
  ]);
  if (wanted.term !== undefined && !terms[0]) throw refused('unknown term');
  if (wanted.course !== undefined && !courses[0]) throw refused('unknown course');
  const [set] = sets;
  return {
    ...(terms[0] && { term_id: terms[0].id }),
    ...(courses[0] && { course_id: courses[0].id }),
    ...(set && { period_set: { id: set.set_id, title: set.title, periods: titlesOf(set.periods) } }),
  };
}

/** @throws Problem 400 for invalid parameters */
export async function reportRequestOf(call: Pick<Call, 'db' | 'now' | 'account'>, given: Given, type: ReportType): Promise<ReportRequest> {
  checkMoments(given, type);
  const { account, now } = call;
  const asked = Object.keys(sisParts).filter((name) => lookUp(given, name) === true);
  const at = (name: string) => textAt(given, name);
  // Other orders are ignored, as in Canvas.
  const order = outcomeOrders.find((one) => one === at('order'));
  const wanted: ReportRequest = {
    account_id: account?.id ?? 0,
    isRoot: account?.parent_account_id === null,
    now,
    // All parts by default.
    parts: asked.length > 0 ? asked : Object.keys(sisParts),
    include_deleted: given.include_deleted === true,
    created_by_sis: given.created_by_sis === true,
    ...(order && { order }),
    ...(at('start_at') && { start_at: at('start_at') }),
    ...(at('end_at') && { end_at: at('end_at') }),
    enrollment_types: wordsIn(at('enrollment_filter'), enrollmentTypes, 'enrollment_filter'),
    enrollment_states: wordsIn(
      at('enrollment_states') ?? (at('enrollment_state') === 'all' ? 'active,completed' : at('enrollment_state')),
      enrollmentStates,
      'enrollment_state',
    ),
  };
  const { enrollment_term_id: term, course_id: course } = type.parameters;
  const places = await placesOf(
    call,
    wanted,
    term && textAt(given, 'enrollment_term_id', 'enrollment_term', 'term'),
    course && textAt(given, 'course_id', 'course'),
  );
  return { ...wanted, ...places };
}
