// Who reads an ePortfolio: its owner, those who moderate, and everyone where it is public. Who changes it: its owner.

import { and, eq, ne, or, type SQL, sql } from 'drizzle-orm';
import { readId } from '../../contexts/references';
import type { UserContext } from '../../contexts/user';
import { found } from '../../http/problem';
import { eportfolios } from './table';

/** The ePortfolio of a path is read with its owner. */
export const ofOwner = (name: 'id' | 'eportfolio_id') => (path: Record<string, string>) => ({
  user: sql`select user_id from eportfolios where id = ${readId(path[name] ?? '') ?? 0}`,
});

export const moderates = (owner: UserContext): boolean => owner.can('moderate_user_content');

const isActive = eq(eportfolios.workflow_state, 'active');
/** What a moderator has marked as spam is frozen until it is marked as safe. */
const isNoSpam = or(sql`eportfolios.spam_status is null`, ne(eportfolios.spam_status, 'marked_as_spam')) as SQL;

/** @throws Problem 404 where there is no such ePortfolio */
export function readable(id: number, owner: UserContext | undefined): SQL | undefined {
  const { isMe } = found(owner);
  const itself = eq(eportfolios.id, id);
  if (moderates(found(owner))) return itself;
  return and(itself, isActive, isMe ? undefined : and(eq(eportfolios.public, true), isNoSpam));
}

/** Its owner changes it. */
export const changeable = (id: number, me: { readonly id: number }): SQL | undefined =>
  and(eq(eportfolios.id, id), eq(eportfolios.user_id, me.id), isActive, isNoSpam);

/** Whether a moderator has marked an ePortfolio of this person as spam: until that is settled, they create no other. */
export const isBarred = (user_id: number): SQL =>
  sql`exists (select 1 from eportfolios where eportfolios.user_id = ${user_id} and eportfolios.workflow_state = 'active' and eportfolios.spam_status = 'marked_as_spam')`;
