// The Worker that answers the requests of tests: `import` would load it a second time.

type Worker = typeof import('@carrel/worker/index').default;

/** The module loader of this runtime, as `test/api/setup.ts` has left it. */
interface Runner {
  readonly worker?: Promise<{ readonly default: Worker }>;
}

export async function runningWorker(): Promise<Worker> {
  const { moduleRunner } = (globalThis as unknown as { __vitest_mocker__: { moduleRunner: Runner } }).__vitest_mocker__;
  if (!moduleRunner.worker) throw new Error('the Worker has not been loaded');
  return (await moduleRunner.worker).default;
}
