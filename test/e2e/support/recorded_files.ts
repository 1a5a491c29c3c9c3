// Files of every kind that the reader can show, written to the library's folder on first use.

import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { viewerOf } from '@carrel/desktop/contract/file_types';
import type { Reading } from '@carrel/desktop/contract/reading';
import { fileText } from '@carrel/desktop/engine/text/files/file_text';
import { PDFDocument, PDFHexString, PDFName, PDFNumber, type PDFRef, rgb, StandardFonts } from 'pdf-lib';
import { picture, recording } from '../../support/demo/documents';
import { blankReading, own, recordedCourseName, recordedCourses, recordedFiles } from './content.ts';

const chapters = ['Before you go', 'On the rocks', 'In the boat', 'When the weather turns', 'What to carry', 'Whom to call'];
const words =
  'Never turn your back to the sea. Read the tide table in the morning and once more at the harbour; write the hour of low water on your hand. Nobody goes alone, and whoever goes first comes back first. Stones that are black are wet, and stones that are green are wet always. ';

/** Six chapters with an outline and a link from the first page to the last. */
async function safety(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.setTitle('Safety at sea');
  document.setLanguage('en');
  const serif = await document.embedFont(StandardFonts.TimesRoman);
  const bold = await document.embedFont(StandardFonts.HelveticaBold);
  const pages = chapters.map((chapter, at) => {
    const page = document.addPage([595, 842]);
    page.drawText('Safety at sea', { x: 64, y: 790, size: 10, font: serif, color: rgb(0.4, 0.4, 0.4) });
    page.drawText(chapter, { x: 64, y: 735, size: 26, font: bold, color: rgb(0.11, 0.36, 0.29) });
    page.drawText(`${words.repeat(3)} The whistle hangs at the left strap (rule ${at + 1}).`, {
      x: 64,
      y: 695,
      size: 12.5,
      font: serif,
      maxWidth: 467,
      lineHeight: 19,
    });
    return page;
  });
  const { context, catalog } = document;
  const [root, ...items] = Array.from({ length: chapters.length + 1 }, () => context.nextRef()) as [PDFRef, ...PDFRef[]];
  for (const [at, item] of items.entries())
    context.assign(
      item,
      context.obj({
        Title: PDFHexString.fromText(chapters[at] ?? ''),
        Parent: root,
        ...(items[at - 1] && { Prev: items[at - 1] }),
        ...(items[at + 1] && { Next: items[at + 1] }),
        Dest: [pages[at]?.ref ?? root, 'XYZ', null, null, null],
      }),
    );
  context.assign(
    root,
    context.obj({ Type: 'Outlines', First: items[0] ?? root, Last: items.at(-1) ?? root, Count: PDFNumber.of(items.length) }),
  );
  catalog.set(PDFName.of('Outlines'), root);
  return document.save();
}

const notebook = JSON.stringify({
  nbformat: 4,
  nbformat_minor: 5,
  metadata: { language_info: { name: 'python' } },
  cells: [
    { cell_type: 'markdown', source: ['# Waves at the pier\n', '\n', 'How *high* they come, by the hour. See [the counts](counts.csv).'] },
    {
      cell_type: 'code',
      execution_count: 1,
      source: [
        'import math\n',
        '\n',
        'def height(hour):\n',
        '    """Metres above the mark."""\n',
        '    return 1.4 * math.sin(hour / 12.4 * math.tau)\n',
      ],
      outputs: [],
    },
    {
      cell_type: 'code',
      execution_count: 2,
      source: 'print([round(height(h), 2) for h in range(5)])',
      outputs: [{ output_type: 'stream', name: 'stdout', text: ['[0.0, 0.68, 1.19, 1.4, 1.26]\n'] }],
    },
    {
      cell_type: 'code',
      execution_count: 3,
      source: 'plot(height)',
      outputs: [
        {
          output_type: 'display_data',
          data: { 'image/png': Buffer.from(picture(5, 480, 200)).toString('base64'), 'text/plain': '<Figure size 480x200>' },
        },
        { output_type: 'display_data', data: { 'text/html': '<b>bold</b><script>document.title = "taken"</script>' } },
      ],
    },
    {
      cell_type: 'code',
      execution_count: 4,
      source: 'height("noon")',
      outputs: [
        { output_type: 'error', ename: 'TypeError', evalue: 'no', traceback: ['\u001b[0;31mTypeError\u001b[0m: unsupported operand'] },
      ],
    },
  ],
});

const markdown = `# Notes, week 2

Tides come **twice a day**; the second is *never* quite as high. Between them $h = a \\cos(\\omega t)$, and a table costs $5.

- [x] barnacles counted
- [ ] limpets

| Zone | Hours dry |
|------|----------:|
| High | 9 |
| Low | 1 |

![The zones](../../Images/tide-zones.svg)

\`\`\`python
for zone in zones:
    print(zone.name)  # four of them
\`\`\`

More in [the safety sheet](../../Safety%20at%20sea.pdf). <script>document.title = 'taken'</script>
`;

const made: Readonly<Record<number, () => Uint8Array | string | Promise<Uint8Array>>> = {
  701: safety,
  706: () => markdown,
  711: () => notebook,
  712: () => 'Zone;Species;Count\nHigh;"Barnacles; small";412\nMiddle;Mussels;96\nLow;"Kelp ""giant""";7\n',
  713: () => recording(40),
  714: () => picture(3, 1600, 900),
  715: () => 'This is no PDF.',
  761: () => '# Who was the reader of 1550?\n\nA codex costs a month of wages.\n',
};

const all = () =>
  [own, ...recordedCourses.map(({ id }) => id)].flatMap((course_id) => recordedFiles(course_id).map((view) => ({ course_id, view })));

/** The path of such a file, once it has been written. */
export async function recordedFile(folder: string, id: number): Promise<string | undefined> {
  const view = all().find((one) => one.view.id === id)?.view;
  const make = made[id];
  if (!view || !make) return undefined;
  const path = join(folder, view.name);
  if (!existsSync(path)) await writeFile(path, await make());
  return path;
}

/** As the engine returns it. */
export async function readingOfFile(id: number, path: string | undefined): Promise<Reading | null> {
  const found = all().find((one) => one.view.id === id);
  if (!found) return null;
  const { course_id, view } = found;
  const viewer = viewerOf(view.name);
  const named = (address: string) => all().find((one) => decodeURIComponent(address).endsWith(one.view.name))?.view.id;
  const leads = {
    base: 'https://canvas.example.edu',
    to: (linked: { kind: string; id?: number }) => (linked.kind === 'file' ? `/files/${linked.id}` : undefined),
  };
  const text = path && viewer === 'text' ? await fileText(path, leads, named) : undefined;
  return {
    ...blankReading,
    reference: { kind: 'file', course_id, id },
    title: view.name,
    course_name: course_id === own ? 'My files' : (recordedCourseName(course_id) ?? ''),
    earlier: view.has_versions ? 0 : null,
    updated_at: view.updated_at,
    html: text?.html ?? '',
    file: { view, viewer, here: path !== undefined, cut: text?.cut ?? false, hangs: false },
  };
}
