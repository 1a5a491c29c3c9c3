// Courses with many files, inserted directly into a server's database and storage, and a student who may already have them.

import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { clientOf } from '../support/client';
import { groundOf, type Person } from '../support/ground';
import { withDatabase } from '../support/server';
import { uploadInThreeSteps } from '../support/three_steps';
import { build, carrelWorker, type Storage, startRuntime } from './runtime';
import { scratchFolder } from './scratch';

export interface Shelved {
  readonly files: number;
  readonly courses: number;
  /** The first courses, which have all the files; by default all of them. */
  readonly coursesWithFiles?: number;
  readonly sizeOf: (nth: number) => number;
  /** Whether the server stores the contents, or only the metadata. */
  readonly hasBytes: boolean;
  /** Options of the runtime, and of the Worker in it. */
  readonly runtime?: object;
  readonly worker?: object;
}

export interface ManyFiles {
  readonly url: string;
  readonly student: Person;
  readonly teacher: Person;
  /** The courses. */
  readonly ids: readonly number[];
  readonly bytes: number;
  readonly inspector: () => Promise<URL>;
  /** Writes all files where a sync would. */
  layOut(folder: string): void;
  /** Replaces a file as the teacher; returns its new text. */
  change(nth: number): Promise<string>;
  pathOf(nth: number): string;
  close(): Promise<void>;
}

const perFolder = 50;
const atOnce = 8;
const chunk = 1000;
const part = 10_000_000;
const firstFile = 100_000;
const at = '2026-09-01T08:00:00Z';
const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Deterministic contents, different for every file. */
function contentOf(nth: number, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, Math.floor(size / 4));
  for (let at = 0, word = nth * 2654435761 + 1; at < words.length; at++) {
    word = (Math.imul(word, 1664525) + 1013904223) >>> 0;
    words[at] = word;
  }
  return bytes;
}

/** Large files in parts, as a client would upload them. */
async function put(storage: Storage, key: string, content: Buffer): Promise<void> {
  if (content.length <= part) return void (await storage.put(key, content));
  const upload = await storage.createMultipartUpload(key);
  const parts: unknown[] = [];
  for (let at = 0; at < content.length; at += part) parts.push(await upload.uploadPart(parts.length + 1, content.subarray(at, at + part)));
  await upload.complete(parts);
}

export async function openManyFiles({
  files,
  courses,
  coursesWithFiles = courses,
  sizeOf,
  hasBytes,
  runtime: options,
  worker,
}: Shelved): Promise<ManyFiles> {
  const persist = scratchFolder();
  const perCourse = Math.ceil(files / coursesWithFiles);
  const weeks = Math.ceil(perCourse / perFolder);
  const placeOf = (nth: number) => ({
    course: Math.floor(nth / perCourse),
    week: Math.floor((nth % perCourse) / perFolder) + 1,
    name: `document ${nth}.bin`,
  });
  const folderOf = (course: number, week: number) => 1000 + course * 1000 + week;
  const pathOf = (nth: number): string => {
    const { course, week, name } = placeOf(nth);
    return join('Bench University', `Course ${course + 1}`, `Week ${week}`, name);
  };
  let bytes = 0;
  const { ids, teacher, student } = await withDatabase(persist, async (d1) => {
    const insert = async (table: string, rows: readonly Readonly<Record<string, string | number | null>>[]): Promise<void> => {
      const names = Object.keys(rows[0] ?? {});
      const values = names.map((_, nth) => `value ->> ${nth}`);
      const result = JSON.stringify(rows.map((row) => Object.values(row)));
      await d1
        .prepare(`insert into ${table} (${names.join(', ')}) select ${values.join(', ')} from json_each(?)`)
        .bind(result)
        .run();
    };
    const ground = groundOf(d1);
    await ground.nameInstitution('Bench University');
    const [teacher, student] = [await ground.person({ name: 'Tara Teacher' }), await ground.person({ name: 'Sam Student' })];
    const ids: number[] = [];
    const stamps = { created_at: at, updated_at: at };
    for (let nth = 0; nth < courses; nth++) {
      const course = await ground.course({ name: `Course ${nth + 1}`, storage_quota_mb: 1_000_000 });
      ids.push(course.id);
      await ground.enroll(course, teacher, 'teacher');
      await ground.enroll(course, student, 'student');
      const place = { context_type: 'Course', context_id: course.id };
      const root = { id: folderOf(nth, 0), ...place, parent_folder_id: null, name: 'course files', full_name: 'course files', ...stamps };
      await insert('folders', [root]);
      const folders = Array.from({ length: weeks }, (_, week) => ({
        id: folderOf(nth, week + 1),
        ...place,
        parent_folder_id: root.id,
        name: `Week ${week + 1}`,
        full_name: `course files/Week ${week + 1}`,
        ...stamps,
      }));
      await insert('folders', folders);
    }
    for (let done = 0; done < files; done += chunk) {
      const some = Array.from({ length: Math.min(chunk, files - done) }, (_, n) => done + n);
      const blobs = some.map((nth) => {
        const content = contentOf(nth, sizeOf(nth));
        bytes += content.length;
        return { id: firstFile + nth, key: `bench/${nth}`, size: content.length, sha256: hashOf(content), created_at: at };
      });
      await insert('blobs', blobs);
      const rows = some.map((nth) => {
        const { course, week, name } = placeOf(nth);
        return {
          id: firstFile + nth,
          context_type: 'Course',
          context_id: ids[course] ?? 0,
          folder_id: folderOf(course, week),
          uuid: `bench-${nth}`,
          display_name: name,
          filename: name,
          content_type: 'application/octet-stream',
          size: sizeOf(nth),
          blob_id: firstFile + nth,
          user_id: teacher.id,
          modified_at: at,
          workflow_state: 'available',
          ...stamps,
        };
      });
      await insert('files', rows);
    }
    return { ids, teacher, student };
  });
  const runtime = await startRuntime(persist, [{ ...(await carrelWorker('carrel', await build(persist))), ...worker }], options);
  const { origin } = await runtime.unsafeGetDirectURL('carrel');
  if (hasBytes) {
    const storage = await runtime.getR2Bucket('FILES', 'carrel');
    const waiting = Array.from({ length: files }, (_, nth) => nth)[Symbol.iterator]();
    const lane = async () => {
      for (const nth of waiting) await put(storage, `bench/${nth}`, contentOf(nth, sizeOf(nth)));
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
  }
  const send = (url: string, init: RequestInit) => fetch(url, init);
  const client = clientOf(send, origin, teacher.token);
  let versions = 0;
  return {
    url: origin,
    student,
    teacher,
    ids,
    bytes,
    inspector: () => runtime.getInspectorURL(),
    pathOf,
    layOut(folder) {
      for (let nth = 0; nth < files; nth++) {
        const path = join(folder, pathOf(nth));
        if (nth % perFolder === 0) mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, contentOf(nth, sizeOf(nth)));
      }
    },
    async change(nth) {
      const { course, week, name } = placeOf(nth);
      const words = `Another version of ${nth}, the ${++versions}th of all`;
      await uploadInThreeSteps(client, send, `/courses/${ids[course]}/files`, {
        name,
        bytes: Buffer.from(words),
        content_type: 'application/octet-stream',
        parent_folder_path: `Week ${week}`,
        on_duplicate: 'overwrite',
      });
      return words;
    },
    close: () => runtime.dispose(),
  };
}
