// The addresses at which programs that play podcasts read a topic: each is good for one person and one topic, and opens nothing else.

import type { Viewer } from '../../contexts/viewer';
import { isSame, type Owner, sealOf } from '../../crypto/feed_address';

/** The last part of the address of a topic that is this person's alone. */
const feedName = (owner: Owner, topic_id: number): string => `enrollment_${owner.id}-${sealOf(owner, `topic_${topic_id}`)}.rss`;

/** Whom an address speaks for, sealed or not; nobody where it is no address of this kind. */
export const ownerNamed = (name: string): number => Number(/^enrollment_(\d{1,15})-[0-9a-f]{40}\.rss$/.exec(name)?.[1] ?? 0);

/** Whether an address is the one that this person has been given. */
export const isSealed = (name: string, topic_id: number, owner: Owner): boolean => isSame(name, feedName(owner, topic_id));

/** The address of a topic for whoever asks; nobody in particular has none. */
export const topicFeedAddress = (topic_id: number, { me, origin }: { readonly me: Viewer; readonly origin: string }): string | null =>
  me.isKnown ? `${origin}/feeds/topics/${topic_id}/${feedName(me.user, topic_id)}` : null;
