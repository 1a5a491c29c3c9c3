// The locks of a blueprint. Domains declare the columns of each (`triggers/blueprint_sources.ts`).

export const locks = ['content', 'points', 'due_dates', 'availability_dates', 'state'] as const;
export type LockCondition = (typeof locks)[number];

/** The lock that has aborted a batch, by the message of the database; `kind` for a deletion, which any lock prevents. */
export const brokenLock = (message: string): LockCondition | 'kind' | undefined =>
  (['kind', ...locks] as const).find((name) => message.includes(`NOT NULL constraint failed: blueprint_items.${name}`));
