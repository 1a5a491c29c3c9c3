// The format of page views in R2. An object consists of blocks, each compressed by itself, so that reading one user's views is one range read.

import type { Platform } from '../../platform';
import { byPosition, linesIn, type ViewLine, type ViewPosition } from './lines';

export type ViewStore = Pick<Platform, 'FILES'>;

/** Below it are the batches of isolates that have not been taken in. */
export const newViews = 'page_views/new/';
/** Below it are the objects of runs, by day. */
export const runViews = 'page_views/runs/';

/** Characters of a block before compression. */
const fullBlock = 128 * 1024;
/** Blocks of an object: 8 MB before compression. */
const mostBlocks = 64;

export interface StoredObject {
  readonly key: string;
  readonly from_user: number;
  readonly to_user: number;
  readonly to_time: string;
  readonly to_uuid: string;
  /** As in the table. */
  readonly blocks: readonly number[];
}

const gzip = async (text: string): Promise<Uint8Array> =>
  new Uint8Array(await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer());

const gunzip = (bytes: Uint8Array): Promise<string> =>
  new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text();

const secondsOf = (time: string): number => Math.floor(Date.parse(time) / 1000);

/** Writes sorted lines as objects. */
export class RunWriter {
  readonly stored: StoredObject[] = [];
  #lines: ViewLine[] = [];
  #length = 0;
  #blocks: { readonly bytes: Uint8Array; readonly first: ViewLine }[] = [];
  #last: ViewLine | undefined;

  /** @param day of the views, by which objects are found when they have expired */
  constructor(
    private readonly env: ViewStore,
    private readonly day: string,
  ) {}

  /** @returns whether `rest` must be awaited before the next line */
  add(line: ViewLine): boolean {
    this.#lines.push(line);
    this.#length += line.text.length;
    this.#last = line;
    return this.#length >= fullBlock;
  }

  /** Closes a full block, and stores a full object. */
  async rest(): Promise<void> {
    await this.#closeBlock();
    if (this.#blocks.length >= mostBlocks) await this.close();
  }

  async #closeBlock(): Promise<void> {
    const [first] = this.#lines;
    if (!first) return;
    const bytes = await gzip(this.#lines.map(({ text }) => text).join(''));
    this.#blocks.push({ bytes, first });
    this.#lines = [];
    this.#length = 0;
  }

  /** Stores what has been added. */
  async close(): Promise<void> {
    await this.#closeBlock();
    const [begin] = this.#blocks;
    if (!begin || !this.#last) return;
    // A unique key: a second chore that merges the same runs never overwrites an object that is in use.
    const key = `${runViews}${this.day}/${crypto.randomUUID()}`;
    await this.env.FILES.put(key, new Blob(this.#blocks.map(({ bytes }) => bytes)));
    let end = 0;
    const blocks = this.#blocks.flatMap(({ bytes, first }) => {
      end += bytes.length;
      return [first.user, secondsOf(first.time), end];
    });
    const { user, time, uuid } = this.#last;
    this.stored.push({ key, from_user: begin.first.user, to_user: user, to_time: time, to_uuid: uuid, blocks });
    this.#blocks = [];
  }
}

interface Block {
  readonly user: number;
  readonly seconds: number;
  readonly start: number;
  readonly end: number;
}

const blocksOf = ({ blocks }: StoredObject): Block[] =>
  Array.from({ length: blocks.length / 3 }, (_, nth) => ({
    user: blocks[nth * 3] as number,
    seconds: blocks[nth * 3 + 1] as number,
    start: nth === 0 ? 0 : (blocks[nth * 3 - 1] as number),
    end: blocks[nth * 3 + 2] as number,
  }));

/** The last block that begins before the position. */
function blockBefore(blocks: readonly Block[], { user, time }: Pick<ViewPosition, 'user' | 'time'>): number {
  const seconds = secondsOf(time);
  const nth = blocks.findLastIndex((block) => block.user < user || (block.user === user && block.seconds > seconds));
  return Math.max(0, nth);
}

/** A missing object is logged and read as empty: a restored database may name objects that have been deleted since. */
function missing(key: string): undefined {
  console.error(JSON.stringify({ page_views: 'missing', key }));
  return undefined;
}

/** At most two blocks contain a page of a user, wherever it begins. */
const blocksAtOnce = 2;

/** Views of one user in an object, and whether it has more of them. */
export interface ViewSlice {
  readonly lines: readonly ViewLine[];
  readonly hasMore: boolean;
}

/** The next views of a user after a position. @param count is called for each read */
export async function sliceOf(env: ViewStore, object: StoredObject, after: ViewPosition, count: () => void): Promise<ViewSlice> {
  const blocks = blocksOf(object);
  const beyond = blocks.findIndex((block) => block.user > after.user);
  const end = beyond === -1 ? blocks.length : beyond;
  const isOf = `[${after.user},`;
  // Views of the same second as the position may fill blocks.
  for (let nth = blockBefore(blocks, after); nth < end; nth += blocksAtOnce) {
    const part = blocks.slice(nth, Math.min(end, nth + blocksAtOnce));
    const offset = part[0]?.start ?? 0;
    count();
    const body = await env.FILES.get(object.key, { range: { offset, length: (part.at(-1)?.end ?? 0) - offset } });
    if (!body) return { lines: [], hasMore: missing(object.key) ?? false };
    const bytes = new Uint8Array(await body.arrayBuffer());
    const texts = await Promise.all(part.map((block) => gunzip(bytes.subarray(block.start - offset, block.end - offset))));
    const lines = linesIn(
      texts
        .join('')
        .split('\n')
        .filter((text) => text.startsWith(isOf))
        .join('\n'),
    ).filter((line) => byPosition(line, after) > 0);
    const isLast = nth + part.length >= end;
    if (lines.length > 0 || isLast) return { lines, hasMore: isLast ? object.to_user === after.user : true };
  }
  return { lines: [], hasMore: object.to_user === after.user };
}

/** The lines of a run in order, block by block. One object is in memory at a time. */
export class RunReader {
  head: ViewLine | undefined;
  #lines: readonly ViewLine[] = [];
  #nth = 0;
  #bytes: Uint8Array | undefined;
  #blocks: Block[] = [];

  /**
   * @param objects in order
   * @param last the position after which reading starts
   */
  constructor(
    private readonly env: ViewStore,
    private readonly objects: StoredObject[],
    private last: ViewPosition | undefined,
  ) {}

  /** Goes to the next line of the block. @returns false when `load` must be awaited */
  step(): boolean {
    while (this.#nth < this.#lines.length) {
      const line = this.#lines[this.#nth++] as ViewLine;
      // Objects of two chores that ran at the same time may overlap.
      if (this.last && byPosition(line, this.last) <= 0) continue;
      this.last = line;
      this.head = line;
      return true;
    }
    this.head = undefined;
    return false;
  }

  /** Reads on to the next line. */
  async load(): Promise<void> {
    while (!this.step()) {
      const block = this.#blocks.shift();
      if (block && this.#bytes) {
        this.#lines = linesIn(await gunzip(this.#bytes.subarray(block.start, block.end)));
        this.#nth = 0;
      } else if (!(await this.#open())) return;
    }
  }

  async #open(): Promise<boolean> {
    const object = this.objects.shift();
    if (!object) return false;
    const body = await this.env.FILES.get(object.key);
    this.#bytes = body ? new Uint8Array(await body.arrayBuffer()) : missing(object.key);
    const blocks = blocksOf(object);
    this.#blocks = blocks.slice(this.last ? blockBefore(blocks, this.last) : 0);
    return true;
  }
}
