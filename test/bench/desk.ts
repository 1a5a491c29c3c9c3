// The desk at few files and at very many: cold start, memory, a sync that finds nothing and one that finds one file, counted and timed,
// and compared with rclone on the same tree.

import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { DiskCounts } from '../support/counted';
import { type BenchDesk, signInDesk, syncDesk } from './engine';
import { type ManyFiles, openManyFiles } from './many_files';
import { relisting } from './peers';
import { isInstalled, programVersion, startProcess } from './processes';
import type { InLine, MeasuredStep, Usable } from './running_desk';
import { repositoryRoot } from './runtime';
import { scratchFolder } from './scratch';
import { median, type Table, times } from './table';

const few = 500;
const courses = 10;
const starts = 3;
const idleRounds = 5;
const changes = 3;

interface Measured {
  readonly files: number;
  readonly usable: readonly Usable[];
  readonly inLine: readonly InLine[];
  readonly idle: readonly MeasuredStep[];
  readonly changed: readonly MeasuredStep[];
  readonly megabytes: number;
}

interface Beside {
  readonly idle: number;
  readonly changed: number;
  readonly requests: number;
}

/** A benchmark process that answers line by line. */
function processOf(...words: string[]) {
  const { child, ended } = startProcess(
    process.execPath,
    ['--expose-gc', '--import', 'tsx', join(repositoryRoot, 'test/bench/running_desk.ts'), ...words],
    {
      cwd: repositoryRoot,
      isAsked: true,
    },
  );
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async <T>(): Promise<T> => {
    const { done, value } = await lines.next();
    if (done) throw new Error(`the desk ended early: ${(await ended).err.slice(-2000)}`);
    return JSON.parse(value) as T;
  };
  return {
    next,
    ask: <T>() => {
      child.stdin.write('\n');
      return next<T>();
    },
    end: async () => {
      child.stdin.end();
      await ended;
    },
  };
}

async function measure(files: number, scratch: string, beside?: (desk: BenchDesk, shelves: ManyFiles) => Promise<void>): Promise<Measured> {
  const shelves = await openManyFiles({ files, courses, sizeOf: (nth) => 600 + ((nth * 7919) % 400), hasBytes: false });
  try {
    const desk = await signInDesk(join(scratch, `desk of ${files}`), shelves.url, shelves.student);
    shelves.layOut(desk.folder);
    const first = await syncDesk(desk);
    if (first.outcome !== 'complete' || first.downloaded > 0)
      throw new Error(`the files differ from what a sync would write: ${JSON.stringify(first)}`);
    console.error(`  ${files.toLocaleString('en-US')} files are on a desk`);
    const [usable, inLine]: [Usable[], InLine[]] = [[], []];
    for (let nth = 0; nth < starts; nth++) {
      const desk_ = processOf('desk', desk.store);
      usable.push(await desk_.next<Usable>());
      inLine.push(await desk_.next<InLine>());
      await desk_.end();
    }
    const running = processOf('running', desk.store, shelves.student.token);
    const { megabytes } = await running.next<{ megabytes: number }>();
    const [idle, changed]: [MeasuredStep[], MeasuredStep[]] = [[], []];
    for (let nth = 0; nth < idleRounds; nth++) idle.push(await running.ask<MeasuredStep>());
    for (let nth = 0; nth < changes; nth++) {
      const which = Math.floor((files * (nth + 1)) / (changes + 2));
      const words = await shelves.change(which);
      changed.push(await running.ask<MeasuredStep>());
      if (readFileSync(join(desk.folder, shelves.pathOf(which)), 'utf8') !== words) throw new Error('the change did not arrive');
      // Handles the file system event of the change.
      await running.ask<MeasuredStep>();
    }
    const odd = [...idle, ...changed].find(({ outcome }) => outcome !== 'complete');
    if (odd) throw new Error(`a sync ended with ${odd.outcome}`);
    await running.end();
    await beside?.(desk, shelves);
    return { files, usable, inLine, idle, changed, megabytes };
  } finally {
    await shelves.close();
  }
}

export async function deskTables(many: number): Promise<Table[]> {
  const scratch = scratchFolder();
  let rclone: Beside | undefined;
  const small = await measure(few, scratch);
  const large = await measure(many, scratch, async (desk, shelves) => {
    if (!isInstalled('rclone')) return;
    // Changes a copy, not the desk's own folder.
    const served = join(scratch, 'served');
    const tree = join(scratch, 'rclone-tree');
    for (const to of [served, tree]) cpSync(desk.folder, to, { recursive: true, preserveTimestamps: true });
    rclone = await relisting(served, tree, scratch, changes, (nth) => join(served, shelves.pathOf(nth + 7)));
  });
  const steps = [
    { what: 'nothing new', of: ({ idle }: Measured) => idle },
    { what: 'one file changed', of: ({ changed }: Measured) => changed },
  ];
  const unlike = [
    ...steps.flatMap(({ what, of }) => differences(what, of(small), of(large))),
    ...differences('cold start', small.usable, large.usable),
  ];
  const counts = (one: DiskCounts): (string | number)[] => [one.statements, one.rows, one.stats, one.listings, one.bytesRead];
  const rows = [small, large].flatMap((one): (string | number)[][] => [
    ['cold start until the first screen', one.files, 0, ...counts(typical(one.usable)), Math.round(milliseconds(one.usable))],
    ...steps.map(({ what, of }) => {
      const step = typical(of(one));
      return [`a sync that finds ${what}`, one.files, step.requests, ...counts(step), round(milliseconds(of(one)))];
    }),
  ]);
  const ratio = (own: number, other: number | undefined) => (other ? times(own / other) : '');
  return [
    {
      title: `The running desk at ${few} and at ${many.toLocaleString('en-US')} files`,
      columns: ['Operation', 'Files', 'Requests', 'Statements', 'Rows', 'File checks', 'Folder listings', 'Bytes read', 'Milliseconds'],
      rows: rows.sort(([a], [b]) => String(a).localeCompare(String(b))),
      notes: [
        `${courses} courses each, in folders of at most 50 files. Statements and rows of its databases; looks at single files, listings of folders, and bytes read of files outside the databases. Counts are the middle of ${idleRounds}, ${changes} and ${starts} rounds, times medians; ${unlike.length === 0 ? 'the counts are the same at both sizes' : `NOT FLAT: ${unlike.join('; ')}`}.`,
        'The cold start is a new process, which starts Node and compiles TypeScript. The background work is in the next table.',
      ],
      only: 'desk',
      ...(unlike.length > 0 && { wrong: `the desk's costs grow: ${unlike.join('; ')}` }),
    },
    {
      title: 'Background work of the desk after its start',
      columns: [
        'Files',
        'Usable after ms',
        'The desk alone, ms',
        'All checked after ms',
        'Longest wait ms',
        'File checks',
        'Memory MB',
        'Engine alone MB',
      ],
      rows: [small, large].map((one) => {
        const { longest, stats } = one.inLine.toSorted((a, b) => a.longest - b.longest)[Math.floor(starts / 2)] as InLine;
        return [
          one.files,
          Math.round(milliseconds(one.usable)),
          Math.round(median(one.usable.map(({ opening }) => opening))),
          Math.round(milliseconds(one.inLine)),
          Math.round(longest),
          stats,
          Math.round(median(one.inLine.map(({ megabytes }) => megabytes))),
          Math.round(one.megabytes),
        ];
      }),
      notes: [
        `Medians of ${starts}. Changes made while the program was off are unknown, so each file is checked once, in slices that do not block anything else. The longest wait is the longest block of the event loop. Memory is the resident set after a garbage collection.`,
      ],
      only: 'desk',
    },
    {
      title: `At ${many.toLocaleString('en-US')} files compared with rclone on the same tree`,
      columns: ['Program', 'Requests', 'Nothing new, ms', 'Ratio', 'One changed file, ms', 'Ratio'],
      rows: [
        rclone
          ? [
              'rclone sync from rclone serve webdav',
              rclone.requests,
              Math.round(rclone.idle),
              times(1),
              Math.round(rclone.changed),
              times(1),
            ]
          : ['rclone sync (rclone is not installed: nothing to compare with)', '', '', '', '', ''],
        [
          'the running engine',
          typical(large.idle).requests,
          round(milliseconds(large.idle)),
          ratio(milliseconds(large.idle), rclone?.idle),
          round(milliseconds(large.changed)),
          ratio(milliseconds(large.changed), rclone?.changed),
        ],
      ],
      notes: [
        `Medians of ${idleRounds} and ${changes}. ${isInstalled('rclone') ? programVersion('rclone') : 'rclone'} lists the tree that Carrel wrote over loopback; each of its syncs is a new process. The aim is 0.10×.`,
      ],
      only: 'desk',
    },
  ];
}

const milliseconds = (steps: readonly { readonly milliseconds: number }[]): number => median(steps.map((step) => step.milliseconds));
const round = (value: number): number => Math.round(value * 10) / 10;

/** The median by statements, because a timer of the desk may run during a step. */
const typical = <T extends DiskCounts>(steps: readonly T[]): T =>
  steps.toSorted((a, b) => a.statements - b.statements || a.rows - b.rows)[Math.floor(steps.length / 2)] as T;

function differences(what: string, small: readonly DiskCounts[], large: readonly DiskCounts[]): string[] {
  const [a, b] = [typical(small), typical(large)];
  // Longer numbers or another page of a table may cost a tenth more.
  const grows = (name: keyof DiskCounts) => b[name] > a[name] * 1.1 + 2;
  const names = ['statements', 'rows', 'stats', 'listings', 'opened', 'bytesRead'] as const;
  return names.filter(grows).map((name) => `${what}: ${name} ${a[name]} → ${b[name]}`);
}
