// What a subscription may name: events that exist, and an address on the public web.

import { invalid } from '../../http/problem';
import { isPublic } from '../../web/public_address';
import { webhookEvents } from './events/all';

const longestUrl = 2000;
const longestName = 255;

/** @throws Problem 400 */
export function checkUrl(given: string): string {
  const url = URL.parse(given);
  if (url?.protocol !== 'https:' || !isPublic(url)) throw invalid('url', 'invalid', 'must be an https address on the public web');
  if (given.length > longestUrl) throw invalid('url', 'too_long');
  return url.href;
}

/** @throws Problem 400 */
export function checkEventTypes(given: readonly string[]): string[] {
  const wanted = [...new Set(given)];
  const unknown = wanted.find((event) => !webhookEvents.includes(event));
  if (unknown !== undefined) throw invalid('event_types', 'inclusion', `${unknown.slice(0, 100)} is not an event`);
  if (wanted.length === 0) throw invalid('event_types', 'blank');
  return wanted;
}

/** @throws Problem 400 */
export function checkName(given: string): string {
  if (given.length > longestName) throw invalid('name', 'too_long');
  return given;
}
