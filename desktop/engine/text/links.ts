// Links from course texts to items of the course, in every spelling that Canvas texts contain. Pure.

export type Linked =
  | { readonly kind: 'file'; readonly id: number }
  | { readonly kind: 'page'; readonly course_id: number; readonly url: string }
  | { readonly kind: 'assignment'; readonly course_id: number; readonly id: number }
  | { readonly kind: 'discussion_topic'; readonly course_id: number; readonly id: number };

/** Canvas servers with several shards write the id of another shard as `7~23` in addresses, and as one number in JSON. */
const shardSize = 10_000_000_000_000;

/** Undefined for all other addresses, and for those on other servers. */
export function linkIn(address: string, base: string): Linked | undefined {
  if (address === '') return undefined;
  const url = URL.parse(address, base);
  if (!url || url.origin !== new URL(base).origin) return undefined;
  const path = url.pathname
    .replace(/^\/api\/v1/, '')
    .replaceAll(/\/(\d+)~(\d+)(?=\/|$)/g, (_, shard, id) => `/${Number(shard) * shardSize + Number(id)}`);
  const file = /^(?:\/(?:courses|users|groups)\/\d+)?\/files\/(\d+)(?:\/(?:download|preview|file_preview))?\/?$/.exec(path);
  if (file) return { kind: 'file', id: Number(file[1]) };
  const inPlace = /^\/(courses|groups)\/(\d+)\/(pages|wiki|assignments|discussion_topics|announcements)\/([^/]+)\/?$/.exec(path);
  if (!inPlace) return undefined;
  const [, kind, place = '', what = '', which = ''] = inPlace;
  const course_id = kind === 'groups' ? -Number(place) : Number(place);
  if (what === 'pages' || what === 'wiki') return { kind: 'page', course_id, url: decodeURIComponent(which) };
  const id = Number(which);
  if (!Number.isSafeInteger(id)) return undefined;
  return { kind: what === 'assignments' ? 'assignment' : 'discussion_topic', course_id, id };
}
