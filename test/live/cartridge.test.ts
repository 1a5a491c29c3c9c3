// A course that is exported as a cartridge and imported again, with the runtime killed at random moments: the next delivery of the queue continues the
// work, and the other course equals the first.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { bankForCartridge, furnishForCartridge } from '../support/cartridge_scene';
import { seenContent } from '../support/cartridge_view';
import { answered, type Client, clientOf } from '../support/client';
import { groundOf, type Person } from '../support/ground';
import { fetchPatiently, type Server, startServer, withDatabase } from '../support/server';
import { uploadInThreeSteps } from '../support/three_steps';

// biome-ignore lint/suspicious/noExplicitAny: tests read responses untyped.
type Told = any;

const persist = await mkdtemp(join(tmpdir(), 'carrel-cartridge-'));
let server: Server | undefined;
afterAll(async () => {
  await server?.kill();
  await rm(persist, { recursive: true, force: true });
});

const kills = 2;
const files = 60;
/** More jobs than there are before the last one of this test. */
const mostJobs = 6;
const clientFor = (person: Person): Client => clientOf(fetchPatiently, (server as Server).url, person.token);

/** Waits for one of the states. */
async function reaching(client: Client, path: string, states: readonly string[]): Promise<Told> {
  for (;;) {
    const it = answered(await client.get(path));
    if (states.includes(it.workflow_state)) return it;
    await new Promise((resume) => setTimeout(resume, 30));
  }
}

test('a course exported and imported while the runtime is killed at random is the same course, once', { timeout: 900_000 }, async () => {
  const scene = await withDatabase(persist, async (d1) => {
    const ground = groundOf(d1);
    const [source, target, teacher] = [await ground.course({ name: 'Chemistry' }), await ground.course(), await ground.person()];
    for (const course of [source, target]) await ground.enroll(course, teacher, 'teacher');
    // Messages in the local queue are lost with the runtime. These replace their next delivery.
    const letters = new Map<string, number[]>();
    for (const job of ['content_export', 'content_migration'])
      for (let id = 1; id <= mostJobs; id += 1) {
        const some: number[] = [];
        for (let nth = 0; nth < kills; nth += 1) some.push(await ground.deadLetter({ job, ids: [id] }));
        letters.set(`${job} ${id}`, some);
      }
    return { source, target, teacher, admin: await ground.admin(), bank: await bankForCartridge(ground, source), letters };
  });
  server = await startServer({ persist });
  const port = Number(new URL(server.url).port);
  const { source, target, teacher } = scene;
  const client = clientFor(teacher);
  const fetchPlainly = (url: string, init: RequestInit) => fetch(url, init);
  await furnishForCartridge(source, { client, fetch: fetchPlainly, bank: scene.bank });
  const random = (size: number) => crypto.getRandomValues(new Uint8Array(size));
  for (let nth = 0; nth < files; nth += 1)
    await uploadInThreeSteps(client, fetchPlainly, `/courses/${source.id}/files`, {
      name: `data ${nth}.bin`,
      parent_folder_path: `Data/${nth % 5}`,
      bytes: random(50_000),
    });

  let interrupted = 0;
  /** Kills the runtime when the work has come to random places, and delivers its message again each time. */
  async function survive(job: string, id: number, progress_url: string): Promise<void> {
    const progress = new URL(progress_url).pathname.replace('/api/v1', '');
    for (let nth = 0; nth < kills; nth += 1) {
      const place = (100 * (nth + Math.random())) / kills;
      for (;;) {
        const it = answered(await clientFor(teacher).get(progress));
        if (it.workflow_state === 'completed') return;
        expect(it.workflow_state, it.message).not.toBe('failed');
        if (it.completion >= place) break;
        await new Promise((resume) => setTimeout(resume, 3));
      }
      await server?.kill();
      server = await startServer({ persist, port });
      const now = answered(await clientFor(teacher).get(progress));
      if (now.workflow_state === 'completed') return;
      interrupted += 1;
      const letter = scene.letters.get(`${job} ${id}`)?.pop();
      answered(await clientFor(scene.admin).post(`/accounts/1/dead_letters/${letter}/send_again`));
    }
  }

  const exports = `/courses/${source.id}/content_exports`;
  const begun = answered(await client.post(exports, { export_type: 'common_cartridge' }));
  await survive('content_export', Number(begun.progress_url.split('/').at(-1)), begun.progress_url);
  const exported = await reaching(clientFor(teacher), `${exports}/${begun.id}`, ['exported', 'failed']);
  expect(exported.workflow_state).toBe('exported');

  const imports = `/courses/${target.id}/content_migrations`;
  const migration = answered(
    await clientFor(teacher).post(imports, {
      migration_type: 'canvas_cartridge_importer',
      settings: { content_export_id: begun.id },
    }),
  );
  await survive('content_migration', migration.id, migration.progress_url);
  const done = await reaching(clientFor(teacher), `${imports}/${migration.id}`, ['completed', 'failed']);
  const issues = answered(await clientFor(teacher).get(`${imports}/${migration.id}/migration_issues`));
  expect(done.workflow_state).toBe('completed');
  expect(issues.map((one: Told) => one.issue_type)).toEqual(['todo']);
  expect(interrupted, 'the kills came in the middle').toBeGreaterThan(0);

  const again = clientFor(teacher);
  const [before, after] = [await seenContent(source, again), await seenContent(target, again)];
  expect(before.files).toHaveLength(files + 3);
  expect(after).toEqual(before);
  // The bytes, too.
  const digests = async (course: { readonly id: number }) => {
    const all = await again.pages(`/courses/${course.id}/files`, { per_page: 100 });
    const pairs = all.map(async ({ display_name, url }) => {
      const content = await (await fetchPatiently(url, { headers: { Authorization: `Bearer ${teacher.token}` } })).arrayBuffer();
      return [display_name, Buffer.from(await crypto.subtle.digest('SHA-256', content)).toString('hex')];
    });
    return Object.fromEntries(await Promise.all(pairs));
  };
  expect(await digests(target)).toEqual(await digests(source));
});
