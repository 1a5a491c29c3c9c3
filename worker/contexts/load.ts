// Trip 1 of every request: the caller, the contexts and the permissions, in one statement.

import type { idempotency_keys } from '../database/housekeeping';
import type { Database } from '../database/open';
import type { sessions } from '../domains/login/table';
import type { tokens } from '../domains/tokens/table';
import type { RowOf } from '../http/listing';
import { badToken, notFound, Problem, unauthenticated } from '../http/problem';
import { type AccountContext, accountContext, accountOfNobody } from './account';
import { type CourseContext, courseContext } from './course';
import { isSwitchedOn } from './developer_key';
import { type GroupContext, groupContext } from './group';
import { type Institution, linksHold } from './institution';
import { covers } from './rank';
import type { SectionContext } from './section';
import { readContexts, type Sought, seekContexts } from './seek';
import { type UserContext, userContext, userOfNobody } from './user';
import { type AdminLink, nobody, type Viewer } from './viewer';

export interface Contexts {
  readonly me: Viewer;
  readonly institution: Institution;
  readonly course: CourseContext | undefined;
  readonly account: AccountContext | undefined;
  readonly section: SectionContext | undefined;
  readonly user: UserContext | undefined;
  /** With its course or account. */
  readonly group: GroupContext | undefined;
  /** The id for the path's `:id`, if that is not a number. */
  readonly named_id: number | undefined;
  readonly replay: RowOf<typeof idempotency_keys> | undefined;
  /** The path's context does not exist. Reported as 404 only to callers who could otherwise see it; others get the usual 401. */
  readonly isNowhere: boolean;
}

/** @throws Problem 401 for an invalid token, 404 for an unknown context */
export async function loadContexts(db: Database, sought: Sought): Promise<Contexts> {
  const [rows] = await db.perform([seekContexts(db, sought)]);
  const found = readContexts(rows[0]);
  const [accountRows, overrideRows, roleRows, adminRows] = [found.accounts, found.overrides, found.roles, found.admins];

  const root = accountRows.find((account) => account.parent_account_id === null);
  if (!root) throw new Problem(503, { errors: [{ message: 'This institution has not been set up.' }] });
  const institution: Institution = {
    root,
    accounts: new Map(accountRows.map((account) => [account.id, account])),
    overrides: overrideRows,
  };

  const token = found.tokens[0];
  const session = openSession(found.sessions[0], found.logins);
  /** The credential. */
  const key = token ?? session;
  await sought.recognise?.(key ? (key.real_user_id ?? key.user_id) : undefined);
  const linksOf = (id: number): AdminLink[] =>
    adminRows
      .filter((link) => link.user_id === id)
      .flatMap((link) => {
        const role = roleRows.find((one) => one.id === link.role_id && one.workflow_state !== 'inactive');
        return role ? [{ account_id: link.account_id, role }] : [];
      });
  const me = viewer();
  if (sought.tokenHash && token) refuseClosedDoor(token, found.logins, sought.now);
  const developerKey = me.developerKey;
  if (token?.developer_key_id && !(developerKey && isSwitchedOn(developerKey, found.bindings, root.id))) throw badToken();

  function viewer(): Viewer {
    if (sought.tokenHash && !token) throw badToken();
    if (sought.speaksFor) return spokenFor();
    if (!key) {
      if (sought.asUser !== undefined) throw unauthenticated();
      return nobody;
    }
    const user = found.viewers[0];
    if (!user || user.workflow_state === 'deleted') {
      if (sought.asUser === undefined && session) return nobody;
      if (sought.asUser === undefined) throw badToken();
      throw new Problem(401, {
        errors: 'Invalid as_user_id',
        ...(user?.merged_into_user_id && { merged_into_user_id: user.merged_into_user_id }),
      });
    }
    return {
      id: user.id,
      isKnown: true,
      user,
      token,
      developerKey: found.developerKeys[0],
      session,
      real_user_id: key.real_user_id ?? key.user_id,
      adminLinks: linksOf(user.id),
    };
  }

  /** Anonymous if the user is deleted or may not sign in any more. */
  function spokenFor(): Viewer {
    const user = found.viewers[0];
    if (!user || user.workflow_state === 'deleted' || !found.logins.some((login) => login.workflow_state === 'active')) return nobody;
    return { ...nobody, id: user.id, isKnown: true, user, real_user_id: user.id, adminLinks: linksOf(user.id) };
  }

  if (sought.asUser !== undefined && key && me.id !== key.user_id) {
    if (key.real_user_id !== null && key.real_user_id !== key.user_id) throw new Problem(401, { errors: 'Cannot change masquerade' });
    if (!found.is_own_test_student && !mayActAs(linksOf(key.user_id), me.adminLinks, institution))
      throw new Problem(401, { errors: 'Invalid as_user_id' });
  }

  const missing = () => (me.isKnown ? notFound() : unauthenticated());
  const courseRow = found.courses[0];
  const term = found.terms[0];
  const course =
    courseRow && term
      ? courseContext(
          courseRow,
          term,
          found.enrollments.flatMap((enrollment) => {
            const role = roleRows.find((one) => one.id === enrollment.role_id);
            const section = found.sections.find((one) => one.id === enrollment.course_section_id);
            return role && section && section.workflow_state !== 'deleted' ? [{ enrollment, role, section }] : [];
          }),
          me,
          institution,
          sought.now,
        )
      : undefined;
  const section = found.pathSections[0];
  if ((sought.path.section_id !== undefined && (!section || !course)) || (sought.path.course_id !== undefined && !course)) throw missing();
  const groupRow = found.pathGroups[0];
  const category = found.pathCategories[0];
  if (sought.path.group_id !== undefined && !(groupRow && category)) throw missing();
  if (course && course.workflow_state === 'deleted' && !sought.deletedToo) throw missing();

  const accountRow = found.pathAccounts[0];
  const noAccount = sought.path.account_id !== undefined && (!accountRow || accountRow.workflow_state === 'deleted');
  const pathUser = found.pathUsers[0];
  const noUser = sought.path.user_id !== undefined && (!pathUser || pathUser.workflow_state === 'deleted');
  if ((noAccount || noUser) && !me.isKnown) throw missing();

  const account = noAccount ? accountOfNobody(me, institution) : accountRow && accountContext(accountRow, me, institution);
  const group = groupRow && category && groupContext(groupRow, category, found.memberships[0], course, account, me);

  const holdsMore = sought.ranks && pathUser !== undefined && !covers(me.adminLinks, linksOf(pathUser.id), institution);
  const theUser = pathUser && userContext(pathUser, me, institution, found.acquaintance, holdsMore);

  return {
    me,
    institution,
    // Within a group, `course` is absent, so that its endpoints never fall back to the course's permissions.
    course: group ? undefined : course,
    section,
    account: group ? undefined : account,
    group,
    user: noUser ? userOfNobody(me, institution) : theUser,
    isNowhere: noAccount || noUser,
    named_id: found.named_id,
    replay: found.keys[0],
  };
}

/** Reference 01 A7: conditions that make a token invalid. */
function refuseClosedDoor(token: RowOf<typeof tokens>, logins: readonly { workflow_state: string }[], now: string): void {
  if (token.workflow_state !== 'active') throw badToken();
  if (token.expires_at !== null && token.expires_at <= now) throw badToken('Expired access token.');
  if (!logins.some((login) => login.workflow_state === 'active')) throw badToken();
}

/** A cookie may outlive its session: without an active login the request is anonymous, not an error. */
const openSession = (session: RowOf<typeof sessions> | undefined, logins: readonly { id: number; workflow_state: string }[]) =>
  session && logins.some(({ id, workflow_state }) => workflow_state === 'active' && (session.login_id ?? id) === id) ? session : undefined;

/** Reference 01 A10: masquerading is allowed only as users who have no account permission that the actor does not have. */
const mayActAs = (actor: readonly AdminLink[], target: readonly AdminLink[], institution: Institution): boolean =>
  linksHold('become_user', actor, [institution.root.id], institution) && covers(actor, target, institution);
