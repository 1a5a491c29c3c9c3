// Unseen changes as they are shown: without those that were read elsewhere or undone, and with similar ones combined.

import type { ChangedRows, ChangedWords, NewsItem } from '../../contract/news';
import { place } from '../model/places';
import type { FolderJson, TopicJson } from '../model/resources';
import { groupedNews } from '../news/grouped';
import type { NewsDraft } from '../news/meaning';
import type { KeptRows } from '../news/of_work';
import type { Outbox } from '../outbox/outbox';
import { unsentReads } from '../outbox/seen';
import type { Cache } from '../store/cache';
import { changedWords } from '../text/compare';
import { hashOfWording, wordingOf } from '../text/wording';
import { isUnread } from './inbox';

interface Here {
  readonly cache: Cache;
  readonly outbox: Outbox;
}
type Kept = ReturnType<Cache['news']['unseen']>[number];

/** The latest first. @param after only entries with a larger id */
export function newsItems({ cache, outbox }: Here, after = 0): NewsItem[] {
  const kept = cache.news.unseen();
  const read = unsentReads(outbox);
  const live = kept.flatMap((one) => (one.id > after && isNews(one, kept, cache) ? stillNew(one, { cache, outbox }, read) : []));
  return groupedNews(live).flatMap((one) => shown(one, cache));
}

const goes: ReadonlySet<NewsDraft['what']> = new Set(['gone', 'event gone', 'course gone', 'group gone']);
const comes: ReadonlySet<NewsDraft['what']> = new Set([
  'course new',
  'group new',
  'assignment new',
  'page new',
  'file new',
  'discussion new',
  'module new',
  'event new',
]);

/** An item that was added and removed before the user looked is not shown; a removed item shows nothing but its removal. */
function isNews({ id, what, of, of_id }: Kept, all: readonly Kept[], cache: Cache): boolean {
  const isThere = cache.get(of, of_id) !== undefined;
  if (!goes.has(what)) return isThere;
  const hadCome = all.some((one) => one.of === of && one.of_id === of_id && comes.has(one.what) && one.id < id);
  return !isThere && !hadCome;
}

/** Items that were read, here or elsewhere, are not new any more. */
function stillNew(one: Kept, { cache, outbox }: Here, read: ReadonlySet<number>): Kept[] {
  if (one.of === 'conversation') return isUnread(cache, outbox, one.of_id) ? [one] : [];
  if (one.of !== 'discussion_topic') return [one];
  const { read_state, unread_count } = cache.get<TopicJson>('discussion_topic', one.of_id) ?? {};
  if (one.what === 'announcement' || one.what === 'discussion new') return read_state === 'read' || read.has(one.of_id) ? [] : [one];
  if (one.what !== 'replies' && one.what !== 'answer') return [one];
  const opened = outbox
    .pending()
    .flatMap(({ verb, body }) => (verb === 'read entries' && body.topic_id === one.of_id ? body.entry_ids : []));
  const left = (unread_count ?? one.count) - opened.length;
  return left <= 0 ? [] : [one.what === 'replies' ? { ...one, count: Math.min(one.count, left) } : one];
}

function shown({ was: _, folder, ...one }: Kept, cache: Cache): NewsItem[] {
  const course_name = one.course_id === null ? null : (place(cache, one.course_id)?.name ?? null);
  const item = { ...one, course_name };
  const isMany = item.titles !== undefined && item.of !== 'module';
  if (isMany) {
    const name = item.of === 'file' && folder ? cache.get<FolderJson>('folder', folder) : undefined;
    // The topmost folder is the course itself.
    return [{ ...item, title: (name?.parent_folder_id ? name.name : course_name) ?? item.title }];
  }
  if (item.what === 'rubric') return [{ ...item, from: null, to: null, rows: rowsBetween(item.from, item.to) }];
  if (item.what !== 'text' && item.what !== 'syllabus') return [item];
  const { from, ...rest } = item;
  const was = cache.versions.of(item.of, item.of_id).find(({ hash }) => hash === from);
  const is = wordingOf(item.of, cache.get(item.of, item.of_id));
  if (!was || !is) return [{ ...rest, from: null, to: null }];
  const text = changed(`${was.hash} ${hashOfWording(is)}`, was.html, is.html);
  // The text is the same as before.
  if (text && Object.values(text).every((count) => count === 0)) return [];
  return [{ ...rest, from: null, to: null, earlier: `k${was.hash}`, ...(text && { text }) }];
}

/** The comparison is expensive, and the list is requested after every change. */
const compared = new Map<string, ChangedWords | undefined>();
const mostCompared = 500;

function changed(key: string, before: string, after: string): ChangedWords | undefined {
  if (!compared.has(key)) {
    if (compared.size >= mostCompared) compared.clear();
    compared.set(key, changedWords(before, after));
  }
  return compared.get(key);
}

function rowsBetween(from: string | null, to: string | null): ChangedRows {
  const [was, is] = [from, to].map((rows) => new Map((JSON.parse(rows ?? '[]') as KeptRows).map((row) => [row[0], row])));
  const named = (rows: KeptRows[number][]) => rows.map(([, name]) => name);
  return {
    added: named([...(is?.values() ?? [])].filter(([id]) => !was?.has(id))),
    removed: named([...(was?.values() ?? [])].filter(([id]) => !is?.has(id))),
    changed: named([...(is?.values() ?? [])].filter(([id, , hash]) => was?.has(id) && was.get(id)?.[2] !== hash)),
  };
}
