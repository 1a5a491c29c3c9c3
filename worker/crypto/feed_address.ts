// Calendar feed URLs: each is valid for one user and one calendar only.

import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Viewer } from '../contexts/viewer';

export type Owner = Pick<Viewer['user'], 'id' | 'feed_code'>;

/** The seal of a code for a user, made with the server's key; it changes with the user's feed code. */
export const sealOf = ({ id, feed_code }: Owner, code: string): string =>
  bytesToHex(hmac(sha256, utf8ToBytes(feed_code), utf8ToBytes(`${id} ${code}`))).slice(0, 40);

/**
 * @param code `user_1` (their own), `course_2`, `group_3`
 * @returns the last segment of a URL that is unique to this user
 */
export const feedName = (owner: Owner, code: string): string => {
  const [kind, id] = code.split('_');
  return `${kind}_${kind === 'user' ? owner.id : `${id}-${owner.id}`}-${sealOf(owner, code)}.ics`;
};

export interface NamedFeed {
  readonly kind: 'user' | 'course' | 'group';
  readonly id: number;
  readonly owner_id: number;
}

/** Parses a feed name, sealed or public; undefined when malformed. */
export function feedNamed(name: string): NamedFeed | undefined {
  const [, own, kind, id, owner] = /^(?:user_(\d{1,15})|(course|group)_(\d{1,15})-(\d{1,15}))-[0-9a-f]{40}\.ics$/.exec(name) ?? [];
  if (own) return { kind: 'user', id: Number(own), owner_id: Number(own) };
  return kind ? { kind: kind as 'course' | 'group', id: Number(id), owner_id: Number(owner) } : undefined;
}

/** Compares two names in constant time. */
export function isSame(name: string, expected: string): boolean {
  let difference = expected.length ^ name.length;
  for (let at = 0; at < expected.length; at += 1) difference |= expected.charCodeAt(at) ^ name.charCodeAt(at);
  return difference === 0;
}

/** Whether a feed name is the one issued to this user. */
export const isSealedFeed = (name: string, { kind, id }: NamedFeed, owner: Owner): boolean =>
  isSame(name, feedName(owner, `${kind}_${id}`));

/** The caller's feed URL of a calendar. */
export const feedAddress = (code: string, { me, origin }: { readonly me: Viewer; readonly origin: string }): string =>
  `${origin}/feeds/calendars/${feedName(me.user, code)}`;

/** The public feed URL of a course, for anonymous callers; shows public content only. */
export const publicFeedAddress = (uuid: string, origin: string): string => `${origin}/feeds/calendars/course_${uuid}.ics`;
