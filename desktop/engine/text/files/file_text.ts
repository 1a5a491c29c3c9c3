// A file of the study folder as readable HTML: Markdown, notebooks, programs, tables and plain text. Sanitised like any course text.

import { open } from 'node:fs/promises';
import { endingOf, formatOf } from '../../../contract/file_types';
import { clean } from '../clean';
import type { Leads } from '../offline';
import { escaped, highlighted } from './code';
import { decoded } from './decoded';
import { markdown } from './markdown';
import { notebook } from './notebook';
import { tableHtml } from './table';

/** More than a user reads here; larger files are opened in another program. */
const mostBytes = 1_500_000;
const mostNotebookBytes = 40_000_000;

export interface FileText {
  readonly html: string;
  /** Only the beginning is shown. */
  readonly cut: boolean;
}

/** `idOf`: the id of another file of the course, by its path relative to this one. */
export async function fileText(path: string, leads: Leads, idOf: (address: string) => number | undefined): Promise<FileText | undefined> {
  const format = formatOf(path);
  if (!format) return undefined;
  const { text, cut } = await read(path, format === 'notebook' ? mostNotebookBytes : mostBytes);
  const relative = (address: string): string | undefined => {
    const id = idOf(address);
    return id === undefined ? undefined : new URL(`/files/${id}`, leads.base).href;
  };
  const made = (): string => {
    switch (format) {
      case 'markdown':
        return markdown(text, relative);
      case 'notebook':
        return notebook(text, relative);
      case 'html':
        return text.replace(/<head[\s>][\s\S]*?<\/head>/i, '');
      case 'table':
        return tableHtml(text, endingOf(path) === 'tsv' ? '\t' : undefined);
      case 'code':
        return `<div class="wide code"><pre><code>${highlighted(text, endingOf(path))}</code></pre></div>`;
      case 'plain':
        return `<div class="plain">${escaped(text)}</div>`;
      default:
        return format satisfies never;
    }
  };
  return { html: clean(made(), leads), cut };
}

async function read(path: string, most: number): Promise<{ text: string; cut: boolean }> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const bytes = Buffer.alloc(Math.min(size, most));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    return { text: decoded(bytes.subarray(0, bytesRead), size > most), cut: size > most };
  } finally {
    await file.close();
  }
}
