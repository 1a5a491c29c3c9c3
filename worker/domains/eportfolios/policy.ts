// Readers of an ePortfolio: its owner, moderators, and everyone if it is public. Only the owner changes it.

import { and, eq, ne, or, type SQL, sql } from 'drizzle-orm';
import { readId } from '../../contexts/references';
import type { UserContext } from '../../contexts/user';
import { found } from '../../http/problem';
import { eportfolios } from './table';

/** Loads the owner of the path's ePortfolio. */
export const ofOwner = (name: 'id' | 'eportfolio_id') => (path: Record<string, string>) => ({
  user: sql`select user_id from eportfolios where id = ${readId(path[name] ?? '') ?? 0}`,
});

export const moderates = (owner: UserContext): boolean => owner.can('moderate_user_content');

const isActive = eq(eportfolios.workflow_state, 'active');
/** An ePortfolio marked as spam is frozen until a moderator marks it as safe. */
const isNoSpam = or(sql`eportfolios.spam_status is null`, ne(eportfolios.spam_status, 'marked_as_spam')) as SQL;

/** @throws Problem 404 when missing or not visible */
export function readableEPortfolio(id: number, owner: UserContext | undefined): SQL | undefined {
  const { isMe } = found(owner);
  const itself = eq(eportfolios.id, id);
  if (moderates(found(owner))) return itself;
  return and(itself, isActive, isMe ? undefined : and(eq(eportfolios.public, true), isNoSpam));
}

/** Only the owner may change it. */
export const editableEPortfolio = (id: number, me: { readonly id: number }): SQL | undefined =>
  and(eq(eportfolios.id, id), eq(eportfolios.user_id, me.id), isActive, isNoSpam);

/** Whether an ePortfolio of this user is marked as spam: until that is resolved, they cannot create another. */
export const isBarred = (user_id: number): SQL =>
  sql`exists (select 1 from eportfolios where eportfolios.user_id = ${user_id} and eportfolios.workflow_state = 'active' and eportfolios.spam_status = 'marked_as_spam')`;
