// How much of a file is read for the search. Beyond that, the file is found by its name only.

export const mostBytes = 128 * 2 ** 20;
/** Of all pages together. */
export const mostLetters = 4_000_000;
export const mostPdfPages = 3000;
/** Of one page: binary data may be declared as text. */
export const mostOfPage = 60_000;
/** Milliseconds for one file. */
export const longestText = 60_000;
/** Memory of the thread in MB, besides the bytes of the file. */
export const mostMemory = 384;
