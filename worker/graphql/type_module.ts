// A part of the schema: SDL, what resolves its fields, and the types that `node` finds.

import type { Loader, Resolvers } from './graph';

export interface TypeModule {
  readonly sdl: string;
  /** By type. A field without a resolver is the key of REST with its name in snake case, or null. */
  readonly resolvers?: Readonly<Record<string, Resolvers>>;
  readonly loaders?: Readonly<Record<string, Loader>>;
}
