// The files of the built ui, as both hosts hand them out.

/** The built ui's files, here and in Electron. */
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

/** By a plain name: below the ui's folder there are only these two. */
export const isOfUi = (name: string) => /^((assets|pdf)\/)?[\w.-]+$/.test(name) && !name.includes('..');
