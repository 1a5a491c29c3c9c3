// The channels for drafts: save, find and list them.

import type { Answer, Channel, Given } from '../../contract/channels';
import type { WritingPlace } from '../../contract/writing';
import type { Study } from '../accounts/study';
import { keepWritten, writtenAt } from '../outbox/text_drafts';
import { unfinished } from '../views/writing';

type WritingChannel = Extract<Channel, `writing.${string}`>;
type Channels = { readonly [C in WritingChannel]: (given: Given<C>) => Promise<Answer<C>> };

interface Around {
  readonly here: () => Study;
  /** With the id that the server has given to a note meanwhile. */
  readonly numbered: (place: WritingPlace) => WritingPlace;
  /** A draft was added or removed. */
  readonly changed: () => void;
}

export function writingChannels({ here, numbered, changed }: Around): Channels {
  return {
    'writing.list': async () => unfinished(here()),
    'writing.open': async ({ place }) => writtenAt(here().user, numbered(place))?.words ?? null,
    'writing.keep': async ({ place, words }) => {
      const { user, now } = here();
      if (await keepWritten(user, numbered(place), words, now())) changed();
      return null;
    },
  };
}
