// Makes the steps of a migration one by one, each delivered twice at the same time, as a queue may do.

import { env } from 'cloudflare:test';
import { newMeter, open } from '@carrel/worker/database/open';
import { content_migrations } from '@carrel/worker/domains/content_migrations/table';
import { MigrationWork } from '@carrel/worker/domains/content_migrations/work';
import type { Platform } from '@carrel/worker/platform';
import { eq } from 'drizzle-orm';
import { ground } from './api';

type ImportStep = (work: MigrationWork, mayGoOn: () => boolean) => Promise<boolean>;

/** Ends with the phase of the import; the job makes the others. */
export async function deliverStepsTwice(id: number, step: ImportStep): Promise<void> {
  const platform = env as unknown as Platform;
  const meter = newMeter();
  const db = open(platform.DB, meter, 'first-primary');
  await ground.db.update(content_migrations).set({ workflow_state: 'importing', phase: 'import' }).where(eq(content_migrations.id, id));
  for (let rounds = 0; rounds < 300; rounds += 1) {
    const [it] = await ground.db.select().from(content_migrations).where(eq(content_migrations.id, id));
    if (it?.phase !== 'import' || it.workflow_state !== 'importing') return;
    const once = () => {
      let left = 1;
      return step(new MigrationWork(platform, db, meter, it), () => left-- > 0);
    };
    const both = await Promise.allSettled([once(), once()]);
    if (both.some((one) => one.status === 'fulfilled' && one.value)) return;
  }
  throw new Error('the import does not end');
}
