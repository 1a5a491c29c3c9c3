// The words of a file, page by page if it has pages; empty for a file without words. The size is bounded, whatever size the file declares.

import { open, stat } from 'node:fs/promises';
import { endingOf, formatOf } from '../../../contract/file_types.ts';
import { decoded } from '../files/decoded.ts';
import { plainText } from '../plain_text.ts';
import { mostBytes, mostLetters } from './bounds.ts';
import type { ExtractedText } from './result.ts';

/** `data`: where pdf.js finds its character maps. */
export async function extractText(path: string, data: string): Promise<ExtractedText> {
  const { size } = await stat(path);
  const ending = endingOf(path);
  const format = formatOf(path);
  if (format) return { pages: [textOf(format, decoded(await beginning(path, size), size > mostLetters))] };
  if (size > mostBytes) throw new Error('too large');
  const bytes = await beginning(path, size, mostBytes);
  // Loaded when the first file of its kind is read: most threads need only one of them.
  if (ending === 'pdf') {
    // Before pdf.js, which takes ownership of the bytes.
    const drawn = (await import('./drawn.ts')).drawnPages(bytes);
    return { pages: await (await import('./pdf.ts')).pdfPages(bytes, data), drawn };
  }
  return { pages: (await import('./office.ts')).officePages(bytes, ending) };
}

async function beginning(path: string, size: number, most = mostLetters): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const bytes = Buffer.alloc(Math.min(size, most));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    return new Uint8Array(bytes.buffer, bytes.byteOffset, bytesRead);
  } finally {
    await file.close();
  }
}

function textOf(format: NonNullable<ReturnType<typeof formatOf>>, text: string): string {
  if (format === 'html') return plainText(text);
  if (format !== 'notebook') return text;
  try {
    return cellsOf(JSON.parse(text) as Notebook).join('\n');
  } catch {
    // Truncated, or not a notebook: its strings are still words.
    return text.replaceAll(/"image\/[a-z]+": *"[^"]*"?|\\n|[[\]{}",]/g, ' ');
  }
}

interface Cell {
  readonly source?: unknown;
  readonly input?: unknown;
  readonly outputs?: readonly { readonly text?: unknown; readonly data?: { readonly 'text/plain'?: unknown } }[];
}
interface Notebook {
  readonly cells?: readonly Cell[];
  readonly worksheets?: readonly { readonly cells?: readonly Cell[] }[];
}

const joined = (lines: unknown): string => (Array.isArray(lines) ? lines.join('') : typeof lines === 'string' ? lines : '');

const cellsOf = ({ cells, worksheets }: Notebook): string[] =>
  (cells ?? (worksheets ?? []).flatMap((sheet) => sheet.cells ?? [])).map(({ source, input, outputs }) =>
    [joined(source ?? input), ...(outputs ?? []).map(({ text, data }) => joined(text ?? data?.['text/plain']))].join('\n'),
  );
