// The network address of a client.

/** An IPv4 address, or the /64 network of an IPv6 address, because a subscriber has all addresses of it. */
export function callerAddress(request: Request): string | undefined {
  const address = request.headers.get('cf-connecting-ip')?.trim();
  if (!address?.includes(':')) return address || undefined;
  const [head = '', tail = ''] = address.split('::');
  const front = head.split(':');
  const back = address.includes('::') ? tail.split(':') : [];
  const whole = [...front, ...Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0'), ...back];
  return whole.slice(0, 4).join(':');
}
