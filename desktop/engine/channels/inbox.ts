// Conversations, and the user's replies.

import type { Channel } from '../../contract/channels';
import { t } from '../../language/texts';
import { conversationCards, conversationView, isUnread } from '../views/inbox';
import type { ChannelGroup, ChannelGroupContext } from './group';

/** New conversations are in `outbox`. */
type InboxChannel = Exclude<Extract<Channel, `inbox.${string}`>, 'inbox.people' | 'inbox.find' | 'inbox.compose'>;

export const inboxChannels = ({ here, edited }: ChannelGroupContext): ChannelGroup<InboxChannel> => ({
  'inbox.list': async () => conversationCards(here()),
  'inbox.open': async ({ id }) => conversationView(here(), id),
  'inbox.seen': async ({ id }) => {
    const { cache, outbox } = here();
    if (!isUnread(cache, outbox, id)) return null;
    outbox.openConversation(id);
    edited();
    return null;
  },
  'inbox.star': async ({ id, starred }) => {
    here().outbox.star(id, starred);
    edited();
    return null;
  },
  'inbox.archive': async ({ id, archived }) => {
    here().outbox.archive(id, archived);
    edited();
    return null;
  },
  'inbox.reply': async ({ id, text, files = [], finished }) => {
    if (text.trim() === '') throw new Error(t('why.nothingWritten'));
    here().outbox.write({ conversation_id: id, text: text.trim(), files }, finished);
    edited();
    return null;
  },
});
