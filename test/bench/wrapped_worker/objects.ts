// Durable Objects with a count of their time, messages and storage, and with resets.

import { countedBindings, overlay } from './bindings';
import { counts, tracked } from './counts';
import { strikes } from './faults';

// biome-ignore lint/suspicious/noExplicitAny: any class of objects.
type Anything = any;

const writes = ['put', 'delete', 'deleteAll', 'setAlarm', 'deleteAlarm'];

/** Rows of the object's own database; a key, or an alarm, is a row. */
function countedStorage(storage: Anything): Anything {
  const rows = (given: Anything) => (typeof given === 'object' && given !== null ? Math.max(1, Object.keys(given).length) : 1);
  const read = async (given: Anything[], name: string) => {
    const result = await storage[name](...given);
    counts.object_rows_read += result instanceof Map ? Math.max(1, result.size) : 1;
    return result;
  };
  const write = (given: Anything[], name: string) => {
    counts.object_rows_written += rows(given[0]);
    return storage[name](...given);
  };
  const calls = [...['get', 'list'].map((name) => [name, read] as const), ...writes.map((name) => [name, write] as const)];
  const exec = (...given: Anything[]) => {
    const cursor = storage.sql.exec(...given);
    // The counts of a cursor are final once it has been read.
    queueMicrotask(() =>
      setTimeout(() => {
        counts.object_rows_read += cursor.rowsRead;
        counts.object_rows_written += cursor.rowsWritten;
      }, 5),
    );
    return cursor;
  };
  return overlay(storage, {
    ...Object.fromEntries(calls.map(([name, call]) => [name, (...given: Anything[]) => call(given, name)])),
    sql: storage.sql && overlay(storage.sql, { exec }),
  });
}

const events = ['webSocketMessage', 'webSocketClose', 'webSocketError', 'alarm'];

/** A class of objects as workerd runs it, with everything counted that an object does. */
export function countedObject<Class extends new (state: Anything, env: Anything) => object>(Base: Class): Class {
  const Counted = class extends (Base as new (state: Anything, env: Anything) => object) {
    constructor(state: Anything, env: Anything) {
      // The runtime accepts only its own state here.
      super(state, countedBindings(env, 'object'));
      const ctx = overlay(state, {
        storage: countedStorage(state.storage),
        waitUntil: (later: Promise<unknown>) => state.waitUntil(tracked(later)),
      });
      Object.defineProperty(this, 'ctx', { value: ctx, configurable: true });
      resets.set(this, () => state.abort('reset by the bench'));
    }
  };
  const names = new Set<string>();
  for (let shape = Base.prototype; shape && shape !== Object.prototype; shape = Object.getPrototypeOf(shape))
    if (Object.getOwnPropertyDescriptor(shape, 'constructor')?.value.name !== 'DurableObject')
      for (const name of Object.getOwnPropertyNames(shape)) if (name !== 'constructor') names.add(name);
  for (const name of names) {
    const method = Base.prototype[name];
    if (typeof method !== 'function') continue;
    Object.defineProperty(Counted.prototype, name, {
      configurable: true,
      writable: true,
      value: function counted(this: object, ...given: unknown[]) {
        return busy(this, name, () => Reflect.apply(method, this, given));
      },
    });
  }
  return Counted as Class;
}

const resets = new WeakMap<object, () => void>();
/** Objects that are at work, with their calls: a method may call another one of the same object. */
const active = new WeakMap<object, number>();

function busy(object: object, name: string, run: () => unknown): unknown {
  if (name === 'webSocketMessage') counts.object_messages += 1;
  if (name === 'alarm') counts.object_requests += 1;
  const depth = active.get(object) ?? 0;
  active.set(object, depth + 1);
  const started = performance.now();
  const end = () => {
    active.set(object, (active.get(object) ?? 1) - 1);
    // Calls at the same time share the time of the first.
    if (depth === 0) counts.object_ms += performance.now() - started;
    if (!events.includes(name) && strikes('object')) resets.get(object)?.();
  };
  const result = run();
  if (!(result instanceof Promise)) {
    end();
    return result;
  }
  return tracked(result).finally(end);
}
