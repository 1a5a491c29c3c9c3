// What a source of changes says, and the words that sources share.

export const everyEvent = ['insert', 'update', 'delete'] as const;
type Event = (typeof everyEvent)[number];

export interface Source {
  readonly table: string;
  readonly kind: string;
  /** SQL over `new` (or `old` for deleted rows) that names the item and the scope. */
  readonly item?: string;
  readonly scope?: string;
  /** Holds for the rows that count. */
  readonly when?: string;
  /** All of them, unless only some can change the item. */
  readonly events?: readonly Event[];
  /** Holds for the updates that count, over `new` and `old`. */
  readonly onUpdate?: string;
  /** Only these columns matter on update. */
  readonly columns?: readonly string[];
  /** Rows name other items: a select of (scope, kind, item_id). */
  readonly select?: string;
  /** The row as it was before an update: what it has left. */
  readonly isBefore?: boolean;
}

export const course = "'course_' || $.course_id";
export const me = "'user_' || $.user_id";
export const context = "lower($.context_type) || '_' || $.context_id";
export const scopeOf = (alias: string): string => `lower(${alias}.context_type) || '_' || ${alias}.context_id`;

/** Modules that hold a piece of content: they show its title and whether it is published. */
export const holders = (type: string): Pick<Source, 'select'> => ({
  select: `select distinct 'course_' || i.course_id, 'module', i.module_id from module_items i where i.type = '${type}' and i.content_id = $.id and i.workflow_state = 'active'`,
});

/** A thread for each of its participants. */
export const toParticipants = (from: string, where: string) =>
  `select 'user_' || p.user_id, 'conversation', p.conversation_id from ${from} join conversation_participants p on p.conversation_id = ${where}`;

/** Events that stand under a code. */
export const eventsOf = (code: string) =>
  `select coalesce(e.effective_context_code, e.context_code), 'calendar_event', e.id from calendar_events e where e.context_code = ${code} and e.workflow_state <> 'deleted'`;
