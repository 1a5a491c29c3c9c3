// The search document of each kind: its title, its text, and its type in the user's words.

import type { Kind } from '@carrel/shared/sync/protocol';
import type { FoundKind } from '../../contract/search';
import {
  type AccountNotificationJson,
  type AssignmentJson,
  announcedAtOf,
  type ConversationJson,
  type CourseJson,
  type DiscussionJson,
  type EntryJson,
  type EventJson,
  type FileJson,
  type ModuleJson,
  type NoteJson,
  type PageJson,
  type TopicJson,
} from '../model/resources';
import { plainText } from '../text/plain_text';

export interface Document {
  readonly what: FoundKind;
  readonly title: string;
  readonly body: string;
  readonly at: string | null;
}

type Json = Readonly<Record<string, unknown>>;

const withoutEnding = (name = ''): string => name.replaceAll(/[_.-]+/g, ' ');
const entryWords = ({ message, replies }: EntryJson): string => [plainText(message), ...(replies ?? []).map(entryWords)].join(' ');

/** The text of a thread, requested separately, belongs to its topic or conversation. */
export function documentOf(kind: Kind, resource: Json, thread: Json | undefined): Document | undefined {
  const given = resource as unknown;
  switch (kind) {
    case 'course': {
      const { name, course_code, syllabus_body } = given as CourseJson & { syllabus_body?: string | null };
      return name === undefined
        ? undefined
        : { what: 'course', title: name, body: `${course_code ?? ''} ${plainText(syllabus_body)}`, at: null };
    }
    case 'module': {
      const { name, items } = given as ModuleJson;
      return { what: 'module', title: name, body: (items ?? []).map(({ title }) => title).join(' · '), at: null };
    }
    case 'page': {
      const { title, body, updated_at } = given as PageJson;
      return { what: 'page', title, body: plainText(body), at: updated_at ?? null };
    }
    case 'assignment': {
      const { name, description, due_at } = given as AssignmentJson;
      return { what: 'assignment', title: name, body: plainText(description), at: due_at ?? null };
    }
    case 'discussion_topic': {
      const topic = given as TopicJson;
      const replies = ((thread as DiscussionJson | undefined)?.view ?? []).map(entryWords);
      return {
        what: topic.is_announcement ? 'announcement' : 'discussion',
        title: topic.title,
        body: [plainText(topic.message), ...replies].join(' '),
        at: announcedAtOf(topic),
      };
    }
    case 'file': {
      const { display_name, modified_at, updated_at } = given as FileJson;
      return { what: 'file', title: display_name, body: withoutEnding(display_name), at: modified_at ?? updated_at ?? null };
    }
    case 'conversation': {
      const { subject, participants, last_message, last_message_at } = given as ConversationJson;
      const messages = (thread as unknown as ConversationJson | undefined)?.messages?.map(({ body }) => body) ?? [last_message ?? ''];
      const people = (participants ?? []).map(({ name }) => name ?? '').join(', ');
      return { what: 'message', title: subject || people, body: [people, ...messages].join(' '), at: last_message_at ?? null };
    }
    case 'account_notification': {
      const { subject, message, start_at } = given as AccountNotificationJson;
      return { what: 'announcement', title: subject, body: plainText(message), at: start_at };
    }
    case 'planner_note': {
      const { title, details, todo_date } = given as NoteJson;
      return { what: 'note', title, body: details ?? '', at: todo_date };
    }
    case 'calendar_event': {
      const { title, description, location_name, start_at } = given as EventJson;
      return { what: 'event', title, body: `${location_name ?? ''} ${plainText(description)}`, at: start_at ?? null };
    }
    default:
      return undefined;
  }
}
