// Every write to a table that notifies is listed in `support/notifying_writes.ts`, with whether it notifies.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { notificationEvents } from '@carrel/worker/rules/notification_events';
import { expect, test } from 'vitest';
import { notifyingWrites } from './support/notifying_writes';

const root = join(import.meta.dirname, '..');
const sources = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', 'worker'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts') && file !== 'worker/rules/notify.ts');

/** Triggers write the rows of imports when a copy ends, and notify of none. */
const tables = new Set([...notificationEvents.map(({ table }) => table), 'blueprint_imports']);

interface Write {
  readonly verb: 'insert' | 'update';
  /** The table, or `any` where the code decides it at run time. */
  readonly table: string;
  /** The table as the code names it. */
  readonly name: string;
}

/** What a file imports, by the name it gives it: `account_notifications as table`. */
const importedBy = (source: string) =>
  new Map(
    [...source.matchAll(/^import \{([^}]*)\} from '/gm)].flatMap(([, names = '']) =>
      names.split(',').map((one): [string, string] => {
        const [name = '', local = name] = one
          .trim()
          .replace(/^type /, '')
          .split(' as ');
        return [local, name];
      }),
    ),
  );

/** A table is written by drizzle, by a helper of `database`, or by SQL. */
const patterns: readonly RegExp[] = [
  /\bbuild\s*\.(?<verb>insert|update)\((?:\s*)(?<code>[\w.]+)/g,
  /\bcopyRow\(\s*\w+,\s*(?<code>\w+)/g,
  /\b(?<verb>insert|update)Many\(\s*\w+,\s*'(?<table>\w+)'/g,
  /\b(?<verb>insert|replace|update)\s+(?:or\s+\w+\s+)?(?:into\s+)?(?:(?<table>[a-z_]+)|\$\{(?<code>[^}]*)\})(?=\s+set\b|\s*\(|\s+select\b)/gi,
];

function writesIn(text: string, imported: ReadonlyMap<string, string>): Write[] {
  return patterns
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .sort((one, other) => one.index - other.index)
    .map(({ groups = {} }) => {
      const { verb = 'insert', table, code = '' } = groups;
      const name = table ?? code;
      return {
        verb: verb.toLowerCase() === 'update' ? ('update' as const) : ('insert' as const),
        table: table ?? imported.get(code) ?? 'any',
        name,
      };
    })
    .filter(({ table }) => table === 'any' || tables.has(table));
}

interface Found extends Write {
  readonly key: string;
  /** The declaration that contains it. */
  readonly text: string;
}

/** The writes of a file, each named by its declaration. */
function writesOf(file: string, source: string): Found[] {
  const imported = importedBy(source);
  const code = source.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');
  const seen = new Map<string, number>();
  return code.split(/^(?=(?:export )?(?:async )?(?:function|const|class) )/m).flatMap((text) => {
    const declaration = /^(?:export )?(?:async )?(?:function\*?|const|class) (\w+)/.exec(text)?.[1] ?? '';
    return writesIn(text, imported).map((write) => {
      const key = `${file.replace('worker/', '')} ${declaration}: ${write.verb} ${write.table}`;
      const count = (seen.get(key) ?? 0) + 1;
      seen.set(key, count);
      return { ...write, key: count === 1 ? key : `${key} (${count})`, text };
    });
  });
}

const found = sources.flatMap((file) => writesOf(file, readFileSync(join(root, file), 'utf8')));

test('every write to a table that notifies is listed', () => {
  expect(found.map(({ key }) => key).sort()).toEqual(Object.keys(notifyingWrites).sort());
});

test('a write that is listed as `notify` calls the function that queues notifications', () => {
  const isCalled = ({ key, name, text, verb }: Found) =>
    notifyingWrites[key] !== 'notify' ||
    // An insert that replaces rows which exist is an update to notifications.
    (verb === 'insert' && new RegExp(`\\bnotifyOfInsert\\([\\w.]+, (?:${name}|table)\\b`).test(text)) ||
    new RegExp(`\\bnotifyOfUpdate\\(\\s*[\\w.]+,\\s*(?:${name}|table)\\b`).test(text);
  expect(found.filter((one) => !isCalled(one)).map(({ key }) => key)).toEqual([]);
});

test('finds writes by drizzle, by helpers and by SQL', () => {
  const source = `import { assignments as table } from './table';
import { pages } from '../pages/table';
const one = () => build
  .update(table).set({});
async function two(db, other) {
  sql\`update or ignore \${pages} set title = '' where id in (select 1)\`;
  sql\`insert into enrollments (user_id) values (1)\`;
  sql\`insert into courses (id) values (1)\`;
  return [db.build.insert(other).values({}), copyRow(db, pages, 1), updateMany(db, 'enrollments', {}, [])];
}`;
  expect(writesOf('worker/example.ts', source).map(({ key }) => key)).toEqual([
    'example.ts one: update assignments',
    'example.ts two: update pages',
    'example.ts two: insert enrollments',
    'example.ts two: insert any',
    'example.ts two: insert pages',
    'example.ts two: update enrollments',
  ]);
});
