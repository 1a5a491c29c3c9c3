// The bindings of a Worker with a count of each use, found by what they are, so that a new binding is counted without a change here.

import { counts, tracked, work } from './counts';
import { strikes } from './faults';

// biome-ignore lint/suspicious/noExplicitAny: the bindings are wrapped by what they can do, not by their types.
type Anything = any;

const inner = Symbol('inner');
const queueUnit = 64 * 1024;
const sizeOf = (value: unknown): number => {
  if (typeof value === 'string') return value.length;
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return value.byteLength;
  if (value instanceof Blob) return value.size;
  return 0;
};

/** The same object with some methods replaced; every other call goes to the original, as its own method. */
export function overlay<T extends object>(original: T, replaced: Readonly<Record<PropertyKey, unknown>>): T {
  return new Proxy(original, {
    get(target, name) {
      if (name === inner) return target;
      if (Object.hasOwn(replaced, name)) return replaced[name];
      const value = Reflect.get(target, name, target) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

type Place = 'worker' | 'object';

function note(results: readonly Anything[], place: Place): void {
  counts.d1_trips += 1;
  counts.d1_statements += results.length;
  if (place === 'object') counts.object_trips += 1;
  for (const { meta } of results) {
    counts.d1_rows_read += meta.rows_read ?? 0;
    counts.d1_rows_written += meta.rows_written ?? 0;
    if (meta.size_after) work.d1_bytes = meta.size_after;
  }
}

function countedStatement(statement: D1PreparedStatement, place: Place): D1PreparedStatement {
  const all = async () => {
    const result = await tracked(statement.all());
    note([result], place);
    return result;
  };
  return overlay(statement, {
    bind: (...values: unknown[]) => countedStatement(statement.bind(...values), place),
    all,
    run: all,
    raw: async () => (await all()).results.map((row) => Object.values(row)),
    async first(column?: string) {
      const [row] = (await all()).results;
      return row === undefined ? null : column === undefined ? row : row[column];
    },
  });
}

const countedSource = (source: Anything, place: Place): Anything =>
  overlay(source, {
    prepare: (sql: string) => countedStatement(source.prepare(sql), place),
    async batch(statements: Anything[]) {
      const results = await tracked<Anything[]>(source.batch(statements.map((one) => one[inner] ?? one)));
      note(results, place);
      return results;
    },
    ...('withSession' in source && { withSession: (start: string) => countedSource(source.withSession(start), place) }),
  });

const classA = ['put', 'list', 'createMultipartUpload', 'uploadPart', 'complete'];
const classB = ['get', 'head'];
/** Neither is billed. */
const free = ['delete', 'abort'];

/** A bucket, or an upload in parts. */
function countedBucket(bucket: Anything): Anything {
  const call =
    (name: string) =>
    async (...given: Anything[]) => {
      if (strikes('r2')) throw new Error(`${name}: We encountered an internal error. Please try again. (10001)`);
      if (classA.includes(name)) counts.r2_class_a += 1;
      if (classB.includes(name)) counts.r2_class_b += 1;
      const result = await tracked<Anything>(bucket[name](...given));
      if (name === 'put') counts.r2_bytes_written += result?.size ?? 0;
      if (name === 'uploadPart') counts.r2_bytes_written += sizeOf(given[1]);
      return name === 'createMultipartUpload' ? countedBucket(result) : result;
    };
  const methods = Object.fromEntries([...classA, ...classB, ...free].filter((name) => name in bucket).map((name) => [name, call(name)]));
  return overlay(bucket, {
    ...methods,
    ...('resumeMultipartUpload' in bucket && {
      resumeMultipartUpload: (key: string, id: string) => countedBucket(bucket.resumeMultipartUpload(key, id)),
    }),
  });
}

export const queueUnits = (body: unknown): number => Math.max(1, Math.ceil((JSON.stringify(body) ?? '').length / queueUnit));

/** Without delays, which only spread the work. */
const countedQueue = (queue: Anything): Anything =>
  overlay(queue, {
    send(body: unknown) {
      counts.queue_operations += queueUnits(body);
      work.pending += 1;
      return queue.send(body);
    },
    sendBatch(messages: Iterable<{ body: unknown }>) {
      const all = [...messages];
      for (const { body } of all) counts.queue_operations += queueUnits(body);
      work.pending += all.length;
      return queue.sendBatch(all.map(({ body }) => ({ body })));
    },
  });

/** A stub; each call of a method is a request to the object. */
const countedStub = (stub: Anything): Anything =>
  new Proxy(stub, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      if (typeof value !== 'function' || name === 'then') return value;
      return (...given: unknown[]) => {
        counts.object_requests += 1;
        return tracked(Promise.resolve(Reflect.apply(value, target, given)));
      };
    },
  });

const countedNamespace = (namespace: Anything): Anything =>
  overlay(namespace, {
    get: (id: unknown, options?: unknown) => countedStub(namespace.get(id, options)),
    ...('getByName' in namespace && { getByName: (name: string, options?: unknown) => countedStub(namespace.getByName(name, options)) }),
    ...('jurisdiction' in namespace && { jurisdiction: (name: string) => countedNamespace(namespace.jurisdiction(name)) }),
  });

const countedStore = (store: Anything): Anything => {
  const call =
    (name: string, kind: 'kv_reads' | 'kv_writes') =>
    (...given: unknown[]) => {
      counts[kind] += 1;
      return tracked(store[name](...given));
    };
  return overlay(store, {
    get: call('get', 'kv_reads'),
    getWithMetadata: call('getWithMetadata', 'kv_reads'),
    list: call('list', 'kv_writes'),
    put: call('put', 'kv_writes'),
    delete: call('delete', 'kv_writes'),
  });
};

/** Most specific first. */
const kinds: readonly [is: (binding: Anything) => boolean, wrap: (binding: Anything, place: Place) => Anything][] = [
  [(one) => 'prepare' in one && 'batch' in one, countedSource],
  [(one) => 'createMultipartUpload' in one, countedBucket],
  [(one) => 'idFromName' in one, countedNamespace],
  [(one) => 'sendBatch' in one, countedQueue],
  [(one) => 'getWithMetadata' in one, countedStore],
];

const wrapped = (binding: unknown, place: Place): unknown => {
  if (typeof binding !== 'object' || binding === null) return binding;
  return kinds.find(([is]) => is(binding))?.[1](binding, place) ?? binding;
};

/** Sends nothing, and counts. */
const countingEmail = {
  async send() {
    counts.emails += 1;
    return { messageId: 'counted' };
  },
};

export const countedBindings = <Env extends object>(env: Env, place: Place): Env =>
  ({
    ...Object.fromEntries(Object.entries(env).map(([name, binding]) => [name, wrapped(binding, place)])),
    EMAIL: countingEmail,
  }) as unknown as Env;
