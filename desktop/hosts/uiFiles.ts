// The files of the built UI, served by both hosts.

/** The served file types by extension. */
export const uiTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.mjs': 'text/javascript; charset=utf-8',
  '.bcmap': 'application/octet-stream',
  '.pfb': 'application/octet-stream',
  '.ttf': 'font/ttf',
  '.icc': 'application/octet-stream',
};

/** Only plain names in the two known subfolders. */
export const isOfUi = (name: string) => /^((assets|pdf)\/)?[\w.-]+$/.test(name) && !name.includes('..');
