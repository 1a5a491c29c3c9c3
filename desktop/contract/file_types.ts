// What the desk knows of a file by the end of its name: how it is served, and whether it opens inside the reader.

/** `text` is shown as a reading is: Markdown, notebooks, code and plain text become a sheet of HTML without scripts. */
export type FileViewer = 'pdf' | 'image' | 'audio' | 'video' | 'text';

const plain = 'text/plain; charset=utf-8';

/** By the ending; undefined where a browser should hand the file to another program. */
const served: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  png: 'image/png',
  apng: 'image/apng',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  jfif: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
  svg: 'image/svg+xml',
  txt: plain,
  md: plain,
  csv: plain,
  html: 'text/html; charset=utf-8',
  htm: 'text/html; charset=utf-8',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  flac: 'audio/flac',
  ogg: 'audio/ogg',
  oga: 'audio/ogg',
  opus: 'audio/ogg',
  wav: 'audio/wav',
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  ogv: 'video/ogg',
};

/** How a text is set. `code` names the language by the ending. */
export type TextFormat = 'plain' | 'markdown' | 'notebook' | 'html' | 'table' | 'code';

const formats: Readonly<Record<Exclude<TextFormat, 'code'>, readonly string[]>> = {
  plain: ['txt', 'text', 'log', 'rst', 'srt', 'vtt'],
  markdown: ['md', 'markdown', 'mdown'],
  notebook: ['ipynb'],
  html: ['html', 'htm', 'xhtml'],
  table: ['csv', 'tsv'],
};

/** The endings of programs and of data that is written like one. */
const code =
  'bib tex sty py pyi r rmd jl m java kt scala c h cc cpp cxx hpp cs go rs swift js mjs cjs jsx ts tsx css scss less sql sh bash zsh ps1 rb php pl lua hs ml clj ex erl asm s v vhd json jsonl yaml yml toml ini cfg conf xml diff patch makefile mk cmake gradle dockerfile graphql proto'.split(
    ' ',
  );

const formatBy: ReadonlyMap<string, TextFormat> = new Map([
  ...code.map((ending): [string, TextFormat] => [ending, 'code']),
  ...Object.entries(formats).flatMap(([format, endings]) => endings.map((ending): [string, TextFormat] => [ending, format as TextFormat])),
]);

/** In small letters, without the point; a name without one is its own ending (`Makefile`). */
export const endingOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1).toLowerCase();

export const servedAs = (name: string): string | undefined => served[endingOf(name)];
export const formatOf = (name: string): TextFormat | undefined => formatBy.get(endingOf(name));

export function viewerOf(name: string): FileViewer | null {
  if (formatOf(name)) return 'text';
  const type = servedAs(name)?.split('/')[0];
  if (type === 'image' || type === 'audio' || type === 'video') return type;
  return servedAs(name) === 'application/pdf' ? 'pdf' : null;
}
