// What an address may look like, by the kind of channel.

import { invalid } from '../../http/problem';

export type ChannelType = 'email' | 'sms' | 'push';

const forms: Record<Exclude<ChannelType, 'push'>, RegExp> = {
  email: /^[^@\s,;<>"]+@[^@\s,;<>"]+\.[^@\s,;<>".]+$/,
  /** A number, or the address of a gateway that leads to one. */
  sms: /^(\+?[\d ().-]{5,30}|[^@\s]+@[^@\s]+)$/,
};

/** All devices of a person are one channel of this address. */
const pushAddress = 'push';

/**
 * The address as it is kept.
 * @throws Problem 400 for what nothing can be sent to
 */
export function checkedAddress(type: ChannelType, given: string | undefined): string {
  if (type === 'push') return pushAddress;
  const address = given?.trim() ?? '';
  if (address === '') throw invalid('address', 'blank');
  if (address.length > 255) throw invalid('address', 'too_long');
  if (!forms[type].test(address)) throw invalid('address', 'invalid');
  return address;
}
