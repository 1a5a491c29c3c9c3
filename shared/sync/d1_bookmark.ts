// Bookmarks of D1: each identifies a state of the database, and a later state sorts after an earlier one.

export type D1Bookmark = string | null;

/** The bookmark that covers both. */
export const newestBookmark = (one: D1Bookmark, other: D1Bookmark): D1Bookmark =>
  one === null || (other !== null && other > one) ? other : one;
