// Derives a page view from a request: its context, its subject, whether it counts as participation. Pure.

import { lookUp } from '@carrel/shared/wire/look_up';
import { readId } from '../../contexts/references';
import type { Call } from '../../http/call';
import type { Endpoint } from '../../http/endpoint';
import type { page_views } from './table';

export type RecordedView = Omit<typeof page_views.$inferSelect, 'id'>;

/** Automated requests: syncing, polling. */
const uncounted = /^\/(api\/sync\/|progress\/|jwts|files_api)/;

/** Desks read what has changed, whether or not their users look at it. */
const syncClient = 'Carrel-Desk';

const isSync = ({ method, path }: Endpoint, { headers }: Request): boolean =>
  uncounted.test(path) || (method === 'GET' && (headers.get('user-agent')?.startsWith(syncClient) ?? false));

/** Reference 03 §16: submitting, posting, commenting, editing a page, joining a collaboration. */
const participations = new Set([
  ...['/courses/:course_id', '/sections/:section_id'].map((place) => `POST ${place}/assignments/:assignment_id/submissions`),
  ...['/courses/:course_id', '/groups/:group_id'].flatMap((place) => [
    `POST ${place}/discussion_topics`,
    `POST ${place}/discussion_topics/:topic_id/entries`,
    `POST ${place}/discussion_topics/:topic_id/entries/:entry_id/replies`,
    `POST ${place}/pages`,
    `PUT ${place}/pages/:url`,
    `POST ${place}/collaborations`,
  ]),
]);

/** Grading and commenting share an endpoint. */
const commenting = /^PUT \/(courses|sections)\/:\w+\/assignments\/:assignment_id\/submissions\/:user_id$/;

const isParticipation = ({ method, path }: Endpoint, { tree }: Call): boolean => {
  const title = `${method} ${path}`;
  return participations.has(title) || (commenting.test(title) && tree.comment !== undefined);
};

const assets: Readonly<Record<string, string>> = {
  assignments: 'assignment',
  calendar_events: 'calendar_event',
  conversations: 'conversation',
  discussion_topics: 'discussion_topic',
  files: 'attachment',
  folders: 'folder',
  modules: 'context_module',
  pages: 'wiki_page',
  quizzes: 'quiz',
};

const contexts = new Set(['courses', 'accounts', 'users', 'sections', 'groups', 'self']);
const actions = { POST: 'create', PUT: 'update', PATCH: 'update', DELETE: 'destroy' } as const;

/** The last literal segment names the controller; a parameter after it means a single resource. */
function aboutOf({ method, path }: Endpoint): { controller: string; action: string } {
  const segments = path.split('/').filter((one) => one !== '');
  const literals = segments.filter((one) => !one.startsWith(':'));
  const controller = literals.filter((one) => !contexts.has(one)).at(-1) ?? literals[0] ?? 'site';
  const isOne = segments.at(-1)?.startsWith(':') === true || segments.at(-1) === 'self';
  return { controller, action: method === 'GET' ? (isOne ? 'show' : 'index') : actions[method] };
}

/** Query parameters with secret values. */
const secret = /token|secret|password|verifier|signature|code|key|uuid/i;

function addressOf({ url, origin }: Pick<Call, 'url' | 'origin'>): string {
  const query = new URLSearchParams([...url.searchParams].filter(([name]) => !secret.test(name))).toString();
  return `${origin}${url.pathname}${query === '' ? '' : `?${query}`}`.slice(0, 2000);
}

function contextOf({ course, group, account, user, me }: Call): { context_type: string | null; context_id: number | null } {
  const place = course ?? group?.course;
  if (place) return { context_type: 'Course', context_id: place.id };
  if (account) return { context_type: 'Account', context_id: account.id };
  const person = user?.id ?? me.id;
  return { context_type: 'User', context_id: person };
}

/** Undefined for requests that do not count. */
export function pageViewOf(endpoint: Endpoint, call: Call, request_id: string, ms: number): RecordedView | undefined {
  const { me, request } = call;
  if (!me.isKnown || isSync(endpoint, request)) return undefined;
  const about = aboutOf(endpoint);
  const last = endpoint.path.split('/').at(-1) ?? '';
  const asset_id = lookUp(assets, about.controller) && last.startsWith(':') ? readId(lookUp(call.path, last.slice(1)) ?? '') : undefined;
  return {
    uuid: request_id,
    user_id: me.id,
    real_user_id: me.real_user_id === me.id ? null : me.real_user_id,
    ...contextOf(call),
    asset_type: asset_id === undefined ? null : (lookUp(assets, about.controller) ?? null),
    asset_id: asset_id ?? null,
    ...about,
    participated: isParticipation(endpoint, call),
    user_request: me.session !== undefined,
    http_method: request.method === 'POST' ? endpoint.method : request.method,
    url: addressOf(call),
    user_agent: request.headers.get('user-agent')?.slice(0, 300) ?? null,
    remote_ip: request.headers.get('cf-connecting-ip')?.slice(0, 45) ?? null,
    app_name: me.developerKey?.name ?? null,
    render_time: ms / 1000,
    created_at: call.now,
  };
}
