// What belongs in the folder, derived again only when the cache or the choice has changed.

import type { Against } from '../../../contract/choices';
import { displayLanguage } from '../../../language/texts';
import { deselected } from '../../model/choices';
import { PathIndex } from '../../model/path_index';
import { atOnce } from '../../model/slices';
import { templateSetting } from '../../model/template';
import type { Key, Path } from '../../model/trees';
import type { Cache } from '../../store/cache';
import { stored } from '../../store/damage';
import { gradedInFolders, readChoices } from '../../store/kept_choices';
import type { UserStore } from '../../store/user';
import { keepUp } from './keep_up';
import { type Growing, type SyncAccount, type WantedTree, wantedTree } from './wanted';

export interface Derived extends WantedTree {
  /** What selective sync leaves on the server, and why. */
  readonly deselected: ReadonlyMap<Key, Against>;
  /** Synced both ways: the user's own files, and files of courses that the user teaches and has chosen to publish. */
  readonly bothWays: ReadonlySet<Key>;
  /** The keys that want a folded path. */
  readonly at: (folded: Path) => readonly Key[];
  /** Increases with every change. */
  readonly version: number;
}

interface Made {
  readonly generation: number;
  readonly account: SyncAccount;
  readonly choice: string | undefined;
  readonly template: string | undefined;
  readonly published: string | undefined;
  /** Courses that are graded in folders. */
  readonly foldered: string;
  readonly language: string;
  readonly growing: Growing;
  readonly derived: Derived;
  /** What changed after each version, in order. */
  readonly changes: readonly { readonly after: number; readonly keys: ReadonlySet<Key> }[];
}

const last = new WeakMap<Cache, Made>();
/** Number of changes that are remembered. */
const most = 100;
/** With more keys than this, everything is scanned. */
const mostKeys = 1000;

export const choiceSetting = 'choices';
/** Courses whose files are uploaded as well, by key. */
export const publishSetting = 'published courses';
export const publishedCourses = (text: string | undefined): Key[] => (text === undefined ? [] : stored<Key[]>(text));

type Settings = Pick<Made, 'account' | 'choice' | 'template' | 'published' | 'foldered' | 'language'>;

const settingsOf = (user: UserStore, account: SyncAccount): Settings => ({
  account,
  choice: user.setting(choiceSetting),
  template: user.setting(templateSetting),
  published: user.setting(publishSetting),
  foldered: JSON.stringify(gradedInFolders(user)),
  language: displayLanguage(),
});

export function derive(cache: Cache, user: UserStore, account: SyncAccount): Derived {
  const settings = settingsOf(user, account);
  return keptUp(cache, user, settings) ?? keep(cache, settings, atOnce(wantedTree(cache, user, account)), undefined, undefined);
}

/** The same in slices, so that other work can run in between. */
export async function deriveInSlices(cache: Cache, user: UserStore, account: SyncAccount, pause: () => Promise<unknown>): Promise<Derived> {
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
    // What was stored or derived meanwhile may be included in part: only a complete derivation counts.
    if (generation === cache.lately.generation && !last.has(cache)) return keep(cache, settings, slice.value, undefined, undefined);
  }
  return derive(cache, user, account);
}

/** What has changed since a version; undefined if there were too many changes. */
export function changedSince(cache: Cache, version: number): ReadonlySet<Key> | undefined {
  const { changes = [], derived } = last.get(cache) ?? {};
  if (derived?.version === version) return new Set();
  const from = changes.findIndex(({ after }) => after === version);
  return from === -1 ? undefined : new Set(changes.slice(from).flatMap(({ keys }) => [...keys]));
}

/** The last derivation with single changes applied. */
function keptUp(cache: Cache, user: UserStore, settings: Settings): Derived | undefined {
  const made = last.get(cache);
  // If it is interrupted, it cannot be used.
  last.delete(cache);
  if (made?.account !== settings.account || made.template !== settings.template) return undefined;
  if (made.language !== settings.language || made.foldered !== settings.foldered) return undefined;
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

/** Applies the choice to the changed keys only. */
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

/** Versions that this process has derived. */
let versions = 0;
