// Views of the mailbox: a scope, optionally filtered by contexts or users.

import { choice, commaList, optional, text } from '@carrel/shared/wire/fields';
import { and, eq, or, type SQL, sql } from 'drizzle-orm';
import { Problem } from '../../http/problem';
import { conversation_participants, conversations } from './table';
import type { Participant } from './thread/changes';

const scopes = ['inbox', 'unread', 'starred', 'archived', 'sent'] as const;
type Scope = (typeof scopes)[number];

export const inboxViewParams = { scope: choice(...scopes), filter: optional(commaList(text)), filter_mode: optional(text) };

interface Filter {
  readonly kind: 'course' | 'section' | 'group' | 'user';
  readonly id: number;
}

interface View {
  readonly scope: Scope;
  readonly filters: readonly Filter[];
  readonly needsAll: boolean;
}

/** @throws Problem 400 for a mode other than `and` or `or`; unknown scopes mean the inbox, unknown filters are ignored */
export function inboxViewOf(params: { scope?: Scope; filter?: readonly string[]; filter_mode?: string }): View {
  const mode = params.filter_mode?.toLowerCase() || 'or';
  if (mode !== 'or' && mode !== 'and') throw new Problem(400, [{ attribute: 'filter_mode', message: 'invalid' }]);
  return {
    scope: params.scope ?? 'inbox',
    filters: (params.filter ?? []).flatMap((code) => {
      const [, kind, id] = /^(course|section|group|user)_(\d{1,15})$/.exec(code) ?? [];
      return kind ? [{ kind: kind as Filter['kind'], id: Number(id) }] : [];
    }),
    needsAll: mode === 'and',
  };
}

const mine = conversation_participants;

/** Literals, not parameters, so that SQLite matches the partial indexes. */
const inScope: Record<Scope, SQL> = {
  inbox: sql`conversation_participants.workflow_state <> 'archived' and conversation_participants.last_message_at is not null`,
  unread: sql`conversation_participants.workflow_state = 'unread'`,
  starred: sql`conversation_participants.starred = 1`,
  archived: sql`conversation_participants.workflow_state = 'archived'`,
  sent: sql`conversation_participants.last_authored_message_at is not null`,
};

/** The sort key of a scope's list, newest first. */
export const timeIn = (scope: Scope) =>
  scope === 'inbox' ? mine.last_message_at : scope === 'sent' ? mine.last_authored_message_at : mine.moved_at;

const others = (me: number) => sql`o.conversation_id = conversations.id and o.user_id <> ${me}`;

function matches({ kind, id }: Filter, me: number): SQL {
  const context = and(eq(conversations.context_type, kind === 'course' ? 'Course' : 'Group'), eq(conversations.context_id, id)) as SQL;
  if (kind === 'user')
    return sql`exists (select 1 from conversation_participants o where o.conversation_id = conversations.id and o.user_id = ${id})`;
  const teamed = sql`exists (select 1 from conversation_participants o join group_memberships m on m.user_id = o.user_id where ${others(me)} and m.group_id = ${id} and m.workflow_state = 'accepted')`;
  if (kind === 'group') return or(context, and(sql`${conversations.context_id} is null`, teamed)) as SQL;
  const column = kind === 'course' ? sql.raw('course_id') : sql.raw('course_section_id');
  const enrolled = sql`exists (select 1 from conversation_participants o join enrollments e on e.user_id = o.user_id where ${others(me)} and e.${column} = ${id} and e.enrollment_state not in ('deleted', 'rejected'))`;
  return kind === 'section' ? enrolled : (or(context, and(sql`${conversations.context_id} is null`, enrolled)) as SQL);
}

/** The caller's rows in a view, joined with their conversations. */
export function shownIn(view: View, me: number): SQL {
  const filters = view.filters.map((filter) => matches(filter, me));
  const chosen = view.needsAll ? and(...filters) : or(...filters);
  return and(eq(mine.user_id, me), inScope[view.scope], chosen) as SQL;
}

interface Standing {
  readonly mine: Pick<Participant, 'workflow_state' | 'last_message_at' | 'last_authored_message_at' | 'starred'>;
  readonly userIds: readonly number[];
  readonly contextCode: string | null;
  /** Courses that the caller shares with a participant. */
  readonly sharedCourseIds: readonly number[];
  readonly sharedGroupIds: readonly number[];
}

/** The same rule for one conversation that is already loaded. */
export function isShown(
  { scope, filters, needsAll }: View,
  { mine: my, userIds, contextCode, sharedCourseIds, sharedGroupIds }: Standing,
): boolean {
  const held = {
    inbox: my.workflow_state !== 'archived' && my.last_message_at !== null,
    unread: my.workflow_state === 'unread',
    starred: my.starred,
    archived: my.workflow_state === 'archived',
    sent: my.last_authored_message_at !== null,
  }[scope];
  const one = ({ kind, id }: Filter) =>
    kind === 'user'
      ? userIds.includes(id)
      : contextCode === null
        ? (kind === 'course' && sharedCourseIds.includes(id)) || (kind === 'group' && sharedGroupIds.includes(id))
        : contextCode === `${kind}_${id}`;
  return held && (filters.length === 0 || (needsAll ? filters.every(one) : filters.some(one)));
}
