// Names on disk. Canvas accepts any UTF-8 name, so hostile ones are ordinary input. The same rules apply on every system, so that a folder
// can move between machines; a local name is derived once and stored, never converted back into a server name.

import { fold, type Path } from './trees';

const longest = 200;
// Windows reserves these with any extension; superscript digits count as digits there.
const reserved = /^(con|prn|aux|nul|(com|lpt)[0-9¹²³])$/i;
// The characters that Windows refuses, all control characters, and those that override the text direction, which show `gpj.exe` as
// `exe.jpg`. The direction marks of right-to-left text (LRM, RLM) are harmless.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
const refused = /[<>:"/\\|?*\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
/** Contains a character that overrides the text direction. */
export const isTurned = (name: string): boolean => /[\u202a-\u202e\u2066-\u2069]/.test(name);

/** The local name for a server name, before it is made unique among its siblings. */
export function localName(serverName: string): string {
  const mapped = serverName.toWellFormed().normalize('NFC').replace(refused, '_');
  const trimmed = shorten(withoutEnd(mapped), longest);
  if (trimmed === '' || /^\.+$/.test(trimmed)) return '_';
  const [stem = ''] = trimmed.split('.');
  return reserved.test(stem.trimEnd()) ? shorten(`_${trimmed}`, longest) : trimmed;
}

/** `name.ext` → `name (mark).ext`, still within the longest name. */
export function markedName(name: string, mark: string): string {
  const { stem, extension } = split(name);
  return `${withoutEnd(cut(stem, longest - bytes(extension) - bytes(mark) - 3))} (${mark})${extension}`;
}

/** The first of `name`, `name (id)`, `name (id 2)` … that no sibling has. `taken` holds folded names and gains this one. */
export function uniqueName(name: string, id: number | string, taken: Set<string>): string {
  let unique = name;
  for (let nth = 1; taken.has(fold(unique)); nth++) unique = markedName(name, nth === 1 ? `${id}` : `${id} ${nth}`);
  taken.add(fold(unique));
  return unique;
}

/** Leaves room for the attempt, so that two long names do not become one. */
const longestLabel = 150;

/** How the folders of a student begin. `taken` holds folded labels and gains this one. */
export const studentLabel = (name: string, id: number | string, taken: Set<string>): string =>
  uniqueName(shorten(localName(name), longestLabel), id, taken);

/** The folder of one attempt; 0 if nothing is handed in on the server. */
export const attemptFolder = (label: string, attempt: number): string => (attempt > 0 ? `${label} — attempt ${attempt}` : label);

/** Joins derived names to a path below the root, and refuses any path outside it. */
export function pathOf(...names: readonly string[]): Path {
  for (const name of names) {
    if (name === '' || name === '.' || name === '..' || /[/\\\0]/.test(name))
      throw new Error(`not a name below the root: ${JSON.stringify(name)}`);
  }
  return names.join('/');
}

export const removedFolder = 'Removed by teacher';
export const pagesFolder = 'Pages';
export const assignmentsFolder = 'Assignments';
/** Students' work in a course that is graded in folders. */
export const submissionsFolder = 'Submissions';
/** In the folder of a student: its files are sent as a comment. */
export const feedbackFolder = 'Feedback';
export const gradesFile = 'grades.csv';
/** The user's own files on the server. */
export const myFilesFolder = 'My files';

/** Copies of the user's own files that were deleted on another device. */
export const deletedFolder = 'Deleted elsewhere';

/** `Institution/Course/a/b.pdf` → `Institution/Course/Removed by teacher/a/b.pdf`; `depth` is the folder depth of a course. */
export function removed(path: Path, depth = 2): Path {
  const names = path.split('/');
  if (names[0] === myFilesFolder) return names.toSpliced(1, 0, deletedFolder).join('/');
  return names.length <= depth ? `${removedFolder}/${path}` : names.toSpliced(depth, 0, removedFolder).join('/');
}

/** The program gives this name to no other folder. */
export const isRemoved = (path: Path): boolean => {
  const names = path.split('/');
  return names.includes(removedFolder) || names.includes(deletedFolder);
};

export const isInMyFiles = (path: Path): boolean => path.startsWith(`${myFilesFolder}/`);

/** Temporary files of systems, editors and browsers. */
export const isJunk = (name: string): boolean =>
  /^(\.|~\$|~.*\.tmp$|Thumbs\.db$|desktop\.ini$|Icon\r$)|(~|\.(tmp|temp|part|partial|crdownload|download|swp|lock))$/i.test(name);

/** The program's own folder. */
export const ownFolder = '.carrel';

/** Where a file of a ring of moves waits: scanned, unlike the rest of the program's own folder. */
export const parkedFolder = '.carrel/parked';
export const parked = (key: string): Path => `${parkedFolder}/${key.replace(':', '-')}`;
export const isParked = (path: Path): boolean => path.startsWith(`${parkedFolder}/`);

/** Noted as the target of a file before it is removed because it is not wanted here. No file is ever stored there. */
export const nowhere = '.carrel/nowhere';
export const isNowhere = (path: Path): boolean => path === nowhere;

/** The local date of the user. */
export function localDate(now: Date): string {
  const two = (part: number) => `${part}`.padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/** The name of the user's version when the server's takes its place. */
export const yourCopy = (name: string, today: string, nth = 1): string =>
  markedName(name, nth === 1 ? `your copy ${today}` : `your copy ${today} ${nth}`);

/** Whether a name is one of those. */
export const isYourCopy = (path: Path): boolean => / \(your copy \d{4}-\d\d-\d\d(?: \d+)?\)[^/]*$/.test(path);

const bytes = (text: string): number => Buffer.byteLength(text, 'utf8');
const withoutEnd = (name: string): string => name.replace(/[. ]+$/u, '');

/** An extension is short and has no space; everything else belongs to the stem. */
function split(name: string): { readonly stem: string; readonly extension: string } {
  const found = /^(?<stem>.+?)(?<extension>(\.tar)?\.[^. ]{1,16})$/u.exec(name)?.groups;
  return { stem: found?.stem ?? name, extension: found?.extension ?? '' };
}

function shorten(name: string, limit: number): string {
  if (bytes(name) <= limit) return name;
  const { stem, extension } = split(name);
  return withoutEnd(`${withoutEnd(cut(stem, limit - bytes(extension)))}${extension}`);
}

/** At most `limit` bytes, without splitting a character. */
function cut(text: string, limit: number): string {
  let kept = '';
  let length = 0;
  for (const character of text) {
    length += bytes(character);
    if (length > limit) break;
    kept += character;
  }
  return kept;
}
