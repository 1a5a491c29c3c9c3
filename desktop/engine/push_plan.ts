// What must go up so that the server agrees with a folder that is kept both ways. Pure, and made after everything has come down.
//
// Only what differs from what both sides last agreed on goes up, and only where the server still is as it was then: what changed on
// both sides has been set apart by then, under a visible name. Nothing is taken for deleted where anything could not be looked at.

import { marked } from './names';
import { isSamePath } from './shelf_folders';
import { type Found, type Key, lastOf, type Path, parentOf, type Trees } from './trees';

export type PushStep =
  /** A file that only lies here. */
  | { readonly do: 'add'; readonly path: Path }
  /** Changed here. */
  | { readonly do: 'replace'; readonly key: Key; readonly path: Path; readonly from: Found }
  /**
   * Renamed or moved here; `to` is where it is now, `from` where the server has it.
   * `by`: the name that it gets meanwhile, because others have to leave their places first.
   * `after`: the file whose rename or deletion frees the name.
   */
  | { readonly do: 'rename'; readonly key: Key; readonly from: Path; readonly to: Path; readonly by?: Path; readonly after?: Key }
  | { readonly do: 'delete'; readonly key: Key; readonly path: Path }
  /** Cannot go up as it is called. */
  | { readonly do: 'refuse'; readonly path: Path; readonly why: 'name' | 'twin'; readonly isFolder?: boolean };

export interface PushRules {
  readonly fold: (path: Path) => Path;
  /** Whether a path would be called so here, if the server had it. */
  readonly isPlain: (path: Path) => boolean;
  /** Never goes up: copies of what was removed, and what systems and editors leave behind. */
  readonly isPassedOver: (path: Path) => boolean;
}

/** A folder that is kept both ways, with all that the server has in it. */
export interface Shelf {
  readonly home: Path;
  readonly keys: ReadonlySet<Key>;
  /** Where the server has folders: no file goes there. */
  readonly folders?: Iterable<Path>;
  /** Folders here that do not go up, nor does what is in them. */
  readonly shut?: readonly { readonly path: Path; readonly why: 'name' | 'twin' }[];
}

export function pushPlan(trees: Trees, { home, keys, folders = [], shut = [] }: Shelf, rules: PushRules): PushStep[] {
  const isIn = (path: Path) => path.startsWith(`${home}/`) && !rules.isPassedOver(path.slice(home.length + 1));
  const followed = inTurn(
    [...keys].sort().flatMap((key) => follow(key, trees, isIn) ?? []),
    trees,
    rules,
  );
  const places = new Set([...[...keys].flatMap((key) => placesOf(key, trees)), ...folders].map(rules.fold));
  const strangers = [...trees.strangers.values()].map(({ path }) => path).filter(isIn);
  const added = strangers.sort().flatMap((path): PushStep[] => {
    const above = shut.find((folder) => path.startsWith(`${folder.path}/`));
    if (above) return [{ do: 'refuse', path, why: above.why, isFolder: true }];
    if (!rules.isPlain(path.slice(home.length + 1))) return [{ do: 'refuse', path, why: 'name' }];
    // Two that are one on some disk, or one whose place on the server is taken by what is not kept here.
    if (places.has(rules.fold(path))) return [{ do: 'refuse', path, why: 'twin' }];
    places.add(rules.fold(path));
    return [{ do: 'add', path }];
  });
  const freeing = new Set(followed.flatMap((step) => (step.do === 'rename' && step.after !== undefined ? [step.after] : [])));
  // A deletion that frees a name goes before the rename that waits for it.
  const isFreeing = (step: PushStep) => step.do === 'delete' && freeing.has(step.key);
  const rank = { add: 0, replace: 1, rename: 3, delete: 4, refuse: 5 };
  const rankOf = (step: PushStep) => (isFreeing(step) ? 2 : rank[step.do]);
  return [...added, ...followed].sort((a, b) => rankOf(a) - rankOf(b));
}

type Following = Extract<PushStep, { do: 'replace' | 'rename' | 'delete' }>;

/** Renames along their chains: each after the step that frees its name. In a ring one gets a name of its own first, and its real one with the next plan. */
function inTurn(steps: readonly Following[], { remote }: Trees, { fold }: PushRules): Following[] {
  const leaving = new Map(steps.map((step) => [fold(remote.get(step.key)?.path ?? ''), step]));
  const ordered: Following[] = [];
  const state = new Map<Key, 'entered' | 'leaves' | 'stays'>();
  const go = (step: Following): void => {
    ordered.push(step);
    state.set(step.key, step.do === 'replace' ? 'stays' : 'leaves');
  };
  const place = (step: Following): void => {
    state.set(step.key, 'entered');
    const before = step.do === 'rename' ? leaving.get(fold(step.to)) : undefined;
    if (before && !state.has(before.key)) place(before);
    if (step.do !== 'rename' || !before || before.key === step.key) go(step);
    else if (state.get(before.key) === 'entered') go({ ...step, by: waitingName(step) });
    else if (state.get(before.key) === 'leaves') go({ ...step, after: before.key });
    // The other's bytes go first, under the name that it has; the names go with the next plan.
    else state.set(step.key, 'stays');
  };
  for (const step of steps) if (!state.has(step.key)) place(step);
  return ordered;
}

const waitingName = ({ key, to }: { readonly key: Key; readonly to: Path }): Path =>
  `${parentOf(to)}/${marked(lastOf(to), `moving ${key.slice(key.indexOf(':') + 1)}`)}`;

function follow(key: Key, { remote, base, local, unwanted }: Trees, isIn: (path: Path) => boolean): Following[] | undefined {
  const [there, agreed, here] = [remote.get(key), base.get(key), local.get(key)];
  if (!there || !agreed || here === 'unseen' || unwanted.has(key)) return undefined;
  if (!here) return there.hash === agreed.hash ? [{ do: 'delete', key, path: there.path }] : undefined;
  // Taken out of the folder, it is the person's own affair, and stays on the server.
  if (!isIn(here.path)) return undefined;
  const steps: Following[] = [];
  if (here.hash !== agreed.hash && there.hash === agreed.hash) steps.push({ do: 'replace', key, path: here.path, from: here });
  // First the bytes under the old name; the next plan sees to the name.
  else if (!isSamePath(here.path, there.path)) steps.push({ do: 'rename', key, from: there.path, to: here.path });
  return steps;
}

function placesOf(key: Key, { remote, local, base }: Trees): Path[] {
  const here = local.get(key);
  return [remote.get(key)?.path, here === 'unseen' || !base.has(key) ? undefined : here?.path].filter((path) => path !== undefined);
}

/** What would be gone or overwritten on the server. */
export const takenAwayThere = (steps: readonly { readonly do: string }[]): { readonly deleted: number; readonly overwritten: number } => ({
  deleted: steps.filter((step) => step.do === 'delete' || step.do === 'delete folder').length,
  overwritten: steps.filter((step) => step.do === 'replace').length,
});
