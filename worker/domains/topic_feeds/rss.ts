// Writes podcast episodes as RSS 2.0. Pure.

import { escapeHtml } from '../../site/frame';

export interface Episode {
  readonly file_id: number;
  readonly uuid: string;
  readonly title: string;
  readonly content_type: string;
  readonly size: number;
  readonly posted_at: string;
}

export interface Podcast {
  readonly title: string;
  readonly description: string;
  readonly url: string;
  readonly episodes: readonly Episode[];
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they may not stand in XML.
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const result = (text: string): string => escapeHtml(text.toWellFormed().replace(control, ''));
const dated = (at: string): string => new Date(at).toUTCString();

function itemOf({ file_id, uuid, title, content_type, size, posted_at }: Episode, { url }: Podcast, origin: string): string {
  const address = `${origin}/files/${file_id}/download?verifier=${uuid}`;
  return `<item><title>${result(title)}</title><link>${result(url)}</link><guid isPermaLink="false">${uuid}</guid><pubDate>${dated(posted_at)}</pubDate><enclosure url="${result(address)}" length="${size}" type="${result(content_type)}"/></item>`;
}

export const rss = (podcast: Podcast, origin: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"><channel><title>${result(podcast.title)}</title><link>${result(podcast.url)}</link><description>${result(podcast.description)}</description>
${podcast.episodes.map((episode) => itemOf(episode, podcast, origin)).join('\n')}
</channel></rss>
`;
