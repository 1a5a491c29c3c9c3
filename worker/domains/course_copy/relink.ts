// Rewrites links in copied HTML to the copies. Pure.

import { lookUp } from '@carrel/shared/wire/look_up';
import type { CopiedKind } from './table';

const tags = /<[a-z][^>]*>/gi;

/** URL segments and their kinds. */
const words: Readonly<Record<string, CopiedKind>> = {
  files: 'file',
  folders: 'folder',
  assignments: 'assignment',
  discussion_topics: 'discussion_topic',
  announcements: 'discussion_topic',
  calendar_events: 'calendar_event',
  modules: 'module',
  quizzes: 'quiz',
};

/** Ids of the items that a text links to, by kind, and page slugs. */
export interface Mentioned {
  readonly ids: ReadonlyMap<CopiedKind, ReadonlySet<number>>;
  readonly urls: ReadonlySet<string>;
}

const placesIn = (from: number) =>
  new RegExp(
    `/courses/${from}(?=[/?#"'\\s>]|$)(?:/(modules/items|files|folders|assignments|discussion_topics|announcements|calendar_events|modules|quizzes|pages|wiki)/([^/?#"'\\s>]+))?`,
    'g',
  );
const loose = /(?<=["'\s=]|\/api\/v1)\/files\/(\d+)(?=[/?#"'\s>]|$)/g;

export interface LinkTargets {
  readonly id: (kind: CopiedKind, source_id: number) => number | undefined;
  readonly url: (url: string) => string | undefined;
}

/** The last URL segment of the copy of an item. */
function nameHere(word: string, name: string, found: LinkTargets): string | number | undefined {
  if (word === 'pages' || word === 'wiki') {
    const url = found.url(decoded(name));
    return url === undefined ? undefined : encodeURIComponent(url);
  }
  const kind = word === 'modules/items' ? 'module_item' : lookUp(words, word);
  return kind && /^\d+$/.test(name) ? found.id(kind, Number(name)) : undefined;
}

/**
 * The HTML for the target course. Links to items without a copy stay unchanged.
 * @param origin ids and slugs of copies, by those of their originals
 */
export function relinkedHtml(html: string, from: number, to: number, found: LinkTargets): string {
  const places = placesIn(from);
  return html.replace(tags, (tag) =>
    tag
      .replace(places, (whole, word: string | undefined, name: string | undefined) => {
        if (word === undefined || name === undefined) return whole.replace(`/courses/${from}`, `/courses/${to}`);
        const here = nameHere(word, name, found);
        return here === undefined ? whole : `/courses/${to}/${word}/${here}`;
      })
      .replace(loose, (whole, name: string) => {
        const id = found.id('file', Number(name));
        return id === undefined ? whole : `/files/${id}`;
      }),
  );
}

/** Members of questions that are an address as a whole. */
const addresses: ReadonlySet<string> = new Set(['image_url']);

/** The same for a JSON value with texts, such as a question with its answers and comments. */
export function relinkedDocument(value: unknown, from: number, to: number, found: LinkTargets, name = ''): unknown {
  if (typeof value === 'string') {
    if (!addresses.has(name)) return relinkedHtml(value, from, to, found);
    // As an attribute, which is the only place where addresses are rewritten.
    const tag = relinkedHtml(`<a "${value}">`, from, to, found);
    return tag.slice(4, -2);
  }
  if (Array.isArray(value)) return value.map((one) => relinkedDocument(one, from, to, found));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, relinkedDocument(one, from, to, found, key)]));
}

const decoded = (name: string): string => {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
};

/** The items of its own course that a text links to. */
export const mentionedIn = (html: string, from: number): Mentioned => mentionedBy((found) => relinkedHtml(html, from, from, found));

/** The same for a JSON value with texts. */
export const mentionedInDocument = (value: unknown, from: number): Mentioned =>
  mentionedBy((found) => relinkedDocument(value, from, from, found));

function mentionedBy(relink: (found: LinkTargets) => unknown): Mentioned {
  const ids = new Map<CopiedKind, Set<number>>();
  const urls = new Set<string>();
  relink({
    id: (kind, id) => {
      const known = ids.get(kind) ?? new Set();
      ids.set(kind, known.add(id));
      return undefined;
    },
    url: (url) => {
      urls.add(url);
      return undefined;
    },
  });
  return { ids, urls };
}
