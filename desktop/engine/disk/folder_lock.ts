// Allows only one desk in a study folder. A lock file names the process that holds it and when that process started, so that a lock that
// was left behind by a crash can be taken over.

import { randomUUID } from 'node:crypto';
import { linkSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { t } from '../../language/texts';
import { ownFolder } from '../model/names';
import { inside } from './inside';

/** Another desk is using the folder. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';
  constructor(readonly folder: string) {
    super(t('why.folderInUse', { folder }));
  }
}

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** When the process started, in the unit of its system; empty if unknown. */
  readonly began: string;
  readonly token: string;
}

const patience = 10_000;
const pause = 100;
/** For a desk on another computer (on a shared disk) only the time of its last refresh is known. */
const pulse = 60_000;
const silence = 10 * 60_000;

/** Locks of this process. */
const own = new Set<string>();

/**
 * @returns a function that releases the lock
 * @throws FolderInUse
 */
export async function lockFolder(root: string, wait = patience): Promise<() => void> {
  const path = inside(root, `${ownFolder}/lock`);
  const holder: Holder = { pid: process.pid, host: hostname(), began: ownBeginning, token: randomUUID() };
  mkdirSync(dirname(path), { recursive: true });
  const until = Date.now() + wait;
  while (!take(path, holder)) {
    if (Date.now() >= until) throw new FolderInUse(root);
    await setTimeout(pause);
  }
  own.add(holder.token);
  const beat = setInterval(() => touch(path), pulse).unref();
  return () => {
    clearInterval(beat);
    own.delete(holder.token);
    if (holderIn(path)?.token === holder.token) rmSync(path, { force: true });
  };
}

/** Creating a link is atomic: of two processes that try at once, only one succeeds. */
function take(path: string, holder: Holder): boolean {
  const mine = `${path}.${holder.token}`;
  if (lstatSync(path, { throwIfNoEntry: false }) && !clear(path, mine)) return false;
  writeFileSync(mine, JSON.stringify(holder));
  try {
    linkSync(mine, path);
    return true;
  } catch (problem) {
    const code = problem instanceof Error && 'code' in problem ? problem.code : undefined;
    if (code === 'EEXIST') return false;
    if (code === 'EROFS' || code === 'ENOSPC' || code === 'EACCES') throw problem;
    // A file system without hard links.
    writeFileSync(path, JSON.stringify(holder), { flag: 'wx' });
    return true;
  } finally {
    rmSync(mine, { force: true });
  }
}

/** Removes an abandoned lock; returns whether the folder is unlocked now. */
function clear(path: string, mine: string): boolean {
  const known = holderIn(path);
  if (isHeld(known, path)) return false;
  const aside = `${mine}.stale`;
  try {
    renameSync(path, aside);
  } catch {
    return true;
  }
  // Another process may have taken the lock between the two reads.
  if (holderIn(aside)?.token !== known?.token) {
    try {
      linkSync(aside, path);
    } catch {
      // A third process holds it now.
    }
  }
  unlinkSync(aside);
  return !lstatSync(path, { throwIfNoEntry: false });
}

function isHeld(holder: Holder | undefined, path: string): boolean {
  const age = Date.now() - (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  if (!holder) return age < pause;
  if (holder.host !== hostname()) return age < silence;
  if (holder.pid === process.pid && holder.began === ownBeginning) return own.has(holder.token);
  const began = beganAt(holder.pid);
  return began !== undefined && (began === '' || holder.began === '' || began === holder.began);
}

/** Undefined: no such process. A pid is reused, but not a pid with the same start time. */
function beganAt(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
  } catch (problem) {
    if (!(problem instanceof Error && 'code' in problem && problem.code === 'EPERM')) return undefined;
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

const ownBeginning = beganAt(process.pid) ?? '';

function holderIn(path: string): Holder | undefined {
  try {
    const holder = JSON.parse(readFileSync(path, 'utf8')) as Partial<Holder>;
    return typeof holder.pid === 'number' && typeof holder.token === 'string' ? (holder as Holder) : undefined;
  } catch {
    return undefined;
  }
}

function touch(path: string): void {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {
    // Removed with the folder: the sync notices that by itself.
  }
}
