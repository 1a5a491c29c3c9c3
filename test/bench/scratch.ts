// A temporary folder that is deleted when the run ends, however it ends.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders = new Set<string>();

export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'carrel-bench-'));
  folders.add(folder);
  return folder;
}

process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});
