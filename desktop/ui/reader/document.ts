// The document a reading is shown in: course HTML alone, with no script and a policy that lets nothing in or out but its images.

import type { Reading } from '../views/reading.ts';
import { languageOfHtml } from '../words/languages.ts';

export interface Setting {
  /** Where the reading's own style sheet is. */
  readonly styleSheet: string;
  /** Letters of other scripts, where the text has them. */
  readonly scripts?: string;
  readonly theme: string | undefined;
  /** 1 is the usual size of letters. */
  readonly letters: number;
  /** Where `/files/…` and `#/read/…` lead, when that is not the document's own address. */
  readonly base?: string;
}

/** `source` is what the reading's own address counts as: `'self'` in the ui's frame, the ui's scheme in Electron. */
export const readingPolicy = (source: string) =>
  [
    "default-src 'none'",
    `img-src ${source} data:`,
    `media-src ${source}`,
    `style-src ${source}`,
    "style-src-attr 'unsafe-inline'",
    `font-src ${source}`,
    "form-action 'none'",
  ].join('; ');

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

export const readingDocument = (reading: Reading, { styleSheet, scripts, theme, letters, base }: Setting) =>
  `<!doctype html>
<html lang="${languageOfHtml(reading.html)}"${theme ? ` data-theme="${escaped(theme)}"` : ''} style="--letters:${letters}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escaped(readingPolicy(base ? 'app:' : "'self'"))}">
<meta name="color-scheme" content="light dark">
${base ? `<base href="${escaped(base)}" target="_top">` : ''}
<title>${escaped(reading.title)}</title>
<link rel="stylesheet" href="${escaped(styleSheet)}">
${scripts ? `<link rel="stylesheet" href="${escaped(scripts)}">` : ''}
</head>
<body dir="auto">${reading.html}</body>
</html>`;
