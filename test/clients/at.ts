// One user's API access through unmodified clients from the registry: bodies on success, the status on errors.

import { createRequire } from 'node:module';
import { CanvasApi } from '@kth/canvas-api';
import Canvas from 'canvas-lms-api';
import { inject } from 'vitest';
import type { Person } from '../support/ground';

// biome-ignore lint/suspicious/noExplicitAny: tests read responses untyped.
export type AnyJson = any;
type Json = Record<string, unknown>;
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

// Forms use the client's own FormData library, the only one it accepts.
const { FormData: Form } = createRequire(createRequire(import.meta.url).resolve('@kth/canvas-api'))('undici') as {
  FormData: typeof FormData;
};

interface Given {
  readonly name: string;
  readonly bytes?: Uint8Array | string;
  readonly type?: string;
  readonly [more: string]: unknown;
}

interface Whole {
  readonly statusCode: number;
  readonly text: string;
  readonly json: AnyJson;
  readonly headers: Readonly<Record<string, string>>;
}

/** @kth/canvas-api: JSON, lists through its iterator. */
export function canvasApiFor({ token }: Pick<Person, 'token'>) {
  const client = new CanvasApi(`${inject('started').url}/api/v1`, token);
  const raw = (method: Method, path: string, body?: Json | FormData) =>
    (method === 'GET' ? client.get(path, body as never) : client.request(path, method as 'POST', body)) as unknown as Promise<Whole>;
  const whole = (method: Method, path: string, body?: Json | FormData): Promise<Whole> =>
    raw(method, path, body).catch((error: { response?: Whole }) => {
      throw new Error(`${method} ${path}: ${error.response?.statusCode} ${error.response?.text}`);
    });
  const ask = async (method: Method, path: string, body?: Json): Promise<AnyJson> => (await whole(method, path, body)).json;
  const refusal = (method: Method, path: string, body?: Json): Promise<number> =>
    raw(method, path, body).then(
      () => 200,
      (error: { response?: Whole }) => error.response?.statusCode ?? 0,
    );
  const all = async (path: string, query: Json = {}) => (await client.listItems(path, query as never).toArray()) as AnyJson[];
  const partOf = ({ name, bytes = 'some words', type = 'text/plain' }: Given) => new File([bytes as never], name, { type });
  const formOf = (fields: Json) => {
    const form = new Form();
    for (const [name, value] of Object.entries(fields)) form.append(name, value instanceof File ? (value as never) : String(value));
    return form;
  };
  return {
    whole,
    ask,
    refusal,
    all,
    /** A form with a file among its fields. */
    send: async (path: string, field: string, file: Given, more: Json = {}): Promise<AnyJson> =>
      (await whole('POST', path, formOf({ ...more, [field]: partOf(file) }))).json,
    /** Uploads a file in three steps; @returns the File. */
    async upload(to: string, { bytes, type, ...given }: Given): Promise<AnyJson> {
      const part = partOf({ ...given, bytes, type });
      const ticket = await ask('POST', to, { ...given, size: part.size });
      const stored = await whole('POST', ticket.upload_url, formOf({ ...ticket.upload_params, [ticket.file_param ?? 'file']: part }));
      return stored.statusCode === 201 ? stored.json : ask('GET', stored.headers.location as string);
    },
    /** The Progress, or another object with a progress, once it is complete. */
    async ended(path: string, isOver: (result: AnyJson) => boolean = (told) => told.workflow_state === 'completed'): Promise<AnyJson> {
      for (let tries = 0; tries < 400; tries += 1) {
        const told = await ask('GET', path);
        if (isOver(told)) return told;
        await new Promise((resume) => setTimeout(resume, 100));
      }
      throw new Error(`${path} does not come to its end`);
    },
  };
}

/** canvas-lms-api: all parameters in the query, in brackets, for every method; follows all pages of a list. */
export const plainly = ({ token }: Pick<Person, 'token'>) => new Canvas(inject('started').url, { accessToken: token });

export const names = (list: readonly AnyJson[], key = 'name') => list.map((one) => one[key]);
