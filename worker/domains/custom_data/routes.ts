// Custom data: every endpoint, in the order of the API reference.

import { type Fields, json, optional, text } from '@carrel/shared/wire/fields';
import { and, eq, sql } from 'drizzle-orm';
import type { UserContext } from '../../contexts/user';
import type { Database } from '../../database/open';
import { del, get, put } from '../../http/endpoint';
import { notFound, problem } from '../../http/problem';
import { answer, type Reply, write } from '../../http/reply';
import { custom_data } from './table';

export const about = { title: 'Custom data', description: 'JSON that applications store for a user.' };

const base = '/users/:user_id/custom_data';
const where = { ns: optional(text) };
const longest = 255;
const deepest = 20;
const largest = 64 * 1024;

/** @throws Problem 400 without a namespace */
function namespaceOf({ ns }: { ns?: string }): string {
  const given = ns?.trim();
  if (!given || given.length > longest) throw problem(400, 'invalid_parameters: ns is missing');
  return given;
}

/** @throws Problem 400 for a path that is too deep or cannot be written as a JSON path */
function stepsOf(path: string | undefined): string[] {
  const steps = (path ?? '').split('/').filter((one) => one !== '');
  if (steps.length > deepest || steps.some((one) => one.length > longest || /["\\\p{Cc}]/u.test(one))) throw problem(400, 'invalid scope');
  return steps;
}

const pathOf = (steps: readonly string[]) => `$${steps.map((one) => `."${one}"`).join('')}`;

interface Kept {
  readonly data: string | null;
  /** The JSON type of the value; null when missing. */
  readonly kind: string | null;
  /** Whether a step of the path is a value without keys. */
  readonly blocked: number;
}

/** Reads the value at a path, and whether the path is reachable. */
async function lookAt(db: Database, user: UserContext, ns: string, steps: readonly string[]): Promise<Kept | undefined> {
  const ways = steps.map((_, at) => pathOf(steps.slice(0, at)));
  const [[kept]] = await db.perform([
    db.build.all<Kept>(
      sql`select data -> ${pathOf(steps)} as data, json_type(data, ${pathOf(steps)}) as kind,
        exists (select 1 from json_each(${JSON.stringify(ways)}) w where coalesce(json_type(custom_data.data, w.value), 'object') <> 'object') as blocked
        from custom_data where user_id = ${user.id} and namespace = ${ns}`,
    ),
  ]);
  return kept;
}

const result = (kept: Kept | undefined) => ({ data: JSON.parse(kept?.data ?? 'null') });

type Calling = { db: Database; user: UserContext; params: { ns?: string; data?: unknown }; now: string };

async function read({ db, user, params }: Calling, path?: string): Promise<Reply> {
  const kept = await lookAt(db, user, namespaceOf(params), stepsOf(path));
  if (!kept?.kind) throw notFound();
  return answer(result(kept));
}

async function store({ db, user, params, now }: Calling, path?: string): Promise<Reply> {
  const ns = namespaceOf(params);
  const steps = stepsOf(path);
  if (params.data === undefined) throw problem(400, 'invalid_parameters: data is missing');
  const data = JSON.stringify(params.data);
  if (data.length > largest) throw problem(400, 'data is too large');
  const kept = await lookAt(db, user, ns, steps);
  if (kept?.blocked) throw problem(409, `${steps.join('/')} is below a value without keys`);
  // Missing objects on the path are created; existing ones keep their content.
  const way = JSON.stringify(steps.slice(0, -1).reduceRight<object>((inner, step) => ({ [step]: inner }), {}));
  const placed = (tree: ReturnType<typeof sql>) => sql`json_set(json_patch(${tree}, ${way}), ${pathOf(steps)}, json(${data}))`;
  return write(
    [
      db.build.run(sql`insert into custom_data (user_id, namespace, data, updated_at) values (${user.id}, ${ns}, ${placed(sql`'{}'`)}, ${now})
        on conflict (user_id, namespace) do update set data = ${placed(sql`custom_data.data`)}, updated_at = ${now}`),
    ],
    answer({ data: params.data }, kept?.kind ? 200 : 201),
  );
}

async function forget({ db, user, params, now }: Calling, path?: string): Promise<Reply> {
  const ns = namespaceOf(params);
  const steps = stepsOf(path);
  const kept = await lookAt(db, user, ns, steps);
  if (!kept?.kind) throw notFound();
  const its = and(eq(custom_data.user_id, user.id), eq(custom_data.namespace, ns));
  return write(
    [
      steps.length === 0
        ? db.build.delete(custom_data).where(its)
        : db.build
            .update(custom_data)
            .set({ data: sql`json_remove(data, ${pathOf(steps)})`, updated_at: now })
            .where(its),
    ],
    answer(result(kept)),
  );
}

const asked = <F extends Fields>(params: F, summary: string) => ({ can: 'self', params, returns: { json: null }, summary }) as const;
const scopeOf = ({ path }: { path: object }) => (path as { scope?: string }).scope;
const stored = { ...where, data: optional(json) };

export const customDataRoutes = [
  get(base, asked(where, 'Load custom data of a namespace'), (call) => read(call)),
  get(`${base}/:scope+`, asked(where, 'Load custom data'), (call) => read(call, scopeOf(call))),
  put(base, asked(stored, 'Store custom data in a namespace'), (call) => store(call)),
  put(`${base}/:scope+`, asked(stored, 'Store custom data'), (call) => store(call, scopeOf(call))),
  del(base, asked(where, 'Delete custom data of a namespace'), (call) => forget(call)),
  del(`${base}/:scope+`, asked(where, 'Delete custom data'), (call) => forget(call, scopeOf(call))),
];
