// `npm run bench`: measures and prints tables. Slow timings never fail a run; growing counts are an error.

import { parseArgs } from 'node:util';
import { print, type Table } from './table';

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    /** Of the costs, only the hot endpoints and those over budget. */
    brief: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
    /** The courses of the larger institution; the smaller one has a hundredth. */
    courses: { type: 'string', default: '100000' },
    files: { type: 'string', default: '10000' },
    /** The megabytes of large files in a first sync, and in a cartridge. */
    large: { type: 'string', default: '2000' },
    /** The number of files of the larger desk. */
    many: { type: 'string', default: '50000' },
    /** The people in the imported school; it has a twentieth as many courses and five times as many enrollments. */
    users: { type: 'string', default: '100000' },
    /** Shuffles the enrollments. */
    shuffled: { type: 'boolean', default: false },
    /** The rows of each list whose budget is checked. */
    rows: { type: 'string', default: '100000' },
    help: { type: 'boolean', default: false },
  },
});

const courses = Number(values.courses);
const files = Number(values.files);
const large = Number(values.large);
const many = Number(values.many);
const users = Number(values.users);
const rows = Number(values.rows);
const parts: Readonly<Record<string, () => Promise<readonly Table[]>>> = {
  bundle: async () => (await import('./bundle')).bundleTables(),
  throughput: async () => (await import('./throughput')).throughputTables(),
  requests: async () => (await import('./requests')).requestTables(),
  sync: async () => (await import('./desk_engine')).syncTables(files),
  large: async () => (await import('./desk_engine')).largeTables(large),
  cartridges: async () => (await import('./cartridges')).cartridgeTables(large),
  desk: async () => (await import('./desk')).deskTables(many),
  gradebook: async () => (await import('./gradebook')).gradebookTables(),
  sis: async () =>
    (await import('./sis')).sisTables({ users, courses: Math.ceil(users / 20), enrollments: users * 5, isShuffled: values.shuffled }),
  budgets: async () => (await import('./budgets')).budgetTables(rows, values.markdown),
  search: async () => (await import('./search')).searchFigures(),
  grading: async () => (await import('./grading/grading')).gradingTables(),
  quizzes: async () => (await import('./quizzes/quizzes')).quizTables(),
  bill: async () => (await import('./bill')).billTables(),
  reach: async () => (await import('./reach')).reachTables(),
  cost: async () => (await import('./cost')).costTables([courses / 100, courses], values.brief),
};

const chosen = values.only?.flatMap((names) => names.split(',')) ?? Object.keys(parts);
const unknown = chosen.filter((name) => !(name in parts));
if (
  values.help ||
  unknown.length > 0 ||
  !(courses >= 1000) ||
  !(files >= 1) ||
  !(large >= 100) ||
  !(many >= 1000) ||
  !(users >= 100) ||
  !(rows >= 1000)
) {
  console.error(
    `npm run bench [-- --only ${Object.keys(parts).join(',')}] [--courses 100000] [--files 10000] [--large 2000] [--many 50000] [--users 100000] [--shuffled] [--rows 100000] [--brief] [--markdown]`,
  );
  process.exit(values.help ? 0 : 64);
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

let hasFailed = false;
for (const name of chosen) {
  console.error(`${name} …`);
  try {
    for (const table of await (parts[name] as () => Promise<readonly Table[]>)()) {
      console.log(print(table, values.markdown));
      if (table.wrong === undefined) continue;
      hasFailed = true;
      console.error(table.wrong);
    }
  } catch (problem) {
    hasFailed = true;
    console.error(`${name} could not be measured:`, problem);
  }
}
process.exit(hasFailed ? 1 : 0);
