// The type of a change source, and SQL that sources share.

import { everyEvent } from '../trigger.ts';

type Event = (typeof everyEvent)[number];

export interface TriggerSource {
  readonly table: string;
  readonly kind: string;
  /** In the names of its triggers, where another source has the same table and kind. */
  readonly as?: string;
  /** What is logged, where it is not the kind itself. */
  readonly logs?: string;
  /** SQL over `new` (or `old` for deleted rows) for item and scope. */
  readonly item?: string;
  readonly scope?: string;
  /** A condition on the row. */
  readonly when?: string;
  /** All by default. */
  readonly events?: readonly Event[];
  /** A condition on updates, over `new` and `old`. */
  readonly onUpdate?: string;
  /** Relevant columns for updates. */
  readonly columns?: readonly string[];
  /** For rows that change other items: a select of (scope, kind, item_id). */
  readonly select?: string;
  /** The row before an update, for items that it no longer belongs to. */
  readonly isBefore?: boolean;
}

export const courseScope = "'course_' || $.course_id";
export const me = "'user_' || $.user_id";
export const context = "lower($.context_type) || '_' || $.context_id";
export const contextScope = (alias: string): string => `lower(${alias}.context_type) || '_' || ${alias}.context_id`;

/** Modules that contain the content: they show its title and published state. */
export const holders = (type: string): Pick<TriggerSource, 'select'> => ({
  select: `select distinct 'course_' || i.course_id, 'module', i.module_id from module_items i where i.type = '${type}' and i.content_id = $.id and i.workflow_state = 'active'`,
});

/** A conversation, once for each participant. */
export const toParticipants = (from: string, where: string) =>
  `select 'user_' || p.user_id, 'conversation', p.conversation_id from ${from} join conversation_participants p on p.conversation_id = ${where}`;

/** Events of a context code. */
export const eventRowsOf = (code: string) =>
  `select coalesce(e.effective_context_code, e.context_code), 'calendar_event', e.id from calendar_events e where e.context_code = ${code} and e.workflow_state <> 'deleted'`;

/** Whether the rows are a user's own: the column that names the user decides who sees the change. */
export const isOwned = ({ scope, select, events = everyEvent, isBefore }: TriggerSource): boolean =>
  !isBefore && events.includes('update') && (scope ?? select ?? '').includes('$.user_id');
