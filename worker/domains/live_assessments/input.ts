// What clients send about live assessments, and what is refused (reference 04 §17).

import { bool, idField, listOf, maybe, object, optional, type Shape, text, time } from '@carrel/shared/wire/fields';
import { Problem } from '../../http/problem';

const longest = 255;
/** Assessments, and results, of one request. */
const most = 100;

export const assessmentParams = {
  assessments: optional(
    listOf(
      object({
        key: optional(text),
        title: optional(text),
        links: optional(object({ outcome: optional(maybe(idField('learning_outcome'))) })),
      }),
    ),
  ),
};

export const resultParams = {
  results: optional(
    listOf(
      object({
        passed: optional(bool),
        assessed_at: optional(time),
        links: optional(object({ user: optional(idField('user')) })),
      }),
    ),
  ),
};

export const refusedLive = (message: string) => new Problem(400, { status: 'bad_request', message });

const notTooMany = <T>(given: readonly T[] | undefined, name: string): readonly T[] => {
  if (!given?.length) throw refusedLive(`missing ${name}`);
  if (given.length > most) throw refusedLive(`more than ${most} ${name}`);
  return given;
};

function textIn(given: string | undefined, name: string): string {
  const value = given?.trim() ?? '';
  if (value === '') throw refusedLive(`missing ${name}`);
  if (value.length > longest) throw refusedLive(`${name} is longer than ${longest} characters`);
  return value;
}

/** @throws Problem 400 without a key or a title */
export const assessmentsGiven = ({ assessments }: Shape<typeof assessmentParams>) =>
  notTooMany(assessments, 'assessments').map(({ key, title, links }) => ({
    key: textIn(key, 'key'),
    title: textIn(title, 'title'),
    outcome: links?.outcome ?? null,
  }));

/** @throws Problem 400 without a student, or whether the student has passed */
export const resultsGiven = ({ results }: Shape<typeof resultParams>, now: string) =>
  notTooMany(results, 'results').map(({ passed, assessed_at, links }) => {
    if (links?.user === undefined) throw refusedLive('missing user');
    if (passed === undefined) throw refusedLive('missing passed');
    return { user: links.user, passed, assessed_at: assessed_at ?? now };
  });
