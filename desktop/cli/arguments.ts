// The words of the command line.

import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export const help = `carrel keeps the courses of a Canvas-compatible service in a folder on this computer.

  carrel login --url URL [--folder DIR]
                        sign in, in your browser; the address is printed, too
      --token TOKEN     with an access token instead; --token - reads it from standard input
      --client-id ID    the key for this program on a Canvas server that does not know it
  carrel sync           bring the folder in line with the server, and send your planner edits
      --folder DIR      keep the courses there from now on
      --confirm         go on although very many files would be removed or replaced at once
  carrel choose         what is kept on this computer, by course and folder, with sizes
      on|off PLACE …    keep a course, or a folder as in "COURSE/FOLDER", or leave it on the server
      --without KINDS   leave out documents, slides, tables, images, sound, video, archives, code, other (or nothing)
      --largest SIZE    leave out larger files: 100MB, 2GB, any
  carrel template       in which folders the courses lie
      TEMPLATE          put them elsewhere, as "{term}/{course_code} {course}"; {institution} is known, too.
                        The folders move with the next sync, and nothing is fetched again
  carrel publish COURSE what a course that you teach would get from its folder here; nothing changes
      on|off COURSE     let its files go both ways, or only down
      --plan ID         publish exactly the plan of that id, as it was shown
  carrel transfers      how files come: speed, how many at once, when they wait
      pause|resume      let files wait, or go on; words that you send do not wait
      --bandwidth SPEED at most so much a second: 500kB, 2MB, any
      --parallel N      so many files at a time
      --metered wait|go, --battery wait|go
  carrel status         what the last sync left: courses, pending edits, issues
  carrel verify         read every file again, and have the server prove that none is missing
      --repair          fetch what is missing or damaged; what lies there is kept under another name
  carrel watch          stay connected and sync whenever something changes
  carrel accounts       who is signed in here; the star is whom the other commands mean
  carrel logout         forget the token; the folder and your edits stay
      --remove-files    take away what came from the server; what you have edited stays

  --account WORDS       mean another account: a part of its name or server, or its number
  --json                end with one JSON object on standard output
  --help                this text

Exit status: 0 complete, 2 complete with issues or paused, 3 sign in again, 4 offline, 1 anything else.

Files are yours: a file you edit is kept when the teacher changes it, as "name (your copy DATE)"; a file that is no longer
available from the course goes to "Removed by teacher"; a file you delete is not fetched again.

The databases are in CARREL_DESK, else in the usual place for application data. This program keeps each account's token there
in a file that only you may read (ACCOUNT/token, mode 0600). The Carrel app uses the system's secret store instead.

A server without Carrel's sync feed, as any Canvas server is, is asked list by list; carrel status says so.`;

export const commands = [
  'login',
  'sync',
  'status',
  'choose',
  'transfers',
  'template',
  'publish',
  'verify',
  'watch',
  'accounts',
  'logout',
  'help',
] as const;
export type Command = (typeof commands)[number];

export interface Arguments {
  readonly command: Command;
  readonly url?: string;
  readonly token?: string;
  readonly folder?: string;
  readonly json: boolean;
  readonly confirm: boolean;
  /** What follows the command. */
  readonly words: readonly string[];
  readonly without?: string;
  readonly largest?: string;
  readonly bandwidth?: string;
  readonly parallel?: string;
  readonly metered?: string;
  readonly battery?: string;
  readonly plan?: string;
  readonly repair: boolean;
  readonly account?: string;
  readonly client_id?: string;
  readonly remove_files?: boolean;
}

/** Commands that take words of their own. */
const talkative: readonly string[] = ['choose', 'transfers', 'template', 'publish'];

/** Wrong words on the command line. */
export class Misused extends Error {}

export function readArguments(words: readonly string[], cwd: string): Arguments {
  const { values, positionals } = parse(words);
  const [command = 'help', ...more] = positionals;
  if (values.help) return { command: 'help', json: false, confirm: false, repair: false, words: [] };
  const known = commands.find((name) => name === command);
  if (!known) throw new Misused(`There is no command ${command}. Try carrel --help.`);
  if (more.length > 0 && !talkative.includes(known)) throw new Misused(`${more[0]} is one word too many. Try carrel --help.`);
  // npm runs this from the project's folder; the person's words mean their own.
  const folder = values.folder === undefined ? undefined : resolve(cwd, values.folder);
  const { 'client-id': client_id, 'remove-files': remove_files, ...rest } = values;
  return { ...rest, command: known, folder, words: more, client_id, remove_files };
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        url: { type: 'string' },
        token: { type: 'string' },
        folder: { type: 'string' },
        json: { type: 'boolean', default: false },
        confirm: { type: 'boolean', default: false },
        without: { type: 'string' },
        largest: { type: 'string' },
        bandwidth: { type: 'string' },
        parallel: { type: 'string' },
        metered: { type: 'string' },
        battery: { type: 'string' },
        plan: { type: 'string' },
        repair: { type: 'boolean', default: false },
        account: { type: 'string' },
        'client-id': { type: 'string' },
        'remove-files': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (problem) {
    throw new Misused(problem instanceof Error ? problem.message : String(problem));
  }
}
