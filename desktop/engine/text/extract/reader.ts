// Reads the words of files in a thread, one file at a time for all callers, and starts another thread when a file was too large for it.

import { Worker } from 'node:worker_threads';
import { longestText, mostMemory } from './bounds';
import type { ExtractedText } from './result';
import type { ExtractReply, ExtractRequest } from './worker';

export interface ReaderOptions {
  /** The program of the thread. */
  readonly program: string | URL;
  /** Where pdf.js finds its character maps. */
  readonly data: string;
  /** Milliseconds for one file. */
  readonly longest?: number;
}

/** The file exceeds the limit of time or memory. */
export class TooMuch extends Error {
  override readonly name = 'TooMuch';
}

interface Waiting {
  readonly resolve: (read: ExtractedText) => void;
  readonly reject: (why: Error) => void;
  readonly timer: NodeJS.Timeout;
}

export class WordReader {
  #worker: Worker | undefined;
  #waiting: Waiting | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #asking = 0;

  constructor(private readonly given: ReaderOptions) {}

  /** One file at a time, because several accounts share the thread. A caller that aborts does not stop the file of another. */
  read(path: string, signal?: AbortSignal): Promise<ExtractedText> {
    this.#asking++;
    const read = this.#turn
      .then(() => {
        signal?.throwIfAborted();
        const giveUp = () => this.#giveUp(new Error('closed'));
        signal?.addEventListener('abort', giveUp, { once: true });
        return this.#read(path).finally(() => signal?.removeEventListener('abort', giveUp));
      })
      .finally(() => this.#asking--);
    this.#turn = read.catch(() => undefined);
    return read;
  }

  #read(path: string): Promise<ExtractedText> {
    const worker = this.#worker ?? this.#start();
    this.#worker = worker;
    const { promise, resolve, reject } = Promise.withResolvers<ExtractedText>();
    const timer = setTimeout(() => this.#giveUp(new TooMuch('it took too long')), this.given.longest ?? longestText);
    timer.unref();
    this.#waiting = { resolve, reject, timer };
    worker.postMessage({ path } satisfies ExtractRequest);
    return promise;
  }

  /** Releases the memory of the thread, unless another caller is still waiting; the next file starts it again. */
  rest(): void {
    if (this.#asking === 0) this.#giveUp(new Error('closed'));
  }

  #settled(): Waiting | undefined {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    clearTimeout(waiting?.timer);
    return waiting;
  }

  #giveUp(why: Error): void {
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.terminate();
    this.#settled()?.reject(why);
  }

  #start(): Worker {
    const worker = new Worker(this.given.program, {
      workerData: { data: this.given.data },
      resourceLimits: { maxOldGenerationSizeMb: mostMemory, maxYoungGenerationSizeMb: 32 },
      // At start pdf.js warns that it cannot render, which is not needed here.
      stdout: true,
      stderr: true,
    });
    const ifStill = (act: () => void) => {
      if (worker === this.#worker) act();
    };
    worker.on('message', (result: ExtractReply) =>
      ifStill(() => {
        if ('pages' in result) this.#settled()?.resolve(result);
        else this.#settled()?.reject(new Error(result.why));
      }),
    );
    worker.on('error', (problem) => ifStill(() => this.#giveUp(new TooMuch(problem instanceof Error ? problem.message : String(problem)))));
    worker.on('exit', () => ifStill(() => this.#giveUp(new TooMuch('its thread ended'))));
    worker.stdout.resume();
    worker.stderr.resume();
    worker.unref();
    return worker;
  }
}
