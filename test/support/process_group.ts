// Ends a process together with all processes that it started, on every system.

import { type ChildProcess, spawnSync } from 'node:child_process';

/**
 * For a child spawned with `detached: startsGroup`. Does nothing where the process has ended already.
 * Windows has no signals for groups: there the whole tree is ended at once.
 */
export function endGroup({ pid, exitCode }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    // Windows gives the number of an ended process to another one.
    if (exitCode === null) spawnSync('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' });
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // No process of the group is left.
  }
}

/** Elsewhere than on Windows a detached child leads a group of its own; on Windows it would open a console window. */
export const startsGroup = process.platform !== 'win32';
