// The page that plays a recording with its captions.

import { escapeHtml } from '../../site/frame';
import type { FileRow } from '../files/json';

/** Shown in frames of this host, and plays what it has. */
export const playerHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; media-src 'self'; form-action 'none'; frame-ancestors 'self'; base-uri 'none'",
  'X-Frame-Options': 'SAMEORIGIN',
};

interface ShownTrack {
  readonly url: string;
  readonly locale: string;
  readonly kind: string;
}

export function playerPage({ id, display_name, content_type }: FileRow, tracks: readonly ShownTrack[]): string {
  const player = content_type.startsWith('audio/') ? 'audio' : 'video';
  const captions = tracks.map(
    ({ url, locale, kind }) =>
      `<track kind="${kind}" srclang="${escapeHtml(locale)}" label="${escapeHtml(locale)}" src="${escapeHtml(new URL(url).pathname)}">`,
  );
  const title = escapeHtml(display_name);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<style>html, body { margin: 0; height: 100%; background: #000; } video, audio { width: 100%; max-height: 100%; }</style></head>
<body><${player} controls aria-label="${title}" src="/files/${id}/preview">${captions.join('')}</${player}></body></html>`;
}
