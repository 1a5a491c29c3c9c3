// The parts of a course by which old clients choose what is copied.

import { lookUp } from '@carrel/shared/wire/look_up';
import { problem } from '../../http/problem';
import type { Choice, Kind } from './table';

type Word = Kind | 'announcement';

/** What each part is made of; what is not built yet has no content. */
const parts: Readonly<Record<string, readonly Word[]>> = {
  course_settings: [],
  assignments: ['assignment_group', 'assignment'],
  external_tools: [],
  files: ['folder', 'file'],
  topics: ['discussion_topic', 'announcement'],
  calendar_events: ['calendar_event'],
  quizzes: [],
  wiki_pages: ['page'],
  modules: ['module'],
  outcomes: [],
};

/**
 * What is copied where only some parts are, or all but some. Unknown names are ignored.
 * @throws Problem 400 for both at once
 */
export function choiceOf(only: readonly string[] | undefined, except: readonly string[] | undefined): Choice {
  if (only?.length && except?.length) throw problem(400, 'You can not use "only" and "except" options at the same time');
  if (!only?.length && !except?.length) return {};
  const chosen = Object.keys(parts).filter((name) => (only?.length ? only.includes(name) : !except?.includes(name)));
  const settings = chosen.includes('course_settings');
  return { whole: chosen.flatMap((name) => lookUp(parts, name) ?? []), settings, syllabus: settings };
}
