// `carrel transfers`: shows and changes how files are transferred.

import type { TransferRules } from '../contract/transfers';
import type { Workspace } from '../engine/accounts/workspace';
import { changeRules } from '../engine/channels/transfers';
import { mostLanes } from '../engine/server/transfer_rules';
import { size as amount } from '../language/amounts';
import { t } from '../language/texts';
import { type Arguments, Misused } from './arguments';
import { parseSize } from './choose';

type Given = Pick<Arguments, 'words' | 'bandwidth' | 'parallel' | 'metered' | 'battery'>;

export function rulesByWords(workspace: Workspace, { words, bandwidth, parallel, metered, battery }: Given): TransferRules {
  const [word, ...more] = words;
  if (more.length > 0 || (word !== undefined && word !== 'pause' && word !== 'resume')) throw new Misused(t('cli.pauseOrResume'));
  const change: Partial<TransferRules> = {
    ...(word && { paused: word === 'pause' }),
    ...(bandwidth !== undefined && { bandwidth: parseSize(bandwidth) }),
    ...(parallel !== undefined && { lanes: lanesOf(parallel) }),
    ...(metered !== undefined && { wait_on_metered: waits(metered) }),
    ...(battery !== undefined && { wait_on_battery: waits(battery) }),
  };
  return Object.keys(change).length === 0 ? workspace.transfers.rules() : changeRules(workspace, change);
}

export const ruleLines = ({ bandwidth, lanes, paused, wait_on_metered, wait_on_battery }: TransferRules): string[] => [
  paused ? t('cli.filesWait') : t('cli.filesGo'),
  bandwidth === null ? t('cli.anySpeed', { lanes }) : t('cli.speed', { size: amount(bandwidth), lanes }),
  t('cli.waiting', { metered: wait_on_metered ? 'wait' : 'go', battery: wait_on_battery ? 'wait' : 'go' }),
];

function lanesOf(words: string): number {
  const lanes = Number(words);
  if (!Number.isInteger(lanes) || lanes < 1 || lanes > mostLanes) throw new Misused(t('cli.parallelIs', { most: mostLanes }));
  return lanes;
}

function waits(words: string): boolean {
  if (words !== 'wait' && words !== 'go') throw new Misused(t('cli.waitOrGo', { words }));
  return words === 'wait';
}
