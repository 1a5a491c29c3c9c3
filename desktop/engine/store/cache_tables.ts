// The tables of `cache.db`, as numbered migrations.

import { sha256Sql } from './cached_items';
import { fileWordsTables } from './file_words';
import { documentsTable } from './kept_documents';
import { newsTables } from './kept_news';
import { threadsTable } from './kept_threads';
import { searchTables } from './search';
import { studentTables } from './student_work';
import { tombstonesTable } from './tombstones';
import { versionsTables } from './versions';

export const cacheMigrations = [
  `CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
   CREATE TABLE resources (
     kind TEXT NOT NULL, id INTEGER NOT NULL, course_id INTEGER, json TEXT NOT NULL,
     PRIMARY KEY (kind, id)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX resources_in_course ON resources (course_id, kind);
   ${tombstonesTable}
   ${documentsTable}`,
  threadsTable,
  searchTables,
  newsTables,
  fileWordsTables,
  versionsTables,
  "INSERT INTO threads (kind, id, course_id, json, stale) SELECT kind, id, course_id, NULL, 1 FROM resources WHERE kind = 'group';",
  // What a text links to, and so depends on.
  "ALTER TABLE documents ADD COLUMN links TEXT NOT NULL DEFAULT '[]';",
  'ALTER TABLE pages ADD COLUMN drawn TEXT;',
  // Whether the server has given bytes, under any name: checked for each file that is overwritten or removed here.
  `CREATE INDEX files_by_sha256 ON resources (${sha256Sql}) WHERE kind = 'file';`,
  studentTables,
];
