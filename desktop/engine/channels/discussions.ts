// Discussions of a course or group, and the user's replies.

import type { Channel } from '../../contract/channels';
import { t } from '../../language/texts';
import { courseDiscussions, discussionView } from '../views/discussions';
import type { ChannelGroup, ChannelGroupContext } from './group';

type DiscussionChannel = Extract<Channel, `discussion.${string}` | 'course.discussions'>;

export const discussionChannels = ({ here, edited }: ChannelGroupContext): ChannelGroup<DiscussionChannel> => ({
  'course.discussions': async ({ course_id }) => {
    const { cache, outbox } = here();
    return courseDiscussions(cache, outbox, course_id);
  },
  'discussion.open': async ({ course_id, id }) => discussionView(here(), course_id, id),
  'discussion.seen': async ({ course_id, id, replies }) => {
    if (replies.length === 0) return null;
    here().outbox.readEntries({ course_id, topic_id: id, entry_ids: replies });
    edited();
    return null;
  },
  'discussion.reply': async ({ course_id, id, parent_id, text, files = [], finished }) => {
    if (text.trim() === '') throw new Error(t('why.nothingWritten'));
    here().outbox.reply({ course_id, topic_id: id, parent_id, text, files }, finished);
    edited();
    return null;
  },
});
