// The user's changes that the server does not have yet: one intent each, by the item that it changes.

import type { Kind } from '@carrel/shared/sync/protocol';
import type { AuthoredBase, AuthoredPlace, AuthoredText } from '../../contract/authoring';
import type { Hold, WorkType } from '../../contract/work';
import { t } from '../../language/texts';
import type { GradeBody, WorkFile } from '../grading/grade_entry';
import type { ConversationJson, ModuleJson, OverrideJson } from '../model/resources';
import type { Cache } from '../store/cache';

export interface NoteBody {
  readonly title: string;
  readonly details: string | null;
  readonly todo_date: string;
  readonly course_id: number | null;
}

/** The new note, with the state that it replaces. */
export interface EditBody extends NoteBody {
  readonly before?: NoteBody;
  /** The fields that are sent; set before the first attempt. */
  readonly change?: Partial<NoteBody>;
}

export interface MarkBody {
  readonly plannable_type: string;
  readonly plannable_id: number;
  readonly marked_complete: boolean;
}

export interface TopicBody {
  readonly course_id: number;
  readonly topic_id: number;
}

export interface EntriesBody extends TopicBody {
  readonly entry_ids: readonly number[];
}

export interface ReplyBody extends TopicBody {
  /** The entry that it replies to; null: the topic itself. */
  readonly parent_id: number | null;
  readonly text: string;
  /** The server accepts one. */
  readonly files?: readonly WorkFile[];
}

export interface MessageBody {
  readonly conversation_id: number;
  readonly text: string;
  readonly files?: readonly WorkFile[];
}

export interface NewMessageBody {
  readonly recipients: readonly { readonly id: number; readonly name: string }[];
  readonly subject: string;
  readonly text: string;
  readonly course_id: number | null;
  readonly files?: readonly WorkFile[];
  readonly individually?: boolean;
}

export interface AnnouncementBody {
  readonly course_id: number;
  readonly title: string;
  readonly text: string;
}

export interface AuthoredBody extends AuthoredPlace {
  readonly text: AuthoredText;
  /** What its author began with; null: a new one. */
  readonly base: AuthoredBase | null;
  /** What someone else has made of it since. */
  readonly meanwhile?: AuthoredBase & { readonly who: string | null; readonly at: string | null };
  /** Images that are not on the server yet. */
  readonly files?: readonly WorkFile[] | undefined;
}

export interface ItemBody {
  readonly course_id: number;
  readonly module_id: number;
  readonly item_id: number;
}

export interface ClosingBody {
  readonly id: number;
  readonly title: string;
}

export interface SubmittedWork {
  readonly type: WorkType;
  readonly text: string;
  readonly url: string;
  readonly files: readonly WorkFile[];
}

export interface WorkBody extends SubmittedWork {
  readonly course_id: number;
  readonly assignment_id: number;
  /** The title to show, even if the item has been deleted. */
  readonly title?: string;
  /** The latest attempt when it was handed in; if the server has a newer one, the user is asked. */
  readonly known_attempt: number;
}

export type { WorkFile };

interface Common {
  readonly seq: number;
  /** Also its idempotency key: a repeated request takes effect once. */
  readonly id: string;
  readonly entity: string;
  /** `parked`: the server refused it, or it failed too often. The text stays here, with the reason. */
  readonly state: 'queued' | 'parked';
  readonly attempts: number;
  readonly reason: string | null;
  /** Why it waits, if the desk knows. */
  readonly hold: Hold | null;
  readonly created_at: string;
}

export type IntentAction =
  | { readonly verb: 'create'; readonly body: NoteBody }
  | { readonly verb: 'update'; readonly body: EditBody }
  | { readonly verb: 'delete'; readonly body: { readonly before: NoteBody } | null }
  | { readonly verb: 'mark'; readonly body: MarkBody }
  | { readonly verb: 'read'; readonly body: TopicBody }
  | { readonly verb: 'read entries'; readonly body: EntriesBody }
  | { readonly verb: 'reply'; readonly body: ReplyBody }
  | { readonly verb: 'write'; readonly body: MessageBody }
  | { readonly verb: 'open'; readonly body: { readonly conversation_id: number } }
  | { readonly verb: 'star'; readonly body: { readonly conversation_id: number; readonly starred: boolean } }
  | { readonly verb: 'archive'; readonly body: { readonly conversation_id: number; readonly archived: boolean } }
  | { readonly verb: 'view'; readonly body: ItemBody }
  | { readonly verb: 'done'; readonly body: ItemBody }
  | { readonly verb: 'undone'; readonly body: ItemBody }
  | { readonly verb: 'compose'; readonly body: NewMessageBody }
  | { readonly verb: 'announce'; readonly body: AnnouncementBody }
  | { readonly verb: 'author'; readonly body: AuthoredBody }
  | { readonly verb: 'close'; readonly body: ClosingBody }
  | { readonly verb: 'hand in'; readonly body: WorkBody }
  | { readonly verb: 'grade'; readonly body: GradeBody };

export type Verb = IntentAction['verb'];
export type Intent = Common & IntentAction;

export const noteEntity = (id: number): string => `planner_note:${id}`;
export const markEntity = (type: string, id: number): string => `planner_override:${type}:${id}`;
export const topicEntity = (id: number): string => `discussion_topic:${id}`;
export const entriesEntity = (topicId: number): string => `discussion_entries:${topicId}`;
export const conversationEntity = (id: number): string => `conversation:${id}`;
export const starEntity = (id: number): string => `conversation_star:${id}`;
export const workEntity = (assignmentId: number): string => `submission:${assignmentId}`;
export const gradeEntity = ({
  assignment_id,
  user_id,
  anonymous_id,
}: Pick<GradeBody, 'assignment_id' | 'user_id' | 'anonymous_id'>): string => `grade:${assignment_id}:${anonymous_id ?? user_id}`;
export const authoredEntity = ({ kind, id }: Pick<AuthoredPlace, 'kind' | 'id'>): string => `authored_${kind}:${id}`;
export const itemEntity = (id: number): string => `module_item:${id}`;
export const closingEntity = (id: number): string => `account_notification:${id}`;
export const entityIdOf = (entity: string): number => Number(entity.split(':')[1]);
export const isNoteEntity = (entity: string): boolean => entity.startsWith('planner_note:');

/** Never sent, or refused: another edit may replace it. */
export const isUnheard = ({ attempts, state }: Pick<Intent, 'attempts' | 'state'>): boolean => attempts === 0 || state === 'parked';

/** A read mark is sent when possible and may be lost; everything else is a change of the user. */
export const isWord = ({ verb }: Pick<Intent, 'verb'>): boolean => !quiet.has(verb);
const quiet: ReadonlySet<Verb> = new Set(['read', 'read entries', 'open', 'view']);

export const workFilesOf = ({ verb, body }: Intent): readonly WorkFile[] =>
  verb === 'author' || verb === 'hand in' || verb === 'write' || verb === 'compose' || verb === 'reply' || verb === 'grade'
    ? (body.files ?? [])
    : [];

const deeds: Readonly<Record<Verb, string>> = {
  create: 'your new note',
  update: 'your changed note',
  delete: 'your deleted note',
  mark: 'your mark in the planner',
  read: 'what you have read',
  'read entries': 'what you have read',
  reply: 'your reply',
  write: 'your message',
  open: 'what you have read',
  star: 'your star',
  archive: 'your archive',
  view: 'what you have viewed',
  done: 'what you marked as done',
  undone: 'what you marked as not done',
  compose: 'your message',
  announce: 'your announcement',
  author: 'your text',
  close: 'an announcement you closed',
  'hand in': 'your work',
  grade: 'your grade',
};

/** Describes the intent to the user: the action and the item. */
export function sayingOf({ verb, entity, body }: Intent, cache: Cache): { readonly what: string; readonly where: string } {
  const titled = (found: { readonly title?: string; readonly name?: string } | undefined) => found?.title ?? found?.name ?? entity;
  const saying = (where: string) => ({ what: deeds[verb], where });
  if (verb === 'create' || verb === 'update') return saying(body.title || entity);
  if (verb === 'delete') return saying(titled(cache.get('planner_note', entityIdOf(entity))));
  if (verb === 'write' || verb === 'open' || verb === 'star' || verb === 'archive')
    return saying(cache.get<ConversationJson>('conversation', body.conversation_id)?.subject || t('inbox.noSubject'));
  if (verb === 'read' || verb === 'read entries' || verb === 'reply') return saying(titled(cache.get('discussion_topic', body.topic_id)));
  if (verb === 'compose') return saying(body.subject || body.recipients.map(({ name }) => name).join(', '));
  if (verb === 'close' || verb === 'announce') return saying(body.title);
  if (verb === 'author') return saying(body.text.title);
  if (verb === 'hand in') return saying(titled(cache.get('assignment', body.assignment_id) ?? body));
  if (verb === 'grade') return saying(`${body.title}: ${body.student}`);
  if (verb === 'mark') {
    const kind = plannables[body.plannable_type];
    return saying(titled(kind && cache.get(kind, body.plannable_id)));
  }
  const module = cache.get<ModuleJson>('module', body.module_id);
  return saying(titled(module?.items?.find(({ id }) => id === body.item_id)));
}

const plannables: Readonly<Record<string, Kind>> = {
  assignment: 'assignment',
  discussion_topic: 'discussion_topic',
  announcement: 'discussion_topic',
  wiki_page: 'page',
  planner_note: 'planner_note',
  calendar_event: 'calendar_event',
};

export const isOf =
  (type: string, id: number) =>
  (override: OverrideJson): boolean =>
    override.plannable_type === type && override.plannable_id === id && override.workflow_state !== 'deleted';
