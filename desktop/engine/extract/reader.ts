// Asks the thread for the words of one file after the other, whoever wants them, and starts another when a file was too much for it.

import { Worker } from 'node:worker_threads';
import { longest, mostMemory } from './bounds';
import type { Read } from './read';
import type { Asked, Told } from './worker';

export interface Reading {
  /** The program of the thread. */
  readonly program: string | URL;
  /** Where pdf.js finds its maps of characters. */
  readonly data: string;
  /** Milliseconds for one file. */
  readonly longest?: number;
}

/** It cost more time or memory than a file may. */
export class TooMuch extends Error {
  override readonly name = 'TooMuch';
}

interface Waiting {
  readonly resolve: (read: Read) => void;
  readonly reject: (why: Error) => void;
  readonly timer: NodeJS.Timeout;
}

export class WordReader {
  #worker: Worker | undefined;
  #waiting: Waiting | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #asking = 0;

  constructor(private readonly given: Reading) {}

  /** One at a time, in turn: several accounts share one thread. Whoever gives up takes nobody else's file along. */
  read(path: string, signal?: AbortSignal): Promise<Read> {
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

  #read(path: string): Promise<Read> {
    const worker = this.#worker ?? this.#start();
    this.#worker = worker;
    const { promise, resolve, reject } = Promise.withResolvers<Read>();
    const timer = setTimeout(() => this.#giveUp(new TooMuch('it took too long')), this.given.longest ?? longest);
    timer.unref();
    this.#waiting = { resolve, reject, timer };
    worker.postMessage({ path } satisfies Asked);
    return promise;
  }

  /** Its memory is given back, unless somebody else is still being read to; the next file starts it again. */
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
      // pdf.js says on start that it cannot draw here, which nobody asks of it.
      stdout: true,
      stderr: true,
    });
    const ifStill = (act: () => void) => {
      if (worker === this.#worker) act();
    };
    worker.on('message', (told: Told) =>
      ifStill(() => {
        if ('pages' in told) this.#settled()?.resolve(told);
        else this.#settled()?.reject(new Error(told.why));
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
