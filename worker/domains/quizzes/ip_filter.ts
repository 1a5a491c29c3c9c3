// Address filters of quizzes: a comma-separated list of addresses, networks by bits, and networks by mask. IPv4 and IPv6.

/** An address as a number, and how many bits it has. */
interface Address {
  readonly value: bigint;
  readonly bits: 32 | 128;
}

const inRange = (text: string, largest: number): number | undefined =>
  /^\d{1,3}$/.test(text) && Number(text) <= largest ? Number(text) : undefined;

function v4(text: string): Address | undefined {
  const parts = text.split('.').map((part) => inRange(part, 255));
  if (parts.length !== 4 || parts.includes(undefined)) return undefined;
  return { value: parts.reduce<bigint>((sum, part) => (sum << 8n) | BigInt(part ?? 0), 0n), bits: 32 };
}

function v6(text: string): Address | undefined {
  const halves = text.split('::');
  if (halves.length > 2 || !text.includes(':')) return undefined;
  const words = halves.map((half) => (half === '' ? [] : half.split(':')));
  const given = words.flat();
  if (given.some((word) => !/^[0-9a-f]{1,4}$/i.test(word))) return undefined;
  const missing = 8 - given.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  const all = [...(words[0] ?? []), ...Array<string>(missing).fill('0'), ...(words[1] ?? [])];
  return { value: all.reduce((sum, word) => (sum << 16n) | BigInt(`0x${word}`), 0n), bits: 128 };
}

const addressOf = (text: string): Address | undefined => v4(text) ?? v6(text);

interface Network extends Address {
  readonly mask: bigint;
}

const ones = (bits: number): bigint => (1n << BigInt(bits)) - 1n;

/** The mask from a number of bits, or from an address such as `255.255.255.0`. */
function maskOf(text: string, { bits }: Address): bigint | undefined {
  const length = inRange(text, bits);
  if (length !== undefined) return ones(length) << BigInt(bits - length);
  const mask = addressOf(text);
  return mask?.bits === bits ? mask.value : undefined;
}

function networkOf(text: string): Network | undefined {
  const [start = '', mask, ...rest] = text.split('/');
  const address = addressOf(start);
  if (!address || rest.length > 0) return undefined;
  const kept = mask === undefined ? ones(address.bits) : maskOf(mask, address);
  return kept === undefined ? undefined : { ...address, mask: kept };
}

const parts = (filter: string): string[] => filter.split(',').map((part) => part.trim());

export const isIpFilter = (filter: string): boolean => parts(filter).every((part) => networkOf(part) !== undefined);

/** Whether a filter lets an address in. A blank filter lets every address in; an address that cannot be read is not in any network. */
export function allowsIp(filter: string | null, ip: string): boolean {
  if (!filter) return true;
  const address = addressOf(ip);
  if (!address) return false;
  return parts(filter)
    .map(networkOf)
    .some((network) => network?.bits === address.bits && (network.value & network.mask) === (address.value & network.mask));
}

/** Whether an address is between two others of its kind, both included. */
export function isBetweenAddresses(ip: string, from: string, to: string): boolean {
  const [address, first, last] = [addressOf(ip), addressOf(from), addressOf(to)];
  if (!address || first?.bits !== address.bits || last?.bits !== address.bits) return false;
  return first.value <= address.value && address.value <= last.value;
}
