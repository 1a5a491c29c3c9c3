// Recipient search, and its older path.

import { Recipient } from '@carrel/shared/resources/recipient';
import { bool, choice, choices, idField, listOf, optional, text } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { courseContextsOf, courseStatements } from '../../contexts/several';
import { theIds } from '../../database/ids';
import type { Call } from '../../http/call';
import { get } from '../../http/endpoint';
import { pageOfRows, type Reply } from '../../http/reply';
import { contextNamed, type NamedContext, rosterParts, rosterTypesOf } from '../conversations/recipients/named';
import { recipientReachOf } from '../conversations/recipients/reach';
import { avatarOf } from '../users/display';
import {
  contextsWanted,
  type FoundContext,
  type FoundUser,
  partsWanted,
  peopleWanted,
  personWanted,
  type RecipientQuery,
} from './recipients';

export const about = { title: 'Search', description: 'Search for recipients, courses and accounts.' };

const kinds = ['user', 'context', 'course', 'section', 'group'] as const;

const params = {
  search: optional(text),
  context: optional(text),
  exclude: optional(listOf(text)),
  type: choice(...kinds),
  types: choices(...kinds),
  user_id: optional(idField('user')),
  from_conversation_id: optional(idField('conversation')),
  permissions: optional(listOf(text)),
  messageable_only: optional(bool),
  synthetic_contexts: optional(bool),
  skip_visibility_checks: optional(bool),
};

interface Params {
  readonly search?: string;
  readonly context?: string;
  readonly exclude?: readonly string[];
  readonly type?: string;
  readonly types?: readonly string[];
  readonly user_id?: number;
  readonly from_conversation_id?: number;
  readonly permissions?: readonly string[];
  readonly messageable_only?: boolean;
  readonly synthetic_contexts?: boolean;
}

const groupAvatar = (origin: string) => `${origin}/images/messages/avatar-group-50.png`;

function userJson(user: FoundUser, origin: string) {
  const common_courses: Record<string, string[]> = {};
  for (const [course_id, type] of JSON.parse(user.met) as [number, string][])
    common_courses[course_id] = [...(common_courses[course_id] ?? []), type];
  return {
    id: user.id,
    name: user.short_name,
    full_name: user.name,
    ...(user.pronouns !== null && { pronouns: user.pronouns }),
    common_courses,
    common_groups: Object.fromEntries((JSON.parse(user.teams) as number[]).map((id) => [String(id), ['Member']])),
    avatar_url: avatarOf(user, origin),
  };
}

const contextJson = (found: FoundContext, course: CourseContext | undefined, asked: readonly string[], origin: string) => ({
  id: `${found.kind}_${found.id}`,
  name: found.name,
  type: 'context',
  avatar_url: groupAvatar(origin),
  user_count: found.user_count,
  permissions: Object.fromEntries(asked.map((name) => [name, course?.can(name) ?? false])),
  ...(found.kind !== 'course' && { context_name: found.course_name }),
  ...(found.kind !== 'course' && found.course_id > 0 && { parent: `course_${found.course_id}` }),
});

/** Synthetic contexts like `course_1_teachers`, for types with at least one user. */
const partsJson = (code: string, counts: readonly { type: string; user_count: number }[], origin: string) =>
  rosterParts.flatMap((part) => {
    const user_count = counts.filter((one) => rosterTypesOf(part).includes(one.type)).reduce((sum, one) => sum + one.user_count, 0);
    const name = part === 'tas' ? 'Teaching Assistants' : `${part[0]?.toUpperCase()}${part.slice(1)}`;
    return user_count === 0 ? [] : [{ id: `${code}_${part}`, name, type: 'context', avatar_url: groupAvatar(origin), user_count }];
  });

/** A course's sections and groups, as one synthetic context each. */
const listsJson = (code: string, contexts: readonly FoundContext[], origin: string) =>
  (['section', 'group'] as const).flatMap((kind) => {
    const item_count = contexts.filter((found) => found.kind === kind && `course_${found.course_id}` === code).length;
    const name = kind === 'section' ? 'Course Sections' : 'Student Groups';
    return item_count === 0 ? [] : [{ id: `${code}_${kind}s`, name, type: 'context', avatar_url: groupAvatar(origin), item_count }];
  });

/** Parses the context; `course_1_sections` names a synthetic context that has no users of its own. */
function contextOf({ context: code }: Params) {
  const [, course, list] = /^(course_\d{1,15})_(section|group)s$/.exec(code ?? '') ?? [];
  return { context: code === undefined ? undefined : contextNamed(course ?? code), list };
}

const kindsOf = ({ type, types }: Params): ReadonlySet<string> => {
  const asked = [...(types ?? []), ...(type ? [type] : [])];
  const all =
    asked.length === 0
      ? ['user', 'course', 'section', 'group']
      : asked.flatMap((one) => (one === 'context' ? ['course', 'section', 'group'] : [one]));
  return new Set(all);
};

/** The position of a page: within synthetic contexts, after a context, or after a user. */
function startOf({ page: { after, number, per_page } }: Pick<Call, 'page'>) {
  const [kind, ...values] = after ?? [];
  const [first, second, third] = values;
  return {
    skipped: kind === 'parts' ? Number(first) || 0 : number ? (number - 1) * per_page : 0,
    context: kind === 'contexts' ? ([String(first), String(second), Number(third) || 0] as const) : undefined,
    person: kind === 'people' ? ([String(first), Number(second) || 0] as const) : undefined,
  };
}

const contextKinds = ['course', 'section', 'group'] as const;

/** The context whose synthetic contexts are shown: a whole course or section. */
function summedIn(given: Params, context: NamedContext | undefined, list: string | undefined): NamedContext | undefined {
  const isWhole = context !== undefined && context.kind !== 'group' && !context.part && list === undefined;
  return isWhole && given.synthetic_contexts === true && given.user_id === undefined ? context : undefined;
}

/** The kinds of contexts to list; within a course, its sections and groups if the request names types. */
const listedKinds = (kinds: ReadonlySet<string>, context: NamedContext | undefined) =>
  contextKinds.filter((kind) => kinds.has(kind) && (!context || (context.kind === 'course' && kind !== 'course' && kinds.size < 4)));

function searchOf(given: Params) {
  const { context, list } = contextOf(given);
  const kinds = list === undefined ? kindsOf(given) : new Set([list]);
  return {
    words: (given.search ?? '').split(/\s+/).filter((word) => word !== ''),
    excluded: new Set(given.exclude ?? []),
    context,
    wantsUsers: kinds.has('user'),
    listed: listedKinds(kinds, context),
    summed: summedIn(given, context, list),
  };
}
type Search = ReturnType<typeof searchOf>;

/** Reads one row more than the page shows, in one round trip. */
async function read(call: Call, { words, excluded, context, wantsUsers, listed, summed }: Search, start: ReturnType<typeof startOf>) {
  const { db, me, institution, now } = call;
  const given = call.params as Params;
  const reach = recipientReachOf(call);
  const wanted: RecipientQuery = {
    words,
    context,
    excludedIds: [...excluded].filter((one) => /^\d{1,15}$/.test(one)).map(Number),
    conversation_id: given.from_conversation_id,
    after: start.person,
    limit: start.skipped + call.page.per_page + 1,
  };
  const people = given.user_id === undefined ? peopleWanted(reach, wanted) : personWanted(reach, given.user_id);
  const wantsContexts = !start.person && given.user_id === undefined && (listed.length > 0 || summed !== undefined);
  const here = context?.kind === 'course' ? context.id : undefined;
  // No limit when the results are filtered or counted after the read.
  const isFiltered = words.length > 0 || given.messageable_only || summed !== undefined;
  const ownCourses = sql`select course_id from enrollments where user_id = ${me.id} and enrollment_state = 'active'`;
  const [users, contexts, counts, ...courseRows] = await db.perform([
    db.build.all<FoundUser>(wantsUsers ? people : sql`select 0 where 0`),
    contextsWanted(db, {
      me: me.id,
      course_id: wantsContexts ? here : 0,
      kinds: summed ? ['section', 'group'] : listed,
      after: start.context,
      limit: isFiltered ? undefined : wanted.limit + excluded.size,
    }),
    partsWanted(db, reach, summed ?? { kind: 'course', id: 0, part: undefined }),
    ...courseStatements(db, given.permissions?.length || given.messageable_only ? ownCourses : theIds([]), me),
  ]);
  return { users, contexts, counts, courses: courseContextsOf(courseRows, me, institution, now) };
}

type Results = Awaited<ReturnType<typeof read>>;

/** Synthetic contexts precede the others, so only the first page has them. */
const syntheticJson = ({ counts, contexts }: Results, { excluded }: Search, code: string, origin: string) =>
  [...partsJson(code, counts, origin), ...listsJson(code, contexts, origin)].filter(({ id }) => !excluded.has(id));

/** The contexts that match, each with its bookmark. */
function contextsJson(
  { contexts, courses }: Results,
  { words, excluded, listed }: Search,
  { permissions = [], messageable_only }: Params,
  origin: string,
) {
  const courseOf = ({ course_id }: FoundContext) => courses.find(({ id }) => id === course_id);
  const isWanted = ({ name }: FoundContext) => words.every((word) => name.toLowerCase().includes(word.toLowerCase()));
  // A course in which the caller may not write to anyone is not offered.
  const isOpen = (found: FoundContext) => !messageable_only || found.course_id === 0 || (courseOf(found)?.can('send_messages') ?? false);
  return contexts
    .filter((found) => listed.includes(found.kind) && isWanted(found) && isOpen(found) && !excluded.has(`${found.kind}_${found.id}`))
    .map((found) => ({
      ...contextJson(found, courseOf(found), permissions, origin),
      mark: ['contexts', found.kind, found.name, found.id],
    }));
}

async function findRecipients(call: Call): Promise<Reply> {
  const { origin, url } = call;
  const given = call.params as Params;
  // A blank search matches everyone: clients send one by default.
  if (!url.searchParams.has('search') && given.context === undefined && given.user_id === undefined) return pageOfRows([]);
  const search = searchOf(given);
  const start = startOf(call);
  const results = await read(call, search, start);
  const isFirst = !start.context && !start.person;
  const parts = search.summed && isFirst ? syntheticJson(results, search, given.context ?? '', origin) : [];
  const found = [
    ...parts.map((part, at) => ({ ...part, mark: ['parts', at + 1] })),
    ...contextsJson(results, search, given, origin),
    ...results.users.map((user) => ({ ...userJson(user, origin), mark: ['people', user.mark_name, user.mark_id] })),
  ];
  const end = start.skipped + call.page.per_page;
  const shown = found.slice(start.skipped, end);
  const last = found.length > end ? shown.at(-1) : undefined;
  return pageOfRows(
    shown.map(({ mark, ...json }) => json),
    last?.mark ?? null,
  );
}

export const searchRoutes = [
  get('/search/recipients', { can: 'user', params, returns: { json: Recipient }, summary: 'Find recipients' }, findRecipients),
  get(
    '/conversations/find_recipients',
    { can: 'user', params, returns: { json: Recipient }, summary: 'Find recipients (older path)' },
    findRecipients,
  ),
];
