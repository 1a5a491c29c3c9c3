// Which tool a launch address belongs to (reference 06 §6.3). Pure.

interface Matchable {
  readonly id: number;
  readonly url: string | null;
  readonly domain: string | null;
}

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const sorted = (url: URL) =>
  [...url.searchParams]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort(order)
    .join('&');

/** The address without fragment; the order of its query does not matter. */
const whole = (url: URL) => `${url.origin}${url.pathname.replace(/\/$/, '')}?${sorted(url)}`;
const bare = (url: URL) => `${url.origin}${url.pathname.replace(/\/$/, '')}`;

const ways: readonly ((tool: Matchable, url: URL) => boolean)[] = [
  (tool, url) => withAddress(tool, (own) => whole(own) === whole(url)),
  (tool, url) => withAddress(tool, (own) => own.search === '' && bare(own) === bare(url)),
  ({ domain }, url) => {
    const own = domain?.toLowerCase() ?? '';
    return own !== '' && (url.host === own || url.hostname === own || url.hostname.endsWith(`.${own}`));
  },
];

const withAddress = ({ url }: Matchable, decide: (own: URL) => boolean): boolean => {
  const own = url ? URL.parse(url) : null;
  return own !== null && decide(own);
};

/** An address of the web; undefined for any other scheme, which has hosts too. */
const webUrl = (address: string): URL | undefined => {
  const url = URL.parse(address);
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
};

/** Whether a tool may be launched at an address: its own, without query, or at its domain. */
export function isAtTool(tool: Matchable, address: string): boolean {
  const url = webUrl(address);
  return url !== undefined && ways.some((way) => way(tool, url));
}

/**
 * The tool for an address.
 * @param tools the nearest first: those of the course, then of its accounts upwards
 * @param preferred is taken where it matches as well
 */
export function toolFor<T extends Matchable>(tools: readonly T[], address: string, preferred?: number): T | undefined {
  const url = webUrl(address);
  if (!url) return undefined;
  const own = tools.find(({ id }) => id === preferred);
  if (own && ways.some((way) => way(own, url))) return own;
  for (const way of ways) {
    const tool = tools.find((one) => way(one, url));
    if (tool) return tool;
  }
  return undefined;
}
