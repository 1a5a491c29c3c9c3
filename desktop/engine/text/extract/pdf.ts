// The words of a PDF's pages, read by pdf.js without rendering.

import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';
// This is already a thread: pdf.js finds its worker code here instead of starting another thread.
import 'pdfjs-dist/legacy/build/pdf.worker.mjs';
import { mostLetters, mostOfPage, mostPdfPages } from './bounds.ts';

export async function pdfPages(bytes: Uint8Array, data: string): Promise<readonly string[]> {
  const folder = data.endsWith('/') ? data : `${data}/`;
  const loading = getDocument({
    data: bytes,
    cMapUrl: folder,
    standardFontDataUrl: folder,
    useWasm: false,
    disableFontFace: true,
    useSystemFonts: false,
    enableXfa: false,
    isOffscreenCanvasSupported: false,
    maxImageSize: 1,
    verbosity: VerbosityLevel.ERRORS,
  });
  const document = await loading.promise;
  try {
    const pages: string[] = [];
    let messages = 0;
    for (let number = 1; number <= Math.min(document.numPages, mostPdfPages) && messages < mostLetters; number++) {
      const text = await pageText(document, number).catch(() => '');
      messages += text.length;
      pages.push(text);
    }
    return pages;
  } finally {
    await loading.destroy();
  }
}

async function pageText(document: Awaited<ReturnType<typeof getDocument>['promise']>, number: number): Promise<string> {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent();
  let text = '';
  for (const item of items) {
    if (!('str' in item)) continue;
    text += item.str;
    if (item.hasEOL) text += '\n';
    if (text.length > mostOfPage) break;
  }
  page.cleanup();
  // A word that is hyphenated at the end of a line is one word.
  return text.slice(0, mostOfPage).replaceAll(/(\p{L})[-\u00AD]\n(?=\p{Ll})/gu, '$1');
}
