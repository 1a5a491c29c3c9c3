// Anonymous ids of students in an assignment: a keyed permutation of user ids, so that an id needs no row and reveals nothing without the key.

import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const base = alphabet.length;
const length = 5;
const halfBits = 13;
const half = 2 ** halfBits;
const rounds = 4;

export interface AnonymousPlace {
  /** The secret of the service. */
  readonly secret: string;
  readonly assignment_id: number;
}

/** One round of a Feistel network: 13 bits that depend on the key, the assignment, the round and the other half. */
function mixed({ secret, assignment_id }: AnonymousPlace, round: number, value: number): number {
  const digest = hmac(sha256, utf8ToBytes(secret), utf8ToBytes(`anonymous_id ${assignment_id} ${round} ${value}`));
  return (((digest[0] as number) << 8) | (digest[1] as number)) % half;
}

/** Two numbers below 2^30 that only the service knows, for the order of the students. */
export function anonymousKey({ secret, assignment_id }: AnonymousPlace): readonly [number, number] {
  const digest = new DataView(hmac(sha256, utf8ToBytes(secret), utf8ToBytes(`anonymous_order ${assignment_id}`)).buffer);
  return [digest.getUint32(0) >>> 2, (digest.getUint32(4) >>> 2) + 1];
}

/** A number below 2^26 that no other user has in this assignment. */
export function anonymousNumber(place: AnonymousPlace, user_id: number): number {
  let [left, right] = [Math.floor(user_id / half) % half, user_id % half];
  for (let round = 0; round < rounds; round += 1) [left, right] = [right, left ^ mixed(place, round, right)];
  return left * half + right;
}

/** The user with this number. */
export function userOfNumber(place: AnonymousPlace, number: number): number {
  let [left, right] = [Math.floor(number / half) % half, number % half];
  for (let round = rounds - 1; round >= 0; round -= 1) [left, right] = [right ^ mixed(place, round, left), left];
  return left * half + right;
}

/** Five characters, the same for every request. */
export function anonymousId(place: AnonymousPlace, user_id: number): string {
  let rest = anonymousNumber(place, user_id);
  let text = '';
  for (let at = 0; at < length; at += 1) {
    text = alphabet[rest % base] + text;
    rest = Math.floor(rest / base);
  }
  return text;
}

/** The user of an anonymous id; undefined when it cannot be one. */
export function userOfAnonymousId(place: AnonymousPlace, text: string): number | undefined {
  if (text.length !== length) return undefined;
  const digits = [...text].map((one) => alphabet.indexOf(one));
  if (digits.includes(-1)) return undefined;
  const number = digits.reduce((sum, digit) => sum * base + digit, 0);
  return number < half * half ? userOfNumber(place, number) : undefined;
}
