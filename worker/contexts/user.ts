// The user whom a request is about.

import type { Institution } from './institution';
import { adminMay, linksOn } from './institution';
import { anonymousViewer, type UserRow, type Viewer } from './viewer';

export interface UserContext extends UserRow {
  readonly isMe: boolean;
  /** The caller observes this user. */
  readonly isObservedByMe: boolean;
  /** The caller observes this user in at least one course. */
  readonly isObservedSomewhere: boolean;
  /** The caller has an active role in the root account. */
  readonly isAdmin: boolean;
  /** The caller is staff of a course of this user and may read its roster. */
  readonly sharesRosterAsStaff: boolean;
  /** The caller is in a course with this user. */
  readonly sharesCourse: boolean;
  /** Has a permission that the caller does not have. Only for writes: reads do not load what it needs. */
  readonly holdsMore: boolean;
  can(permission: string): boolean;
}

export interface Acquaintance {
  readonly observed: boolean;
  readonly observed_somewhere: boolean;
  readonly as_staff: boolean;
  readonly as_peer: boolean;
}

export function userContext(
  row: UserRow,
  me: Viewer,
  institution: Institution,
  acquaintance: Acquaintance,
  holdsMore = false,
): UserContext {
  const chain = [institution.root.id];
  return {
    ...row,
    isMe: row.id === me.id,
    isObservedByMe: acquaintance.observed,
    isObservedSomewhere: acquaintance.observed || acquaintance.observed_somewhere,
    isAdmin: linksOn(me, chain).length > 0,
    sharesRosterAsStaff: acquaintance.as_staff,
    sharesCourse: acquaintance.as_peer,
    holdsMore: holdsMore && row.id !== me.id,
    can: (permission) => adminMay(permission, me, chain, institution),
  };
}

/** Placeholder for a missing user, with no relation to the caller. */
export const anonymousUser = (me: Viewer, institution: Institution): UserContext =>
  userContext({ ...anonymousViewer.user, id: -1 }, me, institution, {
    observed: false,
    observed_somewhere: false,
    as_staff: false,
    as_peer: false,
  });
