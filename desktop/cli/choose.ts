// `carrel choose`: shows what is kept on this computer as a tree with sizes, and changes it.

import type { ChoiceNode, ChoicesDraft, ChoicesView, FileGroup } from '../contract/choices';
import type { Workspace } from '../engine/accounts/workspace';
import { choose, lookAtChoices } from '../engine/channels/choices';
import { size as amount } from '../language/amounts';
import { t } from '../language/texts';
import { type Arguments, Misused } from './arguments';

export const fileGroupChoices: readonly FileGroup[] = [
  'documents',
  'slides',
  'tables',
  'images',
  'sound',
  'video',
  'archives',
  'code',
  'other',
];

/** The choice after applying these arguments, and whether they changed it. */
export function chooseByWords(workspace: Workspace, { words, without, largest }: Arguments): { view: ChoicesView; isChanged: boolean } {
  const before = lookAtChoices(workspace);
  const draft: ChoicesDraft = {
    again: [],
    choices: {
      ...before.choices,
      ...(without === undefined ? {} : { without: groupsOf(without) }),
      ...(largest === undefined ? {} : { largest: parseSize(largest) }),
    },
  };
  const [verb, ...places] = words;
  if (verb !== undefined && verb !== 'on' && verb !== 'off') throw new Misused(t('cli.sayOnOrOff'));
  if (verb !== undefined && places.length === 0) throw new Misused(t('cli.placeNeeded', { verb }));
  let view = lookAtChoices(workspace, { draft });
  for (const place of places) {
    const mark = { key: placeNamed(view.nodes, place), wanted: verb === 'on' };
    view = lookAtChoices(workspace, { draft: { choices: view.choices, again: view.again }, mark });
  }
  const isChanged = verb !== undefined || without !== undefined || largest !== undefined;
  if (isChanged) choose(workspace, { choices: view.choices, again: view.again });
  return { view, isChanged };
}

export function choiceLines({ nodes, choices, kept, all, leaves, leaves_locked, stays, comes }: ChoicesView, isChanged: boolean): string[] {
  const boxes = { on: '[x]', part: '[-]', off: '[ ]' };
  const but = [
    ...(choices.without.length > 0 ? [t('cli.without', { kinds: choices.without.join(', ') })] : []),
    ...(choices.largest === null ? [] : [t('cli.upTo', { size: amount(choices.largest) })]),
  ].join(', ');
  const sum = { kept: amount(kept.bytes), all: amount(all.bytes) };
  return [
    ...nodes.map(({ depth, state, name, ...node }) => {
      const amounts = { kept: node.kept.files, all: node.all.files, bytes: amount(node.kept.bytes), of: amount(node.all.bytes) };
      return `${'  '.repeat(depth)}${boxes[state]} ${t('cli.node', { name, ...amounts })}`;
    }),
    but === '' ? t('cli.kept', sum) : t('cli.keptBut', { ...sum, but }),
    ...(isChanged && leaves.files > 0 ? [t('cli.leaves', { files: leaves.files, size: amount(leaves.bytes) })] : []),
    ...(isChanged && leaves_locked > 0 ? [t('choose.locked', { count: leaves_locked })] : []),
    ...(isChanged && stays > 0 ? [t('choose.stays', { count: stays })] : []),
    ...(isChanged && comes.files > 0 ? [t('cli.comes', { files: comes.files, size: amount(comes.bytes) })] : []),
  ];
}

/** By key, or by names along its path. */
function placeNamed(nodes: readonly ChoiceNode[], place: string): string {
  const way: string[] = [];
  const plain = (text: string) => text.normalize('NFC').toLowerCase();
  const wanted = plain(place.replace(/\/+$/, ''));
  const found = nodes.filter(({ key, name, depth }) => {
    way.splice(depth, way.length, name);
    return key === place || plain(way.join('/')) === wanted;
  });
  if (found.length > 1) {
    const ways = found.map(({ key }) => key).reduce((one, another) => t('cli.or', { one, another }));
    throw new Misused(t('cli.calledAlike', { name: place, ways }));
  }
  if (!found[0]) throw new Misused(t('cli.noPlace', { name: place }));
  return found[0].key;
}

function groupsOf(words: string): FileGroup[] {
  const given = words.split(',').filter((word) => word !== '' && word !== 'nothing');
  const unknown = given.find((word) => !fileGroupChoices.some((group) => group === word));
  if (unknown) throw new Misused(t('cli.noKind', { name: unknown, kinds: fileGroupChoices.join(', ') }));
  return fileGroupChoices.filter((group) => given.includes(group));
}

const units: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, g: 1e9 };

/** `100MB`, `2.5 GB`, `any`. */
export function parseSize(words: string): number | null {
  if (words === 'any') return null;
  const [, many, unit = ''] = /^(\d+(?:\.\d+)?)\s*([kmg]?)b?$/i.exec(words) ?? [];
  if (many === undefined) throw new Misused(t('cli.noSize', { words }));
  return Math.round(Number(many) * (units[unit.toLowerCase()] ?? 1));
}
