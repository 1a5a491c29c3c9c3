// Documents of several file types, generated rather than shipped, for the demo's course files.

import { zipSync } from 'fflate';
import { PDFDocument, rgb, StandardFonts } from 'pdf-lib';
import { PNG } from 'pngjs';

const utf8 = (text: string) => new TextEncoder().encode(text);

/** A member of an archive, with a fixed date, so that the demo always has the same bytes. */
const member = (content: Uint8Array): [Uint8Array, { mtime: string }] => [content, { mtime: '2026-09-01T08:00:00Z' }];

/** A PDF with a title and paragraphs, one page per item of `pages`. */
export async function pdf(title: string, pages: readonly (readonly string[])[]): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.setTitle(title);
  // Fixed dates, so that the demo always has the same bytes.
  document.setCreationDate(new Date('2026-09-01T08:00:00Z'));
  document.setModificationDate(new Date('2026-09-01T08:00:00Z'));
  const serif = await document.embedFont(StandardFonts.TimesRoman);
  const bold = await document.embedFont(StandardFonts.TimesRomanBold);
  for (const [number, paragraphs] of pages.entries()) {
    const page = document.addPage([595, 842]);
    page.drawText(number === 0 ? title : `${title}, ${number + 1}`, {
      x: 64,
      y: 760,
      size: number === 0 ? 24 : 12,
      font: bold,
      color: rgb(0.12, 0.24, 0.2),
    });
    let y = 715;
    for (const paragraph of paragraphs) {
      page.drawText(paragraph, { x: 64, y, size: 11.5, font: serif, maxWidth: 467, lineHeight: 17 });
      y -= 17 * Math.ceil(paragraph.length / 84) + 14;
    }
  }
  return document.save();
}

/** A scanned document: images without text. */
export async function scanned(sheets: readonly Uint8Array[]): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  for (const sheet of sheets)
    document.addPage([595, 842]).drawImage(await document.embedPng(sheet), { x: 0, y: 0, width: 595, height: 842 });
  return document.save();
}

/** An image of a night sky over hills, different for every seed. */
export function picture(seed: number, width = 640, height = 360): Uint8Array {
  const png = new PNG({ width, height });
  let state = seed * 7919 + 17;
  const random = () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
  const hills = Array.from({ length: 4 }, (_, layer) => ({
    base: height * (0.62 + layer * 0.1),
    swing: 18 + random() * 26,
    pace: 0.006 + random() * 0.012,
    phase: random() * 6,
  }));
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 4;
      const layer = hills.findLastIndex((hill) => y > hill.base + Math.sin(x * hill.pace + hill.phase) * hill.swing);
      const [r, g, b] = layer < 0 ? [20 + y * 0.25, 28 + y * 0.22, 62 + y * 0.28] : [26 + layer * 9, 52 + layer * 13, 56 + layer * 6];
      png.data.set([r, g, b, 255], at);
    }
  for (let star = 0; star < 160; star++)
    png.data.set([250, 246, 225, 255], (Math.floor(random() * height * 0.55) * width + Math.floor(random() * width)) * 4);
  return PNG.sync.write(png, { deflateLevel: 9 });
}

const cell = (value: string | number, column: number, row: number) => {
  const name = `${String.fromCharCode(65 + column)}${row + 1}`;
  return typeof value === 'number'
    ? `<c r="${name}"><v>${value}</v></c>`
    : `<c r="${name}" t="inlineStr"><is><t>${value.replace(/[&<]/g, (char) => (char === '&' ? '&amp;' : '&lt;'))}</t></is></c>`;
};

/** A spreadsheet with one sheet. */
export function spreadsheet(sheet: string, rows: readonly (readonly (string | number)[])[]): Uint8Array {
  const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const packages = 'http://schemas.openxmlformats.org/package/2006';
  const file = (text: string) => member(utf8(`${head}${text}`));
  return zipSync({
    '[Content_Types].xml': file(
      `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`,
    ),
    '_rels/.rels': file(
      `<Relationships xmlns="${packages}/relationships"><Relationship Id="r1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ),
    'xl/workbook.xml': file(
      `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="${sheet}" sheetId="1" r:id="r1"/></sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': file(
      `<Relationships xmlns="${packages}/relationships"><Relationship Id="r1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    ),
    'xl/worksheets/sheet1.xml': file(
      `<worksheet xmlns="${main}"><sheetData>${rows.map((row, at) => `<row r="${at + 1}">${row.map((value, column) => cell(value, column, at)).join('')}</row>`).join('')}</sheetData></worksheet>`,
    ),
  });
}

/** An archive of named files. */
export const archive = (files: Readonly<Record<string, string | Uint8Array>>): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, content]) => [name, member(typeof content === 'string' ? utf8(content) : content)]),
    ),
  );

/** A recording of a slow chord: 16 bit mono at 22,050 samples a second, which makes 44 kB a second. */
export function recording(seconds: number): Uint8Array {
  const rate = 22_050;
  const samples = rate * seconds;
  const wave = new DataView(new ArrayBuffer(44 + samples * 2));
  const word = (at: number, text: string) => {
    for (const [offset, byte] of utf8(text).entries()) wave.setUint8(at + offset, byte);
  };
  word(0, 'RIFF');
  wave.setUint32(4, 36 + samples * 2, true);
  word(8, 'WAVEfmt ');
  wave.setUint32(16, 16, true);
  wave.setUint16(20, 1, true);
  wave.setUint16(22, 1, true);
  wave.setUint32(24, rate, true);
  wave.setUint32(28, rate * 2, true);
  wave.setUint16(32, 2, true);
  wave.setUint16(34, 16, true);
  word(36, 'data');
  wave.setUint32(40, samples * 2, true);
  for (let at = 0; at < samples; at++) {
    const t = at / rate;
    const swell = 0.5 + 0.5 * Math.sin(t / 9);
    wave.setInt16(
      44 + at * 2,
      7000 * swell * (Math.sin(t * 2 * Math.PI * 110) + Math.sin(t * 2 * Math.PI * 164.8) * 0.7 + Math.sin(t * 2 * Math.PI * 220.3) * 0.4),
      true,
    );
  }
  return new Uint8Array(wave.buffer);
}

export const textFile = utf8;
