// What kind of file it is, in the words of a student: by its name, or by its type if the name does not decide. Pure.

import type { FileGroup } from '../../contract/choices';

const endings: Readonly<Record<Exclude<FileGroup, 'other'>, string>> = {
  documents: 'pdf doc docx odt rtf txt md markdown epub pages tex html htm ps djvu',
  slides: 'ppt pptx odp key pps ppsx',
  tables: 'xls xlsx ods csv tsv numbers',
  images: 'png jpg jpeg gif svg webp bmp tif tiff heic avif psd',
  sound: 'mp3 wav ogg oga m4a aac flac opus',
  video: 'mp4 m4v mov avi mkv webm wmv mpg mpeg ogv',
  archives: 'zip tar gz tgz bz2 xz 7z rar iso dmg',
  code: 'py ipynb js ts java c h cpp hpp cs rs go rb php r m sql sh json xml yaml yml css ino jl hs ml scala kt swift',
};

const byEnding = new Map(
  Object.entries(endings).flatMap(([group, list]) => list.split(' ').map((ending) => [ending, group as FileGroup] as const)),
);

const byType: readonly (readonly [RegExp, FileGroup])[] = [
  [/^image\//, 'images'],
  [/^audio\//, 'sound'],
  [/^video\//, 'video'],
  [/presentation|powerpoint/, 'slides'],
  [/spreadsheet|excel/, 'tables'],
  [/pdf|msword|wordprocessing|opendocument\.text/, 'documents'],
  [/zip|compressed|x-tar/, 'archives'],
];

export function fileGroupOf(name: string, type = ''): FileGroup {
  const ending = /\.([^.]{1,8})$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return byEnding.get(ending) ?? byType.find(([sign]) => sign.test(type))?.[1] ?? 'other';
}
