// What is written to each table is counted, so that an answer need be asked for again only when something that it was made of has been written.

import { env } from 'cloudflare:test';
import type { Answer, Client } from './client';

/** How often each table has been written to, by its name; tables that cannot be counted have no number. */
export type Writes = ReadonlyMap<string, number | undefined>;

const tables = `select name from sqlite_master where type = 'table' and name <> 'counted_writes' and name not like 'sqlite_%' and name not like '\\_cf%' escape '\\'`;

/** Begins to count, by triggers: no write passes them by. */
export async function countWrites(): Promise<void> {
  const plain = await env.DB.prepare(`${tables} and sql not like 'create virtual%' and name not in
    (select v.name || s.value from sqlite_master v, json_each('["_data","_idx","_content","_docsize","_config"]') s where v.sql like 'create virtual%')`).all<{
    name: string;
  }>();
  const names = plain.results.map(({ name }) => name);
  const counted = (name: string, event: string) =>
    `create trigger if not exists counted_${event}_${name} after ${event} on ${name} begin update counted_writes set writes = writes + 1 where name = '${name}'; end`;
  await env.DB.batch(
    [
      'create table if not exists counted_writes (name text primary key, writes integer not null) without rowid',
      `insert or ignore into counted_writes select value, 0 from json_each('${JSON.stringify(names)}')`,
      ...names.flatMap((name) => ['insert', 'update', 'delete'].map((event) => counted(name, event))),
    ].map((query) => env.DB.prepare(query)),
  );
}

export async function writes(): Promise<Writes> {
  const { results } = await env.DB.prepare(
    `select name, (select writes from counted_writes w where w.name = t.name) as writes from (${tables}) t`,
  ).all<{
    name: string;
    writes: number | null;
  }>();
  return new Map(results.map(({ name, writes }) => [name, writes ?? undefined]));
}

/** A reader to whom the same question is answered from memory, as long as nothing of which the answer was made has been written. */
export function rememberingReader(client: Client) {
  const kept = new Map<string, { answer: Answer; madeOf: readonly string[]; at: Writes }>();
  let now: Writes = new Map();
  return {
    pages: client.pages,
    /** Answers from here on are as of these writes. */
    since: (writes: Writes) => {
      now = writes;
    },
    async get(path: string, query?: object): Promise<Answer> {
      const key = `${path} ${JSON.stringify(query)}`;
      const before = kept.get(key);
      if (before?.madeOf.every((name) => before.at.get(name) === now.get(name))) return before.answer;
      const at = now;
      const answer = await client.get(path, query);
      const madeOf = (answer.headers.get('x-carrel-tables') ?? '').split(' ').filter((name) => at.has(name));
      const isWhole = answer.links.next === undefined && madeOf.length > 0 && madeOf.every((name) => at.get(name) !== undefined);
      if (isWhole) kept.set(key, { answer, madeOf, at });
      else kept.delete(key);
      return answer;
    },
  };
}

export type Reader = Pick<Client, 'get' | 'pages'>;
