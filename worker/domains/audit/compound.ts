// The compound object of an audit log: a page of events, and each object they refer to once.

interface Linking<K extends string> {
  readonly linked: Readonly<Record<K, readonly { readonly id: number }[]>>;
}

/**
 * @param links the linked objects of an event, by field name
 * @param kinds the kinds of objects returned beside the events
 */
export const compound =
  <K extends string>(links: Readonly<Record<string, string | object | null>>, kinds: readonly K[]) =>
  (page: readonly unknown[]): object => {
    const events = page as readonly Linking<K>[];
    const all = (kind: K) => [...new Map(events.flatMap(({ linked }) => linked[kind]).map((one) => [one.id, one])).values()];
    return {
      links,
      events: events.map(({ linked: _, ...event }) => event),
      linked: { ...Object.fromEntries(kinds.map((kind) => [kind, all(kind)])), page_views: [] },
    };
  };
