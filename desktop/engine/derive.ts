// What is to lie in the folder, derived anew only when the cache or the choice has changed.

import type { Against } from '../ui/views/choices';
import { deselected, readChoices } from './choices';
import type { Cache } from './store/cache';
import type { UserStore } from './store/user';
import { templateSetting } from './template';
import type { Key } from './trees';
import { type Account, type WantedTree, wantedTree } from './wanted';

export interface Derived extends WantedTree {
  /** What the person's choice leaves on the server, and why. */
  readonly deselected: ReadonlyMap<Key, Against>;
}

interface Made {
  readonly generation: number;
  readonly account: Account;
  readonly choice: string | undefined;
  readonly template: string | undefined;
  readonly derived: Derived;
}

const last = new WeakMap<Cache, Made>();

export const choiceSetting = 'choices';

export function derive(cache: Cache, user: UserStore, account: Account): Derived {
  const made = last.get(cache);
  const choice = user.setting(choiceSetting);
  const template = user.setting(templateSetting);
  const isCurrent = made?.generation === cache.generation && made.account === account && made.template === template;
  if (isCurrent && made.choice === choice) return made.derived;
  const wanted = isCurrent ? made.derived : wantedTree(cache, user, account);
  const derived = { ...wanted, deselected: deselected(wanted.leaves.values(), readChoices(choice)) };
  last.set(cache, { generation: cache.generation, account, choice, template, derived });
  return derived;
}
