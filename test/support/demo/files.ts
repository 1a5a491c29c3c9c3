// The documents of the demo's courses, by course code: paths and generators.

import { archive, pdf, picture, recording, spreadsheet, textFile } from './documents';

type Make = () => Uint8Array | Promise<Uint8Array>;

/** Folder path, file name, media type, generator. */
type Document = readonly [folder: string, name: string, type: string, make: Make];

const pages = (subject: string, count: number) =>
  Array.from({ length: count }, (_, page) => [
    `${subject}: notes to the lecture, part ${page + 1}. Read them with a pencil in hand; the margins are wide for a reason.`,
    'What is written here is less than what was said, and more than you will remember by Friday.',
    'Try the questions at the end before you look at the worked answers in the next part.',
  ]);

const transit = [
  ['hour', 'brightness'],
  ...Array.from({ length: 240 }, (_, hour) => [
    hour / 2,
    Number((1 + Math.sin(hour * 1.7) * 0.0008 - (hour % 61 < 5 ? 0.011 : 0)).toFixed(5)),
  ]),
];

export const documents: Readonly<Record<string, readonly Document[]>> = {
  'AST 101': [
    ['', 'Syllabus.pdf', 'application/pdf', () => pdf('Introduction to Astronomy', pages('Syllabus', 2))],
    ['Lectures', 'Lecture 01 The sky above.pdf', 'application/pdf', () => pdf('The sky above', pages('The sky above', 6))],
    ['Lectures', 'Lecture 02 Light.pdf', 'application/pdf', () => pdf('Light', pages('Light', 8))],
    ['Lectures/Recordings', 'Lecture 01 (recording).wav', 'audio/wav', () => recording(500)],
    [
      'Labs',
      'transit measurements.xlsx',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      () => spreadsheet('Star A', transit),
    ],
    ['Labs', 'transit measurements.csv', 'text/csv', () => textFile(transit.map((row) => row.join(',')).join('\n'))],
    [
      'Labs',
      'starter.zip',
      'application/zip',
      () =>
        archive({
          'README.md': '# Transit lab\n\nFold the data, find the dip.\n',
          'fold.py': 'import csv\n\n# Read the measurements, fold on a trial period.\n',
          'data/star_b.csv': 'hour,brightness\n0,1.0\n',
        }),
    ],
    ['Images', 'hills at night.png', 'image/png', () => picture(11)],
    ['Images', 'Hills at Night.png', 'image/png', () => picture(12)],
  ],
  'CHE 210': [
    ['', 'Course plan.pdf', 'application/pdf', () => pdf('Organic Chemistry I', pages('Course plan', 3))],
    ['Problem sets', 'Problem set 6.pdf', 'application/pdf', () => pdf('Problem set 6', pages('Problem set 6', 2))],
    ['Problem sets', 'Problem set 7.pdf', 'application/pdf', () => pdf('Problem set 7', pages('Problem set 7', 2))],
    [
      'Laboratory',
      'Report template.txt',
      'text/plain',
      () => textFile('Title\n\nAim\n\nMethod\n\nResults (with uncertainty)\n\nDiscussion\n'),
    ],
    [
      'Laboratory',
      'Yields.xlsx',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      () =>
        spreadsheet('Yields', [
          ['bench', 'grams'],
          ['1', 2.41],
          ['2', 2.38],
          ['3', 2.02],
        ]),
    ],
  ],
  'JPN 101': [
    ['教材', '第一課 ひらがな.txt', 'text/plain', () => textFile('あ い う え お\nか き く け こ\n')],
    ['教材', 'ひらがな表.png', 'image/png', () => picture(21)],
    ['教材/聴解', '練習３.wav', 'audio/wav', () => recording(6)],
    ['Überblick', 'Größe & Maß – Übungen.txt', 'text/plain', () => textFile('Größen und Maße auf Japanisch.\n')],
  ],
  'HIS 240': [
    ['Readings', 'Каталог Александрии.txt', 'text/plain', () => textFile('Каллимах из Кирены составил «Таблицы».\n')],
    ['Readings', 'The carrel.pdf', 'application/pdf', () => pdf('The carrel', pages('The carrel', 4))],
    ['Readings', 'مكتبة بغداد.md', 'text/markdown', () => textFile('# بيت الحكمة\n\nالترجمة في بغداد العباسية.\n')],
    ['Pictures', 'cloister.png', 'image/png', () => picture(31)],
  ],
}; // prettier-ignore
