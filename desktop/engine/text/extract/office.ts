// The words of documents, slides and sheets of Office and LibreOffice: archives of XML.

import { unzipSync } from 'fflate/browser';
import { Parser } from 'htmlparser2';
import { mostLetters, mostOfPage, mostPdfPages } from './bounds.ts';

/** Which members of the archive contain words; several are pages, in the order of their numbers. */
const members: Readonly<Record<string, RegExp>> = {
  docx: /^word\/(document|footnotes|endnotes)\.xml$/,
  pptx: /^ppt\/slides\/slide\d+\.xml$/,
  xlsx: /^xl\/(sharedStrings|worksheets\/sheet\d+)\.xml$/,
  odt: /^content\.xml$/,
  odp: /^content\.xml$/,
  ods: /^content\.xml$/,
  epub: /\.x?html?$/,
};
const paged = new Set(['pptx', 'odp']);

export const isOffice = (ending: string): boolean => Object.hasOwn(members, ending);

/** The largest size of an unpacked member: a small archive can unpack to a huge file. */
const mostOfMember = 16 * 2 ** 20;

export function officePages(bytes: Uint8Array, ending: string): readonly string[] {
  const wanted = members[ending];
  if (!wanted) return [];
  let room = 4 * mostOfMember;
  const files = unzipSync(bytes, {
    filter({ name, originalSize }) {
      if (!wanted.test(name) || originalSize > mostOfMember || originalSize > room) return false;
      room -= originalSize;
      return true;
    },
  });
  const number = (name: string) => Number(/(\d+)\.xml$/.exec(name)?.[1] ?? 0);
  const names = Object.keys(files).sort((a, b) => number(a) - number(b) || a.localeCompare(b));
  const pages = names.slice(0, mostPdfPages).flatMap((name) => pagesIn(new TextDecoder().decode(files[name])));
  if (paged.has(ending)) return pages.map((page) => page.slice(0, mostOfPage));
  return [pages.join('\n').slice(0, mostLetters)];
}

/** Words are between tags; the end of a paragraph, a cell or a tab separates them, and a slide of LibreOffice is a page. */
const parting = /^(w:p|w:tab|w:br|a:p|a:br|text:p|text:h|text:tab|text:s|table:table-cell|si|c|p|h[1-6]|li|br|td|div)$/;

function pagesIn(xml: string): string[] {
  const pages: string[] = [''];
  let silent = 0;
  const say = (words: string) => {
    pages[pages.length - 1] += words;
  };
  const parser = new Parser(
    {
      onopentag(name) {
        if (name === 'draw:page' && pages.at(-1) !== '') pages.push('');
        if (name === 'script' || name === 'style') silent++;
      },
      ontext(words) {
        if (silent === 0) say(words);
      },
      onclosetag(name) {
        if (name === 'script' || name === 'style') silent--;
        if (parting.test(name)) say(' ');
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return pages;
}
