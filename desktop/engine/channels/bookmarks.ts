// Bookmarks and highlights: the user's own, stored on this device beside the notes even if the text is removed; and those of the server.

import type { Channel, ChannelParams, ChannelResult } from '../../contract/channels';
import type { BookmarkView, Highlight, Reference } from '../../contract/reading';
import type { Workspace } from '../accounts/workspace';
import { place } from '../model/places';
import { bookmarkRowOf, rowAt } from '../store/bookmark_rows';
import { durably } from '../store/driver';
import { linkIn } from '../text/links';
import { leadIn } from '../views/link_targets';
import { reading } from '../views/reading';

type BookmarkChannel = Extract<Channel, `bookmarks.${string}`>;
type Channels = { readonly [C in BookmarkChannel]: (given: ChannelParams<C>) => Promise<ChannelResult<C>> };

interface KeptJson {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly position: number;
}

/** Undefined if it is not a web address. */
const webAddress = (url: string, base: string): string | undefined => {
  const address = URL.parse(url, base);
  return address && /^https?:$/.test(address.protocol) ? address.href : undefined;
};

export function bookmarkChannels({ here, changed }: { here: () => Workspace; changed: () => void }): Channels {
  const keep = (reference: Reference, change: (before: BookmarkView) => BookmarkView): null => {
    const workspace = here();
    const { user } = workspace;
    durably(user.database, () => {
      const before = rowAt(user, reference);
      const after = change(before ?? { note: '', is_marked: false, highlights: [] });
      const title = reading(workspace, reference)?.title ?? before?.title ?? '';
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
            workspace.now().toISOString(),
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
        .map(bookmarkRowOf)
        .map(({ kind, id, course_id, ...row }) => ({
          ...row,
          reference: { kind, id, course_id },
          course_name: place(cache, course_id)?.name ?? null,
        }));
    },
    'bookmarks.kept': async () => {
      const { cache, signedIn } = here();
      const to = leadIn(cache);
      return cache
        .all<KeptJson>('bookmark')
        .sort((one, other) => one.position - other.position)
        .flatMap(({ id, name, url }) => {
          const linked = linkIn(url, signedIn.url);
          const href = (linked && to(linked)) ?? webAddress(url, signedIn.url);
          return href ? [{ id, name, href }] : [];
        });
    },
    'bookmarks.mark': async ({ reference, marked, note }) =>
      keep(reference, (before) => ({ ...before, is_marked: marked, note: note.trim() })),
    'bookmarks.highlight': async ({ reference, highlight }) =>
      keep(reference, (before) => ({ ...before, highlights: [...without(before.highlights, highlight.id), highlight] })),
    'bookmarks.unhighlight': async ({ reference, id }) =>
      keep(reference, (before) => ({ ...before, highlights: without(before.highlights, id) })),
  };
}
