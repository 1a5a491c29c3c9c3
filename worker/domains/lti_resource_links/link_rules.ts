// What a resource link may be: its address, its tool and its custom values. Pure.

import { isLaunchAddress } from '../external_tools/input';
import { toolFor } from '../external_tools/matching';

type LinkFault = 'invalid_url' | 'invalid_custom' | 'url_tool_mismatch' | 'invalid_resource_link' | 'invalid_request';

export class WrongLink extends Error {
  constructor(
    readonly code: LinkFault,
    message: string,
  ) {
    super(message);
  }
}

interface Tool {
  readonly id: number;
  readonly url: string | null;
  readonly domain: string | null;
  readonly version: '1.1' | '1.3';
}

const most = 100;
const longest = 4096;

/**
 * The custom values of a link.
 * @param given an object of texts; numbers and booleans become texts
 * @throws WrongLink
 */
export function customOf(given: unknown): Record<string, string> {
  if (given === undefined || given === null || given === '') return {};
  if (typeof given !== 'object' || Array.isArray(given)) throw new WrongLink('invalid_custom', 'custom must be an object');
  const entries = Object.entries(given);
  if (entries.length > most) throw new WrongLink('invalid_custom', `custom has more than ${most} values`);
  const isText = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value) && String(value).length <= longest;
  if (!entries.every(([name, value]) => name !== '' && name.length <= 255 && isText(value)))
    throw new WrongLink('invalid_custom', 'custom must be an object of texts');
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}

/**
 * The tool of LTI 1.3 that a link opens.
 * @param tools the nearest first
 * @param asked the tool that the request names
 * @param present the tool of the link so far, which stays where the address is still its own
 * @throws WrongLink
 */
export function toolOfLink<T extends Tool>(tools: readonly T[], url: string, asked?: number, present?: number): T {
  if (!isLaunchAddress(url)) throw new WrongLink('invalid_url', 'url must be an http or https address');
  const usable = tools.filter(({ version }) => version === '1.3');
  const tool = toolFor(usable, url, asked ?? present);
  if (asked !== undefined && tool?.id !== asked)
    throw new WrongLink('url_tool_mismatch', 'url does not belong to the tool of context_external_tool_id');
  if (!tool) throw new WrongLink('invalid_url', 'no tool of this course belongs to the url');
  return tool;
}
