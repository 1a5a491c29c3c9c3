// Bookmarks and highlights as they are stored on this device.

import type { BookmarkView, Reference } from '../../contract/reading';
import { stored } from './damage';
import type { UserStore } from './user';

interface Row extends BookmarkView {
  readonly kind: Reference['kind'];
  readonly id: number;
  readonly course_id: number;
  readonly title: string;
  readonly changed_at: string;
}

export const bookmarkRowOf = (row: Record<string, unknown>): Row =>
  ({ ...row, is_marked: row.is_marked === 1, highlights: stored(row.highlights) }) as unknown as Row;

export function rowAt(user: UserStore, { kind, id }: Reference): Row | undefined {
  const row = user.prepare('SELECT * FROM bookmarks WHERE kind = ? AND id = ?').get(kind, id);
  return row && bookmarkRowOf(row);
}

export function readBookmark(user: UserStore, reference: Reference): BookmarkView | null {
  const row = rowAt(user, reference);
  return row ? { note: row.note, is_marked: row.is_marked, highlights: row.highlights } : null;
}
