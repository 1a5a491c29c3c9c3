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
  server.keepsKeys = false;
  server.lists = (url): ReturnType<FakeServer['lists']> => {
    const path = url.pathname;
    if (path.startsWith('/api/sync/')) return { status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>Page not found</h1>' };
    if (lists.shut.has(path)) return { status: 401, headers: {}, body: { status: 'unauthorized' } };
    if (path === '/api/v1/courses') return pageOf('course', server.all('course'), url);
    if (path === '/api/v1/users/self/groups') return pageOf('group', server.all('group'), url);
    if (path === '/api/v1/users/self/enrollments') return pageOf('enrollment', server.all('enrollment'), url);
    if (path === '/api/v1/planner_notes') return pageOf('planner_note', server.all('planner_note'), url);
    const own = /^\/api\/v1\/users\/self\/(files|folders)$/.exec(path)?.[1];
    if (own) return pageOf(kindOf[own] as Kind, ownOf(kindOf[own] as Kind), url);
    const [, folder, inIt] = /^\/api\/v1\/folders\/(\d+)\/(files|folders)$/.exec(path) ?? [];
    if (folder && inIt) {
      const rows = server.all(kindOf[inIt] as Kind).filter((row) => (row.folder_id ?? row.parent_folder_id) === Number(folder));
      return pageOf(kindOf[inIt] as Kind, rows, url);
    }
    if (path === '/api/v1/accounts/self/users/self/account_notifications')
      return pageOf('account_notification', server.all('account_notification'), url);
    if (path === '/api/v1/users/self/bookmarks') return pageOf('bookmark', server.all('bookmark'), url);
    if (path === '/api/v1/planner/overrides') return pageOf('planner_override', server.all('planner_override'), url);
    if (path === '/api/v1/conversations')
      return pageOf('conversation', url.searchParams.get('scope') ? [] : server.all('conversation'), url);
    if (path === '/api/v1/calendar_events') return pageOf('calendar_event', [], url);
    const [, place, of, rest = ''] = /^\/api\/v1\/(courses|groups)\/(\d+)\/(.+?)$/.exec(path) ?? [];
    const here = place === 'groups' ? -Number(of) : Number(of);
    const kind = kindOf[rest];
    if (kind) {
      const found = server.allIn(kind, here);
      const isNews = url.searchParams.has('only_announcements');
      return pageOf(kind, kind === 'discussion_topic' ? found.filter((row) => !!row.is_announcement === isNews) : found, url);
    }
    const one = /^\/api\/v1\/(?:courses\/\d+\/)?(courses|files|assignments)\/(\d+)$/.exec(path);
    if (!one) return undefined;
    const found = server.all(one[1] === 'courses' ? 'course' : (kindOf[one[1] ?? ''] as Kind)).find(({ id }) => id === Number(one[2]));
    return found ? { status: 200, headers: {}, body: shown(found) } : missing;
  };
  return lists;
}
