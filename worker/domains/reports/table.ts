// Account reports: their parameters, progress, and the pieces they are combined from.

import { sql } from 'drizzle-orm';
import { index, primaryKey, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { created, id, int, json, number, state, string, time } from '../../database/columns';

export interface PeriodSetOfTerm {
  readonly id: number;
  readonly title: string;
  /** By start. */
  readonly periods: readonly { readonly id: number; readonly title: string }[];
}

/** Fixed when the report is requested, so that a resumed run gives the same result. */
export interface ReportRequest {
  readonly isRoot: boolean;
  readonly account_id: number;
  readonly now: string;
  /** The selected files, for reports with several. */
  readonly parts: readonly string[];
  readonly term_id?: number;
  readonly course_id?: number;
  /** The grading periods of the term. */
  readonly period_set?: PeriodSetOfTerm;
  readonly include_deleted?: boolean;
  readonly created_by_sis?: boolean;
  /** The sort order of outcome results. */
  readonly order?: 'users' | 'courses' | 'outcomes';
  readonly start_at?: string;
  readonly end_at?: string;
  readonly enrollment_types?: readonly string[];
  readonly enrollment_states?: readonly string[];
}

export const account_reports = sqliteTable(
  'account_reports',
  {
    id: id(),
    account_id: int().notNull(),
    user_id: int().notNull(),
    uuid: string().notNull(),
    report: string().notNull(),
    parameters: json<Record<string, unknown>>().notNull().default({}),
    wish: json<ReportRequest>().notNull(),
    workflow_state: state('created', 'running', 'compiling', 'complete', 'error', 'aborted', 'deleted').notNull().default('created'),
    /** Number of completed steps; each batch increments it, so that no step is made twice. Null breaks a batch. */
    step: int().notNull().default(0),
    /** How often the current step has failed. */
    crashes: int().notNull().default(0),
    /** The current part, and the key of its last row. */
    part: int().notNull().default(0),
    mark: number().notNull().default(0),
    progress: int().notNull().default(0),
    current_line: int(),
    message: string(),
    file_id: int(),
    started_at: time(),
    ended_at: time(),
    ...created(),
  },
  (one) => [
    uniqueIndex('account_reports_by_uuid').on(one.uuid),
    index('account_reports_of_account').on(one.account_id, one.report, one.id).where(sql`workflow_state <> 'deleted'`),
    index('account_reports_unfinished').on(one.updated_at).where(sql`workflow_state in ('created', 'running', 'compiling')`),
  ],
);

/** Rows as CSV in R2, in order; deleted once the report is complete. */
export const account_report_pieces = sqliteTable(
  'account_report_pieces',
  { report_id: int().notNull(), step: int().notNull(), part: int().notNull(), key: string().notNull() },
  (piece) => [primaryKey({ columns: [piece.report_id, piece.step] })],
);
