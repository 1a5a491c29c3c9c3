// The channels for selective sync.

import type { Answer, Given } from '../../contract/channels';
import type { Study } from '../accounts/study';
import { remark, withFile } from '../model/choices';
import type { Key } from '../model/trees';
import { readChoices } from '../store/kept_choices';
import { choiceSetting, derive } from '../sync/wanted/derive';
import { choicesView } from '../views/choices';
import { chooseTemplate, templateView } from '../views/template';

export interface Around {
  readonly here: () => Study;
  readonly changed: () => void;
  readonly syncSoon: () => void;
}

type Chosen = Pick<Study, 'cache' | 'user' | 'account'>;

/** The current choice, or a preview with a draft and one more mark. */
export function lookAtChoices({ cache, user, account }: Chosen, { draft, mark }: NonNullable<Given<'choices.look'>> = {}) {
  const { nodes, leaves } = derive(cache, user, account);
  const unwanted = user.unwanted();
  const stored = readChoices(user.setting(choiceSetting));
  const before = draft ?? { choices: stored, again: [] };
  const now = mark ? remark(before, mark.key, mark.wanted, leaves.values(), unwanted) : before;
  return choicesView({ nodes, leaves, unwanted, rows: user.rows() }, now, stored);
}

export function choose({ user }: Chosen, { choices, again }: Given<'choices.choose'>): void {
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
  'choices.look': async (given: Given<'choices.look'>): Promise<Answer<'choices.look'>> => lookAtChoices(here(), given),
  'template.look': async ({ template }: NonNullable<Given<'template.look'>> = {}): Promise<Answer<'template.look'>> =>
    templateView(here(), template),
  'template.choose': async ({ template }: Given<'template.choose'>) => {
    chooseTemplate(here(), template);
    changed();
    syncSoon();
    return null;
  },
  'choices.choose': async (given: Given<'choices.choose'>) => {
    choose(here(), given);
    changed();
    syncSoon();
    return null;
  },
});
