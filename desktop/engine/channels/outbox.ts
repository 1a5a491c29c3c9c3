// The channels for the outbox (list, reorder, retry, cancel) and for new messages.

import type { Channel, ChannelParams, ChannelResult } from '../../contract/channels';
import { t } from '../../language/texts';
import type { Workspace } from '../accounts/workspace';
import { takeFile } from '../outbox/work_drafts';
import { outboxItems } from '../views/outbox';
import { peopleView } from '../views/people';
import { findPeople } from './recipients';

type OutboxChannel = Extract<Channel, `outbox.${string}` | `letter.${string}` | 'inbox.people' | 'inbox.find' | 'inbox.compose'>;
type Channels = { readonly [C in OutboxChannel]: (given: ChannelParams<C>) => Promise<ChannelResult<C>> };

interface Around {
  readonly here: () => Workspace;
  /** Called when the outbox has changed. */
  readonly changed: () => void;
  readonly syncSoon: () => void;
}

export function outboxChannels({ here, changed, syncSoon }: Around): Channels {
  return {
    'outbox.list': async () => outboxItems(here()),
    'outbox.take_back': async ({ id }) => {
      const isTaken = here().outbox.takeBack(id);
      changed();
      return isTaken;
    },
    'outbox.retry': async ({ id }) => {
      const isQueued = here().outbox.retry(id);
      changed();
      syncSoon();
      return isQueued;
    },
    'outbox.move': async ({ id, by }) => {
      const { outbox } = here();
      const rows = outbox.pending();
      const at = rows.findIndex((row) => row.id === id);
      const before = rows[by === 'up' ? at - 1 : at + 2];
      if (at === -1 || (by === 'up' && !before) || (by === 'down' && at === rows.length - 1)) return false;
      const isMoved = outbox.move(id, before?.id ?? null);
      changed();
      return isMoved;
    },
    'inbox.people': async () => peopleView(here().cache, here().signedIn.user_id),
    'inbox.find': async ({ text }) => findPeople(here(), text.trim()),
    'letter.attach': async ({ name, path }) => takeFile(here().user, path, name),
    'inbox.compose': async ({ to, subject, text, course_id, files, individually, finished }) => {
      const { outbox } = here();
      const recipients = to.map(({ id, name }) => ({ id, name }));
      if (recipients.length === 0) throw new Error(t('why.nobodyChosen'));
      if (text.trim() === '') throw new Error(t('why.nothingWritten'));
      outbox.compose(
        { recipients, subject: subject.trim(), text: text.trim(), course_id, files, ...(individually && { individually }) },
        finished,
      );
      changed();
      syncSoon();
      return null;
    },
  };
}
