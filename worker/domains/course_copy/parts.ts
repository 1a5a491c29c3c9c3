// The course parts that clients of the old copy API can select.

import { lookUp } from '@carrel/shared/wire/look_up';
import { problem } from '../../http/problem';
import type { Choice, CopiedKind } from './table';

type Word = CopiedKind | 'announcement';

/** The content of each part. */
const parts: Readonly<Record<string, readonly Word[]>> = {
  course_settings: ['grading_standard'],
  assignments: ['assignment_group', 'assignment'],
  rubrics: ['rubric'],
  external_tools: ['external_tool'],
  files: ['folder', 'file'],
  topics: ['discussion_topic', 'announcement'],
  calendar_events: ['calendar_event'],
  quizzes: ['quiz', 'question_bank'],
  wiki_pages: ['page'],
  modules: ['module'],
  outcomes: ['learning_outcome', 'outcome_group'],
};

/**
 * The choice for `only` or `except`. Unknown names are ignored.
 * @throws Problem 400 when both are given
 */
export function choiceOf(only: readonly string[] | undefined, except: readonly string[] | undefined): Choice {
  if (only?.length && except?.length) throw problem(400, 'You can not use "only" and "except" options at the same time');
  if (!only?.length && !except?.length) return {};
  const chosen = Object.keys(parts).filter((name) => (only?.length ? only.includes(name) : !except?.includes(name)));
  const settings = chosen.includes('course_settings');
  return { whole: chosen.flatMap((name) => lookUp(parts, name) ?? []), settings, syllabus: settings };
}
