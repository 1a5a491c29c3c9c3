// Sends one intent to the server, and stores the response in the cache before the feed repeats it.

import { addressOfPlace } from '../model/places';
import type { ConversationJson, NoteJson, OverrideJson, TopicJson } from '../model/resources';
import { pagesOf } from '../server/paged';
import { Declined, type Session } from '../server/session';
import type { Cache } from '../store/cache';
import type { UserStore } from '../store/user';
import { htmlOf } from '../text/prose';
import { filesOf, type Intent, idOf, isOf, type MarkBody, type NoteBody, type WorkFile } from './intents';
import { isLetter, spoken } from './letter_files';
import { bodyOf } from './note_edits';

/** Submissions are sent by `hand_in.ts`. */
export type Delivered = Exclude<Intent, { readonly verb: 'hand in' }>;

/**
 * On a server without idempotency keys, sending it twice would create it twice. An intent that is still uploading its files has
 * not been sent.
 */
export const isOnce = (intent: Intent): boolean => {
  // The files of a reply are sent with its text.
  if (intent.verb === 'create' || intent.verb === 'reply') return true;
  return (intent.verb === 'hand in' || isLetter(intent)) && filesOf(intent).every(({ file_id }) => file_id !== undefined);
};

interface Around {
  readonly session: Session;
  readonly cache: Cache;
  readonly user: UserStore;
}

/** Returns the id that the server gave to a new item. */
export async function deliver(intent: Delivered, { session, cache, user }: Around): Promise<number | undefined> {
  const headers = { 'idempotency-key': intent.id };
  const id = idOf(intent.entity);
  switch (intent.verb) {
    case 'create': {
      return create(intent.body, headers, session, cache);
    }
    case 'update': {
      const json = intent.body.change ?? bodyOf(intent.body);
      if (Object.keys(json).length === 0) return undefined;
      try {
        const note = await session.json<NoteJson>(`/api/v1/planner_notes/${id}`, { method: 'PUT', headers, json });
        cache.put('planner_note', note.id, { ...note });
        return undefined;
      } catch (problem) {
        // Deleted on another device: what was written on it since is created again.
        if (!(problem instanceof Declined && problem.status === 404)) throw problem;
        return create(intent.body, { 'idempotency-key': `${intent.id}-anew` }, session, cache);
      }
    }
    case 'delete':
      await session.ask(`/api/v1/planner_notes/${id}`, { method: 'DELETE', headers }).catch((problem: unknown) => {
        // Already deleted, which is what the user wanted.
        if (!(problem instanceof Declined && problem.status === 404)) throw problem;
      });
      cache.put('planner_note', id, undefined);
      return undefined;
    case 'close':
      await session
        .ask(`/api/v1/accounts/self/users/self/account_notifications/${intent.body.id}`, { method: 'DELETE', headers })
        .catch((problem: unknown) => {
          if (!(problem instanceof Declined && problem.status === 404)) throw problem;
        });
      cache.put('account_notification', intent.body.id, undefined);
      return undefined;
    case 'mark': {
      const override = await mark(intent.body, headers, session, cache);
      cache.put('planner_override', override.id, { ...override });
      return undefined;
    }
    case 'read': {
      const { course_id, topic_id } = intent.body;
      await session.ask(`${addressOfPlace(course_id)}/discussion_topics/${topic_id}/read`, { method: 'PUT', headers });
      const topic = cache.get<TopicJson>('discussion_topic', topic_id);
      if (topic) cache.put('discussion_topic', topic_id, { ...topic, read_state: 'read' }, course_id);
      return undefined;
    }
    case 'read entries': {
      const { course_id, topic_id, entry_ids } = intent.body;
      for (const entry of entry_ids) {
        const path = `${addressOfPlace(course_id)}/discussion_topics/${topic_id}/entries/${entry}/read`;
        await session.ask(path, { method: 'PUT' }).catch((problem: unknown) => {
          // An entry that was deleted cannot be marked, and must not stop the others.
          if (!(problem instanceof Declined)) throw problem;
        });
      }
      return undefined;
    }
    case 'reply': {
      // The feed reports that the topic has changed, and its entries are requested again.
      const { course_id, topic_id, parent_id, text, files } = intent.body;
      const entries = `${addressOfPlace(course_id)}/discussion_topics/${topic_id}/entries`;
      const path = parent_id === null ? entries : `${entries}/${parent_id}/replies`;
      await session.ask(path, { method: 'POST', headers, once: true, ...(await spoken(htmlOf(text), files, user)) });
      return undefined;
    }
    case 'write': {
      const { conversation_id, text, files } = intent.body;
      await session.ask(`/api/v1/conversations/${conversation_id}/add_message`, {
        method: 'POST',
        headers,
        once: true,
        json: { body: text, ...hanging(files) },
      });
      return undefined;
    }
    case 'compose': {
      const { recipients, subject, text, course_id, files } = intent.body;
      const json = {
        recipients: recipients.map(({ id }) => String(id)),
        subject,
        body: text,
        group_conversation: recipients.length > 1,
        // A new message always starts a conversation, even with the same recipients.
        force_new: true,
        ...(course_id === null ? {} : { context_code: `course_${course_id}` }),
        ...hanging(files),
      };
      await session.ask('/api/v1/conversations', { method: 'POST', headers, once: true, json });
      return undefined;
    }
    case 'open': {
      const { conversation_id } = intent.body;
      const json = { conversation: { workflow_state: 'read' } };
      await session.ask(`/api/v1/conversations/${conversation_id}`, { method: 'PUT', headers, json });
      return undefined;
    }
    case 'star':
    case 'archive': {
      const { verb, body } = intent;
      const conversation = verb === 'star' ? { starred: body.starred } : { workflow_state: body.archived ? 'archived' : 'read' };
      await session.ask(`/api/v1/conversations/${body.conversation_id}`, { method: 'PUT', headers, json: { conversation } });
      const known = cache.get<ConversationJson>('conversation', body.conversation_id);
      if (known) cache.put('conversation', body.conversation_id, { ...known, ...conversation });
      return undefined;
    }
    case 'view':
    case 'done':
    case 'undone': {
      // Only the server knows the effect on the module; the feed returns it.
      const { course_id, module_id, item_id } = intent.body;
      const item = `/api/v1/courses/${course_id}/modules/${module_id}/items/${item_id}`;
      if (intent.verb === 'view') await session.ask(`${item}/mark_read`, { method: 'POST', headers });
      else await session.ask(`${item}/done`, { method: intent.verb === 'done' ? 'PUT' : 'DELETE', headers });
      return undefined;
    }
    default:
      return intent satisfies never;
  }
}

async function create(body: NoteBody, headers: Record<string, string>, session: Session, cache: Cache): Promise<number> {
  const note = await session.json<NoteJson>('/api/v1/planner_notes', { method: 'POST', headers, once: true, json: given(body) });
  cache.put('planner_note', note.id, { ...note });
  return note.id;
}

async function mark(body: MarkBody, headers: Record<string, string>, session: Session, cache: Cache): Promise<OverrideJson> {
  const isThis = isOf(body.plannable_type, body.plannable_id);
  const change = ({ id, dismissed }: OverrideJson) =>
    session.json<OverrideJson>(`/api/v1/planner/overrides/${id}`, {
      method: 'PUT',
      headers,
      json: { marked_complete: body.marked_complete, dismissed: dismissed ?? false },
    });
  const known = cache.all<OverrideJson>('planner_override').find(isThis);
  if (known) return change(known);
  try {
    return await session.json('/api/v1/planner/overrides', { method: 'POST', headers, json: body });
  } catch (problem) {
    // Another device has marked the item meanwhile: an item has one planner override only, so its id is requested.
    const there = problem instanceof Declined && problem.status === 400 ? await markAmong(isThis, session) : undefined;
    if (!there) throw problem;
    return change(there);
  }
}

async function markAmong(isThis: (override: OverrideJson) => boolean, session: Session): Promise<OverrideJson | undefined> {
  for await (const page of pagesOf<OverrideJson>(session, '/api/v1/planner/overrides?per_page=100')) {
    const there = page.find(isThis);
    if (there) return there;
  }
  return undefined;
}

/** A missing course is left out: the server reads null as a course that does not exist. */
const given = (body: NoteBody): unknown => Object.fromEntries(Object.entries(bodyOf(body)).filter(([, value]) => value !== null));

const hanging = (files: readonly WorkFile[] = []) => (files.length === 0 ? {} : { attachment_ids: files.map(({ file_id }) => file_id) });
