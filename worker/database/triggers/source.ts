// The types of what changes a kind of the feed or of a blueprint, and SQL that domains share. A domain declares its kinds in `change_sources.ts`.

import type { Kind } from '@carrel/shared/sync/protocol';
import type { CopiedKind } from '../../domains/course_copy/table';
import type { LockCondition } from '../lockable.ts';
import { everyEvent } from './trigger.ts';

type Event = (typeof everyEvent)[number];

/** A write that changes an item of the kind for clients. */
export interface TriggerSource {
  readonly table: string;
  readonly kind: Kind;
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

/** Time columns at which an item of the kind changes without a write. */
export interface ScheduleSource {
  readonly table: string;
  readonly kind: Kind;
  readonly item: string;
  readonly scope: string;
  readonly fields: readonly string[];
  /** A condition on the row. */
  readonly when?: string;
  /** SQL before the name of the field, where several rows have a time for the same item. */
  readonly prefix?: string;
}

/** How the content of a blueprint is recorded for its next sync, and what the blueprint can lock in associated courses. */
export interface BlueprintSource {
  readonly table: string;
  readonly kind: CopiedKind;
  /** SQL for the id of its course. */
  readonly course: string;
  /** A condition on rows that belong to a course. */
  readonly of?: string;
  /** Columns that count as changes; all when absent. */
  readonly noted?: readonly string[];
  /** The columns of each lock, for kinds that can be locked. */
  readonly locks?: { readonly [L in LockCondition]?: readonly string[] };
  /** SQL over the row: whether the columns of a lock are computed from other rows, so that their change is no edit. */
  readonly derived?: { readonly [L in LockCondition]?: string };
}

/** Rows that are a part of a lockable item: their edits are edits of its content. */
export interface BlueprintPart {
  readonly table: string;
  readonly of: CopiedKind;
  /** SQL for the id of that item; null for rows of none. */
  readonly item: string;
  /** The other half of that item, which is an exception together with it. */
  readonly with?: { readonly of: CopiedKind; readonly item: string };
  /** Columns that count as changes. */
  readonly columns: readonly string[];
  /** SQL for the course, where a change of the row does not write that item. */
  readonly course?: string;
  /** A part that goes has no state: its row is deleted. */
  readonly isDeletedAsRow?: true;
}

/** The course of rows whose context may also be a group or a user. */
export const courseContent = { course: '$.context_id', of: "$.context_type = 'Course'" } as const;

export const courseScope = "'course_' || $.course_id";
export const me = "'user_' || $.user_id";
export const context = "lower($.context_type) || '_' || $.context_id";
export const contextScope = (alias: string): string => `lower(${alias}.context_type) || '_' || ${alias}.context_id`;

/** Items that show a user, such as their author, change with the user's name and picture. */
export const showingUser = (kind: Kind, select: string): TriggerSource => ({
  table: 'users',
  kind,
  events: ['update'],
  columns: ['name', 'short_name', 'pronouns', 'avatar_url'],
  select,
});

/** Whether the rows are a user's own: the column that names the user decides who sees the change. */
export const isOwned = ({ scope, select, events = everyEvent, isBefore }: TriggerSource): boolean =>
  !isBefore && events.includes('update') && (scope ?? select ?? '').includes('$.user_id');
