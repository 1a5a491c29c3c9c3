// The first phase of an import: scans its CSV files once. An unusable file is reported, and the others are imported.

import { BadCsv, CsvReader } from '@carrel/shared/csv/reader';
import { sql } from 'drizzle-orm';
import { type ImportStep, type ImportWork, Notes } from '../work';
import { BadArchive, contentOf, type ZipEntry, zipEntriesOf } from './archive';
import { bytesOfBody } from './chunks';
import { fileTypes, headerOf, isLitter, recognise } from './file_types';
import { fileId, writePaper } from './kept_files';

interface Looked {
  readonly type: string | null;
  readonly columns: readonly string[];
  readonly rows: number;
  readonly at_byte: number;
  readonly refusal: string | undefined;
}

/** Scans a CSV as a stream: its header, the number of rows, and whether it is readable to the end. */
export class FileInspection {
  private readonly reader = new CsvReader(0);
  private header: string[] | undefined;
  private firstRow = 0;
  private rows = 0;
  private refusal: string | undefined;

  push(bytes: Uint8Array): void {
    this.guard(() => this.take(this.reader.push(bytes)));
  }

  end(): Looked {
    this.guard(() => this.take(this.reader.finish()));
    const recognised = recognise(this.header ?? []);
    const refusal =
      this.refusal ?? (this.header === undefined ? 'the file is empty' : 'refusal' in recognised ? recognised.refusal : undefined);
    const type = 'type' in recognised ? recognised.type : null;
    return {
      type,
      columns: this.header ?? [],
      rows: this.rows,
      at_byte: this.firstRow,
      refusal,
    };
  }

  private guard(work: () => void): void {
    if (this.refusal !== undefined) return;
    try {
      work();
    } catch (error) {
      if (!(error instanceof BadCsv)) throw error;
      this.refusal = `${error.message} (row ${this.rows + (this.header ? 2 : 1)})`;
    }
  }

  private take(rows: Iterable<{ cells: readonly string[]; end: number }>): void {
    for (const { cells, end } of rows) {
      if (this.header) this.rows += 1;
      else {
        this.header = headerOf(cells);
        this.firstRow = end;
      }
    }
  }
}

async function* looking(content: AsyncIterable<Uint8Array>, look: FileInspection): AsyncGenerator<Uint8Array> {
  for await (const bytes of content) {
    look.push(bytes);
    yield bytes;
  }
}

const fileRow = (
  work: ImportWork,
  name: string,
  { type, columns, rows, at_byte, refusal }: Looked,
  file_id: ReturnType<typeof sql>,
  size: number,
) =>
  work.db.build.run(sql`insert into sis_import_files (sis_import_id, name, origin, type, file_id, size, rows, columns, first_byte, at_byte, at_row, position, workflow_state)
    values (${work.it.id}, ${name}, 'sent', ${type}, ${file_id}, ${size}, ${refusal === undefined ? rows : 0}, ${JSON.stringify(columns)}, ${at_byte}, ${at_byte}, 0, ${type === null ? 99 : (fileTypes as readonly string[]).indexOf(type)}, ${refusal === undefined ? 'waiting' : 'unusable'})`);

const refusalIn = ({ refusal }: Looked): Notes => {
  const notes = new Notes();
  if (refusal !== undefined) notes.messages.push({ message: refusal, failure: true });
  return notes;
};

interface Attachment {
  readonly key: string;
  readonly size: number;
  readonly display_name: string;
}

async function unpackEntry(work: ImportWork, { key }: Attachment, entry: ZipEntry): Promise<void> {
  const look = new FileInspection();
  const paper = await writePaper(work, entry.name, 'text/csv', looking(contentOf(work.env.FILES, key, entry), look));
  const looked = look.end();
  await work.commit({
    notes: refusalIn(looked),
    file: entry.name,
    statements: [...paper.statements, fileRow(work, entry.name, looked, fileId(paper.uuid), paper.size)],
  });
}

async function lookThrough(work: ImportWork, { key, size, display_name }: Attachment): Promise<void> {
  const look = new FileInspection();
  const object = await work.env.FILES.get(key);
  if (!object) throw new Error('the file of the import is missing');
  for await (const bytes of bytesOfBody(object.body)) look.push(bytes);
  const looked = look.end();
  await work.commit({
    notes: refusalIn(looked),
    file: display_name,
    statements: [fileRow(work, display_name, looked, sql`${work.it.attachment_id}`, size)],
  });
}

/**
 * A large archive takes several deliveries.
 * @returns false until the phase is over, then what is committed with its end, so that a second delivery does not report it again
 */
export async function unpack(work: ImportWork, mayGoOn: () => boolean): Promise<false | ImportStep> {
  const { build } = work.db;
  const [[attachment], known] = await work.read([
    build.all<Attachment>(
      sql`select b.key as key, f.size as size, f.display_name as display_name from files f join blobs b on b.id = f.blob_id where f.id = ${work.it.attachment_id}`,
    ),
    build.all<{ name: string }>(sql`select name from sis_import_files where sis_import_id = ${work.it.id} and origin = 'sent'`),
  ]);
  if (!attachment) throw new Error('the file of the import is missing');
  if (work.it.format === 'csv') {
    if (known.length === 0) await lookThrough(work, attachment);
    return {};
  }
  const notes = new Notes();
  const done = new Set(known.map(({ name }) => name));
  try {
    const entries = (await zipEntriesOf(work.env.FILES, attachment.key, attachment.size)).filter(({ name }) => !isLitter(name));
    const isCsv = ({ name }: ZipEntry) => name.toLowerCase().endsWith('.csv');
    for (const entry of entries.filter(isCsv)) {
      if (done.has(entry.name)) continue;
      if (!mayGoOn()) return false;
      done.add(entry.name);
      await unpackEntry(work, attachment, entry);
    }
    for (const { name } of entries.filter((entry) => !isCsv(entry)))
      notes.messages.push({ file: name, message: 'files that are not CSV are skipped' });
    if (!entries.some(isCsv))
      notes.messages.push({ file: attachment.display_name, message: 'the archive contains no CSV file', failure: true });
  } catch (error) {
    if (!(error instanceof BadArchive)) throw error;
    // Nothing of an incomplete archive is applied.
    return {
      notes: Object.assign(notes, { messages: [{ file: attachment.display_name, message: error.message, failure: true }] }),
      statements: [build.run(sql`update sis_import_files set workflow_state = 'unusable' where sis_import_id = ${work.it.id}`)],
    };
  }
  return { notes };
}
