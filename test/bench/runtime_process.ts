// What the operating system knows of the runtime's processes (Linux only).

import { readdirSync, readFileSync } from 'node:fs';

/** The processes of the runtime that this process has started. */
function* ownRuntimes(): Generator<{ readonly pid: number; readonly status: string }> {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      if (/^Name:\s+workerd/m.test(status) && new RegExp(`^PPid:\\s+${process.pid}$`, 'm').test(status)) yield { pid: Number(pid), status };
    } catch {
      // The process has ended in the meantime.
    }
}

/** Ends them at once, like a power failure. */
export function endRuntime(): void {
  for (const { pid } of ownRuntimes()) process.kill(pid, 'SIGKILL');
}

/** The processes of the runtime: resident memory in megabytes and processor seconds. */
export function runtimeProcess(): { megabytes: number; seconds: number } {
  let [megabytes, ticks] = [0, 0];
  for (const { pid, status } of ownRuntimes())
    try {
      megabytes = Math.max(megabytes, Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024);
      const [, , , , , , , , , , , user = 0, system = 0] = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')
        .map(Number);
      ticks += user + system;
    } catch {
      // The process has ended in the meantime.
    }
  return { megabytes, seconds: ticks / 100 };
}
