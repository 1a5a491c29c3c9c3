// What changes of pages, files, discussions and messages mean. Pure.

import {
  type AccountNotificationJson,
  announcedAtOf,
  type ConversationJson,
  type DiscussionJson,
  type EntryJson,
  type FileJson,
  type FolderJson,
  isShut,
  type PageJson,
  type TopicJson,
} from '../model/resources';
import { plainText } from '../text/plain_text';
import { changeNews, type NewsDraft, type NewsReport, newsMeaning, reworded, type Seeing } from './meaning';

const longestExcerpt = 120;

export const pageNews = newsMeaning<PageJson>((before, after, { me }) => {
  if (!after) return [!!before && ['gone']];
  if (isBy(me, after.last_edited_by)) return [];
  if (!before) return [['page new']];
  return [
    changeNews('renamed', before.title, after.title),
    reworded('page', before, after),
    isShut(before) && !isShut(after) && ['opened'],
  ];
});

/** Files outside courses and groups are the user's own doing, on any device. */
export const fileNews = newsMeaning<FileJson>((before, after, { course_id, titleOf }) => {
  if (course_id === null) return [];
  const folder = (after ?? before)?.folder_id ?? null;
  const inIt = { folder };
  if (!after) return [!!before && ['gone', inIt]];
  if (!before) return [['file new', inIt]];
  const isMoved = before.folder_id != null && folder !== null && before.folder_id !== folder;
  return [
    changeNews('renamed', before.display_name, after.display_name),
    isMoved && ['file moved', { from: titleOf('folder', before.folder_id ?? 0) ?? null, to: titleOf('folder', folder) ?? null, folder }],
    isReplaced(before, after) && ['file replaced', inIt],
    ((before.locked_for_user === true && after.locked_for_user === false) || before.withheld !== undefined) && ['opened', inIt],
  ];
});

/** By its hash; without a hash, by its other fields. */
function isReplaced(before: FileJson, after: FileJson): boolean {
  const differ = (one: unknown, other: unknown) => typeof one === 'string' && typeof other === 'string' && one !== other;
  return differ(before.sha256, after.sha256) || differ(before.version, after.version);
}

/** A folder is added or removed together with its files, which are reported. */
export const folderNews = newsMeaning<FolderJson>((before, after, { course_id }) =>
  before && after && course_id !== null ? [changeNews('renamed', before.name, after.name)] : [],
);

/** A graded discussion is reported as its assignment, except for its entries. */
export const topic = newsMeaning<TopicJson>((before, after, { me }) => {
  const { is_announcement = false, assignment_id, author } = after ?? before ?? {};
  const isGraded = assignment_id != null;
  const isMine = isBy(me, author);
  if (!after) return [!!before && !is_announcement && !isGraded && !isMine && ['gone']];
  if (!before) {
    if (isMine || isGraded) return [];
    return [is_announcement ? ['announcement', { to: announcedAtOf(after), who: after.author?.display_name ?? null }] : ['discussion new']];
  }
  const more = (after.unread_count ?? 0) - (before.unread_count ?? 0);
  return [
    more > 0 && ['replies', { count: more }],
    !isMine && !isGraded && changeNews('renamed', before.title, after.title),
    !isMine && !isGraded && reworded('discussion_topic', before, after),
    !isGraded && isShut(before) && !isShut(after) && ['opened'],
  ];
});

const isBy = (me: number, person: { readonly id?: number } | null | undefined): boolean => person?.id !== undefined && person.id === me;

/** Replies to the user: to their entries, or in a discussion that they started. */
export function answersIn(before: DiscussionJson | undefined, after: DiscussionJson | undefined, seeing: Seeing): NewsDraft[] {
  if (!before?.view || !after?.view) return [];
  const { me, id, course_id } = seeing;
  const { title = '', author } = (seeing.after ?? {}) as Partial<TopicJson>;
  const known = new Set(entriesIn(before.view, undefined).map(({ entry }) => entry.id));
  const unread = after.unread_entries && new Set(after.unread_entries);
  const names = new Map((after.participants ?? []).map((person) => [person.id, person.display_name]));
  return entriesIn(after.view, author?.id)
    .filter(
      ({ entry, to }) => to === me && entry.user_id !== me && !entry.deleted && !known.has(entry.id) && (unread?.has(entry.id) ?? true),
    )
    .map(({ entry }) => ({
      what: 'answer',
      of: 'discussion_topic',
      of_id: id,
      course_id,
      title,
      from: null,
      to: null,
      count: 1,
      who: entry.user_name ?? names.get(entry.user_id ?? 0) ?? null,
      words: plainText(entry.message, longestExcerpt),
    }));
}

const entriesIn = (
  entries: readonly EntryJson[],
  to: number | undefined,
): { readonly entry: EntryJson; readonly to: number | undefined }[] =>
  entries.flatMap((entry) => [{ entry, to }, ...entriesIn(entry.replies ?? [], entry.user_id)]);

export const conversationNews = newsMeaning<ConversationJson>((before, after, { me }) => {
  if (after?.workflow_state !== 'unread' || before?.last_message_at === after.last_message_at) return [];
  const more = (after.message_count ?? 1) - (before?.message_count ?? 0);
  const others = (after.participants ?? []).filter(({ id }) => id !== me);
  const who = others.length === 1 ? (others[0]?.name ?? null) : null;
  return [['message', { count: Math.max(1, more), who, words: plainText(after.last_message, longestExcerpt) }]];
});

export const accountNotificationNews = newsMeaning<AccountNotificationJson>((before, after): NewsReport[] =>
  !before && after ? [['announcement', { to: after.start_at, who: after.author?.name ?? null }]] : [],
);
