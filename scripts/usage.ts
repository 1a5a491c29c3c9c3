// Imported first by each script: `--help` prints its usage and exits.

import { basename } from 'node:path';

const usages = new Map([
  [
    'start.ts',
    'npm start [-- --new]\n\nServes the API and the desk on this machine; --new moves earlier data aside.\nnpm run api serves the API alone. Variables: PORT, DESK_PORT, CARREL_DATA.',
  ],
  [
    'check.ts',
    'npm test [-- FILTER]\n\nChecks format, lint and types, then runs the suite, or the test files whose path contains FILTER.\nnpm run check stops before the suite.',
  ],
  ['nightly.ts', 'npm run nightly\n\nRuns the long tests of the sync engine. Variables: CARREL_KILLS, CARREL_SEEDS.'],
  ['desk.ts', "npm run desk\n\nOpens the desk in a window of its own; needs Electron's runtime."],
  ['package.ts', 'npm run package [-- OPTIONS of electron-builder]\n\nBuilds and packs the desk for this system; needs a network.'],
  ['console.ts', 'npm run console [-- --check]\n\nBuilds the administration console into worker/site/console.json; --check only compares.'],
  ['openapi.ts', 'npm run openapi\n\nWrites the OpenAPI document from the endpoints into worker/dist. Every build does so after a change.'],
  ['migrations.ts', 'npm run migrations\n\nWrites the migration from the tables, the triggers and the first rows.'],
]);

if (process.argv.includes('--help')) {
  console.log(usages.get(basename(process.argv[1] ?? '')) ?? 'This command takes no options.');
  process.exit(0);
}
