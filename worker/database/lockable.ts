// What a blueprint can lock: the kinds of content, and the columns of each lock. Triggers record edits of these columns, and rules/blueprint_locks.ts
// refuses them.

export const locks = ['content', 'points', 'due_dates', 'availability_dates', 'state'] as const;
export type LockCondition = (typeof locks)[number];

export const lockable = {
  assignments: {
    kind: 'assignment',
    columns: {
      content: ['name', 'description'],
      points: ['points_possible'],
      due_dates: ['due_at'],
      availability_dates: ['unlock_at', 'lock_at'],
      state: ['workflow_state'],
    },
  },
  pages: { kind: 'page', columns: { content: ['title', 'body'], state: ['workflow_state'] } },
  discussion_topics: {
    kind: 'discussion_topic',
    columns: { content: ['title', 'message'], availability_dates: ['delayed_post_at', 'lock_at'], state: ['workflow_state'] },
  },
  files: {
    kind: 'file',
    columns: { content: ['display_name', 'blob_id'], availability_dates: ['unlock_at', 'lock_at'], state: ['locked', 'hidden'] },
  },
} as const satisfies Readonly<
  Record<string, { readonly kind: string; readonly columns: { readonly [L in LockCondition]?: readonly string[] } }>
>;

export type LockableTable = keyof typeof lockable;

/** The lock that has aborted a batch, by the message of the database; `kind` for a deletion, which any lock prevents. */
export const brokenLock = (message: string): LockCondition | 'kind' | undefined =>
  (['kind', ...locks] as const).find((name) => message.includes(`NOT NULL constraint failed: blueprint_items.${name}`));
