// What a change of the feed means to the person, from the row before and the row after. Pure.

import type { Kind } from '@carrel/shared/sync/protocol';
import type { NewsItem, NewsWhat } from '../ui/views/news';
import {
  type AccountNotificationJson,
  type AssignmentJson,
  announcedAt,
  type ConversationJson,
  type CourseJson,
  type EventJson,
  type FileJson,
  type ModuleJson,
  type PageJson,
  type SubmissionJson,
  type TopicJson,
} from './resources';
import { plainText } from './text';

/** Without the number it is kept under and the time it was noticed. */
export type News = Omit<NewsItem, 'id' | 'at' | 'course_name'> & {
  /** The file that this one has replaced, where it was another. */
  readonly was?: number;
};
type Said = Partial<Pick<News, 'title' | 'from' | 'to' | 'count' | 'who' | 'words'>>;
type Row = Readonly<Record<string, unknown>>;

export interface Seeing {
  readonly kind: Kind;
  readonly id: number;
  readonly course_id: number | null;
  readonly before: Row | undefined;
  readonly after: Row | undefined;
  /** Whose desk it is: one's own words are no news. */
  readonly me: number;
  /** The title of the assignment that a submission belongs to. */
  readonly titleOf: (assignmentId: number) => string | undefined;
}

const longestExcerpt = 120;

type Meaning = (before: Row | undefined, after: Row | undefined, seeing: Seeing) => (readonly [NewsWhat, Said?])[];

const told = <T>(
  meaning: (before: T | undefined, after: T | undefined, seeing: Seeing) => (readonly [NewsWhat, Said?] | false | undefined | null)[],
): Meaning => {
  return (before, after, seeing) =>
    meaning(before as unknown as T | undefined, after as unknown as T | undefined, seeing).filter((one) => !!one) as (readonly [
      NewsWhat,
      Said?,
    ])[];
};

const text = (value: unknown): string | null => (value == null ? null : String(value));
/** A value that was one and is another; a field that was not told is not changed. */
function moved(before: unknown, after: unknown): { readonly from: string | null; readonly to: string | null } | undefined {
  if (before === undefined || after === undefined) return undefined;
  return text(before) === text(after) ? undefined : { from: text(before), to: text(after) };
}
const change = (what: NewsWhat, before: unknown, after: unknown): readonly [NewsWhat, Said] | undefined => {
  const found = moved(before, after);
  return found && [what, found];
};
/** Markup that changes without its words is no news. */
const reworded = (before: string | null | undefined, after: string | null | undefined): boolean =>
  before != null && after != null && before !== after && plainText(before) !== plainText(after);

const meanings: Partial<Record<Kind, Meaning>> = {
  course: told<CourseJson>((before, after) => [
    !before?.name && !!after?.name && ['course new'],
    !!before?.name && !after && ['course gone'],
  ]),
  assignment: told<AssignmentJson>((before, after) =>
    !after
      ? [!!before && ['gone']]
      : !before
        ? [['assignment new', { to: after.due_at ?? null }]]
        : [
            change('renamed', before.name, after.name),
            change('due', before.due_at ?? null, after.due_at ?? null),
            change('closes', before.lock_at ?? null, after.lock_at ?? null),
            change('points', before.points_possible, after.points_possible),
            before.locked_for_user === true && after.locked_for_user === false && ['opened'],
            reworded(before.description, after.description) && ['text'],
            before.rubric !== undefined && JSON.stringify(before.rubric) !== JSON.stringify(after.rubric) && ['rubric'],
          ],
  ),
  submission: told<SubmissionJson>((before, after, { me }) => {
    if (!after) return [];
    const known = new Set((before?.submission_comments ?? []).map(({ id }) => id));
    const comments = (after.submission_comments ?? []).filter(({ id, author_id }) => !known.has(id) && author_id !== me);
    const graded = after.grade ?? text(after.score);
    const gradedBefore = before?.grade ?? text(before?.score);
    return [
      graded !== null && graded !== gradedBefore && [gradedBefore ? 'grade changed' : 'grade', { from: gradedBefore ?? null, to: graded }],
      after.excused === true && before?.excused !== true && ['excused'],
      after.missing === true && before?.missing === false && ['missing'],
      ...comments.map(({ author_name, comment }): readonly [NewsWhat, Said] => [
        'comment',
        { who: author_name ?? null, words: plainText(comment, longestExcerpt) },
      ]),
    ];
  }),
  page: told<PageJson>((before, after) =>
    !after
      ? [!!before && ['gone']]
      : !before
        ? [['page new']]
        : [change('renamed', before.title, after.title), reworded(before.body, after.body) && ['text']],
  ),
  file: told<FileJson>((before, after) =>
    !after
      ? [!!before && ['gone']]
      : !before
        ? [['file new']]
        : [
            change('renamed', before.display_name, after.display_name),
            isReplaced(before, after) && ['file replaced'],
            before.locked_for_user === true && after.locked_for_user === false && ['opened'],
          ],
  ),
  discussion_topic: told<TopicJson>((before, after) => {
    const isAnnouncement = (after ?? before)?.is_announcement === true;
    if (!after) return [!!before && !isAnnouncement && ['gone']];
    if (!before)
      return [isAnnouncement ? ['announcement', { to: announcedAt(after), who: after.author?.display_name ?? null }] : ['discussion new']];
    const more = (after.unread_count ?? 0) - (before.unread_count ?? 0);
    return [more > 0 && ['replies', { count: more }], reworded(before.message, after.message) && ['text']];
  }),
  conversation: told<ConversationJson>((before, after) => {
    if (after?.workflow_state !== 'unread' || before?.last_message_at === after.last_message_at) return [];
    const more = (after.message_count ?? 1) - (before?.message_count ?? 0);
    return [['message', { count: Math.max(1, more), words: plainText(after.last_message, longestExcerpt) }]];
  }),
  module: told<ModuleJson>((before, after) => {
    if (!after || !before) return [!before && !!after && ['module new', { count: after.items?.length ?? 0 }]];
    const known = new Set((before.items ?? []).map(({ id }) => id));
    const fresh = (after.items ?? []).filter(({ id }) => !known.has(id)).length;
    return [before.state === 'locked' && after.state !== 'locked' && ['opened'], fresh > 0 && ['module items', { count: fresh }]];
  }),
  account_notification: told<AccountNotificationJson>((before, after) => [
    !before && !!after && ['announcement', { to: after.start_at, who: after.author?.name ?? null }],
  ]),
  calendar_event: told<EventJson>((before, after) =>
    !after
      ? [!!before && ['event gone']]
      : !before
        ? [['event new', { to: after.start_at ?? null }]]
        : [change('event moved', before.start_at, after.start_at), change('renamed', before.title, after.title)],
  ),
};

export function newsOf(seeing: Seeing): News[] {
  const { kind, id, course_id, before, after } = seeing;
  const row = (after ?? before ?? {}) as { title?: string; name?: string; display_name?: string; subject?: string; assignment_id?: number };
  const title =
    (kind === 'submission' ? seeing.titleOf(row.assignment_id ?? 0) : (row.title ?? row.name ?? row.display_name ?? row.subject)) ?? '';
  const of = kind === 'submission' ? { kind: 'assignment' as const, id: row.assignment_id ?? 0 } : { kind, id };
  return (meanings[kind]?.(before, after, seeing) ?? []).map(([what, said = {}]) => ({
    what,
    of: of.kind,
    of_id: of.id,
    course_id,
    title,
    from: null,
    to: null,
    count: 0,
    who: null,
    words: null,
    ...said,
  }));
}

/** A file that went and one of its name that came are one file with other bytes. */
export function paired(news: readonly News[]): News[] {
  const isFile = (what: NewsWhat) => (one: News) => one.of === 'file' && one.what === what;
  const gone = news.filter(isFile('gone'));
  const came = news.filter(isFile('file new'));
  const pairs = new Map(
    came.flatMap((fresh) => {
      const old = gone.find(({ title, course_id }) => title === fresh.title && course_id === fresh.course_id);
      return old ? [[fresh, old] as const] : [];
    }),
  );
  const dropped = new Set(pairs.values());
  return news
    .filter((one) => !dropped.has(one))
    .map((one) => {
      const old = pairs.get(one);
      return old ? { ...one, what: 'file replaced', was: old.of_id } : one;
    });
}

/** What stands in one line: comments each by themselves, everything else once for its thing. */
export const lineOf = ({ what, of, of_id, words }: News): string => `${what} ${of} ${of_id}${what === 'comment' ? ` ${words}` : ''}`;

/** Two words about the same, not looked at between: one, from where it began. Undefined: it is as it was. */
export function folded(before: News, after: News): News | undefined {
  const from = before.what === after.what ? before.from : after.from;
  if (after.to !== null && from === after.to) return undefined;
  const count = after.what === 'replies' || after.what === 'module items' ? before.count + after.count : after.count;
  return { ...after, from, count, ...(before.what === after.what && before.pages && { pages: before.pages }) };
}

/** By its hash; where the server tells none, by what it says of the file. */
function isReplaced(before: FileJson, after: FileJson): boolean {
  const differ = (one: string | undefined, other: string | undefined) => one !== undefined && other !== undefined && one !== other;
  return differ(before.sha256, after.sha256) || differ(before.version, after.version);
}
