// A trigger as a value: its statement, and its row in docs/triggers.md.

type Event = 'insert' | 'update' | 'delete';

interface Facts {
  /** The table whose writes start it. */
  readonly on: string;
  /** A short form of its purpose; its name in the database is the table and this. */
  readonly name: string;
  readonly event: Event;
  /** For updates: those that name one of these columns; all when absent. */
  readonly of?: readonly string[];
  readonly before?: boolean;
  readonly when?: string;
  /** Statements, each with its semicolon. */
  readonly run: readonly string[];
  readonly purpose: string;
}

export interface Trigger extends Omit<Facts, 'name'> {
  /** `<table>__<purpose>`. */
  readonly name: string;
  readonly sql: string;
}

export function trigger(facts: Facts): Trigger {
  const name = `${facts.on}__${facts.name}`;
  const moment = `${facts.before ? 'before' : 'after'} ${facts.event}${facts.of ? ` of ${facts.of.join(', ')}` : ''}`;
  const when = facts.when ? ` when ${facts.when}` : '';
  return { ...facts, name, sql: `create trigger ${name} ${moment} on ${facts.on}${when} begin\n  ${facts.run.join('\n  ')}\nend;` };
}

/** SQL over a row, written with `$.`, for `new`, `old` or an alias. A JSON path, as in `'$.name'`, stays. */
export const ofRow = (sql: string, row: string): string => sql.replaceAll(/(?<!')\$\./g, `${row}.`);

export const everyEvent = ['insert', 'update', 'delete'] as const;

/** Holds for updates that change one of the columns: an update may name a column and leave it as it was. */
export const columnsDiffer = (columns: readonly string[]): string =>
  columns.map((column) => `new.${column} is not old.${column}`).join(' or ');
