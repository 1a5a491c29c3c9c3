// The addresses at which other programs read calendars: each is good for one person and one calendar, and opens nothing else.

import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Viewer } from '../contexts/viewer';

export type Owner = Pick<Viewer['user'], 'id' | 'feed_code'>;

/** What only the service can make of a code for a person; with another feed code it is another. */
export const sealOf = ({ id, feed_code }: Owner, code: string): string =>
  bytesToHex(hmac(sha256, utf8ToBytes(feed_code), utf8ToBytes(`${id} ${code}`))).slice(0, 40);

/**
 * @param code `user_1` (their own), `course_2`, `group_3`
 * @returns the last part of an address that is this person's alone
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

/** What an address names, sealed or not; nothing where it is no address of this kind. */
export function feedNamed(name: string): NamedFeed | undefined {
  const [, own, kind, id, owner] = /^(?:user_(\d{1,15})|(course|group)_(\d{1,15})-(\d{1,15}))-[0-9a-f]{40}\.ics$/.exec(name) ?? [];
  if (own) return { kind: 'user', id: Number(own), owner_id: Number(own) };
  return kind ? { kind: kind as 'course' | 'group', id: Number(id), owner_id: Number(owner) } : undefined;
}

/** Whether two names are one, in a time that tells nothing. */
export function isSame(name: string, expected: string): boolean {
  let difference = expected.length ^ name.length;
  for (let at = 0; at < expected.length; at += 1) difference |= expected.charCodeAt(at) ^ name.charCodeAt(at);
  return difference === 0;
}

/** Whether an address is the one that this person has been given. */
export const isSealed = (name: string, { kind, id }: NamedFeed, owner: Owner): boolean => isSame(name, feedName(owner, `${kind}_${id}`));

/** The address of a calendar for whoever asks. */
export const feedAddress = (code: string, { me, origin }: { readonly me: Viewer; readonly origin: string }): string =>
  `${origin}/feeds/calendars/${feedName(me.user, code)}`;

/** The address of a course for those who came without a name: of what is public in it. */
export const publicFeedAddress = (uuid: string, origin: string): string => `${origin}/feeds/calendars/course_${uuid}.ics`;
