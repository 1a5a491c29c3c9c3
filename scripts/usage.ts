// Imported first by each script: `--help` prints its usage and exits.

import { basename } from 'node:path';

const usages = new Map([
  [
    'start.ts',
    'npm start [-- --new --log]\n\nServes the API and the desk on this machine; --new moves earlier data aside, --log prints the errors of the Worker.\nnpm run api serves the API alone. Variables: PORT, DESK_PORT, CARREL_DATA, PROVIDER_HOSTS, TRUST_PROXY.',
  ],
  [
    'dev.ts',
    'npm run dev [-- --new]\n\nLike npm start, and reloads the Worker, the desk and its pages when a file changes.\nVariables: PORT, DESK_PORT, CARREL_DATA.',
  ],
  [
    'check.ts',
    'npm test [-- FILTER | OPTIONS of vitest]\n\nChecks format, lint, types and generated files, then runs the suite.\nWith a FILTER it only runs the test files whose path contains it.\nnpm run check stops before the suite; npm run lint and npm run typecheck run one kind of check.',
  ],
  [
    'nightly.ts',
    'npm run nightly [-- PART …]\n\nRuns the long tests, or some of: killed, simulation, interleavings, real_server, permissions.\nVariables: CARREL_KILLS, CARREL_SEEDS, CARREL_LIVES, CARREL_STRIDE, CARREL_MINUTES.',
  ],
  ['desk.ts', "npm run desk\n\nOpens the desk in a window; needs Electron's runtime."],
  [
    'package.ts',
    'npm run package [-- OPTIONS of electron-builder | cli]\n\nBuilds and packs the desk for this system; needs a network.\nWith cli: the command line as a package for npm and as one executable, in desktop/dist/command_line.',
  ],
  ['console.ts', 'npm run console [-- --check]\n\nBuilds the administration console into worker/site/console.json; --check only compares.'],
  ['openapi.ts', 'npm run openapi\n\nWrites the OpenAPI document from the endpoints into worker/dist, as every build does after a change.'],
  [
    'sql.ts',
    'npm run sql -- METHOD PATH [--as WHO] [--data BODY]\n\nMakes a request to a copy of the demo and prints its statements with their plans, the rows they read and their sizes.\nWHO is admin, teacher, ta, student, student2 or observer; BODY is JSON or a list of parameters. Variables: CARREL_DATA.',
  ],
  [
    'migrate.ts',
    'npm run migrate -- --remote | --local [OPTIONS of wrangler d1]\n\nApplies the migrations that the database lacks, then creates the triggers that have changed.',
  ],
  [
    'migrations.ts',
    'npm run migrations -- --name NAME [--custom]\n\nWrites a migration with what has changed in the tables, and lists its hash; --custom writes an empty one.',
  ],
  [
    'new.ts',
    'npm run new -- DOMAIN [--one NAME]\n\nWrites a domain of courses that lists, shows, creates, updates and deletes: its files, its test and its migration.\nDOMAIN is its URL segment, in the plural, such as seating_charts. NAME is the singular, where it is irregular.',
  ],
  ['triggers.ts', 'npm run triggers [-- --check]\n\nWrites docs/triggers.md from the triggers; --check only compares.'],
]);

if (process.argv.includes('--help')) {
  console.log(usages.get(basename(process.argv[1] ?? '')) ?? 'This command takes no options.');
  process.exit(0);
}
