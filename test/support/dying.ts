// A database that stops answering, as when an isolate is killed between two batches.

import { env } from 'cloudflare:workers';
import type { Platform } from '@carrel/worker/platform';

const bound = (target: object, name: string | symbol) => {
  const member = Reflect.get(target, name);
  return typeof member === 'function' ? member.bind(target) : member;
};

/** The platform, whose database throws after this many batches. */
export function dyingAfter(batches: number): Platform {
  let made = 0;
  const session = (inner: object) =>
    new Proxy(inner, {
      get: (target, name) =>
        name === 'batch'
          ? (...given: unknown[]) => {
              made += 1;
              if (made > batches) throw new Error('killed');
              return bound(target, name)(...given);
            }
          : bound(target, name),
    });
  const DB = new Proxy(env.DB as object, {
    get: (target, name) => (name === 'withSession' ? (...given: unknown[]) => session(bound(target, name)(...given)) : bound(target, name)),
  });
  return { ...(env as unknown as Platform), DB: DB as Platform['DB'] };
}
