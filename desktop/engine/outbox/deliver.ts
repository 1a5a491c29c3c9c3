// Sends one intent to the server, and stores the response in the cache before the feed repeats it.

import { saysSomethingToStudent } from '../grading/grade_entry';
import { addressOfPlace } from '../model/places';
import type { ConversationJson, NoteJson, OverrideJson, TopicJson } from '../model/resources';
import { pagesOf } from '../server/paged';
import { Declined, type Session } from '../server/session';
import type { Cache } from '../store/cache';
import type { UserStore } from '../store/user';
import { htmlOf } from '../text/prose';
import { entityIdOf, type Intent, type ItemBody, isOf, type MarkBody, type NoteBody, type WorkFile, workFilesOf } from './intents';
import { isMessage, messageRequest } from './message_files';
import { noteBodyOf } from './note_edits';

/** Submissions are sent by `hand_in.ts`, grades by `send_grade.ts`, texts of authors by `send_authored.ts`. */
export type Delivered = Exclude<Intent, { readonly verb: 'hand in' | 'grade' | 'author' }>;

/**
 * On a server without idempotency keys, sending it twice would create it twice. An intent that is still uploading its files has
 * not been sent.
 */
export const isOnce = (intent: Intent): boolean => {
  // The files of a reply are sent with its text.
  if (intent.verb === 'create' || intent.verb === 'reply' || intent.verb === 'announce') return true;
  // An existing text is the same when it is written twice.
  if (intent.verb === 'author') return intent.body.base === null;
  // A grade is the same when it is given twice, a comment is not.
  if (intent.verb === 'grade')
    return saysSomethingToStudent(intent.body) && workFilesOf(intent).every(({ file_id }) => file_id !== undefined);
  return (intent.verb === 'hand in' || isMessage(intent)) && workFilesOf(intent).every(({ file_id }) => file_id !== undefined);
};

interface Around {
  readonly session: Session;
  readonly cache: Cache;
  readonly user: UserStore;
}

interface Delivering extends Around {
  readonly headers: Readonly<Record<string, string>>;
}

type Of<V extends Intent['verb']> = Extract<Intent, { readonly verb: V }>;

/** Returns the id of a new item. */
type Delivery<V extends Delivered['verb']> = (intent: Of<V>, delivering: Delivering) => Promise<number | undefined>;

const deliveries: { readonly [V in Delivered['verb']]: Delivery<V> } = {
  create: ({ body }, delivering) => create(body, delivering),
  update,
  delete: async ({ entity }, { session, cache, headers }) => {
    await unlessGone(session.ask(`/api/v1/planner_notes/${entityIdOf(entity)}`, { method: 'DELETE', headers }));
    cache.put('planner_note', entityIdOf(entity), undefined);
    return undefined;
  },
  close: async ({ body: { id } }, { session, cache, headers }) => {
    await unlessGone(session.ask(`/api/v1/accounts/self/users/self/account_notifications/${id}`, { method: 'DELETE', headers }));
    cache.put('account_notification', id, undefined);
    return undefined;
  },
  mark: async ({ body }, { session, cache, headers }) => {
    const override = await mark(body, headers, session, cache);
    cache.put('planner_override', override.id, { ...override });
    return undefined;
  },
  read: async ({ body: { course_id, topic_id } }, { session, cache, headers }) => {
    await session.ask(`${addressOfPlace(course_id)}/discussion_topics/${topic_id}/read`, { method: 'PUT', headers });
    const topic = cache.get<TopicJson>('discussion_topic', topic_id);
    if (topic) cache.put('discussion_topic', topic_id, { ...topic, read_state: 'read' }, course_id);
    return undefined;
  },
  'read entries': async ({ body: { course_id, topic_id, entry_ids } }, { session }) => {
    for (const entry of entry_ids) {
      const path = `${addressOfPlace(course_id)}/discussion_topics/${topic_id}/entries/${entry}/read`;
      await session.ask(path, { method: 'PUT' }).catch((problem: unknown) => {
        // An entry that was deleted cannot be marked, and must not stop the others.
        if (!(problem instanceof Declined)) throw problem;
      });
    }
    return undefined;
  },
  // The feed reports that the topic has changed, and its entries are requested again.
  reply: async ({ body: { course_id, topic_id, parent_id, text, files } }, { session, user, headers }) => {
    const entries = `${addressOfPlace(course_id)}/discussion_topics/${topic_id}/entries`;
    const path = parent_id === null ? entries : `${entries}/${parent_id}/replies`;
    await session.ask(path, { method: 'POST', headers, once: true, ...(await messageRequest(htmlOf(text), files, user)) });
    return undefined;
  },
  write: async ({ body: { conversation_id, text, files } }, { session, headers }) => {
    const json = { body: text, ...hanging(files) };
    await session.ask(`/api/v1/conversations/${conversation_id}/add_message`, { method: 'POST', headers, once: true, json });
    return undefined;
  },
  compose: async ({ body: { recipients, subject, text, course_id, files, individually } }, { session, headers }) => {
    const isGroup = recipients.length > 1 && !individually;
    const json = {
      recipients: recipients.map(({ id }) => String(id)),
      subject,
      body: text,
      group_conversation: isGroup,
      // A new message always starts a conversation, even with the same recipients. A group conversation is always new, and with this would be
      // sent to each of them alone.
      ...(!isGroup && { force_new: true }),
      ...(course_id === null ? {} : { context_code: `course_${course_id}` }),
      ...hanging(files),
    };
    await session.ask('/api/v1/conversations', { method: 'POST', headers, once: true, json });
    return undefined;
  },
  announce: async ({ body: { course_id, title, text } }, { session, cache, headers }) => {
    const json = { title, message: htmlOf(text), is_announcement: true, published: true };
    const path = `${addressOfPlace(course_id)}/discussion_topics`;
    const made = await session.json<TopicJson>(path, { method: 'POST', headers, once: true, json });
    cache.put('discussion_topic', made.id, { ...made, is_announcement: true }, course_id);
    return undefined;
  },
  open: async ({ body: { conversation_id } }, { session, headers }) => {
    const json = { conversation: { workflow_state: 'read' } };
    await session.ask(`/api/v1/conversations/${conversation_id}`, { method: 'PUT', headers, json });
    return undefined;
  },
  star: ({ body }, delivering) => changeConversation(body.conversation_id, { starred: body.starred }, delivering),
  archive: ({ body }, delivering) =>
    changeConversation(body.conversation_id, { workflow_state: body.archived ? 'archived' : 'read' }, delivering),
  view: ({ body }, delivering) => onItem(body, { path: 'mark_read', method: 'POST' }, delivering),
  done: ({ body }, delivering) => onItem(body, { path: 'done', method: 'PUT' }, delivering),
  undone: ({ body }, delivering) => onItem(body, { path: 'done', method: 'DELETE' }, delivering),
};

/** Returns the id that the server gave to a new item. */
export function deliverIntent(intent: Delivered, around: Around): Promise<number | undefined> {
  const delivery = deliveries[intent.verb] as Delivery<Delivered['verb']>;
  return delivery(intent, { ...around, headers: { 'idempotency-key': intent.id } });
}

async function create(body: NoteBody, { session, cache, headers }: Delivering): Promise<number> {
  const note = await session.json<NoteJson>('/api/v1/planner_notes', { method: 'POST', headers, once: true, json: given(body) });
  cache.put('planner_note', note.id, { ...note });
  return note.id;
}

async function update({ id, entity, body }: Of<'update'>, delivering: Delivering): Promise<number | undefined> {
  const { session, cache, headers } = delivering;
  const json = body.change ?? noteBodyOf(body);
  if (Object.keys(json).length === 0) return undefined;
  try {
    const note = await session.json<NoteJson>(`/api/v1/planner_notes/${entityIdOf(entity)}`, { method: 'PUT', headers, json });
    cache.put('planner_note', note.id, { ...note });
    return undefined;
  } catch (problem) {
    // Deleted on another device: what was written on it since is created again.
    if (!(problem instanceof Declined && problem.status === 404)) throw problem;
    return create(body, { ...delivering, headers: { 'idempotency-key': `${id}-anew` } });
  }
}

/** An item that is already deleted is what the user wanted. */
const unlessGone = (deleting: Promise<unknown>): Promise<unknown> =>
  deleting.catch((problem: unknown) => {
    if (!(problem instanceof Declined && problem.status === 404)) throw problem;
  });

async function changeConversation(
  id: number,
  conversation: Partial<ConversationJson>,
  { session, cache, headers }: Delivering,
): Promise<undefined> {
  await session.ask(`/api/v1/conversations/${id}`, { method: 'PUT', headers, json: { conversation } });
  const known = cache.get<ConversationJson>('conversation', id);
  if (known) cache.put('conversation', id, { ...known, ...conversation });
}

/** Only the server knows the effect on the module; the feed returns it. */
async function onItem(
  { course_id, module_id, item_id }: ItemBody,
  { path, method }: { readonly path: string; readonly method: string },
  { session, headers }: Delivering,
): Promise<undefined> {
  await session.ask(`/api/v1/courses/${course_id}/modules/${module_id}/items/${item_id}/${path}`, { method, headers });
}

async function mark(body: MarkBody, headers: Delivering['headers'], session: Session, cache: Cache): Promise<OverrideJson> {
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
const given = (body: NoteBody): unknown => Object.fromEntries(Object.entries(noteBodyOf(body)).filter(([, value]) => value !== null));

const hanging = (files: readonly WorkFile[] = []) => (files.length === 0 ? {} : { attachment_ids: files.map(({ file_id }) => file_id) });
