// The document of a reading: sanitised course HTML with no scripts and a policy that allows only its images.

import type { Reading } from '../../contract/reading.ts';
import { languageOfHtml } from '../../language/guess_language.ts';

interface Setting {
  /** The address of the reading's style sheet. */
  readonly styleSheet: string;
  /** The address of fonts for other scripts, where the text needs them. */
  readonly scripts?: string;
  readonly theme: string | undefined;
  /** 1 is the default text size. */
  readonly letters: number;
  /** The base of `/files/…` and `#/read/…`, when it is not the document's own address. */
  readonly base?: string;
}

/** `source` is the reading's own origin in the policy: `'self'` in the UI's frame, the UI's scheme in Electron. */
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
