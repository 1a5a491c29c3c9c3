// Architecture rules: allowed imports, and what every source file must have.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { endpoints } from '../worker/dist/endpoints';
import { domainOrder } from '../worker/domains/order';
import { addressOf } from '../worker/http/router';
import { anonymous, unserved } from './support/ledger';

const root = join(import.meta.dirname, '..');
const filesIn = (...folders: string[]) =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', ...folders], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts') && existsSync(join(root, file)));
const isTest = (file: string) => /\.test\.tsx?$/.test(file);
const sources = filesIn('shared', 'worker', 'desktop').filter((file) => !isTest(file));
const textOf = new Map(sources.map((file) => [file, readFileSync(join(root, file), 'utf8')]));

interface Import {
  readonly from: string;
  /** A path in the repository, or a package name. */
  readonly to: string;
  readonly isType: boolean;
}

const importsOf = (from: string, text: string): Import[] =>
  [
    ...text.matchAll(/^(?:import|export)\s+(type\s+)?(?:[^'"]*?\sfrom\s+)?'([^']+)'/gms),
    // An import on demand obeys the same rules.
    ...text.matchAll(/\bawait import\((type)?'([^']+)'\)/g),
  ].map(([, type, target = '']) => ({
    from,
    isType: type !== undefined,
    to: target.startsWith('.')
      ? relative(root, join(root, dirname(from), target)).replace(/\.tsx?$/, '')
      : target.replace(/^@carrel\/(shared|worker|desktop)\//, '$1/').replace(/\.tsx?$/, ''),
  }));
const imports = [...textOf].flatMap(([from, text]) => importsOf(from, text));

const broken = (rule: (one: Import) => boolean) => imports.filter(rule).map(({ from, to }) => `${from} imports ${to}`);
const inside = (path: string, ...folders: string[]) => folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
const isPackage = (to: string) => !inside(to, 'shared', 'worker', 'desktop', 'test', 'scripts');
const domainOf = (path: string) => /^worker\/domains\/([^/]+)\//.exec(path)?.[1];

test('shared imports three packages, two of them in one file that nothing else repeats', () => {
  const importers: Readonly<Record<string, string>> = { valibot: 'shared/wire/fields.ts', xss: 'shared/html/sanitise.ts' };
  const isServer = (from: string, to: string) => from === 'shared/assistants/server.ts' && to === '@modelcontextprotocol/server';
  expect(
    broken(({ from, to }) => inside(from, 'shared') && !inside(to, 'shared') && !Object.hasOwn(importers, to) && !isServer(from, to)),
  ).toEqual([]);
  expect(broken(({ from, to }) => Object.hasOwn(importers, to) && from !== importers[to])).toEqual([]);
});

test('worker and desktop never import each other', () => {
  expect(
    broken(({ from, to }) => (inside(from, 'worker') && inside(to, 'desktop')) || (inside(from, 'desktop') && inside(to, 'worker'))),
  ).toEqual([]);
});

test('the machinery imports no domain', () => {
  expect(broken(({ from, to }) => inside(from, 'worker/http') && inside(to, 'worker/domains'))).toEqual([]);
});

test('of a domain, contexts import only its tables and tokens', () => {
  expect(
    broken(({ from, to }) => inside(from, 'worker/contexts') && domainOf(`${to}/`) !== undefined && !/\/(table|tokens)$/.test(to)),
  ).toEqual([]);
});

test('rules know tables, contexts, database, shared and the machinery’s words, nothing else of a domain', () => {
  expect(broken(({ from, to }) => inside(from, 'worker/rules') && domainOf(`${to}/`) !== undefined && !/\/table$/.test(to))).toEqual([]);
});

test('of a domain, packages know only types of tables', () => {
  expect(
    broken(({ from, to, isType }) => inside(from, 'worker/cartridge') && inside(to, 'worker/domains') && !(isType && /\/table$/.test(to))),
  ).toEqual([]);
});

test('a domain imports only domains above it in the order, types included', () => {
  const domains = new Set(sources.flatMap((file) => domainOf(file) ?? []));
  expect([...domains].sort()).toEqual([...domainOrder].sort());
  const placeOf = new Map<string, number>(domainOrder.map((domain, at) => [domain, at]));
  const place = (path: string) => placeOf.get(domainOf(path) ?? '') ?? -1;
  expect(broken(({ from, to }) => place(to) > place(from) && place(from) >= 0 && !/\/table$/.test(to))).toEqual([]);
});

test('no folder of a domain holds more than 20 files', () => {
  const inFolder = Map.groupBy(
    sources.filter((file) => domainOf(file)),
    (file) => dirname(file),
  );
  expect([...inFolder].filter(([, files]) => files.length > 20).map(([folder]) => folder)).toEqual([]);
});

/** Groups of files that reach one another by the followed imports. Imports of types exist for the compiler alone. */
function circles(isFollowed: (one: Import) => boolean): string[][] {
  const files = filesIn('shared', 'worker', 'desktop', 'test', 'scripts');
  const names = new Map(files.map((file) => [file.replace(/\.tsx?$/, ''), file]));
  const next = new Map(
    files.map((from) => [
      from,
      importsOf(from, textOf.get(from) ?? readFileSync(join(root, from), 'utf8')).flatMap((one) =>
        isFollowed(one) ? (names.get(one.to) ?? []) : [],
      ),
    ]),
  );
  // Tarjan's algorithm: a file whose lowest reachable number is its own closes a group.
  const found: string[][] = [];
  const numbers = new Map<string, number>();
  const open: string[] = [];
  const visit = (file: string): number => {
    const own = numbers.size;
    numbers.set(file, own);
    open.push(file);
    let lowest = own;
    for (const to of next.get(file) ?? []) {
      if (!numbers.has(to)) lowest = Math.min(lowest, visit(to));
      else if (open.includes(to)) lowest = Math.min(lowest, numbers.get(to) ?? own);
    }
    if (lowest === own) {
      const group = open.splice(open.indexOf(file));
      if (group.length > 1) found.push(group.sort());
    }
    return lowest;
  };
  for (const file of files) if (!numbers.has(file)) visit(file);
  return found;
}

test('no files import one another in a circle at run time', () => {
  expect(circles(({ isType }) => !isType)).toEqual([]);
});

test('no files import one another in a circle, types included', () => {
  // The scene creates an object for each endpoint without an entry, and an entry takes its value from the type of the scene.
  const allowed = [['test/support/every_endpoint.ts', 'test/support/full_scene.ts']];
  expect(circles(() => true)).toEqual(allowed);
});

test('programs import nothing of the tests', () => {
  expect(broken(({ to }) => inside(to, 'test') || to.endsWith('.test'))).toEqual([]);
});

test('a unit test is beside the module that it tests, and imports only its part of the repository, shared and test/support', () => {
  const unitTests = filesIn('shared', 'worker', 'desktop').filter(isTest);
  expect(unitTests.filter((file) => !sources.includes(file.replace('.test.', '.')))).toEqual([]);
  const mayImport = (from: string, to: string) => isPackage(to) || inside(to, from.split('/')[0] ?? '', 'shared', 'test/support');
  const wrong = unitTests
    .flatMap((from) => importsOf(from, readFileSync(join(root, from), 'utf8')))
    .filter((one) => !mayImport(one.from, one.to));
  expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

test('every test file is in a folder whose tests are run', () => {
  const isRun = (file: string) =>
    inside(file, 'shared', 'worker', 'desktop', 'test/support') ||
    dirname(file) === 'test' ||
    existsSync(join(root, 'test', file.split('/')[1] ?? '', 'vitest.config.ts'));
  expect(filesIn('.').filter((file) => isTest(file) && !isRun(file))).toEqual([]);
});

test('a table imports other tables only', () => {
  expect(
    broken(
      ({ from, to }) =>
        /^worker\/domains\/.+\/table\.ts$/.test(from) && !isPackage(to) && !/\/table$/.test(to) && to !== 'worker/database/columns',
    ),
  ).toEqual([]);
});

test('routes are imported only by the table of contents, jobs only by the list of jobs and the schedule', () => {
  // A domain with endpoints in several files collects them in its `routes`.
  const gathers = (from: string, to: string) =>
    from === 'worker/dist/endpoints.ts' || (from === `worker/domains/${domainOf(to)}/routes.ts` && `${to}.ts` !== from);
  expect(broken(({ from, to }) => /^worker\/domains\/.+[/_]routes$/.test(to) && !gathers(from, to))).toEqual([]);
  expect(
    broken(({ from, to }) => /^worker\/domains\/.+\/job$/.test(to) && !['worker/jobs.ts', 'worker/schedule.ts'].includes(from)),
  ).toEqual([]);
});

test('the contract imports only types of the messages, and messages import the rest of the desk only as types', () => {
  const isOutside = (to: string) => inside(to, 'worker', 'desktop') && !inside(to, 'desktop/contract', 'desktop/language');
  expect(
    broken(
      ({ from, to, isType }) =>
        (inside(from, 'desktop/contract') && (isPackage(to) || isOutside(to) || (inside(to, 'desktop/language') && !isType))) ||
        (inside(from, 'desktop/language') && (isOutside(to) || (inside(to, 'desktop/contract') && !isType))),
    ),
  ).toEqual([]);
});

/** The rooms of the engine. At run time a room imports only rooms before it; `desk.ts`, the entrance, imports all. */
const rooms = [
  'model',
  'text',
  'news',
  'grading',
  'authoring',
  'quizzes',
  'store',
  'planner',
  'disk',
  'server',
  'outbox',
  'sync',
  'accounts',
  'views',
  'channels',
];
const roomOf = (path: string) => /^desktop\/engine\/([^/]+)\//.exec(path)?.[1] ?? '';

test('a room of the engine imports only rooms before it at run time, and only desk.ts is outside the rooms', () => {
  const outside = sources.filter((file) => inside(file, 'desktop/engine') && !rooms.includes(roomOf(file)));
  expect(outside).toEqual(['desktop/engine/desk.ts']);
  const place = (path: string) => (path === 'desktop/engine/desk' ? rooms.length : rooms.indexOf(roomOf(path)));
  expect(broken(({ from, to, isType }) => !isType && roomOf(from) !== '' && place(to) > place(from))).toEqual([]);
});

test('the planner imports only types, besides its own files and trees, choices, names and slices', () => {
  const pure = ['trees', 'choices', 'names', 'slices'].map((name) => `desktop/engine/model/${name}`);
  const isPure = (path: string) => inside(path, 'desktop/engine/planner') || pure.includes(path.replace(/\.ts$/, ''));
  expect(broken(({ from, to, isType }) => isPure(from) && !isType && !isPure(to))).toEqual([]);
});

test('the UI reaches the engine only through channels, types included', () => {
  expect(
    broken(
      ({ from, to }) =>
        inside(from, 'desktop/ui') && (to.startsWith('node:') || inside(to, 'desktop/engine', 'desktop/hosts', 'desktop/cli')),
    ),
  ).toEqual([]);
});

test('engine and command line import neither Electron nor the UI, types included', () => {
  expect(
    broken(
      ({ from, to }) =>
        inside(from, 'desktop/engine', 'desktop/cli', 'desktop/contract', 'desktop/language') &&
        (to === 'electron' || inside(to, 'desktop/ui', 'desktop/hosts')),
    ),
  ).toEqual([]);
});

test('every file describes itself in its first line', () => {
  const silent = [...textOf].filter(([, text]) => !text.startsWith('// ')).map(([file]) => file);
  expect(silent.filter((file) => !/^(?:#!|\/\*\*)/.test(textOf.get(file) ?? ''))).toEqual([]);
});

test('file names are specific', () => {
  expect(
    sources.filter(
      (file) => /(^|\/)(utils?|helpers?|managers?|services?|common|misc|index)\.tsx?$/.test(file) && file !== 'worker/index.ts',
    ),
  ).toEqual([]);
});

test('a handler neither logs nor runs statements outside the counted runner', () => {
  const routes = sources.filter((file) => /[/_]routes\.ts$/.test(file));
  expect(routes.filter((file) => /console\.\w|env\.DB|\.prepare\(/.test(textOf.get(file) ?? ''))).toEqual([]);
});

test('CSV is written only by the module that escapes formulas', () => {
  // Files that only read CSV, or name its type.
  const readers = [
    'worker/domains/files/content_types.ts',
    'worker/domains/sis_imports/files/receive.ts',
    'worker/domains/sis_imports/files/unpack.ts',
    'worker/site/console/imports.ts',
  ];
  const usesWriter = (file: string) => imports.some(({ from, to }) => from === file && to === 'shared/csv/writer');
  const others = [...textOf].filter(([file]) => file !== 'shared/csv/writer.ts');
  expect(
    others.filter(([file, text]) => /text\/csv/.test(text) && !readers.includes(file) && !usesWriter(file)).map(([file]) => file),
  ).toEqual([]);
  // Full-text search quotes its words, and SQL its names, in the same way as CSV.
  const quoting = ['worker/database/search.ts', 'worker/database/write_sql.ts'];
  expect(others.filter(([file, text]) => text.includes(`'""'`) && !quoting.includes(file)).map(([file]) => file)).toEqual([]);
});

test('every address is declared once', () => {
  const keys = endpoints.map((endpoint) => anonymous(endpoint.method, addressOf(endpoint)));
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
});

test('every operation of the ledger has an endpoint', () => {
  expect(unserved()).toEqual([]);
});

test('the worker casts fewer than twenty values past the types', () => {
  const casts = [...textOf].flatMap(([file, text]) =>
    inside(file, 'worker') ? (text.match(/\bas (?:never|unknown as)\b/g) ?? []).map(() => file) : [],
  );
  expect(casts.length, casts.join('\n')).toBeLessThan(20);
});

test('no function turns the call of its endpoint into one with all parts', () => {
  // A request in a forum has another course, and a Durable Object serialises without a request.
  const allowed = ['worker/domains/conversations/thread/turn.ts', 'worker/domains/discussion_topics/place.ts'];
  const casts = [...textOf].filter(([file, text]) => inside(file, 'worker') && /\bas (?:unknown as )?Call\b/.test(text));
  expect(casts.map(([file]) => file).sort()).toEqual(allowed);
});

test('the types of students, staff and graders are listed once, and statements ask by the names of predicates', () => {
  const owners = ['worker/domains/enrollments/table.ts', 'worker/contexts/predicates.ts', 'worker/database/beginning.ts'];
  const spelled = [
    /Student(?:View)?Enrollment'[^;\n]{0,40}'Student(?:View)?Enrollment'/,
    /\('TeacherEnrollment', 'TaEnrollment'/,
    /\btype in \$\{(?:staff|student|grader)/i,
    /inArray\(enrollments\.type/,
  ];
  // Two names of one kind of role, its order in lists, and a right of one's own.
  const others = ['worker/domains/todo/cards.ts', 'worker/domains/course_users/policy.ts'];
  const rest = [...textOf].filter(([file]) => inside(file, 'worker') && !owners.includes(file) && !others.includes(file));
  expect(rest.filter(([, text]) => spelled.some((pattern) => pattern.test(text))).map(([file]) => file)).toEqual([]);
});

/** Statements that no builder of test/support replaces, and the reason. */
const rawInserts: Readonly<Record<string, string>> = {
  'test/api/chores.test.ts': 'a statement that has to fail',
  'test/api/conditional_grading.test.ts': 'names the statement before which another request runs',
  'test/api/forked_log.test.ts': 'restores a backup of two tables',
  'test/api/sis_imports.test.ts': 'triggers that record or stop an import',
};

test('tests of the API insert rows by the builders of test/support', () => {
  const raw = filesIn('test/api').filter((file) => /\binsert\s+(?:or\s+\w+\s+)?into\b/i.test(readFileSync(join(root, file), 'utf8')));
  expect(raw.sort()).toEqual(Object.keys(rawInserts).sort());
});
