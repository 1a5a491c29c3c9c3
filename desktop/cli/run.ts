// One run of the program, from its arguments to its exit status.

import { Offline, SignInRequired } from '../engine/server/session';
import { speakAsChosen, wantedBySystem } from '../engine/store/chosen_language';
import { lock } from '../engine/store/program_lock';
import { t } from '../language/texts';
import { SignedOut } from './accounts';
import { type Arguments, readArguments } from './arguments';
import { runners } from './commands';
import { deskFolder } from './home';

const alwaysLooking: ReadonlySet<Arguments['command']> = new Set([
  'status',
  'recovered',
  'accounts',
  'mcp',
  'completion',
  'version',
  'help',
]);

/** Read-only commands work while another program runs; all others need exclusive access. */
const isLooking = ({ command, seen, restore, to }: Arguments): boolean =>
  alwaysLooking.has(command) || (command === 'news' && !seen) || (command === 'versions' && (restore === undefined || to !== undefined));

/** Sets the exit status of the process; no error leaves it. */
export async function run(): Promise<void> {
  const cwd = process.env.CARREL_CWD ?? process.cwd();
  const store = deskFolder(process.env, cwd);
  // Windows does not set the language in the environment.
  speakAsChosen(store, [...wantedBySystem(process.env), Intl.DateTimeFormat().resolvedOptions().locale]);

  // The reader of a pipe has closed it.
  process.stdout.on('error', (problem: NodeJS.ErrnoException) => process.exit(problem.code === 'EPIPE' ? 0 : 1));

  try {
    const given = readArguments(process.argv.slice(2), cwd);
    const unlock = isLooking(given) ? () => {} : lock(store);
    try {
      process.exitCode = await runners[given.command]({ ...given, store });
    } finally {
      unlock();
    }
  } catch (problem) {
    process.exitCode = report(problem);
  }
}

/** SQLite's own messages do not help a user. */
function wordsOf(problem: unknown): string {
  if (!(problem instanceof Error)) return String(problem);
  return 'errcode' in problem ? t('why.storeTrouble', { code: Number(problem.errcode) }) : problem.message;
}

/** Prints why the run ended; returns its exit status. */
function report(problem: unknown): number {
  const isSignIn = problem instanceof SignedOut || problem instanceof SignInRequired;
  const isOffline = problem instanceof Offline;
  const said = wordsOf(problem);
  const why = isOffline ? t('cli.notReached', { why: said }) : problem instanceof SignInRequired ? t('cli.notTaken', { why: said }) : said;
  if (process.argv.includes('--json')) {
    const outcome = isSignIn ? 'sign in' : isOffline ? 'offline' : 'failed';
    const issues = [{ what: outcome, where: 'carrel', why }];
    process.stdout.write(`${JSON.stringify({ outcome, requests: 0, downloaded: 0, bytes: 0, unchanged: 0, issues, duration_ms: 0 })}\n`);
  }
  process.stderr.write(`carrel: ${why}\n`);
  if (isSignIn) return 3;
  return isOffline ? 4 : 1;
}
