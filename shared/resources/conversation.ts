// What clients see of a conversation, its messages, and of batches.

import { bool, int, json, listOf, mapOf, maybe, number, object, optional, text, time } from '../wire/fields';
import { resource } from './resource';

const message = {
  id: int,
  author_id: int,
  created_at: time,
  generated: bool,
  body: text,
  attachments: listOf(json),
  media_comment: maybe(json),
  participating_user_ids: listOf(int),
};

export const ConversationMessage = resource('ConversationMessage', { ...message, forwarded_messages: listOf(object(message)) });

const roles = mapOf(listOf(text));

export const Conversation = resource('Conversation', {
  id: int,
  subject: maybe(text),
  workflow_state: text,
  last_message: maybe(text),
  last_message_at: maybe(time),
  last_authored_message: maybe(text),
  last_authored_message_at: maybe(time),
  message_count: int,
  subscribed: bool,
  private: bool,
  starred: bool,
  properties: listOf(text),
  audience: listOf(int),
  audience_contexts: object({ courses: roles, groups: roles }),
  avatar_url: text,
  participants: listOf(
    object({
      id: int,
      name: text,
      full_name: text,
      pronouns: optional(text),
      avatar_url: optional(text),
      common_courses: optional(roles),
      common_groups: optional(roles),
    }),
  ),
  visible: bool,
  context_code: maybe(text),
  context_name: optional(maybe(text)),
  messages: optional(listOf(ConversationMessage.field)),
  submissions: optional(listOf(json)),
  cannot_reply: optional(bool),
});

export const ConversationBatch = resource('ConversationBatch', {
  id: int,
  subject: maybe(text),
  workflow_state: text,
  completion: number,
  recipient_count: int,
  tags: listOf(text),
  message: ConversationMessage.field,
});

export const UnreadCount = resource('UnreadCount', { unread_count: text });
