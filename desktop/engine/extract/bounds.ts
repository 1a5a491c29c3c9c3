// How much of a file is read for the search. What lies beyond is found by the file's name alone.

export const mostBytes = 128 * 2 ** 20;
/** Of all pages together. */
export const mostLetters = 4_000_000;
export const mostPages = 3000;
/** Of one page: a picture of noise may call itself text. */
export const mostOfPage = 60_000;
/** Milliseconds for one file. */
export const longest = 60_000;
/** What the thread may hold besides the bytes of the file. */
export const mostMemory = 384;
