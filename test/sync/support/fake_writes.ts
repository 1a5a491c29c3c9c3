// Writes that the fake server takes besides files and submissions: read marks, replies, conversations, module progress and the planner.

import type { Kind } from '@carrel/shared/sync/protocol';

type Json = Record<string, unknown>;

/** What a write needs of the server. */
export interface WrittenServer {
  readonly id: () => number;
  all(kind: Kind): Json[];
  has(kind: Kind, id: number): boolean;
  get(kind: Kind, id: number): Json;
  put(kind: Kind, id: number, given: Json): number;
  change(kind: Kind, id: number, more: Json): void;
  remove(kind: Kind, id: number): void;
}

export interface FakeReply {
  readonly status: number;
  readonly body: Json;
}

interface Write {
  readonly server: WrittenServer;
  readonly method: string;
  readonly body: Json;
  /** The groups of the pattern. */
  readonly found: readonly (string | undefined)[];
}

const missing: FakeReply = { status: 404, body: { message: 'The specified resource does not exist.' } };

/** The addresses by their endings. The planner is also read here. */
const routes: readonly (readonly [pattern: RegExp, reply: (write: Write) => FakeReply])[] = [
  [/\/discussion_topics\/(\d+)\/read$/, markTopic],
  [/\/entries\/\d+\/read$/, () => ({ status: 204, body: {} })],
  [/\/(?:entries|replies|add_message)$/, addWords],
  [/^\/api\/v1\/conversations\/(\d+)$/, changeConversation],
  [/\/modules\/(\d+)\/items\/(\d+)\/(mark_read|done)$/, progress],
  [/^\/api\/v1\/planner_notes(?:\/(\d+))?$/, (write) => planner(write, 'planner_note')],
  [/^\/api\/v1\/planner\/overrides(?:\/(\d+))?$/, (write) => planner(write, 'planner_override')],
];

/** The server's response to a write, which it carries out. */
export function written(server: WrittenServer, method: string, path: string, body: Json): FakeReply {
  for (const [pattern, reply] of routes) {
    const found = pattern.exec(path);
    if (found) return reply({ server, method, body, found: found.slice(1) });
  }
  return missing;
}

function markTopic({ server, method, found: [topic] }: Write): FakeReply {
  server.change('discussion_topic', Number(topic), { read_state: method === 'PUT' ? 'read' : 'unread' });
  return { status: 204, body: {} };
}

function addWords({ server, method, body }: Write): FakeReply {
  if (method !== 'POST') return missing;
  if (String(body.message ?? body.body).includes('forbidden')) return { status: 403, body: { message: 'not here' } };
  return { status: 201, body: { id: server.id(), ...body } };
}

function changeConversation({ server, body, found: [message] }: Write): FakeReply {
  server.change('conversation', Number(message), body.conversation as Json);
  return { status: 200, body: server.get('conversation', Number(message)) };
}

function progress({ server, method, found: [module, item, deed] }: Write): FakeReply {
  const asked = deed === 'done' ? 'must_mark_done' : 'must_view';
  const { state, items } = server.get('module', Number(module)) as {
    state?: string;
    items: { id: number; completion_requirement?: Json }[];
  };
  if (state === 'locked') return { status: 403, body: { message: 'The module item is locked.' } };
  server.change('module', Number(module), {
    items: items.map((one) =>
      one.id === Number(item) && one.completion_requirement?.type === asked
        ? { ...one, completion_requirement: { type: asked, completed: method !== 'DELETE' } }
        : one,
    ),
  });
  return { status: 200, body: { message: 'OK' } };
}

type PlannerKind = Extract<Kind, 'planner_note' | 'planner_override'>;

function planner({ server, method, body, found: [given] }: Write, kind: PlannerKind): FakeReply {
  if (method === 'GET' && given === undefined) return { status: 200, body: server.all(kind) as never };
  if (method === 'POST') return refusal(server, kind, body) ?? add(server, kind, body);
  const id = Number(given);
  if (!server.has(kind, id)) return missing;
  const before = server.get(kind, id);
  if (method === 'DELETE') server.remove(kind, id);
  else server.change(kind, id, body);
  return { status: 200, body: { ...before, ...body } };
}

function refusal(server: WrittenServer, kind: PlannerKind, body: Json): FakeReply | undefined {
  if (kind === 'planner_note') return body.title ? undefined : { status: 400, body: { message: 'title is missing' } };
  const isSame = (one: Json) => one.plannable_type === body.plannable_type && one.plannable_id === body.plannable_id;
  return server.all(kind).some(isSame) ? { status: 400, body: { errors: { plannable_id: [] } } } : undefined;
}

function add(server: WrittenServer, kind: PlannerKind, body: Json): FakeReply {
  const id = server.id();
  server.put(kind, id, { id, user_id: 7, workflow_state: 'active', ...body });
  return { status: 201, body: server.get(kind, id) };
}
