// What a thread becomes for each of its people when something happens in it. Pure: the turnstile and the routes gather and write.

export interface Participant {
  readonly user_id: number;
  readonly workflow_state: 'read' | 'unread' | 'archived';
  readonly subscribed: boolean;
  readonly starred: boolean;
  /** Messages that people wrote and that this person still has. */
  readonly message_count: number;
  readonly authored_count: number;
  readonly last_message: string | null;
  readonly last_message_at: string | null;
  readonly last_authored_message: string | null;
  readonly last_authored_message_at: string | null;
  readonly moved_at: string;
  readonly properties: readonly string[];
  readonly joined_at: string;
}

export interface Thread {
  readonly private: boolean;
  /** Of the newest message; the first is 1. */
  readonly position: number;
  readonly participants: readonly Participant[];
}

export interface Said {
  readonly author_id: number;
  readonly body: string;
  readonly created_at: string;
  readonly hasAttachments: boolean;
  readonly hasMedia: boolean;
}

/** The most people that one thread holds. */
export const mostParticipants = 100;

export const preview = (body: string): string => (body.length <= 100 ? body : `${body.slice(0, 97)}...`);

/** Two people share one private thread; a note to oneself has a thread of one. */
export const privateKey = (me: number, other: number): string =>
  me === other ? String(me) : `${Math.min(me, other)},${Math.max(me, other)}`;

/** Someone who has just come in and has seen nothing. */
export const newcomer = (user_id: number, joined_at: string): Participant => ({
  user_id,
  workflow_state: 'read',
  subscribed: true,
  starred: false,
  message_count: 0,
  authored_count: 0,
  last_message: null,
  last_message_at: null,
  last_authored_message: null,
  last_authored_message_at: null,
  moved_at: '',
  properties: [],
  joined_at,
});

const carried = (said: Said): string[] => [...(said.hasAttachments ? ['attachments'] : []), ...(said.hasMedia ? ['media_objects'] : [])];

const propertiesAfter = (before: readonly string[], said: Said, isAuthor: boolean): string[] => [
  ...(isAuthor ? ['last_author'] : []),
  ...new Set([...before.filter((property) => property !== 'last_author'), ...carried(said)]),
];

/** The author has read what he wrote; it shows in his inbox once somebody else has written. */
function afterSaying(author: Participant, said: Said): Participant {
  const isAnswered = author.last_message_at !== null;
  return {
    ...author,
    workflow_state: 'read',
    message_count: author.message_count + 1,
    authored_count: author.authored_count + 1,
    last_authored_message: preview(said.body),
    last_authored_message_at: said.created_at,
    ...(isAnswered && { last_message: preview(said.body), last_message_at: said.created_at }),
    moved_at: said.created_at,
    properties: propertiesAfter(author.properties, said, true),
  };
}

/** A message wakes those who follow the thread and those who had thrown all of it away; others keep their state. */
function afterHearing(reader: Participant, said: Said): Participant {
  const wakes = reader.subscribed || reader.last_message_at === null;
  return {
    ...reader,
    message_count: reader.message_count + 1,
    ...(wakes && {
      workflow_state: 'unread',
      last_message: preview(said.body),
      last_message_at: said.created_at,
      moved_at: said.created_at,
    }),
    properties: propertiesAfter(reader.properties, said, false),
  };
}

/**
 * The people whom a message changes, each as they are afterwards. Those who are not in the thread yet come in with it.
 * @param to whom it goes besides its author
 */
export function afterMessage(thread: Thread, said: Said, to: readonly number[]): Participant[] {
  const standing = new Map(thread.participants.map((participant) => [participant.user_id, participant]));
  return [...new Set([said.author_id, ...to])].map((id) => {
    const before = standing.get(id) ?? newcomer(id, said.created_at);
    return id === said.author_id ? afterSaying(before, said) : afterHearing(before, said);
  });
}

/** A message as one person still has it. */
export interface Kept {
  readonly author_id: number;
  readonly generated: boolean;
  readonly preview: string;
  readonly created_at: string;
  readonly hasAttachments: boolean;
  readonly hasMedia: boolean;
}

/** How a person stands with exactly these messages, oldest first. Without a human one nothing is left of the thread. */
export function withOnly(before: Participant, kept: readonly Kept[]): Participant {
  const human = kept.filter((message) => !message.generated);
  const newest = human.at(-1);
  if (!newest) return { ...newcomer(before.user_id, before.joined_at), subscribed: before.subscribed };
  const own = human.filter((message) => message.author_id === before.user_id);
  const isAnswered = own.length < human.length;
  const lastOwn = own.at(-1);
  return {
    ...before,
    message_count: human.length,
    authored_count: own.length,
    last_message: isAnswered ? newest.preview : null,
    last_message_at: isAnswered ? newest.created_at : null,
    last_authored_message: lastOwn?.preview ?? null,
    last_authored_message_at: lastOwn?.created_at ?? null,
    moved_at: newest.created_at,
    properties: [
      ...(newest === lastOwn ? ['last_author'] : []),
      ...(human.some((message) => message.hasAttachments) ? ['attachments'] : []),
      ...(human.some((message) => message.hasMedia) ? ['media_objects'] : []),
    ],
  };
}

/** People who are brought into a thread and find what was said before. */
export const joining = (ids: readonly number[], earlier: readonly Kept[], now: string): Participant[] =>
  ids.map((id) => {
    const found = withOnly(newcomer(id, now), earlier);
    return found.message_count === 0 ? found : { ...found, workflow_state: 'unread' };
  });

export interface Wish {
  readonly workflow_state?: 'read' | 'unread' | 'archived';
  readonly subscribed?: boolean;
  readonly starred?: boolean;
}

/** What a person sets for himself. A private thread is always followed; leaving off an unread one reads it. */
export function afterWish(before: Participant, wish: Wish, isPrivate: boolean): Participant {
  const subscribed = isPrivate ? true : (wish.subscribed ?? before.subscribed);
  const leaves = before.subscribed && !subscribed && before.workflow_state === 'unread';
  return {
    ...before,
    subscribed,
    starred: wish.starred ?? before.starred,
    workflow_state: wish.workflow_state ?? (leaves ? 'read' : before.workflow_state),
  };
}

/** In the order in which an audience is named: who wrote most, then by name. */
export const byActivity = (a: { authored_count: number; name: string }, b: { authored_count: number; name: string }): number =>
  b.authored_count - a.authored_count || a.name.localeCompare(b.name);
