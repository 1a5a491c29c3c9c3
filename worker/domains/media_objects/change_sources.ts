// What a blueprint records and locks of recordings besides their files: titles and captions are a part of the file. The feed has none.

import type { BlueprintPart } from '../../database/triggers/source.ts';

const courseOf = (file: string) => `(select f.context_id from files f where f.id = ${file} and f.context_type = 'Course')`;

export const captionsPart: BlueprintPart = {
  table: 'media_tracks',
  of: 'file',
  item: '$.file_id',
  columns: ['locale', 'kind', 'content'],
  course: courseOf('$.file_id'),
  isDeletedAsRow: true,
};

export const recordingTitlePart: BlueprintPart = {
  table: 'media_titles',
  of: 'file',
  item: '$.id',
  columns: ['user_entered_title'],
  course: courseOf('$.id'),
};
