// The channels for selective sync.

import type { ChannelParams, ChannelResult } from '../../contract/channels';
import type { Workspace } from '../accounts/workspace';
import { remark, withFile } from '../model/choices';
import type { Key } from '../model/trees';
import { readChoices } from '../store/kept_choices';
import { choiceSetting, derive } from '../sync/wanted/derive';
import { choicesView } from '../views/choices';
import { chooseTemplate, templateView } from '../views/template';

interface Around {
  readonly here: () => Workspace;
  readonly changed: () => void;
  readonly syncSoon: () => void;
}

type Chosen = Pick<Workspace, 'cache' | 'user' | 'account'>;

/** The current choice, or a preview with a draft and one more mark. */
export function lookAtChoices({ cache, user, account }: Chosen, { draft, mark }: NonNullable<ChannelParams<'choices.look'>> = {}) {
  const { nodes, leaves } = derive(cache, user, account);
  const unwanted = user.unwanted();
  const stored = readChoices(user.setting(choiceSetting));
  const before = draft ?? { choices: stored, again: [] };
  const now = mark ? remark(before, mark.key, mark.wanted, leaves.values(), unwanted) : before;
  return choicesView({ nodes, leaves, unwanted, rows: user.rows() }, now, stored);
}

export function choose({ user }: Chosen, { choices, again }: ChannelParams<'choices.choose'>): void {
  user.wantAgain(again, choiceSetting, JSON.stringify(choices));
}

/** Removes one file from this computer, or requests one although its folder is not synced. */
export function wantFile({ cache, user, account }: Chosen, key: Key, wanted: boolean): void {
  const leaf = derive(cache, user, account).leaves.get(key);
  const choices = readChoices(user.setting(choiceSetting));
  user.want(key, wanted);
  user.set(choiceSetting, JSON.stringify(withFile(choices, leaf, key, wanted)));
}

export const choiceChannels = ({ here, changed, syncSoon }: Around) => ({
  'choices.look': async (given: ChannelParams<'choices.look'>): Promise<ChannelResult<'choices.look'>> => lookAtChoices(here(), given),
  'template.look': async ({ template }: NonNullable<ChannelParams<'template.look'>> = {}): Promise<ChannelResult<'template.look'>> =>
    templateView(here(), template),
  'template.choose': async ({ template }: ChannelParams<'template.choose'>) => {
    chooseTemplate(here(), template);
    changed();
    syncSoon();
    return null;
  },
  'choices.choose': async (given: ChannelParams<'choices.choose'>) => {
    choose(here(), given);
    changed();
    syncSoon();
    return null;
  },
});
