// A student's computer: a store, a study folder, and the engine between them and the fake server.

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileSecrets } from '@carrel/desktop/engine/accounts/account';
import { signIn } from '@carrel/desktop/engine/accounts/sign_in';
import { Workspace, type WorkspaceOptions } from '@carrel/desktop/engine/accounts/workspace';
import { systemClock } from '@carrel/desktop/engine/server/session';
import type { SyncReport } from '@carrel/desktop/engine/sync/engine';
import type { FakeServer } from './fake_server';

/** Waits without delay. */
export const hurriedClock = { ...systemClock, sleep: () => new Promise<void>((resolve) => setImmediate(resolve)) };

/** A folder on another disk for the study folder, to test disks that decompose names, ignore case, have coarse clocks or no links. */
const onAnotherDisk = process.env.CARREL_STUDY_DISK;

export class Student {
  readonly home = mkdtempSync(join(tmpdir(), 'carrel-sync-'));
  readonly #disk = onAnotherDisk === undefined ? this.home : mkdtempSync(join(onAnotherDisk, 'carrel-sync-'));
  readonly folder = join(this.#disk, 'Study');
  readonly store = join(this.home, 'desk');
  #study: Workspace | undefined;

  static async at(server: FakeServer, more: Partial<WorkspaceOptions> = {}): Promise<Student> {
    const student = new Student();
    const { store, folder } = student;
    const signedIn = await signIn({
      store,
      secrets: fileSecrets(store),
      url: server.url,
      token: server.token,
      folder,
      clock: hurriedClock,
    });
    student.#study = new Workspace({ store, signedIn, token: server.token, clock: hurriedClock, ...more });
    server.count();
    return student;
  }

  get study(): Workspace {
    if (!this.#study) throw new Error('not signed in');
    return this.#study;
  }

  sync = (given?: { isConfirmed?: boolean }): Promise<SyncReport> => this.study.sync(given);

  /** Like a new process. */
  async restart(more: Partial<WorkspaceOptions> = {}): Promise<void> {
    const { signedIn } = this.study;
    await this.study.close().catch(() => {});
    this.#study = new Workspace({ store: this.store, signedIn, token: 'a-token', clock: hurriedClock, ...more });
  }

  path = (...names: string[]): string => join(this.folder, 'Test University', ...names);
  read = (...names: string[]): string => readFileSync(this.path(...names), 'utf8');

  /** Every file in the institution's folder, with its content. */
  tree(): Record<string, string> {
    const root = this.path();
    return Object.fromEntries(filesBelow(root).map((path) => [path.slice(root.length + 1), readFileSync(path, 'utf8')]));
  }

  /** Everything that a sync with nothing to do must not change. */
  stamps(): string[] {
    return filesBelow(this.folder).map((path) => {
      const { ino, mtimeNs, ctimeNs, size } = statSync(path, { bigint: true });
      return `${path} ${ino} ${mtimeNs} ${ctimeNs} ${size}`;
    });
  }

  async leave(): Promise<void> {
    await this.#study?.close();
    rmSync(this.home, { recursive: true, force: true });
    rmSync(this.#disk, { recursive: true, force: true });
  }
}

export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
