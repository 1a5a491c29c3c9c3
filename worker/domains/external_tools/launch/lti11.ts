// The form of an LTI 1.1 launch (reference 06 §7). Pure, apart from the signature.

import { lookUp } from '@carrel/shared/wire/look_up';
import { oauthSignature, type Pair } from '../../../crypto/oauth1';
import type { LaunchFacts } from './facts';
import { allRoles, contextRoles } from './roles';
import {
  avatarAddress,
  customFields,
  enrollmentState,
  type LaunchSurroundings,
  namesOf,
  resourceLinkId,
  resourceTitle,
  sendsEmail,
  sendsNames,
} from './variables';

export interface FormAround extends LaunchSurroundings {
  /** Where the tool sends the browser when it is done. */
  readonly returnAddress: string;
  /** The sealed place of a student's grade; none where the launch has no grade. */
  readonly sourcedid?: string;
}

type Params = Record<string, string | number | null | undefined>;

const ofPerson = (facts: LaunchFacts): Params => {
  const { user, email, sis_user_id, course } = facts;
  const names = namesOf(user);
  return {
    ...(sendsNames(facts) && {
      lis_person_name_given: names.given,
      lis_person_name_family: names.family,
      lis_person_name_full: names.full,
    }),
    ...(sendsEmail(facts) && { lis_person_contact_email_primary: email }),
    ...(facts.tool.privacy_level === 'public' && {
      lis_person_sourcedid: sis_user_id,
      lis_course_offering_sourcedid: course?.sis_course_id,
    }),
  };
};

const forEveryone = (facts: LaunchFacts, { origin }: FormAround): Params => {
  const { user, login_id, course, account, tool } = facts;
  if (tool.privacy_level !== 'public') return {};
  return {
    custom_canvas_user_id: user.id,
    custom_canvas_user_login_id: login_id,
    ...(course
      ? { custom_canvas_course_id: course.id }
      : { custom_canvas_account_id: account.id, custom_canvas_account_sis_id: account.sis_account_id }),
    custom_canvas_api_domain: new URL(origin).host,
  };
};

const ofAssignment = ({ assignment, tool }: LaunchFacts, { origin, sourcedid }: FormAround): Params =>
  assignment
    ? {
        lis_outcome_service_url: `${origin}/api/lti/v1/tools/${tool.id}/grade_passback`,
        ext_ims_lis_basic_outcome_url: `${origin}/api/lti/v1/tools/${tool.id}/ext_grade_passback`,
        ext_outcome_data_values_accepted: 'url,text',
        ext_outcome_result_total_score_accepted: 'true',
        ext_outcome_submission_submitted_at_accepted: 'true',
        lis_result_sourcedid: sourcedid,
        custom_canvas_assignment_title: assignment.name,
        custom_canvas_assignment_points_possible: assignment.points_possible,
        ...(tool.privacy_level === 'public' && { custom_canvas_assignment_id: assignment.id }),
      }
    : {};

const customName = (name: string) => `custom_${name.toLowerCase().replace(/[^a-z0-9]/g, '_')}`;

/** All parameters of a launch but those of OAuth. Empty ones are left out. */
export function launchParameters(facts: LaunchFacts, around: FormAround): Record<string, string> {
  const { user, course, account, root, tool, ticket, roles } = facts;
  const placement = ticket.placement ? lookUp(tool.placements, ticket.placement) : undefined;
  const custom = Object.entries(customFields(facts, around)).map(([name, value]) => [customName(name), value]);
  const given: Params = {
    ...Object.fromEntries(custom),
    lti_message_type: 'basic-lti-launch-request',
    lti_version: 'LTI-1p0',
    resource_link_id: resourceLinkId(facts),
    resource_link_title: resourceTitle(facts),
    user_id: user.uuid,
    user_image: avatarAddress(facts, around),
    roles: contextRoles(roles).join(','),
    ext_roles: allRoles(roles).join(','),
    context_id: course?.uuid ?? account.uuid,
    context_title: course?.name ?? account.name,
    context_label: course?.course_code,
    context_type: course ? 'CourseSection' : undefined,
    ...ofPerson(facts),
    ...forEveryone(facts, around),
    custom_canvas_enrollment_state: enrollmentState(facts),
    custom_canvas_workflow_state: course?.workflow_state,
    launch_presentation_locale: course?.locale ?? user.locale ?? 'en',
    launch_presentation_document_target: around.isFramed ? 'iframe' : 'window',
    launch_presentation_width: (placement?.selection_width ?? tool.settings.selection_width) as number | undefined,
    launch_presentation_height: (placement?.selection_height ?? tool.settings.selection_height) as number | undefined,
    launch_presentation_return_url: around.returnAddress,
    tool_consumer_instance_guid: `${root.uuid}.${new URL(around.origin).hostname}`,
    tool_consumer_instance_name: root.name,
    tool_consumer_instance_contact_email: `notifications@${new URL(around.origin).hostname}`,
    tool_consumer_info_product_family_code: 'canvas',
    tool_consumer_info_version: 'cloud',
    ...ofAssignment(facts, around),
  };
  return Object.fromEntries(
    Object.entries(given)
      .filter(([, value]) => value !== undefined && value !== null && value !== '')
      .map(([name, value]) => [name, String(value)]),
  );
}

interface Signing {
  readonly key: string;
  readonly secret: string;
  /** In seconds. */
  readonly now: number;
  readonly nonce: string;
  /** Leave the query out of the body. */
  readonly isCompliant: boolean;
}

/** The pairs of the signed form. The query of the address is signed with it, and copied into it for tools that read only the body. */
export async function signedForm(target: string, given: Readonly<Record<string, string>>, signing: Signing): Promise<Pair[]> {
  const url = new URL(target);
  const oauth = {
    oauth_callback: 'about:blank',
    oauth_consumer_key: signing.key,
    oauth_nonce: signing.nonce,
    oauth_signature_method: 'HMAC-SHA1',
    oauth_timestamp: String(signing.now),
    oauth_version: '1.0',
  };
  const own: Pair[] = [...Object.entries(given), ...Object.entries(oauth)];
  const query = [...url.searchParams].filter(([name]) => !own.some(([known]) => known === name));
  const body: Pair[] = signing.isCompliant ? own : [...own, ...query];
  // What is in the body is signed once, and so is what is only in the query.
  const bare = new URL(target);
  if (!signing.isCompliant) bare.search = '';
  const oauth_signature = await oauthSignature('POST', bare.href, body, signing.secret);
  return [...body, ['oauth_signature', oauth_signature]];
}
