// What administrators and teachers see of tools of LTI 1.3 (reference 06 §8, §9).

import { int, json, listOf, maybe, number, object, optional, text, time } from '../wire/fields';
import { DeveloperKey } from './developer_key';
import { resource } from './resource';

export const LtiToolConfiguration = resource('LtiToolConfiguration', {
  developer_key: DeveloperKey.field,
  tool_configuration: object({ settings: json }),
});

/** With it, one tool registers itself. */
export const LtiRegistrationToken = resource('LtiRegistrationToken', {
  uuid: text,
  oidc_configuration_url: text,
  token: text,
  registration_address: optional(text),
});

/** A tool that registered itself: `pending` until an administrator confirms it. */
export const LtiRegistration = resource('LtiRegistration', {
  uuid: text,
  account_id: int,
  developer_key_id: int,
  name: text,
  workflow_state: text,
  scopes: listOf(text),
  redirect_uris: listOf(text),
  public_jwk_url: maybe(text),
  configuration: json,
  external_tool_id: maybe(int),
  created_at: time,
});

export const LtiResourceLink = resource('LtiResourceLink', {
  id: int,
  context_id: int,
  context_type: text,
  context_external_tool_id: int,
  resource_type: text,
  canvas_launch_url: text,
  associated_content_type: optional(maybe(text)),
  associated_content_id: optional(maybe(int)),
  resource_link_uuid: text,
  lookup_uuid: text,
  title: maybe(text),
  url: maybe(text),
  custom: json,
  lti_1_1_id: maybe(text),
  created_at: time,
  updated_at: time,
  workflow_state: text,
});

/** As the service of the standard names it. */
export const LineItem = resource('LineItem', {
  id: text,
  scoreMaximum: number,
  label: text,
  resourceId: optional(text),
  tag: optional(text),
  resourceLinkId: optional(text),
  startDateTime: optional(time),
  endDateTime: optional(time),
  'https://canvas.instructure.com/lti/submission_type': object({ type: text, external_tool_url: optional(text) }),
  'https://canvas.instructure.com/lti/launch_url': optional(text),
});
