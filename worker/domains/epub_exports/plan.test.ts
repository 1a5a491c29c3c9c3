import { expect, test } from 'vitest';
import { type BookImage, companionIds, nextFiles, takenCompanions, takenMedia } from './plan';

const mega = 1_000_000;
const file = (id: number, media_type: string, size: number): BookImage => ({ id, key: `k${id}`, media_type, size });
const ids = (list: readonly BookImage[]) => list.map(({ id }) => id);

test('a book takes all images, and recordings up to a size', () => {
  const before = [file(1, 'video/mp4', 90 * mega), file(2, 'image/png', 200 * mega)];
  const found = [
    file(3, 'video/mp4', 101 * mega),
    file(4, 'image/png', 500 * mega),
    file(5, 'audio/mpeg', 100 * mega),
    file(6, 'video/webm', 100 * mega),
    file(7, 'video/mp4', 20 * mega),
    file(8, 'audio/mp4', 10 * mega),
  ];
  expect(ids(takenMedia(before, found))).toEqual([1, 2, 4, 5, 6, 8]);
  expect(ids(takenMedia([], []))).toEqual([]);
});

test('a step stores as many files as it can compress, and at least one', () => {
  const images = [
    file(1, 'video/mp4', 150 * mega),
    file(2, 'image/png', 60 * mega),
    file(3, 'image/png', 40 * mega),
    file(4, 'image/png', 1),
  ];
  expect(ids(nextFiles(images, 0))).toEqual([1]);
  expect(ids(nextFiles(images, 1))).toEqual([2, 3]);
  expect(ids(nextFiles(images, 3))).toEqual([4]);
});

test('files that the book shows or leads to, but does not contain, are beside it, once and with names of their own', () => {
  const chapter = { of: 'page', id: 1, title: 'P', due_at: null, isAnnouncement: false, isUnlisted: false, url: 'p' } as const;
  const chapters = [
    { ...chapter, images: [1, 2], files: [3] },
    { ...chapter, images: [], files: [3, 4] },
  ];
  const image = { id: 1, key: 'k', size: 1, media_type: 'image/png' };
  expect(companionIds({ chapters, files: [4, 5], images: [image] })).toEqual([3, 2, 4, 5]);
  const file = (id: number, name: string, size = 1) => ({ id, key: 'k', size, name });
  const taken = takenCompanions([file(1, 'a.pdf')], [file(2, 'A.pdf'), file(3, 'big', 1e9), file(4, '../x?.'), file(5, '.')]);
  expect(taken.map(({ name }) => name)).toEqual(['a.pdf', '2-A.pdf', '.._x_', 'file']);
});
