// A person as the one a request is about.

import type { Institution } from './institution';
import { adminMay, linksOn } from './institution';
import { nobody, type UserRow, type Viewer } from './viewer';

export interface UserContext extends UserRow {
  readonly isMe: boolean;
  /** The caller observes this person. */
  readonly isObservedByMe: boolean;
  /** The caller observes this person, if only in a course. */
  readonly isObservedSomewhere: boolean;
  /** The caller holds an active role on the root account. */
  readonly isAdmin: boolean;
  /** The caller reads the roster, as staff, of a course that this person is in. */
  readonly sharesRosterAsStaff: boolean;
  /** The caller is in a course with this person. */
  readonly sharesCourse: boolean;
  /** They hold a right that the caller lacks. Known in a write only: reads do not load what it takes. */
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

/** What stands for a person that there is not: somebody with whom the caller has nothing to do. */
export const userOfNobody = (me: Viewer, institution: Institution): UserContext =>
  userContext({ ...nobody.user, id: -1 }, me, institution, { observed: false, observed_somewhere: false, as_staff: false, as_peer: false });
