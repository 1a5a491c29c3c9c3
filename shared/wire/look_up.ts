// Safe look-up by a text: `table[text]` would also find inherited members, `constructor` or `__proto__`.
// A static test (`test/look_up.test.ts`) forbids the unsafe form for keys unknown at compile time.

/** The table's own value for a name. */
export const lookUp = <T>(table: Readonly<Record<string, T>> | undefined, name: string | undefined): T | undefined =>
  table !== undefined && name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
