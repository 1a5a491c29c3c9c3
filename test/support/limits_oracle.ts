// Holds every request, job, scheduled run and object call of these tests to half of the platform's limits.

import { env } from 'cloudflare:test';
import { AsyncLocalStorage } from 'node:async_hooks';
import { allowed, type LimitName } from './platform_limits';

interface Invocation {
  readonly name: string;
  readonly used: Map<LimitName, number>;
}

const running = new AsyncLocalStorage<Invocation>();
const excesses = new Set<string>();

function note(name: LimitName, count: number): void {
  const invocation = running.getStore();
  if (invocation && count > allowed(name)) excesses.add(`${invocation.name}: ${count.toLocaleString('en-US')} ${name}`);
}

function add(name: LimitName, count = 1): void {
  const used = running.getStore()?.used;
  if (!used) return;
  const sum = (used.get(name) ?? 0) + count;
  used.set(name, sum);
  note(name, sum);
}

// biome-ignore lint/suspicious/noExplicitAny: functions of the runtime, of any type.
type Anything = any;

/** Replaces a method by one that is noted first. */
function watch(owner: Anything, name: string, before: (given: readonly Anything[], self: Anything) => void): void {
  const plain = owner[name];
  owner[name] = function (this: Anything, ...given: Anything[]) {
    before(given, this);
    return Reflect.apply(plain, this, given);
  };
}

const bytesOf = (value: unknown): number =>
  typeof value === 'string' ? value.length : value instanceof ArrayBuffer ? value.byteLength : 0;

function watchDatabase(): void {
  const session = Object.getPrototypeOf((env.DB as Anything).withSession('first-primary'));
  watch(session, '_sendOrThrow', ([, text, params]) => {
    add('subrequests');
    add('D1 statements', Array.isArray(text) ? text.length : 1);
    for (const value of params.flat()) note('bytes of a D1 parameter', bytesOf(value));
  });
}

const whole = ['text', 'json', 'arrayBuffer', 'blob', 'bytes'] as const;

function watchFiles(): void {
  const bucket = Object.getPrototypeOf(env.FILES);
  for (const name of ['head', 'put', 'delete', 'list', 'createMultipartUpload']) watch(bucket, name, () => add('subrequests'));
  const isWatched = new WeakSet<object>();
  const plain = bucket.get;
  bucket.get = async function (this: Anything, ...given: Anything[]) {
    add('subrequests');
    const found: Anything = await Reflect.apply(plain, this, given);
    const body: Anything = found?.body && Object.getPrototypeOf(found);
    if (body && !isWatched.has(body)) {
      isWatched.add(body);
      for (const name of whole)
        if (body[name]) watch(body, name, (_, { size, range }) => note('bytes of a buffered body', range?.length ?? size));
    }
    return found;
  };
}

function watchQueue(): void {
  const queue = Object.getPrototypeOf(env.WORK);
  const sizeOf = (body: unknown) => JSON.stringify(body).length;
  watch(queue, 'send', ([body]) => {
    add('subrequests');
    note('bytes of a queue message', sizeOf(body));
  });
  watch(queue, 'sendBatch', ([given]) => {
    add('subrequests');
    const messages = [...given].map(({ body }: { body: unknown }) => sizeOf(body));
    note('messages of a queue batch', messages.length);
    note('bytes of a queue message', Math.max(0, ...messages));
    note(
      'bytes of a queue batch',
      messages.reduce((sum, one) => sum + one, 0),
    );
  });
}

/** Within an invocation, a stub of an object counts its calls. Tests get the stub itself. */
function watchObjects(): void {
  const counting = (stub: object) =>
    new Proxy(stub, {
      get(target, name) {
        const member = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...given: unknown[]) => {
          add('subrequests');
          return Reflect.apply(member, target, given);
        };
      },
    });
  const namespace = Object.getPrototypeOf(env.CONVERSATION);
  for (const name of ['get', 'getByName']) {
    const plain = namespace[name];
    if (!plain) continue;
    namespace[name] = function (this: Anything, ...given: Anything[]) {
      const stub: Anything = Reflect.apply(plain, this, given);
      return running.getStore() ? counting(stub) : stub;
    };
  }
}

function watchWeb(): void {
  watch(globalThis, 'fetch', () => add('subrequests'));
  for (const name of ['match', 'put', 'delete']) watch(Object.getPrototypeOf(caches.default), name, () => add('subrequests'));
  const size = (request: Request) => Number(request.headers.get('content-length') ?? 0);
  for (const name of [...whole, 'formData'])
    watch(Request.prototype, name, (_, request) => note('bytes of a buffered body', size(request)));
}

/** Runs a method of the Worker or an object as an invocation of its own. */
function asInvocation(owner: Anything, method: string, nameOf: (given: readonly Anything[]) => string): void {
  const plain = owner[method];
  owner[method] = function (this: Anything, ...given: Anything[]) {
    return running.run({ name: nameOf(given), used: new Map() }, () => Reflect.apply(plain, this, given));
  };
}

/** Watches everything that this runtime runs from now on. */
export function holdToLimits(worker: Anything): void {
  watchDatabase();
  watchFiles();
  watchQueue();
  watchObjects();
  watchWeb();
  asInvocation(worker.default, 'fetch', ([request]) => `${request.method} ${new URL(request.url).pathname.replace(/\d+/g, ':id')}`);
  asInvocation(worker.default, 'queue', ([{ messages }]) => `jobs ${messages.map(({ body }: Anything) => body.job).join(', ')}`);
  asInvocation(worker.default, 'scheduled', () => 'scheduled work');
  for (const [name, exported] of Object.entries<Anything>(worker)) {
    const methods = typeof exported === 'function' ? Object.getOwnPropertyNames(exported.prototype) : [];
    for (const method of methods) if (method !== 'constructor') asInvocation(exported.prototype, method, () => `${name}.${method}`);
  }
}

/** What has exceeded a limit since the last call. */
export function newExcesses(): readonly string[] {
  const found = [...excesses];
  excesses.clear();
  return found;
}
