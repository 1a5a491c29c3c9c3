// The type of a file, from its name and content type.

import { lookUp } from '@carrel/shared/wire/look_up';

const byExtension: Readonly<Record<string, string>> = {
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  ics: 'text/calendar',
  htm: 'text/html',
  html: 'text/html',
  css: 'text/css',
  js: 'text/javascript',
  json: 'application/json',
  xml: 'application/xml',
  pdf: 'application/pdf',
  rtf: 'application/rtf',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  odt: 'application/vnd.oasis.opendocument.text',
  pages: 'application/vnd.apple.pages',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odp: 'application/vnd.oasis.opendocument.presentation',
  epub: 'application/epub+zip',
  zip: 'application/zip',
  gz: 'application/gzip',
  tgz: 'application/gzip',
  tar: 'application/x-tar',
  '7z': 'application/x-7z-compressed',
  rar: 'application/vnd.rar',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  svg: 'image/svg+xml',
  bmp: 'image/bmp',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  heic: 'image/heic',
  ico: 'image/x-icon',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  wav: 'audio/wav',
  ogg: 'audio/ogg',
  flac: 'audio/flac',
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  avi: 'video/x-msvideo',
  mkv: 'video/x-matroska',
  swf: 'application/x-shockwave-flash',
  py: 'text/x-python',
  java: 'text/x-java',
  c: 'text/x-c',
  cs: 'text/x-csharp',
};

const unknown = 'application/octet-stream';

/** The content type expected from a name. */
const guessedType = (name: string): string => lookUp(byExtension, /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '') ?? unknown;

/** A content type that is valid in a header, without parameters; anything else is guessed from the name. */
export function contentType(given: string | undefined, name: string): string {
  const bare = given?.split(';')[0]?.trim().toLowerCase() ?? '';
  return /^[a-z0-9!#$&^_.+-]{1,80}\/[a-z0-9!#$&^_.+-]{1,120}$/.test(bare) && bare !== unknown && bare !== 'unknown/unknown'
    ? bare
    : guessedType(name);
}

const classes: readonly [string, RegExp][] = [
  ['html', /^text\/html$|xhtml/],
  ['code', /^text\/(css|xml|x-csharp|x-python|x-java|x-c|javascript)$|^application\/(xml|json|javascript)$/],
  ['doc', /msword|wordprocessingml|rtf$|opendocument\.text|apple\.pages/],
  ['pdf', /^application\/pdf$/],
  ['ppt', /powerpoint|presentation/],
  ['xls', /excel|spreadsheet|^text\/csv$/],
  ['flash', /shockwave-flash/],
  ['image', /^image\//],
  ['zip', /zip|x-tar|7z|rar$|compressed/],
  ['audio', /^audio\//],
  ['video', /^video\//],
  ['text', /^text\//],
];

/** The kind of a file, by which clients choose an icon (reference 02 §8.6). */
export const mimeClass = (type: string): string => classes.find(([, pattern]) => pattern.test(type))?.[0] ?? 'file';

export const isImage = (type: string): boolean => type.startsWith('image/');

/** Types that cannot run code when shown in a page. SVG and HTML can. */
export const isSafeToShow = (type: string): boolean =>
  /^image\/(png|jpeg|gif|webp|avif|bmp|x-icon)$|^(audio|video)\/|^text\/plain$|^application\/pdf$/.test(type);
