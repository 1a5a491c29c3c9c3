// What of the comings and goings of files the ui may ask and set, and what its host tells of the computer.

import type { Answer, Given } from '../ui/channels';
import type { TransferRules } from '../ui/views/transfers';
import type { Study } from './study';
import { readRules, rulesSetting } from './transfers';

export interface Around {
  readonly here: () => Study;
  readonly changed: () => void;
  readonly syncSoon: () => void;
}

export function changeRules({ user, transfers }: Pick<Study, 'user' | 'transfers'>, rules: Partial<TransferRules>): TransferRules {
  const now = readRules(JSON.stringify({ ...transfers.rules(), ...rules }));
  user.set(rulesSetting, JSON.stringify(now));
  transfers.heed();
  return now;
}

export const transferChannels = ({ here, changed, syncSoon }: Around) => ({
  'transfers.look': async (): Promise<Answer<'transfers.look'>> => {
    const { transfers } = here();
    return { rules: transfers.rules(), surroundings: transfers.surroundings };
  },
  'transfers.rule': async (rules: Given<'transfers.rule'>) => {
    const study = here();
    const before = study.transfers.waitsFor;
    changeRules(study, rules);
    changed();
    if (before && !study.transfers.waitsFor) syncSoon();
    return null;
  },
  'transfers.around': async (told: Given<'transfers.around'>) => {
    const { transfers } = here();
    const before = transfers.waitsFor;
    transfers.surroundings = { ...transfers.surroundings, ...told };
    transfers.heed();
    changed();
    if (before && !transfers.waitsFor) syncSoon();
    return null;
  },
});
