// Zip archives, read entry by entry.

import { zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { BadArchive, contentOf, crcOf, zipEntriesOf } from './archive';

const bytes = (text: string) => new TextEncoder().encode(text);

const bucketOf = (content: Uint8Array) => ({
  get: async (_: string, { range }: { range: { offset: number; length?: number } }) => {
    const body = new Blob([content.slice(range.offset, range.length === undefined ? undefined : range.offset + range.length) as never]);
    return { body: body.stream(), arrayBuffer: () => body.arrayBuffer() };
  },
});

describe('an archive', () => {
  const open = async (content: Uint8Array) => {
    const bucket = bucketOf(content) as never;
    const files: Record<string, string> = {};
    for (const entry of await zipEntriesOf(bucket, '', content.length)) {
      const parts: Uint8Array[] = [];
      for await (const part of contentOf(bucket, '', entry)) parts.push(part);
      files[entry.name] = new TextDecoder().decode(Buffer.concat(parts));
    }
    return files;
  };
  const text = 'user_id,login_id,status\n'.repeat(20);

  test('is read entry by entry, compressed or not', async () => {
    const zip = zipSync({ 'a.csv': bytes(text), 'd/b.csv': [bytes('plain'), { level: 0 }], 'empty.csv': bytes('') }, {
      comment: 'x',
    } as never);
    expect(await open(zip)).toEqual({ 'a.csv': text, 'd/b.csv': 'plain', 'empty.csv': '' });
    expect(crcOf(bytes('123456789'))).toBe(0xcbf43926);
  });

  test('is refused when truncated, corrupt, or expanding a hundredfold', async () => {
    const zip = zipSync({ 'a.csv': bytes(text) });
    await expect(open(zip.slice(0, -10))).rejects.toThrow(BadArchive);
    await expect(open(bytes('user_id'))).rejects.toThrow(BadArchive);
    const broken = zip.slice();
    broken.fill(7, 40, 60);
    await expect(open(broken)).rejects.toThrow(BadArchive);
    await expect(open(zipSync({ 'a.csv': new Uint8Array(1_000_000) }))).rejects.toThrow(/too large/);
  });

  test('with false sizes is refused', async () => {
    const zip = zipSync({ 'a.csv': bytes(text) });
    const at = zip.length - 22 - 46 - 5 + 24;
    new DataView(zip.buffer).setUint32(at, 10, true);
    await expect(open(zip)).rejects.toThrow(BadArchive);
  });
});
