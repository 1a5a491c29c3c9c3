// The reader, files, and search.

import type { Channel } from '../../contract/channels';
import { places } from '../model/places';
import { see } from '../outbox/seen';
import { fileReading, pathOfFile } from '../views/file_reading';
import { reading } from '../views/reading';
import { wantFile } from './choices';
import type { ChannelGroup, ChannelGroupContext } from './group';

type ReaderChannel = Extract<Channel, `reader.${string}` | `search.${string}` | 'file.open' | 'file.reveal' | 'file.want'>;

/** Search results that are shown. */
const limit = 40;

interface ReaderContext extends ChannelGroupContext {
  /** Called when the user selects or removes a file. */
  readonly chosen: () => void;
}

export const readerChannels = ({ here, edited, chosen }: ReaderContext): ChannelGroup<ReaderChannel> => ({
  'search.find': async (wanted) => {
    const { cache, words } = here();
    const { kinds, found } = cache.find({ ...wanted, limit });
    const names = new Map(places(cache).map(({ id, name }) => [id, name]));
    const nameOf = (id: number | null) => (id === null ? null : (names.get(id) ?? null));
    return { kinds, unread: words?.waiting ?? 0, found: found.map((hit) => ({ ...hit, course_name: nameOf(hit.course_id) })) };
  },
  'reader.open': async (reference) =>
    reference.kind === 'file' ? fileReading(here(), reference.id, reference.course_id) : reading(here(), reference),
  'reader.seen': async (seen) => {
    const { cache, outbox, signedIn } = here();
    if (see(cache, outbox, seen, signedIn.user_id)) edited();
    return null;
  },
  'file.open': async ({ id }) => {
    const path = pathOfFile(here().user, id);
    // The address depends on the host.
    return path === undefined ? null : { path, url: null };
  },
  'file.reveal': async () => null,
  'file.want': async ({ id, wanted }) => {
    wantFile(here(), `file:${id}`, wanted);
    chosen();
    return null;
  },
});
