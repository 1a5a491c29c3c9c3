// Valid addresses, by type of channel.

import { invalid } from '../../http/problem';

export type ChannelType = 'email' | 'sms' | 'push';

const forms: Record<Exclude<ChannelType, 'push'>, RegExp> = {
  email: /^[^@\s,;<>"]+@[^@\s,;<>"]+\.[^@\s,;<>".]+$/,
  /** A phone number, or the email address of an SMS gateway. */
  sms: /^(\+?[\d ().-]{5,30}|[^@\s]+@[^@\s]+)$/,
};

/** All devices of a user share one push channel with this address. */
const pushAddress = 'push';

/**
 * The address as stored.
 * @throws Problem 400 for an address that cannot receive messages
 */
export function checkedAddress(type: ChannelType, given: string | undefined): string {
  if (type === 'push') return pushAddress;
  const address = given?.trim() ?? '';
  if (address === '') throw invalid('address', 'blank');
  if (address.length > 255) throw invalid('address', 'too_long');
  if (!forms[type].test(address)) throw invalid('address', 'invalid');
  return address;
}
