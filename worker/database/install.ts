// The step after the migrations, made at every start and every deployment: triggers are brought to their present text, sequences to their order, and
// an empty database gets its first rows. Migrations hold tables and indexes alone, so that a trigger is changed where it is written.

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { beginning } from './beginning.ts';
import { firstNumbered, frequentlyNumbered, orderSequences } from './sequences.ts';
import { triggers } from './triggers.ts';

/** A database, by whatever way it is reached: a D1 binding, SQLite in this process, wrangler's command line. */
export interface Reached {
  /** The rows of each query. */
  read(queries: readonly string[]): Promise<readonly (readonly Readonly<Record<string, unknown>>[])[]>;
  /** All of the statements in one transaction. */
  write(statements: readonly string[]): Promise<unknown>;
}

/** What a database has. */
interface Found {
  /** Triggers that are there, or have been, with the hash that was kept when they were made. */
  readonly triggers: readonly { readonly name: string; readonly hash: string | null; readonly isThere: boolean }[];
  readonly hasRows: boolean;
  /** The tables at the beginning of `sqlite_sequence`. */
  readonly numbered: readonly string[];
}

export const nothing: Found = { triggers: [], hasRows: false, numbered: [] };

const hashOf = (sql: string): string => bytesToHex(sha256(utf8ToBytes(sql))).slice(0, 32);

// A migration that rebuilds a table takes its triggers away without their hashes: both are read.
const queries = [
  `select name, max(hash) as hash, max(is_there) as is_there
    from (select name, hash, 0 as is_there from trigger_hashes union all select name, null, 1 from sqlite_master where type = 'trigger') group by name`,
  'select exists (select 1 from accounts) as has_rows',
  firstNumbered,
];

async function look(database: Reached): Promise<Found> {
  const [found = [], [rows] = [], numbered = []] = await database.read(queries);
  return {
    triggers: found.map(({ name, hash, is_there }) => ({ name: String(name), hash: hash as string | null, isThere: is_there === 1 })),
    hasRows: rows?.has_rows === 1,
    numbered: numbered.map(({ name }) => String(name)),
  };
}

const quote = (text: string) => `'${text}'`;

/** A statement may have 100 kB at D1. */
const atOnce = 200;
const inParts = <T>(all: readonly T[], statement: (part: readonly T[]) => string): string[] =>
  Array.from({ length: Math.ceil(all.length / atOnce) }, (_, at) => statement(all.slice(at * atOnce, (at + 1) * atOnce)));

/** The statements that bring a database from what it has to what this version needs; none where nothing has changed. */
export function installation(found: Found): readonly string[] {
  const before = new Map(found.triggers.map((one) => [one.name, one]));
  const wanted = triggers.map(({ name, sql }) => ({ name, sql, hash: hashOf(sql) }));
  const names = new Set(wanted.map(({ name }) => name));
  const changed = wanted.filter(({ name, hash }) => {
    const one = before.get(name);
    return !one?.isThere || one.hash !== hash;
  });
  // A trigger without a hash is not of Carrel.
  const removed = found.triggers.filter(({ name, hash }) => hash !== null && !names.has(name));
  const isThere = ({ name }: { name: string }) => before.get(name)?.isThere === true;
  return [
    ...[...removed, ...changed].filter(isThere).map(({ name }) => `drop trigger ${name};`),
    ...inParts(removed, (part) => `delete from trigger_hashes where name in (${part.map(({ name }) => quote(name)).join(', ')});`),
    ...changed.map(({ sql }) => sql),
    ...inParts(
      changed,
      (part) =>
        `insert into trigger_hashes (name, hash) values ${part.map(({ name, hash }) => `(${quote(name)}, ${quote(hash)})`).join(', ')} on conflict (name) do update set hash = excluded.hash;`,
    ),
    ...(frequentlyNumbered.every((name, place) => found.numbered[place] === name) ? [] : orderSequences),
    ...(found.hasRows ? [] : beginning()),
  ];
}

/** @returns how many statements it took */
export async function install(database: Reached): Promise<number> {
  const statements = installation(await look(database));
  if (statements.length > 0) await database.write(statements);
  return statements.length;
}

/** A D1 binding. */
export const overBinding = (d1: D1Database): Reached => ({
  read: async (queries) =>
    (await d1.batch<Record<string, unknown>>(queries.map((query) => d1.prepare(query)))).map(({ results }) => results),
  write: (statements) => d1.batch(statements.map((statement) => d1.prepare(statement))),
});
