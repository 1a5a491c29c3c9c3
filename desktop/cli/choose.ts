// `carrel choose`: what is kept on this computer, as a tree with sizes; and one word to change it, with what that means.

import { choose, lookAtChoices } from '../engine/choice_channels';
import type { Study } from '../engine/study';
import type { ChoiceNode, ChoicesDraft, ChoicesView, FileGroup } from '../ui/views/choices';
import { type Arguments, Misused } from './arguments';
import { amount } from './words';

const groups: readonly FileGroup[] = ['documents', 'slides', 'tables', 'images', 'sound', 'video', 'archives', 'code', 'other'];

/** The choice as it is after these words, and whether it has changed by them. */
export function chooseByWords(study: Study, { words, without, largest }: Arguments): { view: ChoicesView; isChanged: boolean } {
  const before = lookAtChoices(study);
  const draft: ChoicesDraft = {
    again: [],
    choices: {
      ...before.choices,
      ...(without === undefined ? {} : { without: groupsOf(without) }),
      ...(largest === undefined ? {} : { largest: bytesOf(largest) }),
    },
  };
  const [verb, ...places] = words;
  if (verb !== undefined && verb !== 'on' && verb !== 'off') throw new Misused('Say carrel choose on PLACE, or carrel choose off PLACE.');
  if (verb !== undefined && places.length === 0)
    throw new Misused(`carrel choose ${verb} needs a course, or a folder as in COURSE/FOLDER.`);
  let view = lookAtChoices(study, { draft });
  for (const place of places) {
    const mark = { key: placeNamed(view.nodes, place), wanted: verb === 'on' };
    view = lookAtChoices(study, { draft: { choices: view.choices, again: view.again }, mark });
  }
  const isChanged = verb !== undefined || without !== undefined || largest !== undefined;
  if (isChanged) choose(study, { choices: view.choices, again: view.again });
  return { view, isChanged };
}

export function choiceLines({ nodes, choices, kept, all, leaves, leaves_locked, stays, comes }: ChoicesView, isChanged: boolean): string[] {
  const boxes = { on: '[x]', part: '[-]', off: '[ ]' };
  const left = choices.without.length > 0 ? `, without ${choices.without.join(', ')}` : '';
  const largest = choices.largest === null ? '' : `, up to ${amount(choices.largest)} each`;
  return [
    ...nodes.map(
      (node) =>
        `${'  '.repeat(node.depth)}${boxes[node.state]} ${node.name}  ${node.kept.files} of ${node.all.files} files, ${amount(node.kept.bytes)} of ${amount(node.all.bytes)}`,
    ),
    `${amount(kept.bytes)} of ${amount(all.bytes)} are to be kept here${left}${largest}.`,
    ...(isChanged && leaves.files > 0
      ? [`With the next sync ${leaves.files} files (${amount(leaves.bytes)}) leave this computer. The server keeps them.`]
      : []),
    ...(isChanged && leaves_locked > 0
      ? [`${leaves_locked} of them are locked just now, and cannot be fetched again before they open.`]
      : []),
    ...(isChanged && stays > 0 ? [`${stays} files that you have changed stay where they are.`] : []),
    ...(isChanged && comes.files > 0 ? [`With the next sync ${comes.files} files (${amount(comes.bytes)}) are fetched.`] : []),
  ];
}

/** By key, or by the names on the way to it. */
function placeNamed(nodes: readonly ChoiceNode[], place: string): string {
  const way: string[] = [];
  const plain = (text: string) => text.normalize('NFC').toLowerCase();
  const wanted = plain(place.replace(/\/+$/, ''));
  const found = nodes.filter(({ key, name, depth }) => {
    way.splice(depth, way.length, name);
    return key === place || plain(way.join('/')) === wanted;
  });
  if (found.length > 1) throw new Misused(`${place} is called alike more than once: say ${found.map(({ key }) => key).join(' or ')}.`);
  if (!found[0]) throw new Misused(`There is no course or folder ${place}. carrel choose lists them.`);
  return found[0].key;
}

function groupsOf(words: string): FileGroup[] {
  const given = words.split(',').filter((word) => word !== '' && word !== 'nothing');
  const unknown = given.find((word) => !groups.some((group) => group === word));
  if (unknown) throw new Misused(`There is no kind of file ${unknown}. There are ${groups.join(', ')}.`);
  return groups.filter((group) => given.includes(group));
}

const units: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, g: 1e9 };

/** `100MB`, `2.5 GB`, `any`. */
export function bytesOf(words: string): number | null {
  if (words === 'any') return null;
  const [, many, unit = ''] = /^(\d+(?:\.\d+)?)\s*([kmg]?)b?$/i.exec(words) ?? [];
  if (many === undefined) throw new Misused(`${words} is no size. Say 100MB, 2GB or any.`);
  return Math.round(Number(many) * (units[unit.toLowerCase()] ?? 1));
}
