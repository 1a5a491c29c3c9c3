// The claims of a launch with LTI 1.3 (reference 06 §8). Pure.

import { lookUp } from '@carrel/shared/wire/look_up';
import type { JwtClaims } from '../../crypto/jwt';
import type { ContentChoice } from '../../rules/content_choices';
import { gradeScopes } from '../../rules/lti_scopes';
import type { LaunchFacts } from '../external_tools/launch/facts';
import { claimedRoles } from '../external_tools/launch/roles';
import {
  avatarAddress,
  customFields,
  type LaunchSurroundings,
  namesOf,
  resourceLinkId,
  resourceTitle,
  sendsEmail,
  sendsNames,
} from '../external_tools/launch/variables';

const claim = (name: string) => `https://purl.imsglobal.org/spec/lti/claim/${name}`;

export interface TokenAround extends LaunchSurroundings {
  readonly nonce: string;
  /** In seconds. */
  readonly now: number;
  readonly returnAddress: string;
  /** Scopes of the tool's developer key. */
  readonly scopes: readonly string[];
  /** Of a launch in which content is chosen. */
  readonly choosing?: ChoosingAround;
}

interface ChoosingAround {
  readonly choice: ContentChoice;
  /** Where the tool posts what was chosen. */
  readonly address: string;
  /** Comes back with it. */
  readonly data: string;
}

const lifetime = 3600;
const courseType = 'http://purl.imsglobal.org/vocab/lis/v2/course#CourseOffering';

const persons = (facts: LaunchFacts, around: LaunchSurroundings): JwtClaims => {
  const { user, email, tool } = facts;
  const names = namesOf(user);
  return {
    ...(sendsNames(facts) && { name: names.full, given_name: names.given, family_name: names.family }),
    ...(sendsEmail(facts) && email !== null && { email }),
    ...(tool.privacy_level === 'public' && { picture: avatarAddress(facts, around) }),
  };
};

/** In pixels; sizes such as `80%` are left out. */
function sizeOf({ tool, ticket }: LaunchFacts): JwtClaims {
  const placement = ticket.placement && lookUp(tool.placements, ticket.placement);
  const sizes = {
    width: placement?.selection_width ?? tool.settings.selection_width,
    height: placement?.selection_height ?? tool.settings.selection_height,
  };
  return Object.fromEntries(Object.entries(sizes).flatMap(([name, size]) => (Number(size) > 0 ? [[name, Number(size)]] : [])));
}

const present = (given: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== null && value !== ''));

/** The services that the tool may use in the course. */
function services({ course, assignment }: LaunchFacts, { origin, scopes }: TokenAround): JwtClaims {
  if (!course) return {};
  const scope = gradeScopes.filter((one) => scopes.includes(one));
  const lineitems = `${origin}/api/lti/courses/${course.id}/line_items`;
  return {
    ...(scopes.some((one) => one.includes('/lti-nrps/')) && {
      'https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice': {
        context_memberships_url: `${origin}/api/lti/courses/${course.id}/names_and_roles`,
        service_versions: ['2.0'],
      },
    }),
    ...(scope.length > 0 && {
      'https://purl.imsglobal.org/spec/lti-ags/claim/endpoint': {
        scope,
        lineitems,
        ...(assignment?.submission_types.includes('external_tool') && { lineitem: `${lineitems}/${assignment.id}` }),
      },
    }),
  };
}

/** Claims about the context, the platform and the user, without those of the message. */
function common(facts: LaunchFacts, around: TokenAround): JwtClaims {
  const { user, course, account, root, tool, ticket, enrolled } = facts;
  const mentored = [...new Set(enrolled.map((one) => one.observed_uuid).filter((one) => one !== null))];
  return {
    [claim('version')]: '1.3.0',
    [claim('deployment_id')]: tool.deployment_id,
    [claim('target_link_uri')]: around.target,
    [claim('context')]: present({
      id: course?.uuid ?? account.uuid,
      label: course?.course_code,
      title: course?.name ?? account.name,
      type: course ? [courseType] : ['Account'],
    }),
    [claim('roles')]: claimedRoles(facts.roles),
    [claim('custom')]: customFields(facts, around),
    [claim('launch_presentation')]: {
      document_target: around.isFramed ? 'iframe' : 'window',
      ...sizeOf(facts),
      return_url: around.returnAddress,
      locale: course?.locale ?? user.locale ?? 'en',
    },
    [claim('tool_platform')]: {
      guid: `${root.uuid}.${new URL(around.origin).hostname}`,
      name: root.name,
      version: 'cloud',
      product_family_code: 'canvas',
    },
    [claim('lis')]:
      tool.privacy_level === 'public'
        ? present({ person_sourcedid: facts.sis_user_id, course_offering_sourcedid: course?.sis_course_id })
        : {},
    ...(mentored.length > 0 && { [claim('role_scope_mentor')]: mentored }),
    [claim('lti11_legacy_user_id')]: user.uuid,
    [claim('lti1p1')]: { user_id: user.uuid },
    ...(ticket.placement && { 'https://www.instructure.com/placement': ticket.placement }),
    locale: course?.locale ?? user.locale ?? 'en',
    ...persons(facts, around),
    ...services(facts, around),
  };
}

const deepLinking = 'https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings';

/** What is opened, or what is asked for. */
function message(facts: LaunchFacts, { choosing }: TokenAround): JwtClaims {
  const { assignment } = facts;
  if (choosing)
    return {
      [claim('message_type')]: 'LtiDeepLinkingRequest',
      [deepLinking]: {
        deep_link_return_url: choosing.address,
        accept_types: choosing.choice.accepts,
        accept_presentation_document_targets: choosing.choice.targets,
        accept_multiple: choosing.choice.isMultiple,
        accept_lineitem: choosing.choice.takesLineItem,
        auto_create: true,
        data: choosing.data,
      },
    };
  return {
    [claim('message_type')]: 'LtiResourceLinkRequest',
    [claim('resource_link')]: present({
      id: resourceLinkId(facts),
      title: resourceTitle(facts),
      description: assignment ? assignment.description : undefined,
    }),
  };
}

/** All claims of a launch. */
export function launchClaims(facts: LaunchFacts, around: TokenAround): JwtClaims {
  const { user, tool } = facts;
  const client_id = String(tool.developer_key_id);
  return {
    iss: around.origin,
    aud: client_id,
    azp: client_id,
    sub: user.uuid,
    iat: around.now,
    exp: around.now + lifetime,
    nonce: around.nonce,
    ...common(facts, around),
    ...message(facts, around),
  };
}
