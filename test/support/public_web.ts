// The public web in the test runtime: DNS resolvers and one host with a few addresses, nothing else.

import { clientKey } from './client_keys.ts';

const host = 'https://files.carrel.org';

interface WebAnswer {
  readonly status: number;
  readonly body?: string;
  readonly location?: string;
  readonly etag?: string;
}

/** A blog that has a new post when the conditional request shows that the caller knows the last one. */
function blog(known: string | null): WebAnswer {
  const at = new Date(Date.now() + 3_600_000);
  const entry = (id: string, title: string, html: string, published = at.toISOString()) =>
    `<entry><id>${id}</id><title type="html">${title}</title><link rel="alternate" href="/posts/${id}"/><published>${published}</published><content type="html"><![CDATA[${html}]]></content></entry>`;
  const feed = (...entries: string[]) =>
    `<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom"><title type="html">The &lt;i&gt;Observatory&lt;/i&gt;</title>${entries.join('')}</feed>`;
  const old = entry('old', 'Long ago', 'x', '2001-01-01T00:00:00Z');
  if (known === '"1"')
    return { status: 200, etag: '"2"', body: feed(entry('first', 'A comet &amp;amp; its tail', '<p>Corrected</p>'), old) };
  if (known === '"2"') return { status: 304 };
  const hostile = '<p onclick="steal()">Seen <b>today</b></p><script>alert(1)</script><a href="javascript:x()">more</a>';
  return {
    status: 200,
    etag: '"1"',
    body: feed(entry('first', 'A comet &amp;amp; its tail', hostile), entry('second', 'Weather', 'Clouds'), old),
  };
}

/** Public names that resolve to private addresses. Any other name is public. */
const inward: Readonly<Record<string, readonly string[]>> = {
  'localtest.me': ['127.0.0.1', '::1'],
  '169-254-169-254.nip.io': ['169.254.169.254'],
  'wire.inward.carrel.org': ['168.63.129.16'],
  'mapped.inward.carrel.org': ['::ffff:10.0.0.1'],
  'nat64.inward.carrel.org': ['64:ff9b::7f00:1'],
  'one-of-two.inward.carrel.org': ['93.184.216.34', '10.0.0.7'],
  'empty.inward.carrel.org': [],
};

/** A resolver's response. `unresolved.…` gets none; `second.…` gets one only from the second resolver. */
function resolved(asked: URL): WebAnswer {
  const name = asked.searchParams.get('name') ?? '';
  if (name.startsWith('unresolved.') || (name.startsWith('second.') && asked.host === 'cloudflare-dns.com')) return { status: 503 };
  const wanted = asked.searchParams.get('type') === 'AAAA' ? ':' : '.';
  const found = (inward[name] ?? ['93.184.216.34', '2606:2800:220:1::1']).filter((one) => one.includes(':') === (wanted === ':'));
  const Answer = [
    { name, type: 5, TTL: 60, data: 'alias.carrel.org.' },
    ...found.map((data) => ({ name, type: wanted === ':' ? 28 : 1, TTL: 60, data })),
  ];
  return { status: 200, body: JSON.stringify({ Status: found.length > 0 ? 0 : 3, Answer }) };
}

/** A request that a receiver of webhooks got. */
export interface ReceivedHook {
  readonly headers: Readonly<Record<string, string | null>>;
  readonly body: string;
  /** What the receiver returned. */
  readonly status: number;
}

const received = new Map<string, ReceivedHook[]>();

/** A receiver of webhooks, `/hooks/NAME?fail=N`, refuses its first N requests. `GET` lists the requests. */
function hook({ pathname, searchParams }: URL, { method, headers, body }: Sent): WebAnswer {
  const all = received.get(pathname) ?? [];
  if (method !== 'POST') return { status: 200, body: JSON.stringify(all) };
  if (searchParams.has('moved')) return { status: 302, location: '/hooks/other' };
  const status = all.length < Number(searchParams.get('fail') ?? 0) ? 500 : 200;
  const names = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];
  all.push({ headers: Object.fromEntries(names.map((name) => [name, headers?.get(name) ?? null])), body: body ?? '', status });
  received.set(pathname, all);
  return { status };
}

interface Sent {
  readonly headers?: { get(name: string): string | null };
  readonly method?: string;
  readonly body?: string;
}

/** Responds to what the service fetches from outside. */
export function publicWeb(address: string, request: Sent = {}): WebAnswer {
  const sent = request.headers;
  if (address.startsWith(`${host}/hooks/`)) return hook(new URL(address), request);
  if (/^https:\/\/(cloudflare-dns\.com\/dns-query|dns\.google\/resolve)\?/.test(address)) return resolved(new URL(address));
  // A private address would respond if it were requested.
  if (URL.parse(address)?.hostname.includes('inward') || /localtest|nip\.io|unresolved/.test(address))
    return { status: 200, body: 'secret' };
  switch (address) {
    case `${host}/notes.txt`:
      return { status: 200, body: 'fetched from afar' };
    case `${host}/jwks`:
      return { status: 200, body: JSON.stringify({ keys: [{ kty: 'RSA', kid: 'another' }, clientKey] }) };
    case `${host}/moved`:
      return { status: 302, location: '/notes.txt' };
    case `${host}/inwards`:
      return { status: 302, location: 'http://169.254.169.254/latest' };
    case `${host}/inwards-by-name`:
      return { status: 302, location: 'https://localtest.me/notes.txt' };
    case 'https://second.carrel.org/notes.txt':
      return { status: 200, body: 'found by the second resolver' };
    case `${host}/round`:
      return { status: 302, location: '/round' };
    case `${host}/large`:
      return { status: 200, body: 'x'.repeat(1_100_000) };
    case `${host}/mail`:
      return { status: 202, body: 'accepted' };
    case `${host}/mail/refuses`:
      return { status: 422, body: 'no such mailbox' };
    case `${host}/mail/sleeps`:
      return { status: 503, body: 'later' };
    case `${host}/blog.atom`:
      return blog(sent?.get('if-none-match') ?? null);
    case `${host}/old-blog.atom`:
      return { status: 301, location: '/blog.atom' };
    case `${host}/news.rss`:
      return {
        status: 200,
        body: `<rss version="2.0"><channel><title>News</title><item><guid isPermaLink="false">n1</guid><title>Exam week</title><link>${host}/exams</link><description>${'A &lt;b&gt;long&lt;/b&gt; text. '.repeat(40)}</description></item><item><title>Canteen</title><link>javascript:alert(1)</link></item></channel></rss>`,
      };
    case `${host}/tool.xml`:
      return {
        status: 200,
        body: '<cartridge_basiclti_link><title>Fetched tool</title><extensions platform="canvas.instructure.com"><property name="domain">fetched.example</property></extensions></cartridge_basiclti_link>',
      };
    case `${host}/huge.rss`:
      return { status: 200, body: `<rss><channel><title>${'x'.repeat(2_100_000)}</title></channel></rss>` };
    default:
      return { status: 404 };
  }
}
