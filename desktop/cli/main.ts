// `carrel`: the desk without a window.

import { lock } from '../engine/lock';
import { SignIn } from '../engine/remote';
import { readArguments } from './arguments';
import { run, SignedOut } from './commands';
import { deskFolder } from './home';

const cwd = process.env.CARREL_CWD ?? process.cwd();

try {
  const given = readArguments(process.argv.slice(2), cwd);
  const store = deskFolder(process.env, cwd);
  // Looking is free; everything else has the desk to itself.
  const isLooking = given.command === 'status' || given.command === 'help';
  const unlock = isLooking ? () => {} : lock(store);
  try {
    process.exitCode = await run[given.command]({ ...given, store });
  } finally {
    unlock();
  }
} catch (problem) {
  const isSignIn = problem instanceof SignedOut || problem instanceof SignIn;
  const why = problem instanceof Error ? problem.message : String(problem);
  if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify({ outcome: isSignIn ? 'sign in' : 'failed', why })}\n`);
  process.stderr.write(`carrel: ${why}\n`);
  process.exitCode = isSignIn ? 3 : 1;
}
