// `carrel`: the desktop app on the command line.

import { Offline, SignInRequired } from '../engine/server/session';
import { speakAsChosen, wantedBySystem } from '../engine/store/chosen_language';
import { lock } from '../engine/store/program_lock';
import { t } from '../language/texts';
import { SignedOut } from './accounts';
import { readArguments } from './arguments';
import { runners } from './commands';
import { deskFolder } from './home';

const cwd = process.env.CARREL_CWD ?? process.cwd();
const store = deskFolder(process.env, cwd);
// Windows does not set the language in the environment.
speakAsChosen(store, [...wantedBySystem(process.env), Intl.DateTimeFormat().resolvedOptions().locale]);

// The reader of a pipe has closed it.
process.stdout.on('error', (problem: NodeJS.ErrnoException) => process.exit(problem.code === 'EPIPE' ? 0 : 1));

try {
  const given = readArguments(process.argv.slice(2), cwd);
  // Read-only commands work while another program runs; all others need exclusive access.
  const isLooking =
    ['status', 'recovered', 'accounts', 'mcp', 'help'].includes(given.command) ||
    (given.command === 'news' && !given.seen) ||
    (given.command === 'versions' && (given.restore === undefined || given.to !== undefined));
  const unlock = isLooking ? () => {} : lock(store);
  try {
    process.exitCode = await runners[given.command]({ ...given, store });
  } finally {
    unlock();
  }
} catch (problem) {
  const isSignIn = problem instanceof SignedOut || problem instanceof SignInRequired;
  const isOffline = problem instanceof Offline;
  // SQLite's own messages do not help a user.
  const errcode = problem instanceof Error && 'errcode' in problem ? Number(problem.errcode) : undefined;
  const said =
    errcode !== undefined ? t('why.storeTrouble', { code: errcode }) : problem instanceof Error ? problem.message : String(problem);
  const why = isOffline ? t('cli.notReached', { why: said }) : problem instanceof SignInRequired ? t('cli.notTaken', { why: said }) : said;
  if (process.argv.includes('--json')) {
    const outcome = isSignIn ? 'sign in' : isOffline ? 'offline' : 'failed';
    const issues = [{ what: outcome, where: 'carrel', why }];
    process.stdout.write(`${JSON.stringify({ outcome, requests: 0, downloaded: 0, bytes: 0, unchanged: 0, issues, duration_ms: 0 })}\n`);
  }
  process.stderr.write(`carrel: ${why}\n`);
  process.exitCode = isSignIn ? 3 : isOffline ? 4 : 1;
}
