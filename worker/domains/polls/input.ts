// What clients send about polls: under the plural or the singular name, as a list with one member or as a single object (reference 04 §18.4).

import { bool, idField, int, listOf, object, optional, text } from '@carrel/shared/wire/fields';
import type { FormTree } from '@carrel/shared/wire/form';
import { lookUp } from '@carrel/shared/wire/look_up';
import { badParameter, invalid } from '../../http/problem';

const longest = 255;

const pollField = optional(listOf(object({ question: optional(text), description: optional(text) })));
const choiceField = optional(listOf(object({ text: optional(text), is_correct: optional(bool), position: optional(int) })));
const sessionField = optional(
  listOf(
    object({
      course_id: optional(idField('course')),
      course_section_id: optional(idField('section')),
      has_public_results: optional(bool),
    }),
  ),
);
const submissionField = optional(listOf(object({ poll_choice_id: optional(idField('poll_choice')) })));

export const pollParams = { polls: pollField, poll: pollField };
export const choiceParams = { poll_choices: choiceField, poll_choice: choiceField };
export const sessionParams = { poll_sessions: sessionField, poll_session: sessionField };
export const submissionParams = { poll_submissions: submissionField, poll_submission: submissionField };

/**
 * The first object that was sent under either name.
 * @throws Problem 400 without one
 */
export function onlyGiven<T>(plural: string, ...lists: readonly (readonly T[] | undefined)[]): T {
  const given = lists.find((list) => list?.[0] !== undefined)?.[0];
  if (given === undefined) throw badParameter(plural, 'is missing');
  return given;
}

/** @throws Problem 400 for a text that is blank, too long, or missing where one is needed */
export function requiredText(field: string, given: string | undefined, isNew: boolean): string | undefined {
  if (given === undefined && !isNew) return undefined;
  const value = given?.trim() ?? '';
  if (value === '') throw invalid(field, 'blank', "can't be blank");
  if (value.length > longest) throw invalid(field, 'too_long', `is too long (maximum is ${longest} characters)`);
  return value;
}

/** The course that a body names, before the body is read; 0 if it is no id. */
export function courseNamedIn(tree: FormTree): number | undefined {
  const under = (name: string): unknown => {
    const value = lookUp(tree, name);
    if (Array.isArray(value)) return value[0];
    return typeof value === 'object' && value !== null ? (lookUp(value as FormTree, '0') ?? value) : undefined;
  };
  const session = under('poll_sessions') ?? under('poll_session');
  if (typeof session !== 'object' || session === null) return undefined;
  const given = lookUp(session as FormTree, 'course_id');
  if (given === undefined || given === null || given === '') return undefined;
  const id = Number(given);
  return Number.isSafeInteger(id) ? id : 0;
}
