// Texts of authors: open, queue, decide, and their images that are not sent yet.

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Channel } from '../../contract/channels';
import { t } from '../../language/texts';
import { bytesAt } from '../outbox/work_drafts';
import { authoringView, mayAuthor } from '../views/authoring';
import type { ChannelGroup, ChannelGroupContext } from './group';

type AuthoringChannel = Extract<Channel, `authoring.${string}`>;

export const authoringChannels = ({ here, edited }: ChannelGroupContext): ChannelGroup<AuthoringChannel> => ({
  'authoring.open': async (place) => authoringView(here(), place),
  'authoring.save': async ({ kind, course_id, id, text, base, files = [], finished }) => {
    const place = { kind, course_id, id };
    const { outbox } = here();
    if (!mayAuthor(here(), place) && !outbox.waitingText(place)) throw new Error(t('why.mayNotAuthor'));
    if (text.title.trim() === '') throw new Error(t('why.noTitle'));
    outbox.author({ ...place, text: { ...text, title: text.title.trim() }, base, files }, finished);
    edited();
    return null;
  },
  'authoring.resolve': async ({ id, as, text }) => {
    const isResolved = here().outbox.resolveText(id, { as, text });
    edited();
    return isResolved;
  },
  'authoring.image': async ({ sha256 }) => {
    if (!/^[0-9a-f]{64}$/.test(sha256)) return null;
    const path = bytesAt(here().user, sha256);
    if (!existsSync(path)) return null;
    const bytes = await readFile(path);
    const type = typeOfImage(bytes);
    return type && `data:${type};base64,${bytes.toString('base64')}`;
  },
});

/** By the first bytes, because browsers do the same. */
function typeOfImage(bytes: Buffer): string | null {
  const text = bytes.subarray(0, 12).toString('latin1');
  if (text.startsWith('\x89PNG')) return 'image/png';
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (text.startsWith('GIF8')) return 'image/gif';
  if (text.startsWith('RIFF') && text.endsWith('WEBP')) return 'image/webp';
  return null;
}
