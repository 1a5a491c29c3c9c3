// Shows a file in the system's file manager, if there is one.

import { spawn } from 'node:child_process';
import { dirname } from 'node:path';

const opener = (path: string): readonly [program: string, argument: string[]] => {
  if (process.platform === 'darwin') return ['open', ['-R', path]];
  if (process.platform === 'win32') return ['explorer', [`/select,${path}`]];
  return ['xdg-open', [dirname(path)]];
};

export const reveal = (path: string) =>
  new Promise<null>((resolve, reject) => {
    const [program, argument] = opener(path);
    const child = spawn(program, argument, { detached: true, stdio: 'ignore' });
    child.once('error', () => reject(new Error('This computer has no file manager to show the file in.')));
    child.once('spawn', () => {
      child.unref();
      resolve(null);
    });
  });
