// Search on the desk: how long a query takes over many documents.

import { join } from 'node:path';
import { openCache } from '@carrel/desktop/engine/store/cache';
import type { Change } from '@carrel/shared/sync/protocol';
import { scratchFolder } from './scratch';
import { median, type Table } from './table';

const documents = 10_000;
const rounds = 20;
const paragraph = '<p>What lives between the two lines has to be a land animal and a sea animal by turns.</p>';

/** Queries that match from one document up to all of them. */
const questions = ['leaf 4242', 'sheet 13', 'leaf 42', 'herb', 'la an'];

/** Half of the documents are indexed files with this many pages. */
const pagesOfFile = 8;

export async function searchFigures(): Promise<Table[]> {
  const cache = openCache(join(scratchFolder(), 'cache.db'));
  const changes = Array.from({ length: documents }, (_, at): Change => {
    if (at % 2 === 1)
      return { kind: 'file', id: at, op: 'upsert', course_id: at % 5, resource: { id: at, display_name: `Leaf ${at}.pdf` } };
    const body = `${paragraph.repeat(10)}<p>Of the herbarium, sheet ${at % 97}</p>`;
    return { kind: 'page', id: at, op: 'upsert', course_id: at % 5, resource: { page_id: at, title: `Leaf ${at}`, body } };
  });
  const started = performance.now();
  cache.apply({ epoch: 'one', cursor: '1', has_more: false, changes });
  const words = paragraph.replaceAll(/<[^>]+>/g, ' ').repeat(10);
  for (const { kind, id } of changes)
    if (kind === 'file') {
      const pages = Array.from({ length: pagesOfFile }, (_, page) => ({
        page: page + 1,
        text: `${words} Of the herbarium, sheet ${(id + page) % 97}`,
      }));
      cache.words.begin(id, `Leaf ${id}.pdf`, 'read');
      cache.keepWords(id, pages, true);
      cache.words.end(id);
    }
  const stored = performance.now() - started;
  const ask = (text: string) => {
    const from = performance.now();
    const { kinds } = cache.find({ text, course_id: null, kind: null, limit: 40 });
    return { milliseconds: performance.now() - from, matches: kinds.page + kinds.file };
  };
  const rows = questions.map((text) => {
    const asked = Array.from({ length: rounds }, () => ask(text));
    return [text, asked[0]?.matches ?? 0, median(asked.map(({ milliseconds }) => milliseconds))];
  });
  cache.close();
  return [
    {
      only: 'search',
      title: `Searching ${documents.toLocaleString('en-US')} documents, half of them PDFs of ${pagesOfFile} pages`,
      columns: ['Words', 'Documents that match', 'Milliseconds'],
      rows,
      notes: [
        `Medians of ${rounds}; every match is counted, and the best 40 include an excerpt, for a file from its best page. Storing and indexing all: ${(stored / 1000).toFixed(1)} s.`,
      ],
    },
  ];
}
