// Everything that a launch may be about: read in one round trip, whatever the tool asks for.

import { sql } from 'drizzle-orm';
import type { Database, ResultsOf } from '../../../database/open';
import { withColumns } from '../../../database/together';
import type { RowOf } from '../../../http/listing';
import { effectiveDates, reaching } from '../../../rules/assigned';
import { accounts } from '../../accounts/table';
import { assignments } from '../../assignments/table';
import { courses } from '../../courses/table';
import { lti_resource_links } from '../../lti_resource_links/table';
import { module_items } from '../../modules/table';
import { submissions } from '../../submissions/table';
import { terms } from '../../terms/table';
import { users } from '../../users/table';
import { external_tools, tool_configurations } from '../table';
import type { LaunchRoles } from './roles';
import type { LaunchTicket } from './ticket';

interface Enrolled {
  readonly type: string;
  readonly enrollment_state: string;
  readonly course_section_id: number;
  readonly section_name: string;
  readonly section_sis_id: string | null;
  readonly is_limited: number;
  readonly observed_uuid: string | null;
  readonly observed_sis_id: string | null;
}

const ofLogin = (column: string) =>
  sql<
    string | null
  >`(select l.${sql.raw(column)} from logins l where l.user_id = users.id and l.workflow_state = 'active' order by l.id limit 1)`.as(
    column,
  );

const email = sql<
  string | null
>`(select c.address from communication_channels c where c.user_id = users.id and c.type = 'email' and c.workflow_state = 'active' order by c.position, c.id limit 1)`;

/** The link that is opened, or that was chosen for the assignment or the item. */
const linkOf = ({ resource_link_id, assignment_id, module_item_id }: LaunchTicket) => sql`coalesce(${resource_link_id ?? null},
  (select max(l.id) from lti_resource_links l where l.assignment_id = ${assignment_id ?? 0}),
  (select max(l.id) from lti_resource_links l where l.module_item_id = ${module_item_id ?? 0}))`;

/** @param now for dates of the user's assignment */
export const launchStatements = ({ build }: Database, ticket: LaunchTicket, now: string) => {
  const { user_id, context_type, context_id } = ticket;
  const isCourse = context_type === 'Course';
  const course_id = isCourse ? context_id : 0;
  const account = isCourse ? sql`(select account_id from courses where id = ${course_id})` : sql`${context_id}`;
  const chain = sql`(select ancestor_id from account_ancestors where account_id = ${account})`;
  const enrolled = sql`select e.type, e.enrollment_state, e.course_section_id, s.name as section_name, s.sis_section_id as section_sis_id,
      e.limit_privileges_to_course_section as is_limited, o.uuid as observed_uuid,
      (select l.sis_user_id from logins l where l.user_id = o.id and l.workflow_state = 'active' order by l.id limit 1) as observed_sis_id
    from enrollments e join sections s on s.id = e.course_section_id left join users o on o.id = e.observed_user_id
    where e.user_id = ${user_id} and e.course_id = ${course_id} and e.enrollment_state in ('active', 'invited', 'completed', 'inactive') and s.workflow_state <> 'deleted' order by e.id`;
  const links = sql`select a.account_id, r.name, r.workflow_state from admins a join roles r on r.id = a.role_id
    where a.user_id = ${user_id} and (a.account_id in ${chain} or a.account_id = 1) and r.workflow_state <> 'inactive' order by a.id`;
  return [
    build
      .select({
        user: users,
        unique_id: ofLogin('unique_id'),
        sis_user_id: ofLogin('sis_user_id'),
        integration_id: ofLogin('integration_id'),
        email: email.as('email'),
      })
      .from(users)
      .where(
        sql`users.id = ${user_id} and users.workflow_state <> 'deleted' and exists (select 1 from logins l where l.user_id = users.id and l.workflow_state = 'active')`,
      ),
    build.select().from(courses).where(sql`courses.id = ${course_id} and courses.workflow_state <> 'deleted'`),
    build.select().from(terms).where(sql`terms.id = (select enrollment_term_id from courses where id = ${course_id})`),
    build.select().from(accounts).where(sql`accounts.id in ${chain} and accounts.workflow_state <> 'deleted'`),
    build
      .select()
      .from(external_tools)
      .where(
        sql`external_tools.id = ${ticket.tool_id} and external_tools.workflow_state = 'active' and ((external_tools.context_type = 'Account' and external_tools.context_id in ${chain})
          or (external_tools.context_type = 'Course' and external_tools.context_id = ${course_id}))`,
      ),
    build
      .select()
      .from(tool_configurations)
      .where(sql`tool_configurations.id = (select developer_key_id from external_tools where external_tools.id = ${ticket.tool_id})`),
    withColumns(build.all<Enrolled>(enrolled), [
      'type',
      'enrollment_state',
      'course_section_id',
      'section_name',
      'section_sis_id',
      'is_limited',
      'observed_uuid',
      'observed_sis_id',
    ]),
    withColumns(build.all<{ account_id: number; name: string; workflow_state: string }>(links), ['account_id', 'name', 'workflow_state']),
    withColumns(
      build.all<{ type: string }>(
        sql`select distinct e.type from enrollments e where e.user_id = ${user_id} and e.enrollment_state = 'active' order by e.type`,
      ),
      ['type'],
    ),
    build
      .select({ assignment: assignments, dates: effectiveDates(reaching(sql`= assignments.id`, sql`${user_id}`), now).as('dates') })
      .from(assignments)
      .where(
        sql`assignments.id = ${ticket.assignment_id ?? 0} and assignments.course_id = ${course_id} and assignments.workflow_state <> 'deleted'`,
      ),
    build
      .select()
      .from(submissions)
      .where(sql`submissions.assignment_id = ${ticket.assignment_id ?? 0} and submissions.user_id = ${user_id}`),
    build
      .select()
      .from(module_items)
      .where(
        sql`module_items.id = ${ticket.module_item_id ?? 0} and module_items.course_id = ${course_id} and module_items.workflow_state = 'active'`,
      ),
    build
      .select()
      .from(lti_resource_links)
      .where(
        sql`lti_resource_links.id = ${linkOf(ticket)} and lti_resource_links.course_id = ${course_id} and lti_resource_links.external_tool_id = ${ticket.tool_id} and lti_resource_links.workflow_state = 'active'`,
      ),
    withColumns(
      build.all<{ id: number; name: string; uuid: string }>(
        sql`select g.id, g.name, g.uuid from group_memberships m join groups g on g.id = m.group_id where m.user_id = ${user_id} and m.workflow_state = 'accepted'
          and g.context_type = 'Course' and g.context_id = ${course_id} and g.workflow_state = 'available' order by g.id limit 100`,
      ),
      ['id', 'name', 'uuid'],
    ),
    withColumns(
      build.all<{ id: number; uuid: string; name: string }>(
        sql`select u.id, u.uuid, u.name from users u where u.id = ${ticket.real_user_id} and ${ticket.real_user_id} <> ${user_id}`,
      ),
      ['id', 'uuid', 'name'],
    ),
  ] as const;
};

export interface LaunchFacts {
  readonly ticket: LaunchTicket;
  readonly user: RowOf<typeof users>;
  readonly login_id: string | null;
  readonly sis_user_id: string | null;
  readonly integration_id: string | null;
  readonly email: string | null;
  readonly course: RowOf<typeof courses> | undefined;
  readonly term: RowOf<typeof terms> | undefined;
  /** The account of the context. */
  readonly account: RowOf<typeof accounts>;
  readonly root: RowOf<typeof accounts>;
  readonly tool: RowOf<typeof external_tools>;
  readonly configuration: RowOf<typeof tool_configurations>['configuration'] | undefined;
  readonly enrolled: readonly Enrolled[];
  readonly roles: LaunchRoles;
  readonly assignment:
    | (RowOf<typeof assignments> & { readonly dates: { due_at: string | null; unlock_at: string | null; lock_at: string | null } })
    | undefined;
  readonly submission: RowOf<typeof submissions> | undefined;
  readonly moduleItem: RowOf<typeof module_items> | undefined;
  readonly resourceLink: RowOf<typeof lti_resource_links> | undefined;
  readonly groups: readonly { readonly id: number; readonly name: string; readonly uuid: string }[];
  readonly masquerader: { readonly id: number; readonly uuid: string; readonly name: string } | undefined;
}

/** Undefined where the user, the context or the tool is no longer there, or something that the launch is about. */
export function launchFacts(ticket: LaunchTicket, results: ResultsOf<ReturnType<typeof launchStatements>>): LaunchFacts | undefined {
  const [
    people,
    [course],
    [term],
    places,
    [tool],
    [configured],
    enrolled,
    links,
    everywhere,
    works,
    [submission],
    items,
    linked,
    groups,
    [masquerader],
  ] = results;
  const [found] = people;
  const account_id = ticket.context_type === 'Course' ? course?.account_id : ticket.context_id;
  const account = places.find(({ id }) => id === account_id);
  const root = places.find(({ parent_account_id }) => parent_account_id === null);
  if (!found || !account || !root || !tool) return undefined;
  const [work] = works;
  const isMissing =
    (ticket.assignment_id !== undefined && !work) ||
    (ticket.module_item_id !== undefined && !items[0]) ||
    (ticket.resource_link_id !== undefined && !linked[0]);
  if (isMissing) return undefined;
  return {
    ticket,
    user: found.user,
    login_id: found.unique_id,
    sis_user_id: found.sis_user_id,
    integration_id: found.integration_id,
    email: found.email,
    course,
    term,
    account,
    root,
    tool,
    configuration: configured?.configuration,
    enrolled,
    roles: {
      types: [...new Set(enrolled.filter((one) => one.enrollment_state === 'active').map(({ type }) => type))],
      isAdmin: links.some((link) => places.some(({ id }) => id === link.account_id)),
      everywhere: everywhere.map(({ type }) => type),
      isRootAdmin: links.some((link) => link.account_id === root.id && link.workflow_state === 'built_in'),
    },
    assignment: work && { ...work.assignment, dates: work.dates },
    submission,
    moduleItem: items[0],
    resourceLink: linked[0],
    groups,
    masquerader,
  };
}
