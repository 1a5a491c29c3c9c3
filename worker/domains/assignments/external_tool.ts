// The external tool of an assignment, as graders set it and clients read it (reference 03 §1.2, §1.3). Launches are in external_tools.

import { bool, json, maybe, optional, type Shape, text } from '@carrel/shared/wire/fields';
import type { RowOf } from '../../http/listing';
import { invalid } from '../../http/problem';
import type { assignments } from './table';

/** Without `content_id`, which would name a tool of the institution. */
export const toolFields = {
  url: optional(maybe(text)),
  new_tab: optional(bool),
  content_type: optional(maybe(text)),
  external_data: optional(maybe(json)),
  custom_params: optional(maybe(json)),
};

type AssignmentRow = RowOf<typeof assignments>;
type ToolGiven = Shape<typeof toolFields>;
type Options = AssignmentRow['options'];

const isWeb = (given: string): boolean => /^https?:$/.test(URL.parse(given)?.protocol ?? '');

/**
 * The tool after a change, which may name some attributes only.
 * @throws Problem 400 for an address that is not of the web
 */
export function toolAfter(given: ToolGiven | undefined, types: readonly string[], before: Options | undefined): Options {
  if (!given || !types.includes('external_tool')) return {};
  if (given.url && !isWeb(given.url)) throw invalid('external_tool_tag_attributes', 'invalid', 'url must be an http or https address');
  return { external_tool_tag_attributes: { ...(before?.external_tool_tag_attributes as object | undefined), ...given } };
}

/** The tool, only of an assignment that is submitted through one. */
export function toolFieldsOf({ submission_types, options }: Pick<AssignmentRow, 'submission_types' | 'options'>) {
  if (!submission_types.includes('external_tool')) return {};
  const { url, new_tab, external_data, ...rest } = (options.external_tool_tag_attributes ?? {}) as ToolGiven;
  return {
    external_tool_tag_attributes: {
      url: url ?? '',
      new_tab: new_tab ?? false,
      resource_link_id: null,
      external_data: external_data ?? '',
      ...rest,
    },
  };
}
