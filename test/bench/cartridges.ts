// A course with many large files, exported as a cartridge and imported into another course: the time, and the memory of the Worker meanwhile.

import { clientOf } from '../support/client';
import { openHeap } from './heap';
import { openManyFiles } from './many_files';
import { runtimeProcess } from './runtime_process';
import type { Table } from './table';

const fileSize = 10_000_000;
/** What the platform gives to an isolate. */
const mostMegabytes = 128;

interface Phase {
  readonly name: string;
  readonly seconds: number;
  /** The most that the isolate had at once. */
  readonly heap: number;
  readonly buffers: number;
  /** Of the whole runtime, in which R2 and D1 run, too. */
  readonly cpu: number;
  readonly resident: number;
}

/** @param megabytes of all files together */
export async function cartridgeTables(megabytes: number): Promise<Table[]> {
  const files = Math.ceil((megabytes * 1e6) / fileSize);
  const queueConsumers = { 'carrel-work': { maxBatchSize: 10, maxBatchTimeout: 0, maxRetries: 5 } };
  const shelves = await openManyFiles({
    files,
    courses: 2,
    // All of them are in the first course.
    coursesWithFiles: 1,
    sizeOf: () => fileSize,
    hasBytes: true,
    runtime: { inspectorPort: 0 },
    worker: { queueConsumers },
  });
  console.error(`  ${files} files of ${fileSize / 1e6} MB created on the server`);
  const [source, target] = shelves.ids;
  const client = clientOf((url, init) => fetch(url, init), shelves.url, shelves.teacher.token);
  const heap = await openHeap(await shelves.inspector());

  async function run(name: string, path: string, body: object, isOver: (state: string) => boolean): Promise<{ phase: Phase; id: number }> {
    const started = Date.now();
    const before = runtimeProcess();
    const begun = await client.post(path, body);
    if (begun.status !== 200) throw new Error(`${path}: ${begun.status} ${JSON.stringify(begun.body)}`);
    const most = { heap: 0, buffers: 0, resident: 0 };
    for (;;) {
      const [used, buffers] = [await heap.used(), await heap.buffers()];
      most.heap = Math.max(most.heap, used);
      most.buffers = Math.max(most.buffers, buffers);
      most.resident = Math.max(most.resident, runtimeProcess().megabytes);
      const { body: it } = await client.get(`${path}/${begun.body.id}`);
      if (isOver(it.workflow_state)) {
        if (it.workflow_state === 'failed') throw new Error(`${name} has failed: ${JSON.stringify(it)}`);
        const cpu = runtimeProcess().seconds - before.seconds;
        return { phase: { name, seconds: (Date.now() - started) / 1000, ...most, cpu }, id: begun.body.id };
      }
      await new Promise((resume) => setTimeout(resume, 50));
    }
  }

  try {
    const exported = await run('export', `/courses/${source}/content_exports`, { export_type: 'common_cartridge' }, (state) =>
      ['exported', 'failed'].includes(state),
    );
    console.error(`  exported in ${exported.phase.seconds.toFixed(0)} s`);
    const given = { migration_type: 'canvas_cartridge_importer', settings: { content_export_id: exported.id } };
    const imported = await run('import', `/courses/${target}/content_migrations`, given, (state) =>
      ['completed', 'failed'].includes(state),
    );
    const copies = await client.pages(`/courses/${target}/files`, { per_page: 100 });
    const bytes = copies.reduce((sum, { size }) => sum + size, 0);
    if (copies.length !== files || bytes !== files * fileSize) throw new Error(`${copies.length} of ${files} files were imported`);
    const phases = [exported.phase, imported.phase];
    const worst = Math.max(...phases.map((one) => one.heap + one.buffers));
    return [
      {
        title: `A cartridge with ${files} files, ${((files * fileSize) / 1e9).toFixed(1)} GB`,
        columns: ['', 'seconds', 'MB/s', 'heap MB', 'buffers MB', 'processor s', 'runtime MB'],
        rows: phases.map((one) => [
          one.name,
          one.seconds,
          (files * fileSize) / 1e6 / one.seconds,
          one.heap,
          one.buffers,
          one.cpu,
          one.resident,
        ]),
        notes: [
          'Heap and buffers are the most that the isolate of the Worker had at once; the platform stops it at 128 MB.',
          'The runtime also runs R2 and D1.',
        ],
        only: 'cartridges',
        ...(worst > mostMegabytes ? { wrong: `the Worker had ${worst.toFixed(0)} MB at once` } : {}),
      },
    ];
  } finally {
    heap.close();
    await shelves.close();
  }
}
