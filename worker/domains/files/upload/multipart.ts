// Parses multipart/form-data as a stream (RFC 7578): no part is buffered completely.

export interface MultipartPart {
  readonly name: string;
  /** Only file parts have one. */
  readonly filename: string | undefined;
  /** Unread content is skipped. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** The body does not match its boundary, or is truncated. */
export class BrokenMultipart extends Error {}

const longestHeaders = 16_384;
const mostParts = 200;

export const boundaryOf = (contentType: string | null): string | undefined => {
  const [, quoted, bare] = /^multipart\/form-data\b.*;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType ?? '') ?? [];
  return quoted ?? bare;
};

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** The index of `mark` in `bytes`, or -1. */
function find(bytes: Uint8Array, mark: Uint8Array): number {
  const first = mark[0] as number;
  for (let at = bytes.indexOf(first); at >= 0 && at + mark.length <= bytes.length; at = bytes.indexOf(first, at + 1)) {
    let length = 1;
    while (length < mark.length && bytes[at + length] === mark[length]) length += 1;
    if (length === mark.length) return at;
  }
  return -1;
}

/** The index from which `bytes` could be the beginning of `mark`. */
function tailOf(bytes: Uint8Array, mark: Uint8Array): number {
  for (let at = Math.max(0, bytes.length - mark.length + 1); at < bytes.length; at += 1) {
    let length = 0;
    while (at + length < bytes.length && bytes[at + length] === mark[length]) length += 1;
    if (at + length === bytes.length) return at;
  }
  return bytes.length;
}

/** Splits a stream at marks, regardless of chunk borders. */
class Scanner {
  private readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  // The first boundary has no line break before it; prepending one makes all boundaries alike.
  private held: Uint8Array = bytesOf('\r\n');

  constructor(body: ReadableStream<Uint8Array>) {
    this.reader = body.getReader();
  }

  private async more(): Promise<void> {
    const { done, value } = await this.reader.read().catch((error: unknown) => {
      throw new BrokenMultipart('the body is truncated', { cause: error });
    });
    if (done) throw new BrokenMultipart('the body ends inside a part');
    const joined = new Uint8Array(this.held.length + value.length);
    joined.set(this.held);
    joined.set(value, this.held.length);
    this.held = joined;
  }

  /** Reads the rest after the last boundary, so that the sender is not disconnected. */
  async end(): Promise<void> {
    for (let length = 0; length < longestHeaders; ) {
      const { done, value } = await this.reader.read().catch(() => ({ done: true, value: undefined }));
      if (done) return;
      length += value?.length ?? 0;
    }
  }

  /** The bytes up to a mark; the mark is consumed. */
  async *upTo(mark: Uint8Array): AsyncGenerator<Uint8Array, void> {
    for (;;) {
      const at = find(this.held, mark);
      const end = at >= 0 ? at : tailOf(this.held, mark);
      if (end > 0) yield this.held.subarray(0, end);
      this.held = this.held.subarray(at >= 0 ? at + mark.length : end);
      if (at >= 0) return;
      await this.more();
    }
  }

  /** Consumes the next bytes if they equal the mark, and returns whether they did. */
  async skips(mark: Uint8Array): Promise<boolean> {
    while (this.held.length < mark.length) await this.more();
    if (!mark.every((byte, at) => this.held[at] === byte)) return false;
    this.held = this.held.subarray(mark.length);
    return true;
  }
}

/** The whole content as text. @throws BrokenMultipart when it is longer than allowed */
export async function readText(content: AsyncIterable<Uint8Array>, longest: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for await (const chunk of content) {
    length += chunk.length;
    if (length > longest) throw new BrokenMultipart('a part is too long');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function parameterOf(disposition: string, name: string): string | undefined {
  const [, quoted, bare] = new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;]*))`, 'i').exec(disposition) ?? [];
  return quoted?.replace(/\\(["\\])/g, '$1') ?? bare;
}

/** Makes content that a reader may stop reading early. */
const leavable = (inner: AsyncGenerator<Uint8Array, void>): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => ({ next: () => inner.next() }),
});

/**
 * The parts in order; each must be read before the next is requested.
 * @throws BrokenMultipart
 */
export async function* multipartParts(body: ReadableStream<Uint8Array>, boundary: string): AsyncGenerator<MultipartPart, void> {
  const scanner = new Scanner(body);
  const delimiter = bytesOf(`\r\n--${boundary}`);
  const endOfHeaders = bytesOf('\r\n\r\n');
  const dashes = bytesOf('--');
  for await (const _ of scanner.upTo(delimiter));
  for (let count = 0; !(await scanner.skips(dashes)); count += 1) {
    if (count === mostParts) throw new BrokenMultipart('there are too many parts');
    const [padding = '', ...headers] = (await readText(scanner.upTo(endOfHeaders), longestHeaders)).split('\r\n');
    const disposition = headers.find((header) => /^content-disposition:/i.test(header)) ?? '';
    const name = parameterOf(disposition, 'name');
    if (padding.trim() !== '' || name === undefined) throw new BrokenMultipart('a part has no name');
    const content = leavable(scanner.upTo(delimiter));
    yield { name, filename: parameterOf(disposition, 'filename\\*?'), content };
    for await (const _ of content);
  }
  await scanner.end();
}
