// Opens a course file in the system's program for it. An executable file is only shown in its folder.

import { extname } from 'node:path';
import { shell } from 'electron';
import type { EngineProcess } from './engine.ts';
import { localFileOf } from './schemes.ts';

const running =
  /^\.(exe|com|bat|cmd|msi|msix|ps1|vbs|vbe|js|jse|wsf|scr|pif|lnk|url|reg|hta|cpl|jar|app|command|sh|bash|zsh|run|desktop|appimage|dmg|pkg|deb|rpm|py|pl|rb)$/i;

export async function openFile(engine: EngineProcess, id: number) {
  const file = await localFileOf(engine, id);
  if (!file) return null;
  if (running.test(extname(file.path))) shell.showItemInFolder(file.path);
  else {
    const why = await shell.openPath(file.path);
    if (why) throw new Error(why);
  }
  return { path: file.path, url: null };
}

export async function revealLocalFile(engine: EngineProcess, id: number) {
  const file = await localFileOf(engine, id);
  if (!file) throw new Error('This file is not on this computer.');
  shell.showItemInFolder(file.path);
  return null;
}
