// Bookmarks of the database: texts that sort by the state that they stand for, and contain nothing else.

export type D1Bookmark = string | null;

/** The bookmark that covers both. */
export const newestBookmark = (one: D1Bookmark, other: D1Bookmark): D1Bookmark =>
  one === null || (other !== null && other > one) ? other : one;
