// Names and Roles: the members of a course or a group as its tools see them (reference 06 §8).

import { int, optional, type Shape, text } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import { type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { atMost } from '../../database/at_most';
import { seal, unseal } from '../../database/seal';
import { withColumns } from '../../database/together';
import type { Call } from '../../http/call';
import { absolute, get } from '../../http/endpoint';
import { answer, type Reply } from '../../http/reply';
import { ltiScopes } from '../../rules/lti_scopes';
import type { ToolRow } from '../external_tools/json';
import { membershipRoles } from '../external_tools/launch/roles';
import { namesOf } from '../external_tools/launch/variables';
import { ltiProblem, nextServicePage, serviceCaller, serviceStatements, serviceTokenOf } from './service_caller';

const containerType = 'application/vnd.ims.lis.v2.membershipcontainer+json';
const usual = 50;
const most = 100;
const pagePurpose = 'pages of rosters';

const membership = 'http://purl.imsglobal.org/vocab/lis/v2/membership';
/** Types of enrollments by the names that tools use for roles. */
const typesByRole: Readonly<Record<string, readonly string[]>> = {
  [`${membership}#Learner`]: ['StudentEnrollment'],
  [`${membership}#Instructor`]: ['TeacherEnrollment'],
  [`${membership}#ContentDeveloper`]: ['DesignerEnrollment'],
  [`${membership}#Mentor`]: ['ObserverEnrollment'],
  [`${membership}/Instructor#TeachingAssistant`]: ['TaEnrollment'],
  Learner: ['StudentEnrollment'],
  Instructor: ['TeacherEnrollment'],
};
const everyType = ['DesignerEnrollment', 'ObserverEnrollment', 'StudentEnrollment', 'TaEnrollment', 'TeacherEnrollment'];

/** Everyone in a group is a member; its leader manages it. */
const inGroup = { member: `${membership}#Member`, leader: `${membership}#Manager` };

/** The group whose members are listed, instead of all of the course. */
interface Team {
  readonly id: number;
  readonly leader_id: number | null;
}

const ofTeam = (team: Team | undefined, role: string | undefined): SQL =>
  team
    ? sql` and e.user_id in (select m.user_id from group_memberships m where m.group_id = ${team.id} and m.workflow_state = 'accepted'${role === inGroup.leader ? sql` and m.user_id = ${team.leader_id ?? 0}` : sql``})`
    : sql``;

interface MemberRow {
  readonly user_id: number;
  readonly sort_name: string;
  readonly uuid: string;
  readonly name: string;
  readonly sortable_name: string;
  readonly avatar_url: string | null;
  readonly email: string | null;
  readonly sis_user_id: string | null;
  readonly types: string;
  readonly is_active: number;
}

interface Page {
  readonly types: readonly string[];
  /** A condition on the enrollments `e`. */
  readonly among: SQL;
  readonly after: readonly unknown[] | undefined;
  readonly limit: number;
}

/** Members in the order of their names; the test student of the student view is none. */
const members = ({ id }: CourseContext, { types, among, after, limit }: Page): SQL => {
  const beyond = after ? sql` and e.sortable_name >= ${after[0]} and (e.sortable_name, e.user_id) > (${after[0]}, ${after[1]})` : sql``;
  const some = sql`select distinct e.sortable_name, e.user_id from enrollments e where e.course_id = ${id}${beyond}${among}
    and e.type in (select value from json_each(${JSON.stringify(types)})) and e.enrollment_state in ('active', 'inactive', 'completed') order by e.sortable_name, e.user_id limit ${atMost(limit)}`;
  return sql`select page.user_id, page.sortable_name as sort_name, u.uuid, u.name, u.sortable_name, u.avatar_url,
      (select c.address from communication_channels c where c.user_id = u.id and c.type = 'email' and c.workflow_state = 'active' order by c.position, c.id limit 1) as email,
      (select l.sis_user_id from logins l where l.user_id = u.id and l.workflow_state = 'active' order by l.id limit 1) as sis_user_id,
      (select json_group_array(distinct s.type) from enrollments s where s.user_id = page.user_id and s.course_id = ${id} and s.enrollment_state in ('active', 'inactive', 'completed')) as types,
      exists (select 1 from enrollments s where s.user_id = page.user_id and s.course_id = ${id} and s.enrollment_state = 'active') as is_active
    from (${some}) page join users u on u.id = page.user_id and u.workflow_state <> 'deleted' order by page.sortable_name, page.user_id`;
};

const columns = ['user_id', 'sort_name', 'uuid', 'name', 'sortable_name', 'avatar_url', 'email', 'sis_user_id', 'types', 'is_active'];

function memberJson(row: MemberRow, { privacy_level }: Pick<ToolRow, 'privacy_level'>, origin: string) {
  const names = namesOf(row);
  const isPublic = privacy_level === 'public';
  return {
    status: row.is_active === 1 ? 'Active' : 'Inactive',
    user_id: row.uuid,
    lti11_legacy_user_id: row.uuid,
    roles: membershipRoles(JSON.parse(row.types) as string[]),
    ...((isPublic || privacy_level === 'name_only') && { name: names.full, given_name: names.given, family_name: names.family }),
    ...((isPublic || privacy_level === 'email_only') && row.email !== null && { email: row.email }),
    ...(isPublic && {
      picture: row.avatar_url?.startsWith('/')
        ? `${origin}${row.avatar_url}`
        : (row.avatar_url ?? `${origin}/images/messages/avatar-50.png`),
      ...(row.sis_user_id !== null && { lis_person_sourcedid: row.sis_user_id }),
    }),
  };
}

async function afterOf({ env }: Pick<Call, 'env'>, given: string | undefined, bound: string): Promise<readonly unknown[] | undefined> {
  const opened = given ? await unseal(env.SIGNING_SECRET, pagePurpose, given, bound) : undefined;
  return opened === undefined ? undefined : (JSON.parse(opened) as unknown[]);
}

const params = { role: optional(text), limit: optional(int), after: optional(text), rlid: optional(text) };

type Reading = Pick<Call, 'db' | 'env' | 'request' | 'url' | 'origin' | 'now' | 'institution'> & { readonly params: Shape<typeof params> };

/** Types of enrollments that a role names; of a group, everyone's. */
const typesFor = (role: string | undefined, team: Team | undefined): readonly string[] => {
  if (role === undefined) return everyType;
  if (team && Object.values(inGroup).includes(role)) return everyType;
  return lookUp(typesByRole, role) ?? [];
};

async function readRoster(
  call: Reading,
  course: CourseContext,
  context: { readonly id: string; readonly label: string; readonly title: string },
  team?: Team,
): Promise<Reply> {
  const { db, env, request, params, url, origin, now, institution } = call;
  const limit = Math.min(Math.max(params.limit ?? usual, 1), most);
  const bound = team ? `group ${team.id}` : String(course.id);
  const page = {
    types: typesFor(params.role, team),
    among: ofTeam(team, params.role),
    after: await afterOf({ env }, params.after, bound),
    limit: limit + 1,
  };
  const [token, key, said, tools, found] = await db.perform([
    ...serviceStatements(db, await serviceTokenOf(request), course),
    withColumns(db.build.all<MemberRow>(members(course, page)), columns),
  ]);
  const { own } = serviceCaller([token, key, said, tools], { now, institution }, course, [ltiScopes.roster]);
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  const after =
    found.length > limit && last
      ? await seal(env.SIGNING_SECRET, pagePurpose, JSON.stringify([last.sort_name, last.user_id]), bound)
      : undefined;
  const rolesIn = ({ user_id }: MemberRow) =>
    team ? { roles: [inGroup.member, ...(user_id === team.leader_id ? [inGroup.leader] : [])] } : {};
  return answer(
    {
      id: `${origin}${url.pathname}${url.search}`,
      context,
      members: shown.map((row) => ({ ...memberJson(row, own[0], origin), ...rolesIn(row) })),
    },
    200,
    { 'Content-Type': containerType, ...nextServicePage(url, origin, after) },
  );
}

const open = { can: 'anyone', unscoped: true, withoutCaller: true, params, returns: { json: null } } as const;

export const rosterRoutes = absolute(
  get('/api/lti/courses/:course_id/names_and_roles', { ...open, summary: 'List the members of a course for a tool' }, (call) => {
    const { course } = call;
    return readRoster(call, course, { id: course.uuid, label: course.course_code ?? '', title: course.name });
  }),

  get('/api/lti/groups/:group_id/names_and_roles', { ...open, summary: 'List the members of a group for a tool' }, (call) => {
    const { group } = call;
    // Tools are installed in courses: a group of an account has none.
    if (!group.course) throw ltiProblem(401, 'unauthorized', 'The tool is not installed in this course');
    return readRoster(call, group.course, { id: group.uuid, label: '', title: group.name }, group);
  }),
);
