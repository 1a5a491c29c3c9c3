// How a tool of LTI 1.1 is asked for content: by a ContentItemSelectionRequest, or by a launch with Canvas' extensions (reference 06 §7). Pure.

import type { PlacementName } from '@carrel/shared/resources/external_tool';
import { lookUp } from '@carrel/shared/wire/look_up';
import { type ContentChoice, contentChoiceAt, type DeepLinkType } from '../../../rules/content_choices';
import { offersContent, placementOf } from '../../../rules/tool_placements';
import type { LaunchFacts } from './facts';

const mediaTypes: Readonly<Record<DeepLinkType, readonly string[]>> = {
  ltiResourceLink: ['application/vnd.ims.lti.v1.ltilink'],
  link: ['text/html'],
  html: ['text/html'],
  image: ['image/*'],
  file: ['*/*'],
};

const returnTypes: Readonly<Record<DeepLinkType, readonly string[]>> = {
  ltiResourceLink: ['lti_launch_url'],
  link: ['url', 'iframe'],
  html: [],
  image: ['image_url'],
  file: ['file'],
};

interface Extension {
  readonly directive: string;
  readonly use: string;
}

const extensions: Readonly<Partial<Record<PlacementName, Extension>>> = {
  editor_button: { directive: 'embed_content', use: 'embed' },
  homework_submission: { directive: 'submit_homework', use: 'homework' },
};
const otherPlaces: Extension = { directive: 'select_link', use: 'navigation' };

/** What is taken from the tool at the placement of a launch; undefined where the launch asks for nothing, or nothing is taken. */
export function contentChoiceOf({ tool, ticket, course }: Pick<LaunchFacts, 'tool' | 'ticket' | 'course'>): ContentChoice | undefined {
  return offersContent(tool, ticket.placement) ? contentChoiceAt(ticket.placement, course ? 'Course' : 'Account') : undefined;
}

/** The address of the course or account of a launch. */
export const placeAddress = ({ course, account }: Pick<LaunchFacts, 'course' | 'account'>, origin: string): string =>
  `${origin}${course ? `/courses/${course.id}` : `/accounts/${account.id}`}`;

const requests: readonly unknown[] = ['ContentItemSelectionRequest', 'ContentItemSelection'];
const unique = (values: readonly string[]) => [...new Set(values)].join(',');

/** Whether the tool answers with a signed form; otherwise it opens an address with what was chosen. */
export const answersByForm = ({ tool, ticket }: Pick<LaunchFacts, 'tool' | 'ticket'>): boolean =>
  ticket.placement !== undefined && requests.includes(placementOf(tool, ticket.placement)?.message_type);

/** Parameters beside those of every launch. @param data the sealed place of the content */
export function contentParameters(facts: LaunchFacts, choice: ContentChoice, data: string, origin: string): Record<string, string> {
  const { ticket, assignment } = facts;
  const at = `${placeAddress(facts, origin)}/external_content`;
  if (answersByForm(facts))
    return {
      lti_message_type: 'ContentItemSelectionRequest',
      content_item_return_url: `${at}/content_item_selection`,
      accept_media_types: unique(choice.accepts.flatMap((type) => mediaTypes[type])),
      accept_presentation_document_targets: choice.targets.join(','),
      accept_multiple: String(choice.isMultiple),
      accept_unsigned: 'false',
      accept_copy_advice: 'false',
      auto_create: 'true',
      data,
    };
  const { directive, use } = (ticket.placement && lookUp(extensions, ticket.placement)) || otherPlaces;
  const address = `${at}/chosen/${data}`;
  return {
    selection_directive: directive,
    ext_content_intended_use: use,
    ext_content_return_types: unique(choice.accepts.flatMap((type) => returnTypes[type])),
    ext_content_return_url: address,
    launch_presentation_return_url: address,
    ...(use === 'homework' && assignment && { ext_content_file_extensions: assignment.allowed_extensions.join(',') }),
  };
}
