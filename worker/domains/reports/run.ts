// Runs a report: rows are read in chunks and stored as pieces, which are combined into one file at the end. Each step is one batch that includes the
// progress; a step already made, or an aborted report, breaks the batch.

import { csvLine } from '@carrel/shared/csv/writer';
import { wireTime } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import { type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../database/open';
import { randomText } from '../../database/tokens';
import type { RowOf } from '../../http/listing';
import type { Platform } from '../../platform';
import { breath, Overtaken, textOfError } from '../../steps';
import { queueNotification } from '../comm_messages/queue_notification';
import { newBlobKey, storeBlob } from '../files/upload/blobs';
import { bytesOfBody } from '../sis_imports/files/chunks';
import { expectBlob, fileId, paper } from '../sis_imports/files/kept_files';
import { type ReportFile, rowsAfter } from './part';
import type { account_reports } from './table';
import { reportTypes } from './types';
import { zipOf } from './zip';

export type ReportRow = RowOf<typeof account_reports>;

/** Rows per piece. */
const most = 4000;

const folderOf = (it: ReportRow) => `reports/${it.uuid}/`;
const called = (it: ReportRow) => `${it.report.replace(/_csv$/, '')}_${it.created_at.slice(0, 10)}_${it.id}`;

type Cell = string | number | null;

export class Run {
  /** Number of calls to D1 and R2. */
  calls = 0;
  readonly parts: readonly ReportFile[];

  constructor(
    readonly env: Pick<Platform, 'FILES'>,
    readonly db: Database,
    public it: ReportRow,
  ) {
    this.parts = lookUp(reportTypes, it.report)?.parts(it.wish) ?? [];
  }

  private now(): string {
    return wireTime(Date.now());
  }

  private async perform<const S extends readonly Statement[]>(statements: S) {
    this.calls += 1;
    return this.db.perform(statements);
  }

  /**
   * Makes one step.
   * @throws Overtaken
   */
  async commit(set: Partial<ReportRow>, statements: readonly Statement[] = [], file?: SQL): Promise<void> {
    const { it } = this;
    const after = { ...it, ...set, step: it.step + 1, crashes: 0, updated_at: this.now() };
    const sets = Object.entries({ ...set, updated_at: after.updated_at }).map(([name, value]) => sql`${sql.raw(name)} = ${value}`);
    const stands = sql`step = ${it.step} and workflow_state = ${it.workflow_state}`;
    try {
      await this.perform([
        this.db.build.run(
          sql`update account_reports set step = case when ${stands} then step + 1 end, crashes = 0, ${sql.join(sets, sql`, `)} where id = ${it.id}`,
        ),
        ...statements,
        ...(file ? [this.db.build.run(sql`update account_reports set file_id = ${file} where id = ${it.id}`)] : []),
      ]);
    } catch (error) {
      if (/NOT NULL constraint failed: account_reports\.step/.test(textOfError(error))) throw new Overtaken();
      throw error;
    }
    this.it = after;
    await breath();
  }

  /** Reads the next rows of the current part and stores them. */
  private async readOn(part: ReportFile): Promise<void> {
    const { it, db } = this;
    const { worked, columns } = part;
    const count = worked?.most ?? most;
    const [rows, [end]] = await this.perform([
      db.build.all<Record<string, Cell> & { mark: number }>(rowsAfter(part, it.mark, count)),
      db.build.all<{ last: number | null }>(sql`select (${sql.raw(part.last)}) as last`),
    ]);
    const result = Object.keys(columns);
    if (worked) this.calls += 1;
    const more = worked && rows.length > 0 ? await worked.tell(db, rows) : [];
    const first = it.mark === 0 ? [csvLine([...result, ...(worked?.headers ?? [])])] : [];
    const lines = rows.map((row, nth) => csvLine([...result.map((_, at) => lookUp(row, `c${at}`)), ...(more[nth] ?? [])]));
    const isOver = rows.length < count;
    const mark = rows.at(-1)?.mark ?? it.mark;
    const done = it.part + (isOver ? 1 : Math.min(1, mark / Math.max(1, end?.last ?? 1)));
    const progress = Math.max(it.progress, Math.min(95, Math.floor((95 * done) / this.parts.length)));
    // Under a unique key: a second delivery that reads the same rows writes to another key, and one of the two is deleted.
    const key = `${folderOf(it)}${it.step}-${randomText(8)}`;
    this.calls += 1;
    await this.env.FILES.put(key, new TextEncoder().encode([...first, ...lines].join('')));
    const how = {
      progress,
      part: isOver ? it.part + 1 : it.part,
      mark: isOver ? 0 : mark,
      current_line: (it.current_line ?? 0) + rows.length,
    };
    const piece = sql`insert into account_report_pieces (report_id, step, part, key) values (${it.id}, ${it.step}, ${it.part}, ${key})`;
    try {
      await this.commit(how, [db.build.run(piece)]);
    } catch (error) {
      // The overtaking delivery may already have cleaned up.
      if (error instanceof Overtaken) await this.env.FILES.delete(key);
      throw error;
    }
  }

  private async *contentOf(keys: readonly string[]): AsyncGenerator<Uint8Array> {
    for (const key of keys) {
      const piece = await this.env.FILES.get(key);
      if (!piece) throw new Error('a piece of the report is missing');
      yield* bytesOfBody(piece.body);
    }
  }

  /** Combines the pieces, and saves the report as a file of its account. */
  private async compile(): Promise<void> {
    const { it, db, parts } = this;
    const [pieces] = await this.perform([
      db.build.all<{ part: number; key: string }>(
        sql`select part, key from account_report_pieces where report_id = ${it.id} order by step`,
      ),
    ]);
    const keysOf = (part: number) => pieces.filter((piece) => piece.part === part).map((piece) => piece.key);
    const isArchive = parts.length > 1;
    const content = isArchive
      ? zipOf(parts.map(({ name }, part) => ({ name: `${name}.csv`, content: this.contentOf(keysOf(part)) })))
      : this.contentOf(keysOf(0));
    const key = newBlobKey();
    await this.perform([expectBlob(db, key, this.now())]);
    const kept = await storeBlob(this.env.FILES, key, content, Number.POSITIVE_INFINITY, { r2_calls: 0 });
    const file = paper(
      db,
      {
        holder: { context_type: 'Account', context_id: it.account_id },
        levels: [{ name: 'Reports', hidden: true, unique_type: 'reports' }],
        user_id: it.user_id,
        name: `${called(it)}.${isArchive ? 'zip' : 'csv'}`,
        content_type: isArchive ? 'application/zip' : 'text/csv',
        blob: { key, ...kept },
      },
      this.now(),
    );
    const now = this.now();
    await this.commit(
      { workflow_state: 'complete', progress: 100, ended_at: now },
      [...file.statements, ...this.told('report_generated', now)],
      fileId(file.uuid),
    );
    await this.tidy();
  }

  /** Notifies the requester, unless they opted out. */
  told(notification: 'report_generated' | 'report_generation_failed', now: string): Statement[] {
    return this.it.parameters.skip_message === true ? [] : [queueNotification(this.db, { notification, item_id: this.it.id, now })];
  }

  /** Deletes all pieces, including those of overtaken deliveries. */
  async tidy(): Promise<void> {
    for (;;) {
      const { objects } = await this.env.FILES.list({ prefix: folderOf(this.it), limit: 500 });
      if (objects.length === 0) break;
      await this.env.FILES.delete(objects.map(({ key }) => key));
    }
    await this.perform([this.db.build.run(sql`delete from account_report_pieces where report_id = ${this.it.id}`)]);
  }

  /** @returns whether the report has ended */
  async goOn(mayGoOn: () => boolean): Promise<boolean> {
    if (this.it.workflow_state === 'created') await this.commit({ workflow_state: 'running', started_at: this.now() });
    while (this.it.workflow_state === 'running') {
      if (!mayGoOn()) return false;
      const part = this.parts[this.it.part];
      if (part) await this.readOn(part);
      else await this.commit({ workflow_state: 'compiling', progress: 95 });
    }
    await this.compile();
    return true;
  }
}
