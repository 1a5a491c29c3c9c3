// Discussions as the desk shows them: the list of a course, and one with its replies, including unsent ones.

import type { ChannelResult } from '../../contract/channels';
import type { RepliesView, ReplyView } from '../../contract/discussions';
import type { Attachment } from '../../contract/reading';
import { type AttachmentJson, announcedAtOf, type DiscussionJson, type EntryJson, type TopicJson } from '../model/resources';
import type { ReplyBody, WorkFile } from '../outbox/intents';
import type { Outbox } from '../outbox/outbox';
import { unsentReads } from '../outbox/seen';
import { allTextDrafts } from '../outbox/text_drafts';
import { pathOfAttachment } from '../server/attachments';
import type { Cache } from '../store/cache';
import type { UserStore } from '../store/user';
import type { Leads } from '../text/offline';
import { plainText } from '../text/plain_text';
import { prose, proseOf } from '../text/prose';
import { leadIn } from './link_targets';

export const attachmentsOf = (
  { cache, user }: { readonly cache: Cache; readonly user: UserStore },
  given: readonly (AttachmentJson | undefined)[] | undefined,
): Attachment[] =>
  (given ?? []).flatMap((one) =>
    one
      ? [
          {
            id: one.id,
            name: one.display_name,
            size: one.size ?? null,
            here: cache.get('file', one.id) !== undefined || pathOfAttachment(user, one.id) !== undefined,
            url: one.url || null,
          },
        ]
      : [],
  );

/** Files of the user that are sent with an unsent reply. */
export const waitingFiles = (files: readonly WorkFile[] = []): Attachment[] =>
  files.map(({ name, size }, at) => ({ id: -at - 1, name, size, here: false, url: null, waits: true }));

export function courseDiscussions(cache: Cache, outbox: Outbox, courseId: number): ChannelResult<'course.discussions'> {
  const read = unsentReads(outbox);
  const unreadOf = unreadIn(outbox);
  return cache
    .ofCourse<TopicJson>('discussion_topic', courseId)
    .filter(({ is_announcement }) => !is_announcement)
    .map((topic) => ({
      id: topic.id,
      title: topic.title,
      author: topic.author?.display_name ?? topic.user_name ?? null,
      at: announcedAtOf(topic),
      last_reply_at: topic.last_reply_at ?? null,
      replies: topic.discussion_subentry_count ?? 0,
      unread: unreadOf(topic),
      read: topic.read_state !== 'unread' || read.has(topic.id),
      pinned: topic.pinned ?? false,
      locked: topic.locked_for_user ?? false,
      graded: topic.assignment_id != null,
      excerpt: plainText(topic.message, 160),
    }))
    .sort((a, b) => Number(b.pinned) - Number(a.pinned) || latest(b).localeCompare(latest(a)) || b.id - a.id);
}

const latest = ({ last_reply_at, at }: { last_reply_at: string | null; at: string | null }): string => last_reply_at ?? at ?? '';

/** Replies read here that the server has not confirmed, by topic. */
const unsentEntries = (outbox: Outbox): ReadonlyMap<number, ReadonlySet<number>> =>
  new Map(
    outbox
      .pending()
      .flatMap((intent) => (intent.verb === 'read entries' ? [[intent.body.topic_id, new Set(intent.body.entry_ids)] as const] : [])),
  );

/** How many replies of a topic are unread; those read here count as read, even if the server does not know it yet. */
export function unreadIn(outbox: Outbox): (topic: TopicJson) => number {
  const read = unsentEntries(outbox);
  return ({ id, unread_count = 0 }) => Math.max(0, unread_count - (read.get(id)?.size ?? 0));
}

interface Here {
  readonly cache: Cache;
  readonly user: UserStore;
  readonly outbox: Outbox;
  readonly signedIn: { readonly url: string; readonly user_id: number; readonly name: string };
}

export function discussionView({ cache, user, outbox, signedIn }: Here, courseId: number, id: number): RepliesView | null {
  const topic = cache.get<TopicJson>('discussion_topic', id);
  if (!topic || cache.courseIdOf('discussion_topic', id) !== courseId) return null;
  const known = cache.threads.of<DiscussionJson>('discussion_topic', id);
  const names = new Map((known?.participants ?? []).map((person) => [person.id, person.display_name ?? null]));
  const read = unsentEntries(outbox).get(id);
  const unread = new Set((known?.unread_entries ?? []).filter((entry) => !read?.has(entry)));
  const leads: Leads = { base: signedIn.url, to: leadIn(cache) };
  const unsent = new Map<number | null, ReplyView[]>();
  for (const intent of outbox.pending()) {
    if (intent.verb !== 'reply' || intent.body.topic_id !== id) continue;
    const { parent_id } = intent.body;
    const mine = unsentReply(signedIn.name, intent.body, intent.created_at, {
      id: intent.id,
      refused: intent.state === 'parked' ? intent.reason : null,
    });
    unsent.set(parent_id, [...(unsent.get(parent_id) ?? []), mine]);
  }
  const result = (entry: EntryJson): ReplyView => ({
    id: entry.id,
    author: entry.user_name ?? names.get(entry.user_id ?? 0) ?? null,
    mine: entry.user_id === signedIn.user_id,
    at: entry.created_at,
    edited: !entry.deleted && entry.updated_at !== undefined && Date.parse(entry.updated_at) - Date.parse(entry.created_at) > 60_000,
    deleted: entry.deleted ?? false,
    unread: unread.has(entry.id),
    words: prose(entry.message, leads),
    attachments: attachmentsOf({ cache, user }, [entry.attachment]),
    unsent: null,
    replies: [...(entry.replies ?? []).map(result), ...(unsent.get(entry.id) ?? [])],
  });
  const count = topic.discussion_subentry_count ?? 0;
  const write_first = topic.require_initial_post === true && topic.user_can_see_posts === false;
  return {
    replies: [...(known?.view ?? []).map(result), ...(unsent.get(null) ?? [])],
    count,
    unread: unread.size,
    can_reply: topic.permissions?.reply === true && !topic.locked_for_user && !topic.comments_disabled,
    can_attach: topic.permissions?.attach === true,
    unfinished: allTextDrafts(user).flatMap(({ place }) => (place.kind === 'reply' && place.id === id ? [place.parent_id] : [])),
    write_first,
    missing: count > 0 && !known && !write_first,
  };
}

const unsentReply = (author: string, { text, files }: ReplyBody, at: string, unsent: ReplyView['unsent']): ReplyView => ({
  id: 0,
  author,
  mine: true,
  at,
  edited: false,
  deleted: false,
  unread: false,
  words: proseOf(text),
  attachments: waitingFiles(files),
  unsent,
  replies: [],
});
