// Multipart bodies, however they are split into chunks.

import { describe, expect, test } from 'vitest';
import { BrokenMultipart, boundaryOf, multipartParts } from './multipart';

const encode = (text: string) => new TextEncoder().encode(text);

/** A body in chunks of this many bytes. */
function inChunks(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + size));
      at += size;
    },
  });
}

async function read(bytes: Uint8Array, size: number, boundary = 'b0undary') {
  const parts: { name: string; filename: string | undefined; text: string }[] = [];
  for await (const part of multipartParts(inChunks(bytes, size), boundary)) {
    const all: Uint8Array[] = [];
    for await (const chunk of part.content) all.push(chunk.slice());
    parts.push({ name: part.name, filename: part.filename, text: new TextDecoder('latin1').decode(Buffer.concat(all)) });
  }
  return parts;
}

const body = encode(
  [
    'an ignored preamble',
    '--b0undary  ',
    'Content-Disposition: form-data; name="key"',
    '',
    'value',
    '--b0undary',
    'content-disposition: form-data; name="file"; filename="a \\"b\\".txt"',
    'Content-Type: text/plain',
    '',
    'one\r\n--b0undar\r\n--b0undarx\r\r\n\r\n--',
    '--b0undary',
    'Content-Disposition: form-data; name="empty"',
    '',
    '',
    '--b0undary--',
    'an epilogue',
  ].join('\r\n'),
);
const expected = [
  { name: 'key', filename: undefined, text: 'value' },
  { name: 'file', filename: 'a "b".txt', text: 'one\r\n--b0undar\r\n--b0undarx\r\r\n\r\n--' },
  { name: 'empty', filename: undefined, text: '' },
];

test('parts are the same wherever chunks split the boundaries', async () => {
  for (let size = 1; size <= body.length; size += 1) expect(await read(body, size), `chunks of ${size}`).toEqual(expected);
});

test('bytes that resemble a boundary stay in the file', async () => {
  const content = '\r\n--b0undar\r\n--b0undarY\r\r\n--b\r\n\r\n--b0undar';
  const bytes = encode(`--b0undary\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n${content}\r\n--b0undary--`);
  for (const size of [1, 2, 3, 7, 11, 13, 1000]) expect((await read(bytes, size))[0]?.text).toBe(content);
});

test('a part that is not read to its end is skipped', async () => {
  const names: string[] = [];
  for await (const part of multipartParts(inChunks(body, 5), 'b0undary')) {
    names.push(part.name);
    for await (const _ of part.content) break;
  }
  expect(names).toEqual(['key', 'file', 'empty']);
});

describe('a body is refused', () => {
  const cases: [string, Uint8Array][] = [
    ['that ends within a part', body.slice(0, 150)],
    ['that ends before its closing boundary', body.slice(0, body.length - 20)],
    ['without a boundary', encode('nothing of the kind')],
    ['that is empty', new Uint8Array(0)],
    ['whose part has no name', encode('--b0undary\r\nContent-Type: text/plain\r\n\r\nx\r\n--b0undary--')],
    ['with endless headers', encode(`--b0undary\r\nX: ${'x'.repeat(20_000)}`)],
    ['with too many parts', encode(`${'--b0undary\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(300)}--b0undary--`)],
  ];
  test.each(cases)('%s', async (_, bytes) => {
    await expect(read(bytes, 16)).rejects.toThrow(BrokenMultipart);
  });
});

test('the boundary is read from the content type', () => {
  expect(boundaryOf('multipart/form-data; boundary=abc')).toBe('abc');
  expect(boundaryOf('Multipart/Form-Data; charset=utf-8; boundary="a b"; x=y')).toBe('a b');
  expect(boundaryOf('multipart/mixed; boundary=abc')).toBeUndefined();
  expect(boundaryOf('multipart/form-data')).toBeUndefined();
  expect(boundaryOf(null)).toBeUndefined();
});
