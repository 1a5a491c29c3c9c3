// The channels of polls.

import type { Channel } from '../../contract/channels';
import { openPolls, pollView, vote } from '../views/polls';
import type { ChannelGroup, ChannelGroupContext } from './group';

export const pollChannels = ({ here, edited }: ChannelGroupContext): ChannelGroup<Extract<Channel, `poll.${string}`>> => ({
  'poll.list': async () => openPolls(here()),
  'poll.open': async ({ id }) => pollView(here(), id),
  'poll.vote': async ({ id, choice_id }) => {
    await vote(here(), id, choice_id);
    edited();
    return null;
  },
});
