// Opens a course file or an event in the system's program for it. An executable file is only shown in its folder.

import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
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

/** In the calendar program of the system, from the temporary folder. */
export async function openCalendarFile(engine: EngineProcess, given: unknown) {
  const file = await engine.call('calendar.file', given as never);
  if (!file) return null;
  const path = join(await mkdtemp(join(tmpdir(), 'carrel-calendar-')), basename(file.name));
  await writeFile(path, file.text);
  const why = await shell.openPath(path);
  if (why) throw new Error(why);
  return { ...file, opened: true };
}

export async function revealLocalFile(engine: EngineProcess, id: number) {
  const file = await localFileOf(engine, id);
  if (!file) throw new Error('This file is not on this computer.');
  shell.showItemInFolder(file.path);
  return null;
}

/** Only the engine says which folder it is. */
export async function revealSubmissions(engine: EngineProcess, given: unknown) {
  const { folder } = await engine.call('folders.state', given as never);
  if (folder !== null) shell.showItemInFolder(folder);
  return null;
}
