// What is known of an endpoint without its handler: its address, and what its responses and conditions are about.

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH';

/**
 * What `If-Match` and `If-None-Match` refer to, and when the condition is checked:
 * - `item`: the object of the path, in this request;
 * - `name`: the name of a new object, which must be free, in this request;
 * - `upload`: the file with that name, once its bytes have arrived;
 * - `ticket`: no header; this request checks the condition of the `upload`;
 * - `bytes`: the content that is read, in this request, with a response without a body;
 * - `feed`: a text that is read; only `If-None-Match`.
 */
export type Conditional = 'item' | 'name' | 'upload' | 'ticket' | 'bytes' | 'feed';

/** An endpoint as token scopes see it. */
export interface Operation {
  readonly method: Method;
  /** Below `/api/v1` unless `absolute`. */
  readonly path: string;
  readonly absolute?: boolean;
  readonly options: { readonly returns: object; readonly summary?: string };
}
