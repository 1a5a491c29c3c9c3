// The real disk below the study folder. Every change checks the current state immediately before it acts, in folders that are held open
// (handles.ts). What it overwrites or removes goes to the recovery store first (recovery.ts).

import { constants, lstatSync, readdirSync, renameSync, unlinkSync } from 'node:fs';
import { access, copyFile, rm, statfs, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parkedFolder } from '../model/names';
import { type Disk, type Expected, isSameStamp, type Placement, Refused, type StagedFile, type Stamp } from '../model/ports';
import { type Hash, lastOf, type Path, parentOf } from '../model/trees';
import { dropNow, expect, expectShort, left, moveBack, moveNow, obstacleOn, openThere, placeFree, prune, replaceByTurns } from './acts';
import { syncFile, syncFolders } from './durable';
import { type FolderHandle, inFolder, orUndo, system } from './handles';
import { inside, stagingFolder } from './inside';
import { diskFoldersBelow, hashOfFile, hashSteadily, isKept, lookAt, scan, stampAt, tryToRead } from './look';
import { errorCodeOf, patiently } from './patience';
import type { Keeping, Recovery } from './recovery';

/** Moves a file, given by its absolute path, to the trash of the system. */
export type Trash = (path: string) => Promise<void>;

/** Where removed bytes are kept, and which bytes the server has now. */
export interface Net {
  readonly recovery: Recovery;
  readonly isOnServer: (hash: Hash, path: Path) => boolean;
}

interface Having {
  readonly trash?: Trash | undefined;
  readonly net?: Net | undefined;
}

export function diskAt(root: string, { trash, net }: Having = {}): Disk {
  const at = (path: Path) => inside(root, path);
  const inStaging = <T>(act: (staging: FolderHandle) => T): T => inFolder(root, stagingFolder, act, { make: true });
  const stagedAt = (staged: StagedFile) => inside(root, `${stagingFolder}/${staged}`);
  /** Acts on an existing entry. */
  const inThere = <T>(path: Path, act: (folder: FolderHandle, entry: string) => T): T => {
    const folder = openThere(root, path);
    try {
      return act(folder, folder.entry(lastOf(path)));
    } finally {
      folder.close();
    }
  };
  /** Acts on an entry that is to be created, with its folders. */
  const inTarget = <T>(path: Path, folders: Set<string>, act: (folder: FolderHandle, entry: string) => T): T =>
    inFolder(
      root,
      parentOf(path),
      (folder) => {
        for (const made of [...folder.made, path]) folders.add(dirname(at(made)));
        return act(folder, folder.entry(lastOf(path)));
      },
      { make: true },
    );

  const placeNow = ({ staged, path, over }: Placement, folders: Set<string>, kept: Keeping[]): Stamp =>
    inStaging((staging) =>
      inTarget(path, folders, (folder, target) => {
        const from = staging.entry(staged);
        const fresh = stampAt(from);
        const keeping = over && replaceNow(from, target, over, path);
        if (!over) placeFree(from, target, path);
        if (keeping && !system.hasDescriptors) kept.push(keeping);
        orUndo([folder], path, () => {
          if (fresh) moveBack(target, from, fresh);
          if (keeping) orKeep(keeping);
        });
        if (keeping && system.hasDescriptors) kept.push(keeping);
        const stamp = stampAt(target);
        if (!stamp) throw new Refused('changed', path);
        return stamp;
      }),
    );

  const replaceNow = (from: string, target: string, over: Expected, path: Path): Keeping | undefined => {
    expect(target, over, path);
    const keeping = net?.recovery.keepLinked(target, path);
    try {
      // The bytes that were kept must be those that are replaced.
      if (keeping) expect(target, { ...over, bytes: undefined }, path);
      if (system.hasDescriptors) renameSync(from, target);
      else replaceByTurns(from, target, over, path, (aside) => net?.recovery.take(aside, path));
    } catch (problem) {
      keeping?.cancel();
      throw problem;
    }
    return keeping;
  };

  const removeNow = (path: Path, stamp: Expected): Keeping | undefined =>
    inThere(path, (folder, entry) => {
      expect(entry, stamp, path);
      if (!net) return void unlinkSync(entry);
      const keeping = net.recovery.take(entry, path);
      const taken = keeping.isItself ? stampAt(keeping.file) : stamp;
      if (!taken || !isSameStamp(taken, stamp)) {
        putBack(keeping);
        throw new Refused('changed', path);
      }
      orUndo([folder], path, () => orKeep(keeping));
      return keeping;
    });

  const settle = async (kept: readonly (Keeping | undefined)[]): Promise<void> => {
    for (const keeping of kept) if (net) await keeping?.settle(net.isOnServer);
  };

  return {
    scan: (onFolder) => scan(root, onFolder),
    below: (folder, onFolder) => scan(root, onFolder, folder),
    look: (path) => lookAt(at(path)),

    async hash(path) {
      let folder: FolderHandle;
      try {
        folder = openThere(root, path);
      } catch {
        return undefined;
      }
      return hashSteadily(folder.entry(lastOf(path)), path).finally(() => folder.close());
    },

    whyUnread: (path) => {
      try {
        inThere(path, (_, entry) => tryToRead(entry));
        return undefined;
      } catch (problem) {
        const isGone = problem instanceof Refused || errorCodeOf(problem) === 'ENOENT' || errorCodeOf(problem) === 'ELOOP';
        return problem instanceof Error && !isGone ? problem : undefined;
      }
    },

    copy: (path, hash, as) =>
      inStaging(async (staging) => {
        const staged = `copy-${hash.slice(0, 32)}-${process.pid}-${copies++}.part`;
        const target = staging.entry(staged);
        try {
          const folder = openThere(root, path);
          await copyFile(folder.entry(lastOf(path)), target, constants.COPYFILE_FICLONE).finally(() => folder.close());
          const seen = await hashOfFile(target);
          if (seen === hash) {
            if (as.modified) await utimes(target, as.modified, as.modified);
            return staged;
          }
        } catch {
          // It was removed or cannot be read: then the file is downloaded.
        }
        await rm(target, { force: true });
        return undefined;
      }),

    async place(placements) {
      const folders = new Set<string>();
      const kept: Keeping[] = [];
      const results: (Stamp | Error)[] = [];
      const durable = await Promise.all(placements.map(({ staged }) => syncFile(stagedAt(staged))));
      for (const [nth, placement] of placements.entries()) {
        results.push(durable[nth] ?? (await patiently(() => placeNow(placement, folders, kept))));
      }
      await syncFolders(folders);
      await settle(kept);
      return results;
    },

    async move(from, stamp, path) {
      const folders = new Set([dirname(at(from))]);
      const moved = await patiently(() =>
        inThere(from, (source, entry) =>
          inTarget(path, folders, (folder, target) => {
            expect(entry, stamp, from);
            const there = moveNow(entry, target, stamp, path);
            orUndo([source, folder], path, () => void (isReachable(source) && moveBack(target, entry, there)));
            return there;
          }),
        ),
      );
      if (moved instanceof Error) throw moved;
      await syncFolders(folders);
      prune(root, parentOf(from));
      return moved;
    },

    async remove(path, stamp) {
      const gone = await patiently(() => removeNow(path, stamp));
      if (gone instanceof Error) throw gone;
      await syncFolders(new Set([dirname(at(path))]));
      await settle([gone]);
      prune(root, parentOf(path));
    },

    async trash(path, stamp) {
      // Files that a teacher removes stay visible; a file of “My files” was deleted by the user on another device.
      if (!trash || !isKept(path)) return false;
      inThere(path, (_, entry) => expect(entry, stamp, path));
      return trash(at(path)).then(
        () => true,
        () => false,
      );
    },

    obstacle(path) {
      expectShort(at(path));
      return obstacleOn(root, path);
    },

    isFolder: (path) => lstatSync(at(path), { throwIfNoEntry: false })?.isDirectory() ?? false,

    async moveFolder(from, path) {
      const folders = new Set([dirname(at(from))]);
      const moved = await patiently(() =>
        inThere(from, (source, entry) =>
          inTarget(path, folders, (folder, target) => {
            const there = lstatSync(target, { throwIfNoEntry: false, bigint: true });
            // The same folder with its name in another case, on a case-insensitive file system.
            if (there && there.ino !== lstatSync(entry, { bigint: true }).ino) throw new Refused('taken', path);
            const inode = String(lstatSync(entry, { bigint: true }).ino);
            renameSync(entry, target);
            orUndo([source, folder], path, () => void (isReachable(source) && moveBack(target, entry, { inode })));
          }),
        ),
      );
      if (moved instanceof Error) throw moved;
      await syncFolders(folders);
      prune(root, parentOf(from));
    },

    foldersBelow: (path) => diskFoldersBelow(root, path),

    async makeFolder(path) {
      const folders = new Set<string>();
      inFolder(
        root,
        path,
        (folder) => {
          for (const made of folder.made) folders.add(at(made)).add(dirname(at(made)));
          orUndo([folder], path, () => {});
        },
        { make: true },
      );
      await syncFolders(folders);
    },

    async dropFolder(path) {
      // Files that systems create in every folder do not keep a folder.
      inFolder(root, path, ({ way, entry }) => {
        const names = readdirSync(way);
        if (names.every((name) => left.test(name))) for (const name of names) unlinkSync(entry(name));
      });
      if (!dropNow(root, path)) return false;
      await syncFolders(new Set([dirname(at(path))]));
      return true;
    },

    room: () =>
      statfs(root).then(
        ({ bavail, bsize }) => bavail * bsize,
        () => undefined,
      ),

    size: () =>
      statfs(root).then(
        ({ blocks, bsize }) => blocks * bsize,
        () => undefined,
      ),

    expectWritable: () =>
      access(root, constants.W_OK).catch((problem: unknown) => {
        // A restriction of this folder alone is reported when a file in it is changed.
        if (errorCodeOf(problem) === 'EROFS') throw problem;
      }),

    async tidy(keep) {
      if (obstacleOn(root, stagingFolder) !== undefined) return;
      if (lstatSync(at(stagingFolder), { throwIfNoEntry: false }))
        inStaging(({ way, entry }) => {
          for (const name of readdirSync(way)) {
            if (!keep.has(name) && !keep.has(name.replace(/\.etag$/, ''))) unlinkSync(entry(name));
          }
        });
      for (const own of [stagingFolder, parkedFolder]) dropNow(root, own);
    },
  };
}

let copies = 0;

function putBack(keeping: Keeping): void {
  keeping.putBack();
  keeping.cancel();
}

/** If names are not bound to open folders, the original folder cannot be reached now: the bytes stay in the recovery store. */
function orKeep(keeping: Keeping): void {
  if (system.hasDescriptors) putBack(keeping);
}

const isReachable = (folder: FolderHandle): boolean => system.hasDescriptors || folder.isHere();
