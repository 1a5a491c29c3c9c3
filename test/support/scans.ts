// Which statements read a whole table, according to SQLite's plan. There are no statistics, so the plan depends on the schema alone.

import type { D1Database } from '@cloudflare/workers-types';
import { isAllowedScan } from './scans_allowed';
import { offencesIn, sourcesIn, type Tables } from './sql_scopes';
import { explained, type SentStatement } from './statements';

interface Step {
  readonly id: number;
  readonly parent: number;
  readonly detail: string;
}

interface Operation {
  readonly opcode: string;
  readonly p1: number;
  readonly p2: number;
}

/**
 * The names that a plan scans from end to end, with how many of these scans are sorted afterwards. An automatic index is one that SQLite builds for a
 * single execution, by reading the whole table.
 */
function walkedIn(plan: readonly Step[]): Map<string, { walks: number; sorted: number }> {
  const walked = new Map<string, { walks: number; sorted: number }>();
  const count = (name: string, walks: number, sorted: number) => {
    const before = walked.get(name) ?? { walks: 0, sorted: 0 };
    walked.set(name, { walks: before.walks + walks, sorted: before.sorted + sorted });
  };
  for (const { detail, parent } of plan) {
    const [, way = '', name = ''] =
      /^(SCAN|CO-ROUTINE|MATERIALIZE) ([\w"]+)/.exec(detail) ?? /^(SEARCH) ([\w"]+) .*USING AUTOMATIC/.exec(detail) ?? [];
    if (way === '' || /^CONSTANT|VIRTUAL TABLE|^SCAN \d+-ROW/.test(detail) || name === 'CONSTANT') continue;
    const isSorted = plan.some((other) => other.parent === parent && /^USE TEMP B-TREE FOR ORDER BY/.test(other.detail));
    // A subquery is materialised under its name, and the scan is of that.
    if (way === 'SCAN') count(name.toLowerCase(), 1, isSorted ? 1 : 0);
    else if (way === 'SEARCH') count(name.toLowerCase(), 1, 0);
    else count(name.toLowerCase(), -1, 0);
  }
  return walked;
}

/** The tables or indexes that the program of a statement reads from one end. */
function begunIn(program: readonly Operation[], tableAt: ReadonlyMap<number, string>): ReadonlySet<string> {
  const cursors = new Map<number, string | undefined>();
  const begun = new Set<string>();
  for (const { opcode, p1, p2 } of program) {
    if (/^(OpenRead|OpenWrite|ReopenIdx)$/.test(opcode)) cursors.set(p1, tableAt.get(p2));
    const table = /^(Rewind|Last)$/.test(opcode) ? cursors.get(p1) : undefined;
    if (table) begun.add(table);
  }
  return begun;
}

interface Suspect {
  readonly sent: SentStatement;
  readonly tables: readonly string[];
}

/** Tables that a statement may read from end to end, by its plan and text. */
function suspectsIn({ statement }: SentStatement, plan: readonly Step[], tables: Tables): string[] {
  const walked = [...walkedIn(plan)].filter(([, { walks }]) => walks > 0);
  if (walked.length === 0) return [];
  const sources = sourcesIn(statement, tables).filter(({ table }) => tables.has(table));
  return walked.flatMap(([name, { walks, sorted }]) => {
    const named = sources.filter((source) => source.name === name);
    const limited = named.filter(({ isLimited }) => isLimited).length;
    return walks > limited - Math.min(sorted, limited) ? named.map(({ table }) => table) : [];
  });
}

/** The forbidden uses in each statement: reading a whole table, or an ambiguous column. */
export async function offencesOf(d1: D1Database, all: readonly SentStatement[], tables: Tables): Promise<string[]> {
  const sent = all.filter(({ statement }) => /^\s*(select|with|insert|update|delete)/i.test(statement));
  const plans = await explained<Step>(d1, 'explain query plan', sent);
  const suspects = sent
    .map((one, at): Suspect => ({ sent: one, tables: suspectsIn(one, plans[at] ?? [], tables) }))
    .filter((suspect) => suspect.tables.length > 0);
  const roots = await d1
    .prepare('select rootpage, tbl_name from sqlite_master where rootpage > 0')
    .all<{ rootpage: number; tbl_name: string }>();
  const tableAt = new Map(roots.results.map(({ rootpage, tbl_name }) => [rootpage, tbl_name]));
  const programs = await explained<Operation>(
    d1,
    'explain',
    suspects.map((one) => one.sent),
  );
  const scans = suspects.flatMap((suspect, at) => {
    const begun = begunIn(programs[at] ?? [], tableAt);
    const found = new Set(suspect.tables.filter((table) => begun.has(table) && !isAllowedScan(table, suspect.sent.statement)));
    return [...found].map((table) => `reads all of ${table}: ${suspect.sent.statement}`);
  });
  const bare = sent.flatMap(({ statement }) =>
    offencesIn([{ text: statement, start: 0 }], tables)
      .filter(({ isSuspect }) => isSuspect)
      .map(({ name, why, start }) => `${name} ${why}: … ${statement.slice(Math.max(0, start - 200), start + 80)} …`),
  );
  return [...scans, ...bare];
}
