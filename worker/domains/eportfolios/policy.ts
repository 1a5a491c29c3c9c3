// Who sees an ePortfolio: its owner, those who moderate, and everybody where it is public.

import { and, eq, ne, or, type SQL, sql } from 'drizzle-orm';
import { readId } from '../../contexts/references';
import type { UserContext } from '../../contexts/user';
import { found } from '../../http/problem';
import { eportfolios } from './table';

/** The ePortfolio of a path stands with its owner. */
export const ofOwner = (name: 'id' | 'eportfolio_id') => (path: Record<string, string>) => ({
  user: sql`select user_id from eportfolios where id = ${readId(path[name] ?? '') ?? 0}`,
});

export const moderates = (owner: UserContext): boolean => owner.can('moderate_user_content');

/** @throws Problem 404 where there is no such ePortfolio */
export function readable(id: number, owner: UserContext | undefined): SQL | undefined {
  const { isMe } = found(owner);
  const itself = eq(eportfolios.id, id);
  if (moderates(found(owner))) return itself;
  const isPublic = and(eq(eportfolios.public, true), or(sql`spam_status is null`, ne(eportfolios.spam_status, 'marked_as_spam')));
  return and(itself, eq(eportfolios.workflow_state, 'active'), isMe ? undefined : isPublic);
}
