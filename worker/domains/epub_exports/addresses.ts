// Where the addresses in a course's texts lead in its book. Pure.

import { lookUp } from '@carrel/shared/wire/look_up';
import type { BookAddresses } from '../../epub/xhtml';
import { type BookPlan, type ChapterKind, chapterPath, imagePath, isRecordingType } from './plan';

const segments: Readonly<Record<string, ChapterKind>> = {
  assignments: 'assignment',
  quizzes: 'quiz',
  discussion_topics: 'discussion_topic',
  announcements: 'discussion_topic',
};

const ofFile = /^\/(?:courses\/\d+\/)?files\/(\d+)(?:\/(?:download|preview|file_preview))?$/;

/** The file that an address on this host names. */
export const fileOfAddress = (address: string): number | undefined => {
  const id = ofFile.exec(address.split(/[?#]/, 1)[0] ?? '')?.[1];
  return id === undefined ? undefined : Number(id);
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const schemes = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/** An absolute address; undefined for one that a book cannot contain. */
export function addressOutside(address: string, origin: string): string | undefined {
  if (address === '' || !URL.canParse(address, origin)) return undefined;
  const url = new URL(address, origin);
  return schemes.has(url.protocol) ? url.href.replace(/[[\]|\\^`{}"<> ]/g, encodeURIComponent) : undefined;
}

/** @param course_id of the book; content of others is not in it */
export function bookAddresses({ chapters, images }: BookPlan, course_id: number, origin: string): BookAddresses {
  const paths = new Map(chapters.map((one) => [`${one.of} ${one.id}`, chapterPath(one)]));
  const pages = new Map(chapters.flatMap((one) => (one.url === null ? [] : [[one.url, chapterPath(one)] as const])));
  const media = new Map(images.map((one) => [one.id, one]));
  const inBook = (address: string): string | undefined => {
    const [, course, word = '', name = ''] = /^\/courses\/(\d+)\/([a-z_]+)\/([^/?#]+)\/?(?:[?#].*)?$/.exec(address) ?? [];
    if (Number(course) !== course_id) return undefined;
    if (word === 'pages' || word === 'wiki') return pages.get(decoded(name));
    return paths.get(`${lookUp(segments, word)} ${name}`);
  };
  const mediaAt = (isRecording: boolean) => (address: string) => {
    const found = media.get(fileOfAddress(address) ?? 0);
    return found && isRecordingType(found.media_type) === isRecording ? imagePath(found) : undefined;
  };
  return { link: (address) => inBook(address) ?? addressOutside(address, origin), image: mediaAt(false), recording: mediaAt(true) };
}
