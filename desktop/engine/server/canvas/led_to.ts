// Courses that do not list their files or pages: those that modules and texts link to are requested one by one. An item that is not among
// them does not count as deleted.

import type { Kind } from '@carrel/shared/sync/protocol';
import { addressOfPlace } from '../../model/places';
import type { ModuleJson } from '../../model/resources';
import type { Cache } from '../../store/cache';
import { linkIn } from '../../text/links';
import { Declined } from '../session';
import type { CanvasCollection } from './collections';
import type { CanvasRow } from './kept_pages';
import type { Pace } from './pace';

/** One request for each item, so not with every sync. */
const sixHours = 6 * 3_600_000;

export const isLedTo = ({ kind, place }: CanvasCollection): boolean => place !== null && (kind === 'file' || kind === 'page');

export async function ledTo(
  { kind, place }: CanvasCollection,
  pace: Pace,
  cache: Cache,
  now: Date,
  isThorough: boolean,
): Promise<CanvasRow[]> {
  const at = place ?? 0;
  const named = kind === 'file' ? filesLedTo(at, pace, cache) : pagesLedTo(at, cache);
  const note = `asked ${kind} ${at}`;
  const asked = new Map(JSON.parse(cache.noted(note) ?? '[]') as [string, number][]);
  const rows: CanvasRow[] = [];
  for (const [name, known] of named) {
    const age = now.getTime() - (asked.get(name) ?? 0);
    let result = known;
    if (isThorough || age < 0 || age >= sixHours) {
      result = await pace.one(`${addressOfPlace(at)}/${kind}s/${encodeURIComponent(name)}`).catch((problem: unknown) => {
        if (problem instanceof Declined) return known;
        throw problem;
      });
      asked.set(name, now.getTime());
    }
    if (result) rows.push(result);
  }
  cache.note(note, JSON.stringify([...asked].filter(([name]) => named.has(name))));
  return rows;
}

function filesLedTo(place: number, { session }: Pace, cache: Cache): Map<string, CanvasRow | undefined> {
  const items = itemsOf(place, cache).flatMap(({ type, content_id }) => (type === 'File' && content_id ? [content_id] : []));
  const linked = textsOf(place, cache)
    .flatMap((text) => text.match(/[^"'\s<>]*\/files\/\d+(?:~\d+)?/g) ?? [])
    .flatMap((address) => {
      const link = linkIn(address, session.url);
      return link?.kind === 'file' && isOf(place, address) ? [link.id] : [];
    });
  const ids = new Set([...items, ...linked, ...cache.held('file', place).keys()]);
  return new Map([...ids].map((id) => [`${id}`, cache.get<CanvasRow>('file', id)]));
}

function pagesLedTo(place: number, cache: Cache): Map<string, CanvasRow | undefined> {
  const known = new Map([...cache.held('page', place).values()].map((page) => [String(page.url), page as CanvasRow]));
  const items = itemsOf(place, cache).flatMap(({ type, page_url }) => (type === 'Page' && page_url ? [page_url] : []));
  return new Map([...items, ...known.keys()].map((url) => [url, known.get(url)]));
}

const itemsOf = (place: number, cache: Cache) => cache.ofCourse<ModuleJson>('module', place).flatMap(({ items = [] }) => items);

/** A file of another course is handled in that course. */
const isOf = (place: number, address: string): boolean => {
  const [, of, id] = /\/(courses|groups|users)\/(\d+)\/files\//.exec(address) ?? [];
  return of === undefined || (of !== 'users' && (of === 'groups' ? -Number(id) : Number(id)) === place);
};

const wording: readonly (readonly [Kind, string])[] = [
  ['page', 'body'],
  ['assignment', 'description'],
  ['discussion_topic', 'message'],
];

function textsOf(place: number, cache: Cache): string[] {
  const texts = wording.flatMap(([kind, field]) => [...cache.held(kind, place).values()].map((row) => (row as CanvasRow)[field]));
  return [...texts, cache.get<CanvasRow>('course', place)?.syllabus_body].filter((text): text is string => typeof text === 'string');
}
