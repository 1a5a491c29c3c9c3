// The fake server as a stock Canvas: the same items, without the feed, as lists paged by bookmarks, without hashes.

import type { Kind } from '@carrel/shared/sync/protocol';
import type { FakeServer } from './fake_server';

type Json = Record<string, unknown>;

export interface Lists {
  /** The page size, whatever is requested. */
  perPage: number;
  /** The value of X-Rate-Limit-Remaining. */
  remaining: string;
  /** Items that lists leave out though they exist: `file:7`. */
  readonly unlisted: Set<string>;
  /** Addresses that are refused with 401. */
  readonly shut: Set<string>;
}

const kindOf: Readonly<Record<string, Kind>> = {
  pages: 'page',
  files: 'file',
  folders: 'folder',
  modules: 'module',
  assignments: 'assignment',
  assignment_groups: 'assignment_group',
  discussion_topics: 'discussion_topic',
  'students/submissions': 'submission',
};

/** Lists of all items of a kind. */
const whole: Readonly<Record<string, Kind>> = {
  '/api/v1/courses': 'course',
  '/api/v1/users/self/groups': 'group',
  '/api/v1/users/self/enrollments': 'enrollment',
  '/api/v1/users/self/bookmarks': 'bookmark',
  '/api/v1/planner_notes': 'planner_note',
  '/api/v1/planner/overrides': 'planner_override',
  '/api/v1/accounts/self/users/self/account_notifications': 'account_notification',
};

interface Found {
  readonly kind: Kind;
  readonly rows: readonly Json[];
}

export function withoutFeed(server: FakeServer): Lists {
  const lists: Lists = { perPage: 2, remaining: '700.0', unlisted: new Set(), shut: new Set() };
  const shown = ({ sha256, ...rest }: Json): Json => rest;
  const pageOf = (kind: Kind, found: readonly Json[], url: URL): ReturnType<FakeServer['lists']> => {
    const rows = found.filter((row) => !lists.unlisted.has(`${kind}:${row.page_id ?? row.id}`)).map(shown);
    const from = Number(/^bookmark:(\d+)$/.exec(url.searchParams.get('page') ?? '')?.[1] ?? 0);
    const next = new URL(url);
    next.searchParams.set('page', `bookmark:${from + lists.perPage}`);
    // As behind a proxy: the server uses another host name.
    const link: Record<string, string> =
      rows.length > from + lists.perPage ? { link: `<https://inside.example.edu${next.pathname}${next.search}>; rel="next"` } : {};
    const headers = { 'x-rate-limit-remaining': lists.remaining, ...link };
    return { status: 200, headers, body: rows.slice(from, from + lists.perPage) };
  };
  const missing = { status: 404, headers: {}, body: { errors: [{ message: 'The specified resource does not exist.' }] } };

  const courses = () => [...server.all('course').map(({ id }) => Number(id)), ...server.all('group').map(({ id }) => -Number(id))];
  const ownOf = (kind: Kind): Json[] => {
    const elsewhere = new Set(courses().flatMap((place) => server.allIn(kind, place).map(({ id }) => id)));
    return server.all(kind).filter(({ id }) => !elsewhere.has(id));
  };
  /** The user's own files and folders, and what is in one of them. */
  const inFolders = (path: string): Found | undefined => {
    const [, own] = /^\/api\/v1\/users\/self\/(files|folders)$/.exec(path) ?? [];
    const [, folder, inIt] = /^\/api\/v1\/folders\/(\d+)\/(files|folders)$/.exec(path) ?? [];
    const kind = kindOf[own ?? inIt ?? ''];
    if (!kind) return undefined;
    if (own) return { kind, rows: ownOf(kind) };
    return { kind, rows: server.all(kind).filter((row) => (row.folder_id ?? row.parent_folder_id) === Number(folder)) };
  };

  /** What a course or group has of a kind. */
  const inPlace = ({ pathname, searchParams }: URL): Found | undefined => {
    const [, place, of, rest = ''] = /^\/api\/v1\/(courses|groups)\/(\d+)\/(.+?)$/.exec(pathname) ?? [];
    const kind = kindOf[rest];
    if (!kind) return undefined;
    const rows = server.allIn(kind, place === 'groups' ? -Number(of) : Number(of));
    if (kind !== 'discussion_topic') return { kind, rows };
    const isNews = searchParams.has('only_announcements');
    return { kind, rows: rows.filter((row) => !!row.is_announcement === isNews) };
  };

  const listAt = (url: URL): Found | undefined => {
    const path = url.pathname;
    const kind = whole[path];
    if (kind) return { kind, rows: server.all(kind) };
    if (path === '/api/v1/conversations')
      return { kind: 'conversation', rows: url.searchParams.get('scope') ? [] : server.all('conversation') };
    if (path === '/api/v1/calendar_events') return { kind: 'calendar_event', rows: [] };
    return inFolders(path) ?? inPlace(url);
  };

  const itemAt = (path: string): ReturnType<FakeServer['lists']> => {
    const [, of, id] = /^\/api\/v1\/(?:courses\/\d+\/)?(courses|files|assignments)\/(\d+)$/.exec(path) ?? [];
    if (of === undefined) return undefined;
    const found = server.all(of === 'courses' ? 'course' : (kindOf[of] as Kind)).find((one) => one.id === Number(id));
    return found ? { status: 200, headers: {}, body: shown(found) } : missing;
  };

  server.keepsKeys = false;
  server.lists = (url): ReturnType<FakeServer['lists']> => {
    const path = url.pathname;
    if (path.startsWith('/api/sync/')) return { status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>Page not found</h1>' };
    if (lists.shut.has(path)) return { status: 401, headers: {}, body: { status: 'unauthorized' } };
    const list = listAt(url);
    return list ? pageOf(list.kind, list.rows, url) : itemAt(path);
  };
  return lists;
}
