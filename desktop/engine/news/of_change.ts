// What a change of the feed means to the user, from the row before and the row after. Pure.

import type { Kind, Withheld } from '@carrel/shared/sync/protocol';
import type { NewsWhat } from '../../contract/news';
import type { Meaning, NewsDraft, Seeing } from './meaning';
import { courseNews, enrollmentNews, event, groupNews, moduleNews } from './of_places';
import { accountNotificationNews, conversationNews, fileNews, folderNews, pageNews, topic } from './of_texts';
import { assignmentGroupNews, assignmentNews, submissionNews } from './of_work';

export type { NewsDraft, Seeing } from './meaning';

const meanings: Partial<Record<Kind, Meaning>> = {
  course: courseNews,
  group: groupNews,
  enrollment: enrollmentNews,
  assignment: assignmentNews,
  submission: submissionNews,
  assignment_group: assignmentGroupNews,
  module: moduleNews,
  page: pageNews,
  folder: folderNews,
  file: fileNews,
  discussion_topic: topic,
  conversation: conversationNews,
  account_notification: accountNotificationNews,
  calendar_event: event,
};

export function newsOf(seeing: Seeing): NewsDraft[] {
  const { kind, id, course_id, before, after } = seeing;
  const row = (after ?? before ?? {}) as {
    title?: string;
    name?: string;
    display_name?: string;
    subject?: string;
    assignment_id?: number;
    user_id?: number;
  };
  const title =
    (kind === 'submission'
      ? seeing.titleOf('assignment', row.assignment_id ?? 0)
      : (row.title ?? row.name ?? row.display_name ?? row.subject)) ?? '';
  const student = kind === 'submission' && row.user_id !== undefined && row.user_id !== seeing.me ? row.user_id : undefined;
  const name = student === undefined ? undefined : seeing.studentName(student);
  // The work of students whom the user teaches is no news of one's own.
  if (student !== undefined && name === undefined) return [];
  const of = kind === 'submission' ? { kind: 'assignment' as const, id: row.assignment_id ?? 0 } : { kind, id };
  return (meanings[kind]?.(before, after, seeing) ?? []).map(([what, said = {}]) => ({
    ...nothing,
    what,
    of: of.kind,
    of_id: of.id,
    course_id,
    title,
    ...(student !== undefined && name !== undefined && { student: { id: student, name } }),
    ...said,
  }));
}

const nothing = { from: null, to: null, count: 0, who: null, words: null };

/** A file that still exists but is no longer accessible was locked, not removed. */
export function shutNews(seeing: Seeing, { why, unlock_at }: Withheld): NewsDraft[] {
  const { kind, id, course_id, before } = seeing;
  const {
    display_name: title = '',
    folder_id = null,
    withheld,
  } = (before ?? {}) as {
    display_name?: string;
    folder_id?: number | null;
    withheld?: Withheld;
  };
  if (kind !== 'file' || course_id === null || !before || withheld || why === 'unlisted') return [];
  return [{ ...nothing, what: 'shut', of: kind, of_id: id, course_id, title, to: unlock_at ?? null, folder: folder_id }];
}

/** A removed file and a new one with its name in its folder are one file with other bytes. */
export function paired(news: readonly NewsDraft[]): NewsDraft[] {
  const isFile = (what: NewsWhat) => (one: NewsDraft) => one.of === 'file' && one.what === what;
  const gone = new Set(news.filter(isFile('gone')));
  const pairs = new Map<NewsDraft, NewsDraft>();
  for (const fresh of news.filter(isFile('file new'))) {
    const alike = [...gone].filter(({ title, course_id }) => title === fresh.title && course_id === fresh.course_id);
    const old = alike.find((one) => one.folder === fresh.folder);
    if (!old) continue;
    pairs.set(fresh, old);
    gone.delete(old);
  }
  const dropped = new Set(pairs.values());
  return news
    .filter((one) => !dropped.has(one))
    .map((one) => {
      const old = pairs.get(one);
      return old ? { ...one, what: 'file replaced', was: old.of_id } : one;
    });
}

/** The key of a line: entries of people are separate lines, everything else is one line for each item. */
export const lineOf = ({ what, of, of_id, words, student }: NewsDraft): string =>
  `${what} ${of} ${of_id}${student ? ` of ${student.id}` : ''}${what === 'comment' || what === 'answer' ? ` ${words}` : ''}`;

const counted: ReadonlySet<NewsWhat> = new Set(['replies', 'message', 'module items', 'module left', 'requirements']);

/**
 * Combines two changes of the same item that the user has not seen into one, from the first state to the last. Undefined: the
 * item is as it was.
 */
export function foldNews(before: NewsDraft, after: NewsDraft): NewsDraft | undefined {
  const isSame = before.what === after.what;
  const from = isSame ? before.from : after.from;
  if (after.to !== null && from === after.to) return undefined;
  const titles = isSame && before.titles && after.titles && [...new Set([...before.titles, ...after.titles])];
  // An item that was renamed twice counts once: items are counted, not changes.
  const count = !counted.has(after.what) ? after.count : titles ? titles.length : before.count + after.count;
  return { ...after, from, count, ...(titles && { titles }), ...(isSame && before.pages && { pages: before.pages }) };
}
