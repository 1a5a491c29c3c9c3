// The channels for transfers and their rules, and for the state of the computer that the host reports.

import type { ChannelParams, ChannelResult } from '../../contract/channels';
import type { TransferRules } from '../../contract/transfers';
import type { Workspace } from '../accounts/workspace';
import { readRules, rulesSetting } from '../server/transfer_rules';

interface Around {
  readonly here: () => Workspace;
  /** Of every account: the power and network of the computer are the same for all. */
  readonly everywhere: () => readonly Workspace[];
  readonly changed: () => void;
  readonly syncSoon: (workspace: Workspace) => void;
}

export function changeRules({ user, transfers }: Pick<Workspace, 'user' | 'transfers'>, rules: Partial<TransferRules>): TransferRules {
  const now = readRules(JSON.stringify({ ...transfers.rules(), ...rules }));
  user.set(rulesSetting, JSON.stringify(now));
  transfers.heed();
  return now;
}

export const transferChannels = ({ here, everywhere, changed, syncSoon }: Around) => ({
  'transfers.look': async (): Promise<ChannelResult<'transfers.look'>> => {
    const { transfers } = here();
    return { rules: transfers.rules(), surroundings: transfers.surroundings };
  },
  'transfers.rule': async (rules: ChannelParams<'transfers.rule'>) => {
    const study = here();
    const before = study.transfers.waitsFor;
    changeRules(study, rules);
    changed();
    if (before && !study.transfers.waitsFor) syncSoon(study);
    return null;
  },
  'transfers.around': async (result: ChannelParams<'transfers.around'>) => {
    for (const study of everywhere()) {
      const { transfers } = study;
      const before = transfers.waitsFor;
      transfers.surroundings = { ...transfers.surroundings, ...result };
      transfers.heed();
      if (before && !transfers.waitsFor) syncSoon(study);
    }
    changed();
    return null;
  },
});
