// People to write to, as far as the desk has heard of them: from conversations, discussions and comments.

import type { PersonCard } from '../../ui/views/letters';
import type { ConversationJson, DiscussionJson, SubmissionJson, TopicJson } from '../resources';
import type { Cache } from '../store/cache';

export function people(cache: Cache, me: number): PersonCard[] {
  const known = new Map<number, string>();
  const meet = (id: number | null | undefined, name: string | null | undefined): void => {
    if (id != null && id !== me && name) known.set(id, name);
  };
  for (const { id, author } of cache.all<TopicJson>('discussion_topic')) {
    meet(author?.id, author?.display_name);
    for (const person of cache.thread<DiscussionJson>('discussion_topic', id)?.participants ?? []) meet(person.id, person.display_name);
  }
  for (const { submission_comments } of cache.all<SubmissionJson>('submission'))
    for (const { author_id, author_name } of submission_comments ?? []) meet(author_id, author_name);
  for (const { participants } of cache.all<ConversationJson>('conversation')) for (const { id, name } of participants ?? []) meet(id, name);
  return [...known].map(([id, name]) => ({ id, name })).sort((a, b) => a.name.localeCompare(b.name) || a.id - b.id);
}
