// Whether a caller may make a request: the credential, its scopes, the right that the endpoint asks for.

import { namesAnonymousStudent } from '../contexts/anonymous_students';
import { isOutOfScope } from '../contexts/developer_key';
import type { Contexts } from '../contexts/load';
import { isWithinRank, may, type Word } from '../contexts/rights';
import type { Call } from './call';
import type { Endpoint } from './endpoint';
import { insufficientScopes, notFound, type Problem, unauthenticated, unauthorized } from './problem';

const wordsOf = ({ options: { can } }: Endpoint): readonly Word[] =>
  typeof can === 'function' ? [] : Array.isArray(can) ? (can as readonly Word[]) : [can as Word];

function isAllowed(endpoint: Endpoint, call: Call): boolean {
  const { can } = endpoint.options;
  return typeof can === 'function' ? can(call) : wordsOf(endpoint).some((word) => may(word, call));
}

/** Without a token only what is open to anyone, and public courses, may be asked for. */
function isOpenToAll(endpoint: Endpoint, call: Call): boolean {
  const words = wordsOf(endpoint);
  return words.includes('anyone') || (words.includes('read') && (call.course?.canRead ?? false));
}

/** A write must not reach a user of higher rank, unless its endpoint compares roles itself. */
const isWithinReach = ({ method, options }: Endpoint, call: Call): boolean =>
  method === 'GET' || options.comparesRoles === true || isWithinRank(call);

/** A caller who may not know of an account gets the same answer for one that does not exist. */
const nowhere = ({ options }: Endpoint, call: Call): Problem =>
  options.can === 'user' && call.account && !call.account.isAdmin ? unauthorized() : notFound();

/** @throws Problem 401 or 404 */
export function authorise(endpoint: Endpoint, call: Call, { isNowhere }: Pick<Contexts, 'isNowhere'>): void {
  if (!call.me.isKnown && !isOpenToAll(endpoint, call)) throw unauthenticated();
  if (!endpoint.options.unscoped && isOutOfScope(call.me, endpoint.method, call.url.pathname)) throw insufficientScopes();
  if (call.path.id !== undefined && call.id === undefined) throw notFound();
  if (!isAllowed(endpoint, call) || !isWithinReach(endpoint, call)) throw unauthorized();
  if (isNowhere) throw nowhere(endpoint, call);
  if (namesAnonymousStudent(call)) throw unauthorized();
}
