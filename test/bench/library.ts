// A course of many small files on a running server, put there as its teacher would, and a student who has none of them yet.

import { clientOf } from '../support/client';
import { groundOf, type Person } from '../support/ground';
import { withDatabase } from '../support/server';
import { upload } from '../support/three_steps';
import { build, carrelWorker, run } from './runtime';
import { scratchFolder } from './scratch';

export interface Library {
  readonly url: string;
  close(): Promise<void>;
  readonly student: Person;
  readonly bytes: number;
}

const atOnce = 8;
const folders = 20;
const smallest = 1000;
const largest = 20_000;

/** The same sizes every time, spread evenly; no two files with the same bytes. */
const contentOf = (nth: number): Buffer => {
  const size = smallest + ((nth * 7919) % (largest - smallest));
  const bytes = Buffer.alloc(size);
  for (let at = 0, word = nth * 2654435761 + 1; at < size; at += 4) {
    word = (Math.imul(word, 1664525) + 1013904223) >>> 0;
    bytes.writeUInt32LE(word, Math.min(at, size - 4));
  }
  return bytes;
};

export async function openLibrary(files: number): Promise<Library> {
  const persist = scratchFolder();
  const { course, teacher, student } = await withDatabase(persist, async (d1) => {
    const ground = groundOf(d1);
    await ground.nameInstitution('Bench University');
    const course = await ground.course({ name: 'Library' });
    const [teacher, student] = [await ground.person({ name: 'Tara Teacher' }), await ground.person({ name: 'Sam Student' })];
    await ground.enroll(course, teacher, 'teacher');
    await ground.enroll(course, student, 'student');
    return { course, teacher, student };
  });
  const runtime = await run(persist, [carrelWorker('carrel', await build(persist))]);
  const { origin } = await runtime.unsafeGetDirectURL('carrel');
  const send = (url: string, init: RequestInit) => fetch(url, init);
  const client = clientOf(send, origin, teacher.token);
  let [next, bytes] = [0, 0];
  const put = async (nth: number) => {
    const content = contentOf(nth);
    bytes += content.length;
    await upload(client, send, `/courses/${course.id}/files`, {
      name: `document ${nth}.bin`,
      bytes: content,
      content_type: 'application/octet-stream',
      parent_folder_path: `Week ${nth % folders}`,
    });
  };
  // One of each folder first: two at once would both want to make it.
  for (; next < Math.min(folders, files); next++) await put(next);
  const lane = async () => {
    for (let nth = next++; nth < files; nth = next++) await put(nth);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return { url: origin, student, bytes, close: () => runtime.dispose() };
}
