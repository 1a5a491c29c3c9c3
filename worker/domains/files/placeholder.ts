// The replacement for removed file content: a one-page PDF that states the removal.

const objects = [
  '<< /Type /Catalog /Pages 2 0 R >>',
  '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
  'BT /F1 24 Tf 72 720 Td (This file has been removed.) Tj ET',
  '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
];

/** A minimal PDF that every reader opens: numbered objects, their offsets, a trailer. */
function written(): string {
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = text.length;
    const body = object.startsWith('<<') ? object : `<< /Length ${object.length} >>\nstream\n${object}\nendstream`;
    text += `${at + 1} 0 obj\n${body}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  return `${text}xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
}

export async function* placeholder(): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(written());
}
