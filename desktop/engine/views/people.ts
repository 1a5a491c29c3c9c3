// The people in the cache: possible recipients, and the members of a group.

import type { GroupPeople, PersonCard } from '../../contract/conversations';
import type { ConversationJson, DiscussionJson, GroupJson, MemberJson, SubmissionJson, TopicJson } from '../model/resources';
import type { Cache } from '../store/cache';

export function peopleView(cache: Cache, me: number): PersonCard[] {
  const known = new Map<number, string>();
  const meet = (id: number | null | undefined, name: string | null | undefined): void => {
    if (id != null && id !== me && name) known.set(id, name);
  };
  for (const { id, author } of cache.all<TopicJson>('discussion_topic')) {
    meet(author?.id, author?.display_name);
    for (const person of cache.threads.of<DiscussionJson>('discussion_topic', id)?.participants ?? []) meet(person.id, person.display_name);
  }
  for (const { submission_comments } of cache.all<SubmissionJson>('submission'))
    for (const { author_id, author_name } of submission_comments ?? []) meet(author_id, author_name);
  for (const { participants } of cache.all<ConversationJson>('conversation')) for (const { id, name } of participants ?? []) meet(id, name);
  for (const { id } of cache.all<GroupJson>('group'))
    for (const one of members(cache, id) ?? []) meet(one.id, one.name ?? one.display_name);
  return [...known].map(([id, name]) => ({ id, name })).sort((a, b) => a.name.localeCompare(b.name) || a.id - b.id);
}

const members = (cache: Cache, group: number) => cache.threads.of<readonly MemberJson[]>('group', group);

export function groupPeople(cache: Cache, id: number, me: number): GroupPeople {
  const group = cache.get<GroupJson>('group', id);
  const result = members(cache, id);
  const people = (result ?? []).map((one) => ({
    id: one.id,
    name: one.name ?? one.display_name ?? '',
    is_me: one.id === me,
    leads: group?.leader?.id === one.id,
  }));
  return {
    people: people.sort((a, b) => Number(b.leads) - Number(a.leads) || a.name.localeCompare(b.name) || a.id - b.id),
    count: Math.max(people.length, group?.members_count ?? 0),
    missing: result === undefined,
  };
}
