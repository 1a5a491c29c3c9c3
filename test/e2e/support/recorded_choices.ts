// The recorded library's choice of kept files: the engine's tree and sums, without a store. And the transfer settings.

import type { ChannelParams, ChannelResult } from '@carrel/desktop/contract/channels';
import type { ChoicesDraft } from '@carrel/desktop/contract/choices';
import type { PublishPlan } from '@carrel/desktop/contract/publish';
import { type ChoiceLeaf, everything, remark } from '@carrel/desktop/engine/model/choices';
import { fileGroupOf } from '@carrel/desktop/engine/model/file_groups';
import type { Node } from '@carrel/desktop/engine/model/local_paths';
import { foldersOf, templateLevels, usualTemplate } from '@carrel/desktop/engine/model/template';
import { usualRules } from '@carrel/desktop/engine/server/transfer_rules';
import { choicesView } from '@carrel/desktop/engine/views/choices';
import * as content from './content.ts';

const here = ['synced', 'edited', 'kept', 'conflict'];

type RecordedFile = ReturnType<typeof content.recordedFiles>[number];

/** A folder and the folders above it, the outermost first. */
function foldersOn(path: string, course: number): Node[] {
  const names = path === '' ? [] : path.split('/');
  const keyAt = (depth: number) => (depth === 0 ? `course:${course}` : `folder:${course}-${names.slice(0, depth).join('/')}`);
  return names.map((name, at) => ({ key: keyAt(at + 1), parent: keyAt(at), name, kind: 'folder' }));
}

const leafOf = ({ id, name, size, state }: RecordedFile, above: readonly string[]): ChoiceLeaf => ({
  key: `file:${id}`,
  name,
  size,
  group: fileGroupOf(name),
  above,
  available: state !== 'kept',
});

const rowOf = ({ name, state }: RecordedFile) => ({
  wanted: name,
  path: name,
  hash: 'told',
  seen: { hash: state === 'edited' ? 'mine' : 'told' },
});

/** The library as the engine stores it: every folder once. */
function stored(courses: typeof content.recordedCourses) {
  const nodes = new Map<string, Node>();
  const leaves = new Map<string, ChoiceLeaf>();
  const unwanted = new Set<string>();
  const rows = new Map<string, ReturnType<typeof rowOf>>();
  for (const course of courses) {
    const top = `course:${course.id}`;
    nodes.set(top, { key: top, parent: 'institution:1', name: course.name, kind: 'course' });
    for (const file of content.recordedFiles(course.id)) {
      const folders = foldersOn(file.folder, course.id);
      for (const folder of folders) nodes.set(folder.key, folder);
      const leaf = leafOf(file, [...folders.map(({ key }) => key).reverse(), top]);
      leaves.set(leaf.key, leaf);
      if (file.state === 'not wanted') unwanted.add(leaf.key);
      if (here.includes(file.state)) rows.set(leaf.key, rowOf(file));
    }
  }
  return { nodes: [...nodes.values()], leaves, unwanted, rows };
}

export function recordedChoices(isEmpty: boolean, changed: () => void) {
  const { nodes, leaves, unwanted, rows } = stored(isEmpty ? [] : content.recordedCourses);
  let chosen: ChoicesDraft = { choices: everything, again: [] };
  return {
    'choices.look': async ({ draft, mark }: NonNullable<ChannelParams<'choices.look'>> = {}): Promise<ChannelResult<'choices.look'>> => {
      const before = draft ?? chosen;
      const now = mark ? remark(before, mark.key, mark.wanted, leaves.values(), unwanted) : before;
      return choicesView({ nodes, leaves, unwanted, rows }, now, chosen.choices);
    },
    'choices.choose': async ({ choices, again }: ChannelParams<'choices.choose'>) => {
      for (const key of again) unwanted.delete(key);
      chosen = { choices, again: [] };
      changed();
      return null;
    },
  };
}

export function recordedTransfers(changed: () => void) {
  let rules = usualRules;
  let surroundings = { metered: false, battery: false };
  return {
    'transfers.look': async (): Promise<ChannelResult<'transfers.look'>> => ({ rules, surroundings }),
    'transfers.rule': async (given: ChannelParams<'transfers.rule'>) => {
      rules = { ...rules, ...given };
      changed();
      return null;
    },
    'transfers.around': async (given: ChannelParams<'transfers.around'>) => {
      surroundings = { ...surroundings, ...given };
      changed();
      return null;
    },
  };
}

export function recordedTemplate(changed: () => void) {
  let template = usualTemplate;
  const folders = (wanted: string) =>
    content.recordedCourses.map(({ name, course_code }) =>
      foldersOf(wanted, { institution: 'Harbour College', course: name, course_code, term: 'Autumn 2026' }).join('/'),
    );
  return {
    'template.look': async ({
      template: wish = template,
    }: NonNullable<ChannelParams<'template.look'>> = {}): Promise<ChannelResult<'template.look'>> => {
      try {
        templateLevels(wish);
      } catch (problem) {
        return { template, courses: [], wrong: (problem as Error).message };
      }
      return { template, courses: folders(template).map((from, at) => ({ from, to: folders(wish)[at] ?? '' })), wrong: null };
    },
    'template.choose': async (given: ChannelParams<'template.choose'>) => {
      template = given.template;
      changed();
      return null;
    },
  };
}

export function recordedPublishing(changed: () => void) {
  let on = false;
  const change = { from: null, size: null, modules: [], why: null };
  const plan: PublishPlan = {
    id: 'plan-1',
    changes: [
      { ...change, do: 'add', path: 'Lectures/Week 4/Lecture 7 – the deep.pdf', size: 3_100_200 },
      { ...change, do: 'replace', path: 'Safety at sea.pdf', size: 190_400, modules: ['Week 1: Getting wet'] },
      { ...change, do: 'rename', path: 'Images/zones.svg', from: 'Images/tide-zones.svg' },
      { ...change, do: 'delete', path: 'Lectures/Week 2/notes.md' },
      { ...change, do: 'refuse', path: 'a:b.txt', why: 'name' },
    ],
  };
  return {
    'publish.state': async ({ course_id }: ChannelParams<'publish.state'>) => ({ can: course_id === content.biology, on }),
    'publish.switch': async (given: ChannelParams<'publish.switch'>) => {
      on = given.on;
      changed();
      return null;
    },
    'publish.plan': async () => plan,
    'publish.do': async () => ({ instead: null, sent: 4, issues: [] }),
  };
}

export function recordedVerdict(now: Date) {
  let isRepaired = false;
  const as_of = now.toISOString();
  return {
    'verify.run': async (): Promise<ChannelResult<'verify.run'>> => ({
      checked: 1204,
      edited: 1,
      issues: isRepaired
        ? []
        : [
            { what: 'damaged', where: 'Harbour College/Marine Biology/Safety at sea.pdf', key: 'file:701' },
            { what: 'missing', where: 'Harbour College/Linear Algebra/Problem sets/ps6.pdf', key: 'file:731' },
          ],
      courses: content.recordedCourses.map(({ id, name, file_count }) => ({
        name,
        files: file_count,
        here: file_count,
        is_identical: isRepaired || ![content.biology, content.algebra].includes(id),
        as_of,
      })),
      as_of,
      is_asked: true,
      has_hashes: true,
    }),
    'verify.repair': async () => {
      isRepaired = true;
      return null;
    },
  };
}
