// Plans the uploads that make the server agree with a folder that is synced both ways. Pure, and made after all downloads.
//
// Only differences from the agreed tree are uploaded, and only if the server still has the agreed state: changes on both sides were
// separated before, under a visible name. Nothing counts as deleted if anything could not be scanned.

import { markedName } from '../model/names';
import { type FoundFile, type Key, lastOf, type Path, parentOf, type Trees } from '../model/trees';
import { isSamePath } from './two_way_folders';

export type PushStep =
  /** A file that is only here. */
  | { readonly do: 'add'; readonly path: Path }
  /** Changed here. */
  | { readonly do: 'replace'; readonly key: Key; readonly path: Path; readonly from: FoundFile }
  /**
   * Renamed or moved here; `to` is its path now, `from` its path on the server.
   * `by`: a temporary name, because other files have to leave their paths first.
   * `after`: the file whose rename or deletion frees the name.
   */
  | { readonly do: 'rename'; readonly key: Key; readonly from: Path; readonly to: Path; readonly by?: Path; readonly after?: Key }
  | { readonly do: 'delete'; readonly key: Key; readonly path: Path }
  /** Cannot be uploaded under this name. */
  | { readonly do: 'refuse'; readonly path: Path; readonly why: 'name' | 'twin'; readonly isFolder?: boolean };

export interface PushRules {
  readonly fold: (path: Path) => Path;
  /** Whether the file would have this path here if the server had it. */
  readonly isPlain: (path: Path) => boolean;
  /** Never uploaded: copies of removed files, and temporary files of systems and editors. */
  readonly isPassedOver: (path: Path) => boolean;
}

/** A folder that is synced both ways, with everything that the server has in it. */
export interface UploadTarget {
  readonly home: Path;
  readonly keys: ReadonlySet<Key>;
  /** Folders of the server: no file is uploaded to their paths. */
  readonly folders?: Iterable<Path>;
  /** Folders that are not uploaded, nor are their contents. */
  readonly shut?: readonly { readonly path: Path; readonly why: 'name' | 'twin' }[];
}

export function pushPlan(trees: Trees, { home, keys, folders = [], shut = [] }: UploadTarget, rules: PushRules): PushStep[] {
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
    // Two paths that are equal on some disks, or one that an unwanted file has on the server.
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

/**
 * Renames along their chains: each after the step that frees its name. In a ring, one file gets a temporary name first, and its
 * real one with the next plan. A rename to the name of a file that was not seen waits.
 */
function inTurn(steps: readonly Following[], { remote, local }: Trees, { fold }: PushRules): Following[] {
  // A file that was not seen may have kept its name or not.
  const unsure = new Set([...local].flatMap(([key, here]) => (here === 'unseen' ? fold(remote.get(key)?.path ?? '') : [])));
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
    if (step.do === 'rename' && unsure.has(fold(step.to))) state.set(step.key, 'stays');
    else if (step.do !== 'rename' || !before || before.key === step.key) go(step);
    else if (state.get(before.key) === 'entered') go({ ...step, by: waitingName(step) });
    else if (state.get(before.key) === 'leaves') go({ ...step, after: before.key });
    // The bytes of the other file are uploaded first, under its current name; the names follow in the next plan.
    else state.set(step.key, 'stays');
  };
  for (const step of steps) if (!state.has(step.key)) place(step);
  return ordered;
}

const waitingName = ({ key, to }: { readonly key: Key; readonly to: Path }): Path =>
  `${parentOf(to)}/${markedName(lastOf(to), `moving ${key.slice(key.indexOf(':') + 1)}`)}`;

function follow(key: Key, { remote, base, local, unwanted }: Trees, isIn: (path: Path) => boolean): Following[] | undefined {
  const [there, agreed, here] = [remote.get(key), base.get(key), local.get(key)];
  if (!there || !agreed || here === 'unseen' || unwanted.has(key)) return undefined;
  if (!here) return there.hash === agreed.hash ? [{ do: 'delete', key, path: there.path }] : undefined;
  // A file that was moved out of the folder stays on the server.
  if (!isIn(here.path)) return undefined;
  const steps: Following[] = [];
  if (here.hash !== agreed.hash && there.hash === agreed.hash) steps.push({ do: 'replace', key, path: here.path, from: here });
  // First the bytes under the old name; the next plan sends the name.
  else if (!isSamePath(here.path, there.path)) steps.push({ do: 'rename', key, from: there.path, to: here.path });
  return steps;
}

function placesOf(key: Key, { remote, local, base }: Trees): Path[] {
  const here = local.get(key);
  return [remote.get(key)?.path, here === 'unseen' || !base.has(key) ? undefined : here?.path].filter((path) => path !== undefined);
}

/** Steps that delete or overwrite something on the server. */
export const takenAwayThere = (steps: readonly { readonly do: string }[]): { readonly deleted: number; readonly overwritten: number } => ({
  deleted: steps.filter((step) => step.do === 'delete' || step.do === 'delete folder').length,
  overwritten: steps.filter((step) => step.do === 'replace').length,
});
