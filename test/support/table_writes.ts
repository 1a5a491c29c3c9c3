// Counts the writes to each table, so that a response is read again only when its tables have been written.

import { env } from 'cloudflare:test';
import type { Answer, Client } from './client';

/** The number of writes to each table by name; tables that cannot be counted have none. */
export type Writes = ReadonlyMap<string, number | undefined>;

const tables = `select name from sqlite_master where type = 'table' and name <> 'counted_writes' and name not like 'sqlite_%' and name not like '\\_cf%' escape '\\'`;

/** Counts with triggers, so that no write is missed. */
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

export async function writesByTable(): Promise<Writes> {
  const { results } = await env.DB.prepare(
    `select name, (select writes from counted_writes w where w.name = t.name) as writes from (${tables}) t`,
  ).all<{
    name: string;
    writes: number | null;
  }>();
  return new Map(results.map(({ name, writes }) => [name, writes ?? undefined]));
}

/** A client that answers a repeated request from memory as long as none of the tables behind it has been written. */
export function rememberingReader(client: Client) {
  const kept = new Map<string, { answer: Answer; madeOf: readonly string[]; at: Writes }>();
  let now: Writes = new Map();
  return {
    pages: client.pages,
    /** Responses from here on are as of these writes. */
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

export type ClientReader = Pick<Client, 'get' | 'pages'>;
