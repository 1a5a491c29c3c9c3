// Rows as JSON, one a line, compressed.

/** Written while it is read, because a stream holds little. */
async function through(bytes: Uint8Array, { readable, writable }: CompressionStream | DecompressionStream): Promise<ArrayBuffer> {
  const writer = writable.getWriter();
  const [read] = await Promise.all([new Response(readable).arrayBuffer(), writer.write(bytes), writer.close()]);
  return read;
}

export const zipLines = (rows: readonly unknown[]): Promise<ArrayBuffer> =>
  through(new TextEncoder().encode(rows.map((row) => `${JSON.stringify(row)}\n`).join('')), new CompressionStream('gzip'));

export async function unzipLines<Row>(bytes: ArrayBuffer): Promise<Row[]> {
  const text = new TextDecoder().decode(await through(new Uint8Array(bytes), new DecompressionStream('gzip')));
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
}
