// Reading a table by a text: `table[text]` would also find what every object inherits, `constructor` or `__proto__`.
// A static test (`test/unit/look_up.test.ts`) refuses that form for keys that are not known at compile time.

/** What the table has under a name of its own. */
export const lookUp = <T>(table: Readonly<Record<string, T>> | undefined, name: string | undefined): T | undefined =>
  table !== undefined && name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
