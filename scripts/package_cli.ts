// `npm run package -- cli`: the command line as a package for npm and as an executable for this system, in desktop/dist/command_line.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

interface CommandLine {
  packForNpm(out: string): Promise<string>;
  makeExecutable(out: string): Promise<string>;
}

const desktop = join(import.meta.dirname, '../desktop');

export async function packageCommandLine(): Promise<void> {
  // Imported from there, because its own types need another runtime than the Worker's.
  const { packForNpm, makeExecutable } = (await import(pathToFileURL(join(desktop, 'packaging/command_line.ts')).href)) as CommandLine;
  const out = join(desktop, 'dist/command_line');
  console.log(await packForNpm(out));
  console.log(await makeExecutable(out));
}
