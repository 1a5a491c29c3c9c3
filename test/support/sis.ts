// Sends SIS imports as a client would, and waits for them.

import { zipSync } from 'fflate';
import { expect } from 'vitest';
import type { Client } from './client';

// biome-ignore lint/suspicious/noExplicitAny: tests read responses untyped.
type Import = any;

export type Rows = readonly (readonly (string | number)[])[];

const cell = (value: string | number) => (/[",\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value));
/** A header with commas, and rows. */
export const csv = (header: string, ...rows: Rows): string => [header, ...rows.map((row) => row.map(cell).join(','))].join('\n');

export const zipped = (files: Readonly<Record<string, string | Uint8Array>>): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, text]) => [name, typeof text === 'string' ? new TextEncoder().encode(text) : text]),
    ),
  );

/** The form that canvasapi sends: options first, the file last, in the part `attachment`. */
export function formOf(
  content: string | Uint8Array,
  options: object = {},
  name = typeof content === 'string' ? 'sis.csv' : 'sis.zip',
): FormData {
  const form = new FormData();
  for (const [key, value] of Object.entries(options)) form.append(key, String(value));
  form.append('attachment', new File([content as never], name, { type: typeof content === 'string' ? 'text/csv' : 'application/zip' }));
  return form;
}

const ended = ['imported', 'imported_with_messages', 'failed', 'failed_with_messages', 'aborted', 'restored', 'partially_restored'];

/** Waits until an import has ended. */
export async function ending(client: Client, id: number, tries = 400): Promise<Import> {
  for (let n = 0; n < tries; n += 1) {
    const { status, body } = await client.get(`/accounts/1/sis_imports/${id}`);
    expect(status, JSON.stringify(body)).toBe(200);
    if (ended.includes(body.workflow_state)) return body;
    await new Promise((resume) => setTimeout(resume, n < 20 ? 50 : 250));
  }
  throw new Error(`the import ${id} has not ended`);
}

export async function sent(client: Client, content: string | Uint8Array, options: object = {}): Promise<Import> {
  const { status, body } = await client.post('/accounts/1/sis_imports', formOf(content, options));
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}
