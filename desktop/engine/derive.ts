// What is to lie in the folder, derived anew only when the cache or the choice has changed.

import type { Against } from '../ui/views/choices';
import { spoken } from '../ui/words/texts';
import { deselected, readChoices } from './choices';
import type { Cache } from './store/cache';
import type { UserStore } from './store/user';
import { templateSetting } from './template';
import type { Key } from './trees';
import { type Account, type WantedTree, wantedTree } from './wanted';

export interface Derived extends WantedTree {
  /** What the person's choice leaves on the server, and why. */
  readonly deselected: ReadonlyMap<Key, Against>;
  /** Kept both ways: one's own files, and of courses those that the person teaches and has said so of. */
  readonly bothWays: ReadonlySet<Key>;
}

interface Made {
  readonly generation: number;
  readonly account: Account;
  readonly choice: string | undefined;
  readonly template: string | undefined;
  readonly published: string | undefined;
  readonly language: string;
  readonly derived: Derived;
}

const last = new WeakMap<Cache, Made>();

export const choiceSetting = 'choices';
/** Courses whose files go up as well, by key. */
export const publishSetting = 'published courses';
export const publishedCourses = (text: string | undefined): Key[] => (text === undefined ? [] : (JSON.parse(text) as Key[]));

export function derive(cache: Cache, user: UserStore, account: Account): Derived {
  const made = last.get(cache);
  const choice = user.setting(choiceSetting);
  const template = user.setting(templateSetting);
  const isCurrent =
    made?.generation === cache.generation && made.account === account && made.template === template && made.language === spoken();
  const published = user.setting(publishSetting);
  if (isCurrent && made.choice === choice && made.published === published) return made.derived;
  const wanted = isCurrent ? made.derived : wantedTree(cache, user, account);
  const courses = publishedCourses(published);
  const taught =
    courses.length === 0 ? [] : [...wanted.leaves.values()].filter(({ group, above }) => group && courses.includes(above.at(-1) ?? ''));
  const bothWays = new Set([...wanted.mine, ...taught.map(({ key }) => key)]);
  const derived = { ...wanted, bothWays, deselected: deselected(wanted.leaves.values(), readChoices(choice)) };
  last.set(cache, { generation: cache.generation, account, choice, template, published, language: spoken(), derived });
  return derived;
}
