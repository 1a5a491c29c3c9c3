// What is to lie in the folder, derived anew only when the cache or the choice has changed.

import type { Against } from '../ui/views/choices';
import { spoken } from '../ui/words/texts';
import { deselected } from './choices';
import { keepUp } from './keep_up';
import { readChoices } from './kept_choices';
import { PathIndex } from './path_index';
import { atOnce } from './slices';
import type { Cache } from './store/cache';
import { stored } from './store/damage';
import type { UserStore } from './store/user';
import { templateSetting } from './template';
import type { Key, Path } from './trees';
import { type Account, type Growing, type WantedTree, wantedTree } from './wanted';

export interface Derived extends WantedTree {
  /** What the person's choice leaves on the server, and why. */
  readonly deselected: ReadonlyMap<Key, Against>;
  /** Kept both ways: one's own files, and of courses those that the person teaches and has said so of. */
  readonly bothWays: ReadonlySet<Key>;
  /** Who wants to lie at a folded path. */
  readonly at: (folded: Path) => readonly Key[];
  /** Grows with every change of it. */
  readonly version: number;
}

interface Made {
  readonly generation: number;
  readonly account: Account;
  readonly choice: string | undefined;
  readonly template: string | undefined;
  readonly published: string | undefined;
  readonly language: string;
  readonly growing: Growing;
  readonly derived: Derived;
  /** What became otherwise after which version, one step after the other. */
  readonly changes: readonly { readonly after: number; readonly keys: ReadonlySet<Key> }[];
}

const last = new WeakMap<Cache, Made>();
/** Of changes that are remembered. */
const most = 100;
/** So many at once are looked at like everything. */
const mostKeys = 1000;

export const choiceSetting = 'choices';
/** Courses whose files go up as well, by key. */
export const publishSetting = 'published courses';
export const publishedCourses = (text: string | undefined): Key[] => (text === undefined ? [] : stored<Key[]>(text));

type Settings = Pick<Made, 'account' | 'choice' | 'template' | 'published' | 'language'>;

const settingsOf = (user: UserStore, account: Account): Settings => ({
  account,
  choice: user.setting(choiceSetting),
  template: user.setting(templateSetting),
  published: user.setting(publishSetting),
  language: spoken(),
});

export function derive(cache: Cache, user: UserStore, account: Account): Derived {
  const settings = settingsOf(user, account);
  return keptUp(cache, user, settings) ?? keep(cache, settings, atOnce(wantedTree(cache, user, account)), undefined, undefined);
}

/** The same in slices, between which everything else goes on. */
export async function deriveInSlices(cache: Cache, user: UserStore, account: Account, pause: () => Promise<unknown>): Promise<Derived> {
  for (let nth = 0; nth < 2; nth++) {
    const settings = settingsOf(user, account);
    const kept = keptUp(cache, user, settings);
    if (kept) return kept;
    const { generation } = cache.lately;
    const slices = wantedTree(cache, user, account);
    let slice = slices.next();
    while (!slice.done) {
      await pause();
      slice = slices.next();
    }
    // What was stored or derived meanwhile may be in it in parts: only a whole one counts.
    if (generation === cache.lately.generation && !last.has(cache)) return keep(cache, settings, slice.value, undefined, undefined);
  }
  return derive(cache, user, account);
}

/** What is wanted otherwise since a version; undefined: too much to tell. */
export function changedSince(cache: Cache, version: number): ReadonlySet<Key> | undefined {
  const { changes = [], derived } = last.get(cache) ?? {};
  if (derived?.version === version) return new Set();
  const from = changes.findIndex(({ after }) => after === version);
  return from === -1 ? undefined : new Set(changes.slice(from).flatMap(({ keys }) => [...keys]));
}

/** What was derived before, brought up to now where single changes are all that there is. */
function keptUp(cache: Cache, user: UserStore, settings: Settings): Derived | undefined {
  const made = last.get(cache);
  // Cut short by whatever, it is of no use.
  last.delete(cache);
  if (made?.account !== settings.account || made.template !== settings.template || made.language !== settings.language) return undefined;
  const touched = made.generation === cache.lately.generation ? [] : cache.lately.since(made.generation);
  const changed = touched && keepUp(made.growing, touched, cache, user, settings.account);
  if (!changed) return undefined;
  if (changed.size > 0 || !isChosenSo(made, settings)) return keep(cache, settings, made.growing, made, changed);
  last.set(cache, made.generation === cache.lately.generation ? made : { ...made, generation: cache.lately.generation });
  return made.derived;
}

const isChosenSo = (made: Settings, settings: Settings): boolean =>
  made.choice === settings.choice && made.published === settings.published;

function keep(cache: Cache, settings: Settings, growing: Growing, made: Made | undefined, changed: ReadonlySet<Key> | undefined): Derived {
  versions++;
  const isStep = made && changed && changed.size <= mostKeys && isChosenSo(made, settings);
  const courses = publishedCourses(settings.published);
  const taught =
    courses.length === 0 ? [] : [...growing.leaves.values()].filter(({ group, above }) => group && courses.includes(above.at(-1) ?? ''));
  const derived: Derived = {
    ...growing,
    bothWays: taught.length === 0 ? growing.mine : new Set([...growing.mine, ...taught.map(({ key }) => key)]),
    deselected: isStep
      ? chosenAgain(made.derived, growing, changed, settings.choice)
      : deselected(growing.leaves.values(), readChoices(settings.choice)),
    at: (folded) => placesOf(growing).at(folded),
    version: versions,
  };
  const changes = isStep ? [...made.changes.slice(-most), { after: made.derived.version, keys: changed }] : [];
  last.set(cache, { ...settings, generation: cache.lately.generation, growing, derived, changes });
  return derived;
}

function placesOf(growing: Growing): PathIndex {
  if (!growing.places) {
    growing.places = new PathIndex();
    for (const [key, { path }] of growing.tree) growing.places.add(path, key);
  }
  return growing.places;
}

/** Only what has changed is asked again. */
function chosenAgain(
  before: Derived,
  { leaves }: Growing,
  changed: ReadonlySet<Key>,
  choice: string | undefined,
): ReadonlyMap<Key, Against> {
  const choices = readChoices(choice);
  const again = deselected(
    [...changed].flatMap((key) => leaves.get(key) ?? []),
    choices,
  );
  const gone = [...changed].filter((key) => before.deselected.has(key) && !again.has(key));
  if (again.size === 0 && gone.length === 0) return before.deselected;
  const now = new Map([...before.deselected, ...again]);
  for (const key of gone) now.delete(key);
  return now;
}

/** Of all that was ever derived by this process. */
let versions = 0;
