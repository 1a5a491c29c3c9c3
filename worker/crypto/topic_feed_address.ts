// Podcast feed URLs of topics: each is valid for one user and one topic only.

import type { Viewer } from '../contexts/viewer';
import { isSame, type Owner, sealOf } from './feed_address';

/** The last segment of the user's feed URL for a topic. */
const feedName = (owner: Owner, topic_id: number): string => `enrollment_${owner.id}-${sealOf(owner, `topic_${topic_id}`)}.rss`;

/** The user of a feed name, sealed or not; 0 when malformed. */
export const ownerNamed = (name: string): number => Number(/^enrollment_(\d{1,15})-[0-9a-f]{40}\.rss$/.exec(name)?.[1] ?? 0);

/** Whether a feed name is the one issued to this user. */
export const isSealedTopicFeed = (name: string, topic_id: number, owner: Owner): boolean => isSame(name, feedName(owner, topic_id));

/** The caller's feed URL of a topic; none for anonymous callers. */
export const topicFeedAddress = (topic_id: number, { me, origin }: { readonly me: Viewer; readonly origin: string }): string | null =>
  me.isKnown ? `${origin}/feeds/topics/${topic_id}/${feedName(me.user, topic_id)}` : null;
