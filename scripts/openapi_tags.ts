// The tags of the OpenAPI document: the `about` of the routes of each domain.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Endpoint } from '../worker/http/endpoint.ts';

interface Tag {
  readonly name: string;
  readonly description: string;
}

interface Routes {
  /** Relative to worker/domains. */
  readonly file: string;
  readonly exported: Readonly<Record<string, unknown>>;
}

const domains = join(import.meta.dirname, '../worker/domains');
const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** The `about` of one file. */
function ownTag({ exported: { about } }: Routes): Tag | undefined {
  const { title, description } = (about ?? {}) as { title?: string; description?: string };
  return title && description ? { name: title, description } : undefined;
}

/** The tag of a file: its own, else that of the nearest folder, described by its `routes.ts` if it exists, else by another file. */
function tagFor(of: Routes, all: readonly Routes[]): Tag {
  const own = ownTag(of);
  if (own) return own;
  for (let folder = folderOf(of.file); folder !== ''; folder = folderOf(folder)) {
    const beside = all.filter(({ file }) => folderOf(file) === folder);
    const first = beside.find(({ file }) => file.endsWith('/routes.ts')) ?? beside.find(ownTag);
    const tag = first && ownTag(first);
    if (tag) return tag;
  }
  throw new Error(`worker/domains/${of.file} needs: export const about = { title: '…', description: '….' };`);
}

/**
 * The tag of each endpoint, found by the module that exports it.
 * @throws Error for a domain without `about`
 */
export async function tagsOf(): Promise<ReadonlyMap<Endpoint, Tag>> {
  const files = readdirSync(domains, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /[/_]routes\.ts$/.test(file))
    .sort();
  const all = await Promise.all(
    files.map(async (file): Promise<Routes> => ({ file, exported: await import(pathToFileURL(join(domains, file)).href) })),
  );
  const found = new Map<Endpoint, Tag>();
  for (const routes of all) {
    const endpoints = Object.values(routes.exported).filter(Array.isArray).flat();
    if (endpoints.length === 0) continue;
    const tag = tagFor(routes, all);
    for (const endpoint of endpoints) found.set(endpoint, tag);
  }
  return found;
}
