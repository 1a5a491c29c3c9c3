// The smallest Worker that can return the same responses: it runs the statements of a request, trip by trip, and returns their rows as JSON. Without
// routing, parameters, authorisation and serialisation, it is the baseline for what the machinery costs.

interface Told {
  readonly path: string;
  readonly trips: readonly (readonly { readonly sql: string; readonly params: readonly unknown[] }[])[];
}

interface Surroundings {
  readonly DB: D1Database;
  readonly TOLD: readonly Told[];
}

export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    const result = env.TOLD.find(({ path }) => path === pathname);
    if (!result) return new Response('not found', { status: 404 });
    const session = env.DB.withSession('first-unconstrained');
    let last: D1Result[] = [];
    for (const trip of result.trips) last = await session.batch(trip.map(({ sql, params }) => session.prepare(sql).bind(...params)));
    return Response.json(last.map(({ results }) => results));
  },
} satisfies ExportedHandler<Surroundings>;
