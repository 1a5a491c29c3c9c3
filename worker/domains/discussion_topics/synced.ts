// A discussion topic in the feed.

import { rows } from '../../http/listing';
import { homeByContext, listedInCourseOrGroup, type SyncedKind } from '../../rules/synced_kind';
import { discussionTopic } from './json';
import { forumPlace } from './place';
import { visibleTopics } from './policy';
import { discussion_topics } from './table';

export const discussionTopicSynced: SyncedKind = {
  kind: 'discussion_topic',
  serializer: discussionTopic,
  home: homeByContext('discussion_topics'),
  listing: listedInCourseOrGroup((call) => rows(discussion_topics, { where: visibleTopics(forumPlace(call), call) })),
};
