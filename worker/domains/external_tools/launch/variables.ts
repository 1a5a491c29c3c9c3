// Custom variables of launches: the values of `$Canvas.user.id` and others (reference 06 §7). Pure.

import { lookUp } from '@carrel/shared/wire/look_up';
import type { LaunchFacts } from './facts';
import { allRoles, canvasRoles, claimedRoles } from './roles';

export interface LaunchSurroundings {
  readonly origin: string;
  /** The address that the launch goes to. */
  readonly target: string;
  readonly isFramed: boolean;
}

type Value = string | number | boolean | null | undefined;
type Find = (facts: LaunchFacts, around: LaunchSurroundings) => Value;

/** Ids are unique across institutions when a constant is added. */
const globalId = (id: number | undefined) => (id === undefined ? undefined : 10_000_000_000_000 + id);

const isPublic = ({ tool }: LaunchFacts) => tool.privacy_level === 'public';
export const sendsNames = ({ tool }: LaunchFacts): boolean => tool.privacy_level === 'public' || tool.privacy_level === 'name_only';
export const sendsEmail = ({ tool }: LaunchFacts): boolean => tool.privacy_level === 'public' || tool.privacy_level === 'email_only';

/** The names of a user: `Last, First` is how lists sort them. */
export function namesOf({ name, sortable_name }: { readonly name: string; readonly sortable_name: string }) {
  const [family = '', given] = sortable_name.split(/,\s*/, 2);
  return given === undefined ? { full: name, given: family, family: '' } : { full: name, given, family };
}

/** The id of what is opened: of the link, assignment or module item, else of the context. */
export const resourceLinkId = ({ assignment, resourceLink, moduleItem, course, account, tool }: LaunchFacts): string =>
  assignment?.lti_context_id ??
  resourceLink?.resource_link_uuid ??
  (moduleItem ? `${course?.uuid ?? ''}-item-${moduleItem.id}` : `${course?.uuid ?? account.uuid}-${tool.deployment_id.slice(0, 8)}`);

export const resourceTitle = ({ assignment, moduleItem, resourceLink, tool }: LaunchFacts): string =>
  assignment?.name ?? moduleItem?.title ?? resourceLink?.title ?? tool.name;

const contextUuid = ({ course, account }: LaunchFacts) => course?.uuid ?? account.uuid;
const withNames =
  (find: Find): Find =>
  (facts, around) =>
    sendsNames(facts) ? find(facts, around) : undefined;
const withEmail =
  (find: Find): Find =>
  (facts, around) =>
    sendsEmail(facts) ? find(facts, around) : undefined;
const withEverything =
  (find: Find): Find =>
  (facts, around) =>
    isPublic(facts) ? find(facts, around) : undefined;

const sections = ({ enrolled }: LaunchFacts) => {
  const active = enrolled.filter(({ enrollment_state }) => enrollment_state === 'active');
  return [...new Map(active.map((one) => [one.course_section_id, one])).values()];
};
const list = (values: readonly (string | number | null)[]): string => values.filter((value) => value !== null).join(',');
export const avatarAddress = ({ user }: LaunchFacts, { origin }: LaunchSurroundings) =>
  user.avatar_url?.startsWith('/') ? `${origin}${user.avatar_url}` : (user.avatar_url ?? `${origin}/images/messages/avatar-50.png`);

const studentAttempts = ({ submission }: LaunchFacts) => submission?.attempt ?? 0;
const allowedAttempts = ({ assignment, submission }: LaunchFacts) =>
  assignment && (assignment.allowed_attempts < 0 ? -1 : assignment.allowed_attempts + (submission?.extra_attempts ?? 0));
const concluded = ({ enrolled }: LaunchFacts) => [
  ...new Set(enrolled.filter(({ enrollment_state }) => enrollment_state === 'completed').map(({ type }) => type)),
];

/** `active` or `inactive`; empty for users who are not in the course. */
export const enrollmentState = ({ enrolled }: LaunchFacts): string =>
  enrolled.length === 0 ? '' : enrolled.some((one) => one.enrollment_state === 'active') ? 'active' : 'inactive';

const found: Readonly<Record<string, Find>> = {
  'ResourceLink.id': resourceLinkId,
  'ResourceLink.title': resourceTitle,
  'ResourceLink.description': ({ assignment }) => assignment?.description,
  'ResourceLink.available.startDateTime': ({ assignment }) => assignment?.dates.unlock_at,
  'ResourceLink.available.endDateTime': ({ assignment }) => assignment?.dates.lock_at,
  'ResourceLink.submission.endDateTime': ({ assignment }) => assignment?.dates.due_at,
  'Context.id': contextUuid,
  'Context.title': ({ course, account }) => course?.name ?? account.name,
  'Context.sourcedId': ({ course, account }) => (course ? course.sis_course_id : account.sis_account_id),
  'CourseOffering.sourcedId': ({ course }) => course?.sis_course_id,
  'CourseSection.sourcedId': (facts) => sections(facts)[0]?.section_sis_id,
  'CourseGroup.id': ({ groups }) => groups[0]?.id,
  'Message.locale': ({ user, course }) => course?.locale ?? user.locale ?? 'en',
  'Message.documentTarget': (_, { isFramed }) => (isFramed ? 'iframe' : 'window'),
  'ToolConsumerInstance.guid': ({ root }, { origin }) => `${root.uuid}.${new URL(origin).hostname}`,
  'User.id': withEverything(({ user }) => user.id),
  'User.username': withEverything(({ login_id }) => login_id),
  'User.image': avatarAddress,
  'Membership.role': ({ roles, tool }) => (tool.version === '1.3' ? claimedRoles(roles) : allRoles(roles)).join(','),
  'Person.name.full': withNames(({ user }) => user.name),
  'Person.name.display': withNames(({ user }) => user.short_name),
  'Person.name.given': withNames(({ user }) => namesOf(user).given),
  'Person.name.family': withNames(({ user }) => namesOf(user).family),
  'Person.email.primary': withEmail(({ email }) => email),
  'vnd.Canvas.Person.email.sis': withEmail(({ email }) => email),
  'Person.sourcedId': withEverything(({ sis_user_id }) => sis_user_id),
  'Person.address.timezone': ({ user, account }) => user.time_zone ?? account.default_time_zone,
  'Canvas.api.domain': (_, { origin }) => new URL(origin).host,
  'Canvas.api.baseUrl': (_, { origin }) => origin,
  'Canvas.account.id': ({ account }) => account.id,
  'Canvas.account.name': ({ account }) => account.name,
  'Canvas.account.sisSourceId': ({ account }) => account.sis_account_id,
  'Canvas.rootAccount.id': ({ root }) => root.id,
  'Canvas.rootAccount.sisSourceId': ({ root }) => root.sis_account_id,
  'Canvas.root_account.id': ({ root }) => root.id,
  'Canvas.root_account.sisSourceId': ({ root }) => root.sis_account_id,
  'Canvas.root_account.global_id': ({ root }) => globalId(root.id),
  'Canvas.course.id': ({ course }) => course?.id,
  'Canvas.course.name': ({ course }) => course?.name,
  'Canvas.course.sisSourceId': ({ course }) => course?.sis_course_id,
  'Canvas.course.startAt': ({ course }) => course?.start_at,
  'Canvas.course.endAt': ({ course }) => course?.end_at,
  'Canvas.course.workflowState': ({ course }) => course?.workflow_state,
  'Canvas.course.sectionIds': (facts) => facts.course && list(sections(facts).map((one) => one.course_section_id)),
  'Canvas.course.sectionSisSourceIds': (facts) => facts.course && list(sections(facts).map((one) => one.section_sis_id)),
  'Canvas.course.sectionRestricted': ({ course, enrolled }) => course && enrolled.some((one) => one.is_limited === 1),
  'Canvas.course.hideDistributionGraphs': ({ course }) => course && course.settings.hide_distribution_graphs === true,
  'Canvas.course.gradePassbackSetting': ({ course }) => course && String(course.settings.grade_passback_setting ?? ''),
  'Canvas.term.id': ({ term }) => term?.id,
  'Canvas.term.name': ({ term }) => term?.name,
  'Canvas.term.startAt': ({ term }) => term?.start_at,
  'Canvas.term.endAt': ({ term }) => term?.end_at,
  'Canvas.user.id': withEverything(({ user }) => user.id),
  'Canvas.user.globalId': withEverything(({ user }) => globalId(user.id)),
  'Canvas.user.loginId': withEverything(({ login_id }) => login_id),
  'Canvas.user.sisSourceId': withEverything(({ sis_user_id }) => sis_user_id),
  'Canvas.user.sisIntegrationId': withEverything(({ integration_id }) => integration_id),
  'Canvas.user.isRootAccountAdmin': ({ roles }) => roles.isRootAdmin,
  'Canvas.user.prefersHighContrast': () => false,
  'Canvas.masqueradingUser.id': withEverything(({ masquerader }) => masquerader?.id),
  'Canvas.masqueradingUser.userId': ({ masquerader }) => masquerader?.uuid,
  'Canvas.membership.roles': ({ roles }) => canvasRoles(roles).join(','),
  'Canvas.membership.concludedRoles': (facts) => canvasRoles({ ...facts.roles, types: concluded(facts), isAdmin: false }).join(','),
  'Canvas.xuser.allRoles': ({ roles }) => allRoles(roles).join(','),
  'Canvas.enrollment.enrollmentState': enrollmentState,
  'Canvas.group.contextIds': ({ groups }) => list(groups.map(({ uuid }) => uuid)),
  'Canvas.module.id': ({ moduleItem }) => moduleItem?.module_id,
  'Canvas.moduleItem.id': ({ moduleItem }) => moduleItem?.id,
  'Canvas.assignment.id': ({ assignment }) => assignment?.id,
  'Canvas.assignment.title': ({ assignment }) => assignment?.name,
  'Canvas.assignment.description': ({ assignment }) => assignment?.description,
  'Canvas.assignment.pointsPossible': ({ assignment }) => assignment?.points_possible,
  'Canvas.assignment.published': ({ assignment }) => assignment && assignment.workflow_state === 'published',
  'Canvas.assignment.unlockAt': ({ assignment }) => assignment?.dates.unlock_at,
  'Canvas.assignment.lockAt': ({ assignment }) => assignment?.dates.lock_at,
  'Canvas.assignment.dueAt': ({ assignment }) => assignment?.dates.due_at,
  'Canvas.assignment.unlockAt.iso8601': ({ assignment }) => assignment?.dates.unlock_at,
  'Canvas.assignment.lockAt.iso8601': ({ assignment }) => assignment?.dates.lock_at,
  'Canvas.assignment.dueAt.iso8601': ({ assignment }) => assignment?.dates.due_at,
  'Canvas.assignment.allowedAttempts': allowedAttempts,
  'Canvas.assignment.submission.studentAttempts': studentAttempts,
  'Canvas.assignment.lockdownEnabled': ({ assignment }) => assignment && false,
  'Canvas.externalTool.url': ({ tool, course, account }, { origin }) =>
    `${origin}/api/v1/${course ? `courses/${course.id}` : `accounts/${account.id}`}/external_tools/${tool.id}`,
  'Canvas.externalTool.global_id': ({ tool }) => globalId(tool.id),
  'LtiLink.custom.url': ({ resourceLink }) => resourceLink?.url,
  'com.instructure.Assignment.lti.id': ({ assignment }) => assignment?.lti_context_id,
  'com.instructure.Assignment.description': ({ assignment }) => assignment?.description,
  'com.instructure.Assignment.allowedFileExtensions': ({ assignment }) => assignment && list(assignment.allowed_extensions),
  'com.instructure.Context.uuid': contextUuid,
  'com.instructure.Context.globalId': ({ course, account }) => globalId((course ?? account).id),
  'com.instructure.contextLabel': ({ course }) => course?.course_code,
  'com.instructure.Course.groupIds': ({ course, groups }) => course && list(groups.map(({ id }) => id)),
  'com.instructure.Group.id': ({ groups }) => groups[0]?.id,
  'com.instructure.Group.name': ({ groups }) => groups[0]?.name,
  'com.instructure.User.allRoles': ({ roles }) => allRoles(roles).join(','),
  'com.instructure.User.observees': withEverything(({ enrolled }) => list([...new Set(enrolled.map((one) => one.observed_uuid))])),
  'com.instructure.User.sectionNames': (facts) => facts.course && JSON.stringify(sections(facts).map((one) => one.section_name)),
  'com.instructure.Observee.sisIds': withEverything(({ enrolled }) => list([...new Set(enrolled.map((one) => one.observed_sis_id))])),
  'com.instructure.Submission.id': ({ submission }) => submission?.id,
};

/** The variables that a tool can ask for. */
export const variableNames: readonly string[] = Object.keys(found);

/** The value of a variable by its name; undefined where it is unknown, or not for this tool. */
function standsFor(name: string, facts: LaunchFacts, around: LaunchSurroundings): string | undefined {
  const value = lookUp(found, name)?.(facts, around);
  return value === undefined || value === null ? undefined : String(value);
}

const variable = String.raw`[A-Za-z][\w]*(?:\.[A-Za-z0-9_]+)*`;
const alone = new RegExp(`^\\$(${variable})$`);
const inside = new RegExp(`\\$\\{(${variable})\\}`, 'g');

/** A custom value with the values of its variables. Unknown ones stay as they are. */
export function substituted(value: string, facts: LaunchFacts, around: LaunchSurroundings): string {
  const only = alone.exec(value)?.[1];
  if (only !== undefined) return standsFor(only, facts, around) ?? value;
  return value.replace(inside, (text, named: string) => standsFor(named, facts, around) ?? text);
}

/** The custom fields of the tool, its placement and the link, later ones in place of earlier ones. */
export function customFields(facts: LaunchFacts, around: LaunchSurroundings): Record<string, string> {
  const { tool, ticket, resourceLink, assignment } = facts;
  const placement = ticket.placement && lookUp(tool.placements, ticket.placement);
  const ofAssignment = assignment?.options.external_tool_tag_attributes as { custom_params?: unknown } | undefined;
  const given = {
    ...tool.custom_fields,
    ...((placement?.custom_fields ?? {}) as Record<string, string>),
    ...((ofAssignment?.custom_params ?? {}) as Record<string, string>),
    ...resourceLink?.custom,
  };
  return Object.fromEntries(Object.entries(given).map(([key, value]) => [key, substituted(String(value), facts, around)]));
}
