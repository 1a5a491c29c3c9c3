// The channels for drafts: save, find and list them.

import type { Channel, ChannelParams, ChannelResult } from '../../contract/channels';
import type { WritingPlace } from '../../contract/writing';
import type { Workspace } from '../accounts/workspace';
import { keepTextDraft, textDraftAt } from '../outbox/text_drafts';
import { unfinished } from '../views/writing';

type WritingChannel = Extract<Channel, `writing.${string}`>;
type Channels = { readonly [C in WritingChannel]: (given: ChannelParams<C>) => Promise<ChannelResult<C>> };

interface Around {
  readonly here: () => Workspace;
  /** With the id that the server has given to a note meanwhile. */
  readonly numbered: (place: WritingPlace) => WritingPlace;
  /** A draft was added or removed. */
  readonly changed: () => void;
}

export function writingChannels({ here, numbered, changed }: Around): Channels {
  return {
    'writing.list': async () => unfinished(here()),
    'writing.open': async ({ place }) => textDraftAt(here().user, numbered(place))?.words ?? null,
    'writing.keep': async ({ place, words }) => {
      const { user, now } = here();
      if (await keepTextDraft(user, numbered(place), words, now())) changed();
      return null;
    },
  };
}
