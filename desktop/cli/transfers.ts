// `carrel transfers`: how files come and go, and the words that change it.

import type { Study } from '../engine/study';
import { changeRules } from '../engine/transfer_channels';
import { mostLanes } from '../engine/transfers';
import type { TransferRules } from '../ui/views/transfers';
import { type Arguments, Misused } from './arguments';
import { bytesOf } from './choose';
import { amount } from './words';

type Given = Pick<Arguments, 'words' | 'bandwidth' | 'parallel' | 'metered' | 'battery'>;

export function rulesByWords(study: Study, { words, bandwidth, parallel, metered, battery }: Given): TransferRules {
  const [word, ...more] = words;
  if (more.length > 0 || (word !== undefined && word !== 'pause' && word !== 'resume'))
    throw new Misused('Say carrel transfers pause, or resume.');
  const change: Partial<TransferRules> = {
    ...(word && { paused: word === 'pause' }),
    ...(bandwidth !== undefined && { bandwidth: bytesOf(bandwidth) }),
    ...(parallel !== undefined && { lanes: lanesOf(parallel) }),
    ...(metered !== undefined && { wait_on_metered: waits(metered) }),
    ...(battery !== undefined && { wait_on_battery: waits(battery) }),
  };
  return Object.keys(change).length === 0 ? study.transfers.rules() : changeRules(study, change);
}

export const ruleLines = ({ bandwidth, lanes, paused, wait_on_metered, wait_on_battery }: TransferRules): string[] => [
  paused ? 'Files wait until you say: carrel transfers resume' : 'Files come and go.',
  `${bandwidth === null ? 'As fast as they can' : `At most ${amount(bandwidth)} a second`}, ${lanes} at a time.`,
  `On a metered network they ${wait_on_metered ? 'wait' : 'go on'}, on battery they ${wait_on_battery ? 'wait' : 'go on'}.`,
];

function lanesOf(words: string): number {
  const lanes = Number(words);
  if (!Number.isInteger(lanes) || lanes < 1 || lanes > mostLanes) throw new Misused(`--parallel is a number from 1 to ${mostLanes}.`);
  return lanes;
}

function waits(words: string): boolean {
  if (words !== 'wait' && words !== 'go') throw new Misused(`Say wait or go, not ${words}.`);
  return words === 'wait';
}
