// A Jupyter notebook as HTML, from its JSON alone: text, code and output. Nothing of it is run.

import { formula } from '../maths';
import { escaped, highlighted } from './code';
import { markdown } from './markdown';

type Lines = string | readonly string[];

interface Output {
  readonly output_type?: string;
  readonly text?: Lines;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly ename?: string;
  readonly evalue?: string;
  readonly traceback?: readonly string[];
}

interface Cell {
  readonly cell_type?: string;
  readonly source?: Lines;
  /** The name of the source in notebooks of format 3. */
  readonly input?: Lines;
  readonly execution_count?: number | null;
  readonly prompt_number?: number | null;
  readonly outputs?: readonly Output[];
  readonly attachments?: Readonly<Record<string, Readonly<Record<string, Lines>>>>;
}

interface Notebook {
  readonly cells?: readonly Cell[];
  readonly worksheets?: readonly { readonly cells?: readonly Cell[] }[];
  readonly metadata?: {
    readonly language_info?: { readonly name?: string };
    readonly kernelspec?: { readonly language?: string };
  };
}

const mostOutput = 100_000;

function cellsOf(text: string): readonly Cell[] {
  const { cells, worksheets } = JSON.parse(text) as Notebook;
  return cells ?? (worksheets ?? []).flatMap((sheet) => sheet.cells ?? []);
}

export function notebook(text: string, relative: (address: string) => string | undefined): string {
  let cells: readonly Cell[];
  let language = 'python';
  try {
    cells = cellsOf(text);
    const { metadata } = JSON.parse(text) as Notebook;
    language = (metadata?.language_info?.name ?? metadata?.kernelspec?.language ?? language).toLowerCase();
  } catch {
    // Truncated, or not a notebook: plain text is better than nothing.
    return `<div class="plain">${escaped(text.slice(0, mostOutput))}</div>`;
  }
  return `<div class="wide notebook">${cells.map((cell) => drawn(cell, language, relative)).join('')}</div>`;
}

export const joined = (lines: Lines | undefined): string => (typeof lines === 'string' ? lines : (lines ?? []).join(''));

function drawn(cell: Cell, language: string, relative: (address: string) => string | undefined): string {
  const source = joined(cell.source ?? cell.input);
  if (cell.cell_type === 'markdown' || cell.cell_type === 'heading')
    return `<section>${markdown(withAttachments(source, cell), relative)}</section>`;
  if (cell.cell_type !== 'code') return `<section><pre>${escaped(source)}</pre></section>`;
  const count = cell.execution_count ?? cell.prompt_number;
  const prompt = `<p class="prompt">[${typeof count === 'number' ? count : ' '}]</p>`;
  const outputs = (cell.outputs ?? []).map(output).filter(Boolean);
  const came = outputs.length > 0 ? `<div class="output">${outputs.join('')}</div>` : '';
  return `<section class="ran">${prompt}<pre><code>${highlighted(source, language)}</code></pre>${came}</section>`;
}

/** Pictures that are embedded in the notebook. */
const withAttachments = (source: string, { attachments }: Cell): string =>
  source.replaceAll(/attachment:([^)\s"]+)/g, (whole, name: string) => {
    const [type, bytes] = Object.entries(attachments?.[name] ?? {}).find(([type]) => type.startsWith('image/')) ?? [];
    return type && bytes ? `data:${type};base64,${joined(bytes).replaceAll(/\s/g, '')}` : whole;
  });

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences of terminals
const colours = /\u001b\[[\d;]*[A-Za-z]/g;
const pre = (text: string, kind = ''): string =>
  text === '' ? '' : `<pre${kind && ` class="${kind}"`}>${escaped(text.replaceAll(colours, '').slice(0, mostOutput))}</pre>`;

const pictures = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

function output({ output_type, text, data, traceback, ename, evalue }: Output): string {
  if (output_type === 'error' || output_type === 'pyerr') return pre(traceback?.join('\n') || `${ename}: ${evalue}`, 'failed');
  if (!data) return pre(joined(text));
  const of = (type: string): string | undefined => (data[type] === undefined ? undefined : joined(data[type] as Lines));
  for (const type of pictures) {
    const bytes = of(type);
    if (bytes) return `<img src="data:${type};base64,${escaped(bytes.replaceAll(/\s/g, ''))}" alt="${escaped(of('text/plain') ?? '')}">`;
  }
  const drawing = of('image/svg+xml');
  if (drawing)
    return `<img src="data:image/svg+xml;base64,${Buffer.from(drawing).toString('base64')}" alt="${escaped(of('text/plain') ?? '')}">`;
  const tex = of('text/latex');
  if (tex !== undefined && of('text/html') === undefined) {
    const bare = tex.trim().replace(/^(\$\$?|\\\[|\\\()(?:\\displaystyle)?([\s\S]*?)(\$\$?|\\\]|\\\))$/, '$2');
    return `<p>${formula(bare, true)}</p>`;
  }
  return (
    of('text/html') ??
    (of('text/markdown') === undefined ? pre(of('text/plain') ?? '') : markdown(of('text/markdown') ?? '', () => undefined))
  );
}
