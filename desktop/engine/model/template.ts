// The folder template: the folders above a course, such as `{term}/{course_code} {course}`. Pure.

import { t } from '../../language/texts';
import type { Node } from './local_paths';

export const usualTemplate = '{institution}/{course}';
export const templateSetting = 'template';

/** The values of the placeholders. */
export interface TemplateWords {
  readonly institution: string;
  readonly course: string;
  readonly course_code: string;
  readonly term: string;
}

export class TemplateWrong extends Error {
  override readonly name = 'TemplateWrong';
}

const words: readonly (keyof TemplateWords)[] = ['institution', 'course', 'course_code', 'term'];
const mostLevels = 5;

/** Its levels. Each becomes a folder, so none may be empty, and the last one has to distinguish courses. */
export function templateLevels(template: string): string[] {
  const levels = template.split(/[/\\]/).map((level) => level.trim());
  if (levels.some((level) => level === '')) throw new TemplateWrong(t('why.emptyLevel'));
  if (levels.length > mostLevels) throw new TemplateWrong(t('why.tooDeep', { most: mostLevels }));
  for (const [, word] of template.matchAll(/\{([^{}]*)\}/g))
    if (!words.some((known) => known === word))
      throw new TemplateWrong(t('why.noWord', { word: `{${word}}`, words: words.map((known) => `{${known}}`).join(', ') }));
  if (!/\{course(_code)?\}/.test(levels.at(-1) ?? ''))
    throw new TemplateWrong(t('why.lastFolder', { course: '{course}', code: '{course_code}' }));
  return levels;
}

/** The value for a course without a term or a code: the same in every language, so that changing the language moves no folders. */
const unnamed = 'Other';

export const foldersOf = (template: string, values: TemplateWords): string[] =>
  templateLevels(template).map((level) => {
    const filled = level.replace(/\{(\w+)\}/g, (_, word: keyof TemplateWords) => values[word].trim());
    return filled.replace(/\s+/g, ' ').trim() || unnamed;
  });

/** The folders above a course, shared with other courses, and its own folder. */
export function courseNodes(key: string, title: string, folders: readonly string[]): Node[] {
  const above = folders.slice(0, -1).map((name, at): Node => {
    const way = folders.slice(0, at + 1).join('/');
    const parent = at === 0 ? null : levelKey(folders.slice(0, at).join('/'));
    return { key: levelKey(way), parent, name, kind: 'level' };
  });
  return [...above, { key, parent: above.at(-1)?.key ?? null, name: folders.at(-1) ?? title, title, kind: 'course' }];
}

const levelKey = (way: string): string => `level:${way}`;
