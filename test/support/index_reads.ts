// Which indexes statements read, from the programs that SQLite compiles them to. Their triggers are included.

import type { DatabaseSync } from 'node:sqlite';

interface Instruction {
  readonly addr: number;
  readonly opcode: string;
  readonly p1: number;
  readonly p2: number;
}

const opens = /^(OpenRead|OpenWrite|ReopenIdx)$/;
const reads = /^(Seek|Found|NotFound|NoConflict|Rewind|Last|IfNoHope|Idx[GL][ET]|DeferredSeek|Count)/;

/** The program of a statement and those of its triggers, which SQLite lists one after another. */
function programsOf(instructions: readonly Instruction[]): Instruction[][] {
  const programs: Instruction[][] = [];
  for (const instruction of instructions) {
    if (instruction.addr === 0) programs.push([]);
    programs.at(-1)?.push(instruction);
  }
  return programs;
}

export class IndexReads {
  /** Indexes that no constraint needs, by their page in the file. */
  private readonly names = new Map<number, string>();
  private readonly read = new Set<string>();

  constructor(private readonly database: DatabaseSync) {
    const indexes = database
      .prepare("select name, rootpage, sql from sqlite_schema where type = 'index' and sql like 'create index%'")
      .all();
    for (const { name, rootpage } of indexes as { name: string; rootpage: number }[]) this.names.set(rootpage, name);
  }

  /** @throws when SQLite cannot compile the statement */
  add(text: string): void {
    for (const program of programsOf(this.database.prepare(`explain ${text}`).all() as unknown as Instruction[])) {
      const cursors = new Map<number, string>();
      for (const { opcode, p1, p2 } of program) {
        const name = opens.test(opcode) ? this.names.get(p2) : undefined;
        if (name) cursors.set(p1, name);
        const reading = reads.test(opcode) ? cursors.get(p1) : undefined;
        if (reading) this.read.add(reading);
      }
    }
  }

  unread(): string[] {
    return [...this.names.values()].filter((name) => !this.read.has(name)).sort();
  }
}
