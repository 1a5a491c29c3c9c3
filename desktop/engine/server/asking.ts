// What a request to the server consists of.

/** A body that is streamed; `problem` is why it could not be read to its end. */
export interface StreamRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ReadableStream<Uint8Array>;
  readonly problem: unknown;
}

export interface ServerRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly form?: FormData;
  /** Called for each attempt. */
  readonly sending?: () => StreamRequest;
  /** Attempts, including the first. */
  readonly tries?: number;
  /** Repeating the request would repeat its effect: on a server without idempotency keys it is not retried if it may have arrived. */
  readonly once?: boolean;
  /** Also ends the body; without it the body may take as long as bytes arrive. */
  readonly signal?: AbortSignal;
  /** Milliseconds until the response begins; an upload may take longer. */
  readonly patience?: number;
  /** The address contains its own authorization: some servers refuse such a request with a token. */
  readonly isBare?: boolean;
  /** Returns a redirect instead of following it, so that the caller decides whether to send the token there. */
  readonly stays?: boolean;
}
