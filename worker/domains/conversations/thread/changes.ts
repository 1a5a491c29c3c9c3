// How an event changes a conversation for each participant. Pure: the Durable Object and the routes read and write.

export interface Participant {
  readonly user_id: number;
  readonly workflow_state: 'read' | 'unread' | 'archived';
  readonly subscribed: boolean;
  readonly starred: boolean;
  /** Messages by users that this participant has not deleted. */
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

export interface MessageThread {
  readonly private: boolean;
  /** Position of the newest message; the first is 1. */
  readonly position: number;
  readonly participants: readonly Participant[];
}

export interface ThreadMessage {
  readonly author_id: number;
  readonly body: string;
  readonly created_at: string;
  readonly hasAttachments: boolean;
  readonly hasMedia: boolean;
}

/** Maximum number of participants. */
export const mostParticipants = 100;

export const preview = (body: string): string => (body.length <= 100 ? body : `${body.slice(0, 97)}...`);

/** Two users share one private conversation; a note to oneself has one participant. */
export const privateKey = (me: number, other: number): string =>
  me === other ? String(me) : `${Math.min(me, other)},${Math.max(me, other)}`;

/** A new participant who has no messages yet. */
export const newParticipant = (user_id: number, joined_at: string): Participant => ({
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

const carried = (said: ThreadMessage): string[] => [
  ...(said.hasAttachments ? ['attachments'] : []),
  ...(said.hasMedia ? ['media_objects'] : []),
];

const propertiesAfter = (before: readonly string[], said: ThreadMessage, isAuthor: boolean): string[] => [
  ...(isAuthor ? ['last_author'] : []),
  ...new Set([...before.filter((property) => property !== 'last_author'), ...carried(said)]),
];

/** The author has read the message; the conversation appears in the author's inbox once another participant writes. */
function afterSaying(author: Participant, said: ThreadMessage): Participant {
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

/** A message reactivates the conversation for participants who follow it or had deleted it; others keep their state. */
function afterHearing(reader: Participant, said: ThreadMessage): Participant {
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
 * The participants whom a message changes, in their new state. Recipients who are not participants are added.
 * @param to the recipients besides the author
 */
export function afterMessage(thread: MessageThread, said: ThreadMessage, to: readonly number[]): Participant[] {
  const standing = new Map(thread.participants.map((participant) => [participant.user_id, participant]));
  return [...new Set([said.author_id, ...to])].map((id) => {
    const before = standing.get(id) ?? newParticipant(id, said.created_at);
    return id === said.author_id ? afterSaying(before, said) : afterHearing(before, said);
  });
}

/** A message in a participant's copy. */
export interface KeptMessage {
  readonly author_id: number;
  readonly generated: boolean;
  readonly preview: string;
  readonly created_at: string;
  readonly hasAttachments: boolean;
  readonly hasMedia: boolean;
}

/** A participant's state with exactly these messages, oldest first. Generated messages alone leave the conversation empty. */
export function withOnly(before: Participant, kept: readonly KeptMessage[]): Participant {
  const human = kept.filter((message) => !message.generated);
  const newest = human.at(-1);
  if (!newest) return { ...newParticipant(before.user_id, before.joined_at), subscribed: before.subscribed };
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

/** New participants, who receive the earlier messages. */
export const joiningParticipants = (ids: readonly number[], earlier: readonly KeptMessage[], now: string): Participant[] =>
  ids.map((id) => {
    const found = withOnly(newParticipant(id, now), earlier);
    return found.message_count === 0 ? found : { ...found, workflow_state: 'unread' };
  });

export interface ParticipantChange {
  readonly workflow_state?: 'read' | 'unread' | 'archived';
  readonly subscribed?: boolean;
  readonly starred?: boolean;
}

/** A participant's own changes. A private conversation is always subscribed; unstarring or archiving an unread one marks it read. */
export function afterParticipantChange(before: Participant, wanted: ParticipantChange, isPrivate: boolean): Participant {
  const subscribed = isPrivate ? true : (wanted.subscribed ?? before.subscribed);
  const leaves = before.subscribed && !subscribed && before.workflow_state === 'unread';
  return {
    ...before,
    subscribed,
    starred: wanted.starred ?? before.starred,
    workflow_state: wanted.workflow_state ?? (leaves ? 'read' : before.workflow_state),
  };
}

/** Order of the audience: most messages first, then by name. */
export const byActivity = (a: { authored_count: number; name: string }, b: { authored_count: number; name: string }): number =>
  b.authored_count - a.authored_count || a.name.localeCompare(b.name);
