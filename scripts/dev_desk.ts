// The desk's process of `npm run dev`, on the port that it is given: the engine with the browser host, signed in as the demo student.

import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '..');
const data = resolve(root, process.env.CARREL_DATA ?? '.carrel');
const { url, users } = JSON.parse(readFileSync(join(data, 'credentials.json'), 'utf8')) as {
  url: string;
  users: { student: { token: string } };
};

/** What the desk's host offers here; its own types belong to another runtime than the Worker's. */
interface DeskHost {
  serveDesk(given: {
    port: number;
    store: string;
    folder: string;
    account: { url: string; token: string };
    ui?: string;
  }): Promise<{ url: string; close(): Promise<void> }>;
}

const { serveDesk } = (await import(pathToFileURL(join(root, 'desktop/hosts/web/main.ts')).href)) as DeskHost;
const built = join(root, 'desktop/dist/ui');
const port = Number(process.argv[2]);
const desk = await serveDesk({
  port,
  store: join(data, 'desk'),
  folder: join(data, 'study'),
  account: { url, token: users.student.token },
  // Vite serves the pages; of the built ones only the data of PDFs is read.
  ui: existsSync(built) ? built : undefined,
});
console.log(`\n  Desk       ${desk.url.replace(`:${port}/`, `:${port - 1}/`)}\n`);

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, async () => {
    await desk.close();
    process.exit(0);
  });
