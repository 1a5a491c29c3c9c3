// Looking up what a client has named, in tables of ours.

/** What a word stands for; nothing for words that the table inherits: `constructor`, `__proto__`. */
export const standsFor = <T>(table: Readonly<Record<string, T>>, word: string | undefined): T | undefined =>
  word !== undefined && Object.hasOwn(table, word) ? table[word] : undefined;
