// Bookmarks and highlights: the person's own, kept on this device beside their notes, whatever becomes of the text.

import type { Answer, Channel, Given } from '../ui/channels';
import type { BookmarkView, Highlight, Reference } from '../ui/views/reading';
import { place } from './places';
import { durably } from './store/driver';
import type { UserStore } from './store/user';
import type { Study } from './study';
import { reading } from './views/reading';

type BookmarkChannel = Extract<Channel, `bookmarks.${string}`>;
type Channels = { readonly [C in BookmarkChannel]: (given: Given<C>) => Promise<Answer<C>> };

interface Row extends BookmarkView {
  readonly kind: Reference['kind'];
  readonly id: number;
  readonly course_id: number;
  readonly title: string;
  readonly changed_at: string;
}

const rowOf = (row: Record<string, unknown>): Row =>
  ({ ...row, is_marked: row.is_marked === 1, highlights: JSON.parse(String(row.highlights)) }) as unknown as Row;

function rowAt(user: UserStore, { kind, id }: Reference): Row | undefined {
  const row = user.prepare('SELECT * FROM bookmarks WHERE kind = ? AND id = ?').get(kind, id);
  return row && rowOf(row);
}

export function bookmarkAt(user: UserStore, reference: Reference): BookmarkView | null {
  const row = rowAt(user, reference);
  return row ? { note: row.note, is_marked: row.is_marked, highlights: row.highlights } : null;
}

export function bookmarkChannels({ here, changed }: { here: () => Study; changed: () => void }): Channels {
  const keep = (reference: Reference, change: (before: BookmarkView) => BookmarkView): null => {
    const study = here();
    const { user } = study;
    durably(user.database, () => {
      const before = rowAt(user, reference);
      const after = change(before ?? { note: '', is_marked: false, highlights: [] });
      const title = reading(study, reference)?.title ?? before?.title ?? '';
      const isEmpty = !after.is_marked && after.note === '' && after.highlights.length === 0;
      if (isEmpty) user.prepare('DELETE FROM bookmarks WHERE kind = ? AND id = ?').run(reference.kind, reference.id);
      else
        user
          .prepare('INSERT OR REPLACE INTO bookmarks VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
          .run(
            reference.kind,
            reference.id,
            reference.course_id,
            title,
            after.note,
            after.is_marked ? 1 : 0,
            JSON.stringify(after.highlights),
            study.now().toISOString(),
          );
    });
    changed();
    return null;
  };
  const without = (highlights: readonly Highlight[], id: string) => highlights.filter((one) => one.id !== id);

  return {
    'bookmarks.list': async () => {
      const { user, cache } = here();
      return user
        .prepare('SELECT * FROM bookmarks ORDER BY changed_at DESC')
        .all()
        .map(rowOf)
        .map(({ kind, id, course_id, ...row }) => ({
          ...row,
          reference: { kind, id, course_id },
          course_name: place(cache, course_id)?.name ?? null,
        }));
    },
    'bookmarks.mark': async ({ reference, marked, note }) =>
      keep(reference, (before) => ({ ...before, is_marked: marked, note: note.trim() })),
    'bookmarks.highlight': async ({ reference, highlight }) =>
      keep(reference, (before) => ({ ...before, highlights: [...without(before.highlights, highlight.id), highlight] })),
    'bookmarks.unhighlight': async ({ reference, id }) =>
      keep(reference, (before) => ({ ...before, highlights: without(before.highlights, id) })),
  };
}
