// Line items and results of tools, the keys of this platform, and what may be used only once.

import { index, primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core';
import { bool, created, int, json, number, state, string, time } from '../../database/columns';

/** What a tool has said about the line item of an assignment, whose id it has. Assignments that open a tool have one without a row. */
export const line_items = sqliteTable(
  'line_items',
  {
    id: int().primaryKey(),
    course_id: int().notNull(),
    external_tool_id: int().notNull(),
    /** It was made with its assignment, and is not deleted alone. */
    is_coupled: bool().notNull().default(false),
    tag: string(),
    resource_id: string(),
    /** The uuid of the link that it belongs to. */
    resource_link_id: string(),
    launch_url: string(),
    ...created(),
  },
  (item) => [index('line_items_in_course').on(item.course_id, item.id)],
);

/** The newest score that a tool has sent for a student. */
export const line_item_scores = sqliteTable(
  'line_item_scores',
  {
    line_item_id: int().notNull(),
    user_id: int().notNull(),
    activity_progress: string().notNull(),
    grading_progress: string().notNull(),
    score_given: number(),
    score_maximum: number(),
    comment: string(),
    /** As the tool sent it. An older one is refused. */
    scored_at: string().notNull(),
    ...created(),
  },
  (score) => [primaryKey({ columns: [score.line_item_id, score.user_id] }), index('line_item_scores_of_user').on(score.user_id)],
);

/** Launches, nonces and messages that were used, until they expire. */
export const lti_used = sqliteTable('lti_used', { hash: string().primaryKey(), expires_at: time().notNull() }, (used) => [
  index('lti_used_by_age').on(used.expires_at),
]);

/** The keys of this platform: the present one signs, the next and the last ones are published with it. */
export const lti_keys = sqliteTable('lti_keys', {
  slot: state('past', 'present', 'future').primaryKey(),
  jwk: json<Readonly<Record<string, unknown>>>().notNull(),
  /** PKCS #8, sealed. */
  private_key: string().notNull(),
  created_at: time().notNull(),
});
