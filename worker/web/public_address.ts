// Which addresses the server may fetch from on behalf of a user: public ones only. Host names are resolved in `resolve.ts`.

const privateNames = /^localhost$|\.(?:localhost|local|internal|intranet|lan|home|corp|home\.arpa|onion|invalid|test|example)$/;

/** In a public range, but internal: the platform address of Azure, reachable from every virtual machine there. */
const platforms = new Set(['168.63.129.16']);

/** Decided by the first octets, from the list of non-global ranges in RFC 6890. URL has normalised the address to dotted form. */
function isPublicIPv4(host: string): boolean {
  if (platforms.has(host)) return false;
  const [a = 0, b = 0, c = 0] = host.split('.').map(Number);
  if (a === 0 || a === 10 || a === 127 || a >= 224) return false;
  if (a === 100) return b < 64 || b > 127;
  if (a === 169) return b !== 254;
  if (a === 172) return b < 16 || b > 31;
  if (a === 192) return b !== 168 && !(b === 0 && (c === 0 || c === 2)) && !(b === 88 && c === 99);
  if (a === 198) return b !== 18 && b !== 19 && !(b === 51 && c === 100);
  return !(a === 203 && b === 0 && c === 113);
}

/**
 * Global unicast without ranges for IPv4 or special use: 2001::/23, 2001:db8::/32, 2002::/16, 3fff::/20. Outside of global unicast are loopback,
 * link-local, unique local, IPv4-mapped (::ffff:0:0/96) and NAT64 (64:ff9b::/96, 64:ff9b:1::/48) addresses.
 */
const isPublicIPv6 = (host: string): boolean =>
  /^[23][0-9a-f]{3}:/.test(host) && !/^2002:|^2001:(?:[01]?[0-9a-f]{0,2}|db8):|^3fff:(?:0?[0-9a-f]{0,3}):/.test(host);

/** An IPv4 or IPv6 address in any notation, with or without brackets. */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, '');
  const host = URL.parse(bare.includes(':') ? `http://[${bare}]/` : `http://${bare}/`)?.hostname ?? '';
  if (host.startsWith('[')) return isPublicIPv6(host.slice(1, -1));
  return /^\d+(\.\d+){3}$/.test(host) && isPublicIPv4(host);
}

/** Whether a URL's host may be public, before it is resolved. */
export function isPublic(url: URL): boolean {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return false;
  if (url.username !== '' || url.password !== '') return false;
  const host = url.hostname.toLowerCase().replace(/\.$/, '');
  if (host.startsWith('[') || /^\d+(\.\d+){3}$/.test(host)) return isPublicAddress(host);
  return host.includes('.') && !privateNames.test(host);
}
