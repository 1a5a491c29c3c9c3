// The compound object in which an audit log tells one page: its events, and each thing that they name once.

interface Linking<K extends string> {
  readonly linked: Readonly<Record<K, readonly { readonly id: number }[]>>;
}

/**
 * @param links where what an event names is found, by the name of the field
 * @param kinds of things that are told beside the events
 */
export const compound =
  <K extends string>(links: Readonly<Record<string, string | null>>, kinds: readonly K[]) =>
  (page: readonly unknown[]): object => {
    const events = page as readonly Linking<K>[];
    const all = (kind: K) => [...new Map(events.flatMap(({ linked }) => linked[kind]).map((one) => [one.id, one])).values()];
    return {
      links,
      events: events.map(({ linked: _, ...event }) => event),
      linked: { ...Object.fromEntries(kinds.map((kind) => [kind, all(kind)])), page_views: [] },
    };
  };
