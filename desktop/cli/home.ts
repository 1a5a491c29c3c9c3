// The default data folder of the command line on each system.

import { homedir, platform } from 'node:os';
import { join, resolve } from 'node:path';

export function deskFolder(environment: NodeJS.ProcessEnv, cwd: string): string {
  if (environment.CARREL_DESK) return resolve(cwd, environment.CARREL_DESK);
  if (platform() === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Carrel');
  if (platform() === 'win32') return join(environment.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'Carrel');
  return join(environment.XDG_DATA_HOME ?? join(homedir(), '.local', 'share'), 'carrel');
}
