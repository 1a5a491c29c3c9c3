// The revisions of a page on the server, for users who may see them, and the channels for earlier versions.

import type { Channel, ChannelParams, ChannelResult } from '../../contract/channels';
import type { Workspace } from '../accounts/workspace';
import { addressOfPlace } from '../model/places';
import type { PageJson, RevisionJson } from '../model/resources';
import { Declined, Offline, Troubled } from '../server/session';
import { mayAsk } from '../views/earlier';
import { versionReading, versions } from '../views/versions';

type VersionChannel = Extract<Channel, `versions.${string}`>;
type Channels = { readonly [C in VersionChannel]: (given: ChannelParams<C>) => Promise<ChannelResult<C>> };

interface Around {
  readonly here: () => Workspace;
  readonly changed: () => void;
}

/** Texts that are downloaded at once, so that they can be read offline. */
const mostTexts = 20;
const lanes = 4;
/** The user is waiting. */
const asking = { tries: 1, patience: 15_000 };

export function versionChannels({ here, changed }: Around): Channels {
  return {
    'versions.list': async (reference) => versions(here(), reference),
    'versions.open': async ({ reference, key }) => versionReading(here(), reference, key),
    'versions.ask': async (reference) => {
      const workspace = here();
      if (!mayAsk(workspace, reference)) return 'not told';
      try {
        const isTold = await askRevisions(workspace, reference);
        changed();
        return isTold ? 'told' : 'not told';
      } catch (problem) {
        if (problem instanceof Offline || problem instanceof Troubled) return 'not reached';
        throw problem;
      }
    },
  };
}

/**
 * Requested when the user wants to see them, not with the feed: most revisions are never looked at, and all of them together are
 * many times larger than the pages. A revision never changes, so each is downloaded once.
 * @returns whether the user has access to them
 */
async function askRevisions({ cache, session }: Workspace, { course_id, id }: { course_id: number; id: number }): Promise<boolean> {
  const url = cache.get<PageJson>('page', id)?.url ?? '';
  const at = `${addressOfPlace(course_id)}/pages/${encodeURIComponent(url)}/revisions`;
  try {
    const result = await session.json<readonly RevisionJson[]>(`${at}?per_page=100`, asking);
    cache.tellRevisions(
      id,
      result.map(({ revision_id, updated_at, edited_by }) => ({
        number: revision_id,
        written_at: updated_at,
        author: edited_by?.display_name ?? null,
      })),
    );
  } catch (problem) {
    if (!(problem instanceof Declined)) throw problem;
    cache.tellRevisions(id, undefined);
    return false;
  }
  const missing = cache.versions
    .revisions(id)
    .slice(0, mostTexts)
    .filter(({ html }) => html === null)
    [Symbol.iterator]();
  const lane = async (): Promise<void> => {
    for (const { number } of missing) {
      const { title = '', body } = await session.json<RevisionJson>(`${at}/${number}`, asking);
      cache.versions.wordRevision(id, number, { title, html: body ?? '' });
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return true;
}
