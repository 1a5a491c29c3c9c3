// Bookmarks of the database: texts that sort by the state that they stand for, and contain nothing else.

export type Bookmark = string | null;

/** The bookmark that covers both. */
export const newestBookmark = (one: Bookmark, other: Bookmark): Bookmark => (one === null || (other !== null && other > one) ? other : one);
