// Trip 1 of every request: the caller, the contexts and the permissions, in one statement.

import type { idempotency_keys } from '../database/housekeeping';
import type { Database } from '../database/open';
import type { sessions } from '../domains/login/table';
import type { tokens } from '../domains/tokens/table';
import type { RowOf } from '../http/listing';
import { badToken, notFound, Problem, unauthenticated } from '../http/problem';
import { type AccountContext, accountContext, anonymousAccount } from './account';
import { type ContextQuery, readContexts } from './context_query';
import { cachedContextQuery } from './context_query_cache';
import { type CourseContext, courseContext } from './course';
import { isSwitchedOn } from './developer_key';
import { type GroupContext, groupContext } from './group';
import { type Institution, linksHold } from './institution';
import { coversRights } from './rank';
import type { SectionContext } from './section';
import { anonymousUser, type UserContext, userContext } from './user';
import { type AdminLink, anonymousViewer, type UserRow, type Viewer } from './viewer';

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

type Found = ReturnType<typeof readContexts>;
type Credential = RowOf<typeof tokens> | RowOf<typeof sessions>;

/** @throws Problem 503 before the institution has its first account */
function institutionOf({ accounts, overrides }: Found): Institution {
  const root = accounts.find((account) => account.parent_account_id === null);
  if (!root) throw new Problem(503, { errors: [{ message: 'This institution has not been set up.' }] });
  return { root, accounts: new Map(accounts.map((account) => [account.id, account])), overrides };
}

const linksOf = (found: Found, id: number): AdminLink[] =>
  found.admins
    .filter((link) => link.user_id === id)
    .flatMap((link) => {
      const role = found.roles.find((one) => one.id === link.role_id && one.workflow_state !== 'inactive');
      return role ? [{ account_id: link.account_id, role }] : [];
    });

const hasActiveLogin = ({ logins }: Found): boolean => logins.some((login) => login.workflow_state === 'active');

/** The user of an address that needs no token; nobody once they are deleted or have no active login. */
function userOfAddress(found: Found): Viewer {
  const user = found.viewers[0];
  if (!user || user.workflow_state === 'deleted' || !hasActiveLogin(found)) return anonymousViewer;
  return { ...anonymousViewer, id: user.id, isKnown: true, user, real_user_id: user.id, adminLinks: linksOf(found, user.id) };
}

/**
 * Who calls when the user of the credential, or the one that they want to act as, is missing or deleted.
 * @throws Problem 401, except for a session
 */
function withoutUser(user: UserRow | undefined, session: RowOf<typeof sessions> | undefined, asUser: string | undefined): Viewer {
  if (asUser === undefined && session) return anonymousViewer;
  if (asUser === undefined) throw badToken();
  throw new Problem(401, {
    errors: 'Invalid as_user_id',
    ...(user?.merged_into_user_id && { merged_into_user_id: user.merged_into_user_id }),
  });
}

/** @throws Problem 401 */
function viewerOf(found: Found, session: RowOf<typeof sessions> | undefined, query: ContextQuery): Viewer {
  const token = found.tokens[0];
  const credential = token ?? session;
  if (query.tokenHash && !token) throw badToken();
  if (query.speaksFor) return userOfAddress(found);
  if (!credential) {
    if (query.asUser !== undefined) throw unauthenticated();
    return anonymousViewer;
  }
  const user = found.viewers[0];
  if (!user || user.workflow_state === 'deleted') return withoutUser(user, session, query.asUser);
  return {
    id: user.id,
    isKnown: true,
    user,
    token,
    developerKey: found.developerKeys[0],
    session,
    real_user_id: credential.real_user_id ?? credential.user_id,
    adminLinks: linksOf(found, user.id),
  };
}

/** Reference 01 A10. @throws Problem 401 where the caller may not act as the user that they name */
function checkMasquerade(
  me: Viewer,
  credential: Credential | undefined,
  found: Found,
  institution: Institution,
  sought: ContextQuery,
): void {
  if (sought.asUser === undefined || !credential || me.id === credential.user_id) return;
  if (credential.real_user_id !== null && credential.real_user_id !== credential.user_id)
    throw new Problem(401, { errors: 'Cannot change masquerade' });
  if (!found.is_own_test_student && !mayActAs(linksOf(found, credential.user_id), me.adminLinks, institution))
    throw new Problem(401, { errors: 'Invalid as_user_id' });
}

/** @throws Problem 401 for a token that is revoked or expired, or whose user or application is switched off */
function checkToken(me: Viewer, found: Found, institution: Institution, sought: ContextQuery): void {
  const token = found.tokens[0];
  if (!token) return;
  if (sought.tokenHash) refuseClosedDoor(token, found.logins, sought.now);
  const { developerKey } = me;
  if (token.developer_key_id && !(developerKey && isSwitchedOn(developerKey, found.bindings, institution.root.id))) throw badToken();
}

/** @throws Problem 401 */
async function authenticate(found: Found, institution: Institution, sought: ContextQuery): Promise<Viewer> {
  const session = openSession(found.sessions[0], found.logins);
  const credential = found.tokens[0] ?? session;
  await sought.recognise?.(credential ? (credential.real_user_id ?? credential.user_id) : undefined);
  const me = viewerOf(found, session, sought);
  checkToken(me, found, institution, sought);
  checkMasquerade(me, credential, found, institution, sought);
  return me;
}

/** The course of the path, deleted or not. */
function courseOf(found: Found, me: Viewer, institution: Institution, now: string): CourseContext | undefined {
  const [course, term] = [found.courses[0], found.terms[0]];
  if (!course || !term) return undefined;
  const mine = found.enrollments.flatMap((enrollment) => {
    const role = found.roles.find((one) => one.id === enrollment.role_id);
    const section = found.sections.find((one) => one.id === enrollment.course_section_id);
    return role && section && section.workflow_state !== 'deleted' ? [{ enrollment, role, section }] : [];
  });
  const [set] = found.periodSets;
  const periods = [...found.periods].sort((one, other) => (one.start_date < other.start_date ? -1 : 1));
  return courseContext(course, term, mine, me, institution, now, found.standards, { set, periods }, found.anonymous);
}

/** Whether the path names a course, section or group that is not there. */
function lacksPlace(found: Found, course: CourseContext | undefined, { path, deletedToo }: ContextQuery): boolean {
  const lacksCourse = path.course_id !== undefined && !course;
  const lacksSection = path.section_id !== undefined && !(found.pathSections[0] && course);
  const lacksGroup = path.group_id !== undefined && !(found.pathGroups[0] && found.pathCategories[0]);
  return lacksCourse || lacksSection || lacksGroup || (course?.workflow_state === 'deleted' && !deletedToo);
}

const isGone = (row: { readonly workflow_state: string } | undefined): boolean => !row || row.workflow_state === 'deleted';

/** The user of the path. */
function userOf(found: Found, me: Viewer, institution: Institution, { ranks }: ContextQuery): UserContext | undefined {
  const row = found.pathUsers[0];
  if (!row) return undefined;
  const outranks = ranks === true && !coversRights(me.adminLinks, linksOf(found, row.id), institution);
  return userContext(row, me, institution, found.acquaintance, outranks);
}

/**
 * @throws Problem 401 for a token that is not valid, 404 for a context of the path that is not there
 */
export async function loadContexts(db: Database, sought: ContextQuery): Promise<Contexts> {
  const [rows] = await db.perform([cachedContextQuery(db, sought)]);
  const found = readContexts(rows[0]);
  const institution = institutionOf(found);
  const me = await authenticate(found, institution, sought);

  const noAccount = sought.path.account_id !== undefined && isGone(found.pathAccounts[0]);
  const noUser = sought.path.user_id !== undefined && isGone(found.pathUsers[0]);
  const course = courseOf(found, me, institution, sought.now);
  const isMissing = lacksPlace(found, course, sought) || ((noAccount || noUser) && !me.isKnown);
  if (isMissing) throw me.isKnown ? notFound() : unauthenticated();

  const [accountRow, groupRow, category] = [found.pathAccounts[0], found.pathGroups[0], found.pathCategories[0]];
  const account = noAccount ? anonymousAccount(me, institution) : accountRow && accountContext(accountRow, me, institution);
  const group = groupRow && category && groupContext(groupRow, category, found.memberships[0], course, account, me);
  return {
    me,
    institution,
    // Within a group, `course` is absent, so that its endpoints never fall back to the course's permissions.
    course: group ? undefined : course,
    section: found.pathSections[0],
    account: group ? undefined : account,
    group,
    user: noUser ? anonymousUser(me, institution) : userOf(found, me, institution, sought),
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
  linksHold('become_user', actor, [institution.root.id], institution) && coversRights(actor, target, institution);
