// What a client selects for an import: reads `copy[…]` and `select[…]`, and makes the choice of a course copy of it. Pure.

import { lookUp } from '@carrel/shared/wire/look_up';
import type { Choice, CopiedKind } from '../../course_copy/table';
import type { Selection } from '../table';

type Word = CopiedKind | 'announcement';

/** The kinds that a type selects as a whole; the first one is that of its items. */
export const kindsOfType: Readonly<Record<string, readonly Word[]>> = {
  context_modules: ['module'],
  content_tags: ['module_item'],
  assignments: ['assignment', 'assignment_group'],
  assignment_groups: ['assignment_group'],
  quizzes: ['quiz'],
  assessment_question_banks: ['question_bank'],
  discussion_topics: ['discussion_topic'],
  announcements: ['announcement'],
  wiki_pages: ['page'],
  context_external_tools: ['external_tool'],
  calendar_events: ['calendar_event'],
  rubrics: ['rubric'],
  learning_outcomes: ['learning_outcome', 'outcome_group'],
  learning_outcome_groups: ['outcome_group'],
  attachments: ['file', 'folder'],
  folders: ['folder', 'file'],
};

/** Other names of types on input. */
const aliases: Readonly<Record<string, string>> = {
  modules: 'context_modules',
  module_items: 'content_tags',
  pages: 'wiki_pages',
  files: 'attachments',
  external_tools: 'context_external_tools',
};
const typeOf = (name: string): string => lookUp(aliases, name) ?? name;

const no = new Set(['false', '0', 'no', 'n', 'f', 'off', '']);
/** A flag as forms and JSON send it. */
const isOn = (value: unknown): boolean => value !== null && value !== undefined && !no.has(String(value).toLowerCase());

type Tree = Readonly<Record<string, unknown>>;
const isTree = (given: unknown): given is Tree => typeof given === 'object' && given !== null && !Array.isArray(given);

/** The ids in a part of `copy` or `select`: `{ id_x: 1 }`, `['x']` or `'x,y'`. */
function idsIn(given: unknown): string[] {
  if (Array.isArray(given)) return given.filter((id) => typeof id === 'string' || typeof id === 'number').map(String);
  if (isTree(given))
    return (
      Object.entries(given)
        .filter(([, value]) => isOn(value))
        // Lists in forms arrive with positions as keys.
        .map(([key, value]) => (/^\d+$/.test(key) && !/^(1|true|on|yes)$/i.test(String(value)) ? String(value) : key.replace(/^id_/, '')))
    );
  return given === null || given === undefined ? [] : String(given).split(',').filter(Boolean);
}

/** @param given the tree of the parameter; anything else selects nothing */
export function importSelectionOf(given: unknown): Selection {
  if (!isTree(given)) return {};
  const whole: string[] = [];
  const items: Record<string, readonly string[]> = {};
  for (const [key, value] of Object.entries(given)) {
    if (key === 'everything') continue;
    if (key.startsWith('all_')) {
      if (isOn(value)) whole.push(typeOf(key.slice(4)));
      continue;
    }
    const ids = idsIn(value);
    if (ids.length > 0) items[typeOf(key)] = ids;
  }
  return { ...(isOn(given.everything) && { everything: true }), whole, items };
}

/** Finds the id of an item in the source course by what the client named: its id, its asset string or its migration id. */
export type FindSource = (kind: CopiedKind, named: string) => number | undefined;

/** What an importer skips of the settings of a course. */
const skips = { settings: 'all_course_settings', visibility: 'visibility_settings' } as const;

/**
 * The choice of a course copy.
 * @param filesIn the files of a folder, which its selection includes
 */
export function copyChoice(
  selection: Selection | null,
  skipped: readonly string[],
  find: FindSource,
  filesIn: (folder: number) => readonly number[] = () => [],
): Choice {
  const keeps = { ...(skipped.includes(skips.visibility) && { keepsVisibility: true }) };
  const skipsSettings = skipped.includes(skips.settings);
  if (selection === null || selection.everything) return { ...keeps, ...(skipsSettings && { settings: false }) };
  const { whole = [], items = {} } = selection;
  const chosen: { [K in CopiedKind]?: number[] } = {};
  const add = (kind: CopiedKind, ids: readonly number[]) => {
    chosen[kind] = [...(chosen[kind] ?? []), ...ids];
  };
  for (const [type, named] of Object.entries(items)) {
    const word = lookUp(kindsOfType, type)?.[0];
    if (word === undefined) continue;
    const kind = word === 'announcement' ? 'discussion_topic' : word;
    const ids = named.flatMap((one) => find(kind, one) ?? []);
    add(kind, ids);
    if (kind === 'folder') add('file', ids.flatMap(filesIn));
  }
  const settings = whole.includes('course_settings') && !skipsSettings;
  return {
    ...keeps,
    whole: [...whole.flatMap((type) => lookUp(kindsOfType, type) ?? []), ...(settings ? (['grading_standard'] as const) : [])],
    items: chosen,
    settings,
    syllabus: whole.includes('syllabus_body'),
  };
}
