// What the pages of a PDF show besides their words: one hash for each page, of its pictures as they are in the file and of what is drawn
// between them. Pictures are not decoded, and only the structure of the file is parsed.

import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { mostPdfPages } from './bounds.ts';

/** Milliseconds; after that only words are compared. */
const longest = 8000;
/** Bytes of the structure, and of the drawing of one page. */
const mostOfObject = 300_000;
const mostOfStream = 8_000_000;
const deepest = 40;

interface Thing {
  readonly of: Buffer;
  readonly from: number;
  /** Its end, if known. */
  readonly to?: number;
}

class TooLong extends Error {}

/** An empty string for a page without drawings. An empty list if the file cannot be parsed, such as one with a password. */
export function drawnPages(given: Uint8Array): readonly string[] {
  try {
    const file = new File(Buffer.from(given.buffer, given.byteOffset, given.byteLength));
    return file.pages();
  } catch {
    return [];
  }
}

class File {
  readonly #bytes: Buffer;
  readonly #things = new Map<number, Thing>();
  readonly #digests = new Map<number, string>();
  readonly #until = Date.now() + longest;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    if (bytes.includes('/Encrypt')) throw new Error('locked');
    this.#find();
  }

  pages(): string[] {
    const at = this.#bytes.lastIndexOf('/Root');
    const root = referenceIn(textIn(this.#bytes, at, at + 60), 'Root');
    const top = root === undefined ? undefined : referenceIn(this.#dictionary(root), 'Pages');
    const found: string[] = [];
    const seen = new Set<number>();
    const walk = (id: number, resources: string, depth: number): void => {
      if (seen.has(id) || depth > deepest || found.length >= mostPdfPages) return;
      seen.add(id);
      const node = this.#dictionary(id);
      const own = this.#valueIn(node, 'Resources') ?? resources;
      const kids = this.#valueIn(node, 'Kids');
      if (kids !== undefined) for (const kid of referencesIn(kids)) walk(kid, own, depth + 1);
      else found.push(this.#drawn(node, own));
    };
    if (top !== undefined) walk(top, '', 0);
    return found;
  }

  /** Where each object is; a later object replaces an earlier one with its number. */
  #find(): void {
    const bytes = this.#bytes;
    for (let at = bytes.indexOf('obj'); at !== -1; at = bytes.indexOf('obj', at + 3)) {
      const [, id] = /(\d+)\s+\d+\s+$/.exec(textIn(bytes, Math.max(0, at - 24), at)) ?? [];
      if (id === undefined) continue;
      this.#expectTime();
      this.#things.set(Number(id), { of: bytes, from: at + 3 });
      if (textIn(bytes, at, at + 400).includes('/ObjStm')) this.#unpack(Number(id));
    }
  }

  /** Objects that are compressed together. */
  #unpack(id: number): void {
    const head = this.#dictionary(id);
    const [first, count] = ['First', 'N'].map((name) => Number(new RegExp(`/${name}\\s+(\\d+)`).exec(head)?.[1] ?? 0)) as [number, number];
    const packed = this.#stream(id);
    if (!packed) return;
    const places = textIn(packed, 0, first).trim().split(/\s+/).map(Number);
    for (let nth = 0; nth < Math.min(count, places.length / 2); nth++) {
      const [one, from, to] = [places[2 * nth] ?? 0, first + (places[2 * nth + 1] ?? 0), first + (places[2 * nth + 3] ?? packed.length)];
      this.#things.set(one, { of: packed, from, to: Math.min(to, packed.length) });
    }
  }

  #drawn(page: string, resources: string): string {
    const drawing = referencesIn(this.#valueIn(page, 'Contents', false) ?? '')
      .map((id) => textIn(this.#stream(id) ?? nothing))
      .join('\n');
    return this.#shown(drawing, resources, 0);
  }

  /** Empty if nothing is drawn. Pictures are identified by their bytes, not by their names. */
  #shown(drawing: string, resources: string, depth: number): string {
    const lines = linesIn(drawing);
    const named = depth > 5 ? '' : (this.#valueIn(resources, 'XObject') ?? '');
    const shown = new Set([...drawing.matchAll(/\/([^\s/<>[\]()]+)\s+Do\b/g)].map(([, name]) => name));
    const pictures = [...named.matchAll(/\/([^\s/<>[\]()]+)\s+(\d+)\s+\d+\s+R\b/g)]
      .filter(([, name]) => shown.has(name))
      .map(([, , id]) => this.#digest(Number(id), depth))
      .filter((digest) => digest !== '');
    return pictures.length === 0 && !draws.test(lines) ? '' : hashOf(lines, ...pictures.toSorted());
  }

  #digest(id: number, depth: number): string {
    const known = this.#digests.get(id);
    if (known !== undefined) return known;
    this.#digests.set(id, '');
    this.#expectTime();
    const head = this.#dictionary(id);
    const isForm = /\/Subtype\s*\/Form\b/.test(head);
    const digest = isForm
      ? this.#shown(textIn(this.#stream(id) ?? nothing), this.#valueIn(head, 'Resources') ?? '', depth + 1)
      : hashOf(this.#raw(id) ?? '');
    this.#digests.set(id, digest);
    return digest;
  }

  #dictionary(id: number): string {
    this.#expectTime();
    const thing = this.#things.get(id);
    if (!thing) return '';
    const part = thing.of.subarray(thing.from, Math.min(thing.to ?? Number.POSITIVE_INFINITY, thing.from + mostOfObject));
    if (thing.to !== undefined) return textIn(part);
    const ends = [part.indexOf('endobj'), part.indexOf('stream')].filter((at) => at !== -1);
    return textIn(part, 0, Math.min(part.length, ...ends));
  }

  #raw(id: number): Buffer | undefined {
    const thing = this.#things.get(id);
    if (!thing || thing.to !== undefined) return undefined;
    const head = this.#dictionary(id);
    const begins = thing.from + head.length;
    if (textIn(thing.of, begins, begins + 6) !== 'stream') return undefined;
    const from = begins + (thing.of[begins + 6] === 13 ? 8 : 7);
    const [, given, isElsewhere] = /\/Length\s+(\d+)(\s+\d+\s+R)?/.exec(head) ?? [];
    const length = isElsewhere ? Number(/\d+/.exec(this.#dictionary(Number(given)))?.[0]) : Number(given);
    const isTold = Number.isFinite(length) && textIn(thing.of, from + length, from + length + 12).includes('endstream');
    const to = isTold ? from + length : thing.of.indexOf('endstream', from);
    return to === -1 ? undefined : thing.of.subarray(from, to);
  }

  #stream(id: number): Buffer | undefined {
    const raw = this.#raw(id);
    const filter = /\/Filter\s*(\[[^\]]*\]|\/\w+)/.exec(this.#dictionary(id))?.[1];
    if (!raw || filter === undefined) return raw?.subarray(0, mostOfStream);
    if (!/^\[?\s*\/FlateDecode\s*\]?$/.test(filter)) return raw;
    try {
      return inflateSync(raw, { maxOutputLength: mostOfStream });
    } catch {
      return undefined;
    }
  }

  /** The value of a name, here or in the object that it refers to. */
  #valueIn(dictionary: string, name: string, isFollowed = true): string | undefined {
    const at = new RegExp(`/${name}(?![A-Za-z])\\s*`).exec(dictionary);
    if (!at) return undefined;
    const rest = dictionary.slice(at.index + at[0].length);
    const [, id] = /^(\d+)\s+\d+\s+R/.exec(rest) ?? [];
    if (id !== undefined) {
      const there = isFollowed || /^\s*\[/.test(this.#dictionary(Number(id)));
      return there ? this.#dictionary(Number(id)) : `${id} 0 R`;
    }
    if (rest.startsWith('[')) return rest.slice(0, rest.indexOf(']') + 1);
    let open = 0;
    for (const { 0: sign, index } of rest.matchAll(/<<|>>/g)) {
      open += sign === '<<' ? 1 : -1;
      if (open <= 0) return rest.slice(0, index + 2);
    }
    return undefined;
  }

  #expectTime(): void {
    if (Date.now() > this.#until) throw new TooLong();
  }
}

/** Without text, which is compared on its own and may be encoded differently, and without the names of resources. */
const linesIn = (drawing: string): string =>
  drawing
    .replaceAll(/\bBT\b[\s\S]*?\bET\b/g, ' ')
    .replaceAll(/\/MCID\s+\d+|\/[A-Za-z]+[\d.-]*(?=[\s<])/g, ' ')
    .replaceAll(/\s+/g, ' ');
/** Something is filled or stroked. */
const draws = /(?:^|\s)(?:f|F|B|b|s|S|sh|f\*|B\*|b\*|EI)(?=\s|$)/;

const nothing = Buffer.alloc(0);
/** Byte by byte, up to the end of the file. */
const textIn = (bytes: Buffer, from = 0, to = bytes.length): string => bytes.toString('latin1', from, to);

const referencesIn = (text: string): number[] => [...text.matchAll(/(\d+)\s+\d+\s+R\b/g)].map(([, id]) => Number(id));
const referenceIn = (dictionary: string, name: string): number | undefined => {
  const [, id] = new RegExp(`/${name}\\s+(\\d+)\\s+\\d+\\s+R`).exec(dictionary) ?? [];
  return id === undefined ? undefined : Number(id);
};

function hashOf(...parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha1');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('base64url').slice(0, 12);
}
