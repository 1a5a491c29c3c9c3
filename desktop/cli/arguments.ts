// Parses the command line.

import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { t } from '../language/texts';

export const commands = [
  'login',
  'sync',
  'status',
  'news',
  'choose',
  'transfers',
  'template',
  'publish',
  'grade',
  'verify',
  'recovered',
  'restore',
  'versions',
  'watch',
  'mcp',
  'accounts',
  'logout',
  'completion',
  'version',
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
  /** The positional arguments. */
  readonly words: readonly string[];
  readonly without?: string;
  readonly largest?: string;
  readonly bandwidth?: string;
  readonly parallel?: string;
  readonly metered?: string;
  readonly battery?: string;
  readonly plan?: string;
  /** Sends without asking. */
  readonly yes?: boolean;
  /** How conflicts end. */
  readonly conflicts?: string;
  readonly repair: boolean;
  readonly account?: string;
  readonly client_id?: string;
  readonly remove_files?: boolean;
  readonly seen?: boolean;
  /** The target of a restore, as an absolute path. */
  readonly to?: string;
  /** The number of an earlier version. */
  readonly restore?: string;
}

/** Those whose value is a path. */
export const pathOptions: ReadonlySet<string> = new Set(['folder', 'to']);

/** Commands with positional arguments. */
const talkative: readonly string[] = ['choose', 'transfers', 'template', 'publish', 'grade', 'restore', 'versions', 'completion', 'help'];

/** The options of each command, in addition to the common ones. */
export const commandOptions: Readonly<Record<Command, readonly string[]>> = {
  login: ['url', 'token', 'client-id', 'folder'],
  sync: ['account', 'folder', 'confirm'],
  status: ['account'],
  news: ['account', 'seen'],
  choose: ['account', 'without', 'largest'],
  transfers: ['account', 'bandwidth', 'parallel', 'metered', 'battery'],
  template: ['account'],
  publish: ['account', 'plan'],
  grade: ['account', 'yes', 'plan', 'conflicts'],
  verify: ['account', 'repair'],
  recovered: ['account'],
  restore: ['account', 'to'],
  versions: ['account', 'restore', 'to'],
  watch: ['account'],
  mcp: ['account'],
  accounts: [],
  logout: ['account', 'remove-files'],
  completion: [],
  version: ['version'],
  help: [],
};
export const commonOptions: readonly string[] = ['json', 'help'];

/** Invalid arguments. */
export class Misused extends Error {}

export function readArguments(words: readonly string[], cwd: string): Arguments {
  const { values, positionals } = parse(words);
  const [command = values.version ? 'version' : 'help', ...more] = positionals;
  const known = commands.find((name) => name === command);
  if (!known) throw new Misused(t('cli.noCommand', { word: command }));
  if (values.help) return { command: 'help', json: false, confirm: false, repair: false, words: known === 'help' ? more : [known] };
  const foreign = Object.keys(values).find((name) => !commonOptions.includes(name) && !commandOptions[known].includes(name));
  if (foreign !== undefined) throw new Misused(t('cli.notItsOption', { word: `--${foreign}`, command: `carrel ${known}` }));
  if (more[0] !== undefined && !talkative.includes(known)) throw new Misused(t('cli.tooMany', { word: more[0] }));
  // npm runs the program in the project's folder; relative paths refer to the folder of the user.
  const pathOf = (word: string | undefined) => (word === undefined ? undefined : resolve(cwd, word));
  const [folder, to] = [pathOf(values.folder), pathOf(values.to)];
  const { 'client-id': client_id, 'remove-files': remove_files, version: _, ...rest } = values;
  return { json: false, confirm: false, repair: false, ...rest, command: known, folder, to, words: more, client_id, remove_files };
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
        json: { type: 'boolean' },
        confirm: { type: 'boolean' },
        without: { type: 'string' },
        largest: { type: 'string' },
        bandwidth: { type: 'string' },
        parallel: { type: 'string' },
        metered: { type: 'string' },
        battery: { type: 'string' },
        plan: { type: 'string' },
        yes: { type: 'boolean' },
        conflicts: { type: 'string' },
        repair: { type: 'boolean' },
        account: { type: 'string' },
        'client-id': { type: 'string' },
        'remove-files': { type: 'boolean' },
        seen: { type: 'boolean' },
        to: { type: 'string' },
        restore: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' },
      },
    });
  } catch (problem) {
    // Node's own message is in English only.
    const { code, message } = problem as NodeJS.ErrnoException;
    const word = /'(-[^' ,]+)/.exec(message)?.[1] ?? message;
    throw new Misused(code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? t('cli.noOption', { word }) : t('cli.wrongOption', { word }));
  }
}
