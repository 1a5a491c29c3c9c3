// The external tool of an assignment, as graders set it and clients read it (reference 03 §1.2, §1.3). Launches are in external_tools.

import { bool, idField, json, maybe, optional, type Shape, text } from '@carrel/shared/wire/fields';
import type { Call } from '../../http/call';
import type { RowOf } from '../../http/listing';
import { invalid } from '../../http/problem';
import type { assignments } from './table';

export const toolFields = {
  url: optional(maybe(text)),
  /** The tool that opens the address, where several could. */
  content_id: optional(maybe(idField('external_tool'))),
  new_tab: optional(bool),
  content_type: optional(maybe(text)),
  external_data: optional(maybe(json)),
  custom_params: optional(maybe(json)),
};

type AssignmentRow = RowOf<typeof assignments>;
type ToolGiven = Shape<typeof toolFields>;
type Options = AssignmentRow['options'];

/** A tool of the course or its accounts. */
export interface NamedTool {
  readonly id: number;
  readonly url: string | null;
}

const isWeb = (given: string): boolean => /^https?:$/.test(URL.parse(given)?.protocol ?? '');

/**
 * The tool after a change, which may name some attributes only. A named tool without an address is opened at its own.
 * @param tools those that the change names
 * @throws Problem 400 for an address that is not of the web, and for a tool that is not one of the course
 */
export function toolAfter(
  given: ToolGiven | undefined,
  types: readonly string[],
  before: Options | undefined,
  tools: readonly NamedTool[],
): Options {
  if (!given || !types.includes('external_tool')) return {};
  const { url, content_id } = given;
  if (url && !isWeb(url)) throw invalid('external_tool_tag_attributes', 'invalid', 'url must be an http or https address');
  const tool = tools.find(({ id }) => id === content_id);
  if (content_id && !tool) throw invalid('external_tool_tag_attributes', 'invalid', 'content_id is not a tool of the course');
  const after = { ...(before?.external_tool_tag_attributes as ToolGiven | undefined), ...given };
  return { external_tool_tag_attributes: { ...after, url: after.url || tool?.url } };
}

/** The tool, only of an assignment that is submitted through one, and the address that launches it. */
export function toolFieldsOf(row: AssignmentRow, { origin }: Pick<Call, 'origin'>) {
  if (!row.submission_types.includes('external_tool')) return {};
  const { url, new_tab, external_data, ...rest } = (row.options.external_tool_tag_attributes ?? {}) as ToolGiven;
  const launch = `${origin}/api/v1/courses/${row.course_id}/external_tools/sessionless_launch?launch_type=assessment&assignment_id=${row.id}`;
  return {
    external_tool_tag_attributes: {
      url: url ?? '',
      new_tab: new_tab ?? false,
      resource_link_id: row.lti_context_id,
      external_data: external_data ?? '',
      ...rest,
    },
    ...(url && { url: launch }),
  };
}
