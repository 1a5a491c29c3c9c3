// Requests that survive faults: reads are repeated, writes are repeated with the same idempotency key, so that each is done once.

import { type Answer, type Client, clientOf, type Fetch } from '../../support/client';
import type { Person } from '../../support/ground';

/** What has become of the requests. */
export interface RequestTally {
  done: number;
  /** Attempts that failed by a fault: no connection, or an error of the server. */
  failed: number;
  /** Writes given up after all attempts: they may have happened, once. */
  unsure: number;
  /** Responses 400 to 499, which no fault explains. */
  readonly refused: Map<string, number>;
}

export const newTally = (): RequestTally => ({ done: 0, failed: 0, unsure: 0, refused: new Map() });

const attempts = 12;
const longestPause = 2000;
const pause = (ms: number) => new Promise((resume) => setTimeout(resume, ms));

/** Thrown when it is not known whether a write has happened. */
export class Unsure extends Error {}

export class PatientSender {
  private count = 0;

  constructor(
    private readonly url: string,
    readonly tally: RequestTally,
  ) {}

  /** Repeats what can be repeated: a read, or a write with its key. */
  private readonly patiently: Fetch = async (to, init) => {
    let problem = '';
    for (let nth = 0; nth < attempts; nth++) {
      if (nth > 0) await pause(Math.min(longestPause, 50 * 2 ** nth));
      try {
        const response = await fetch(to, { ...init, signal: AbortSignal.timeout(30_000) });
        const body = await response.arrayBuffer();
        if (response.status < 500) {
          this.tally.done += 1;
          return new Response(body.byteLength === 0 ? null : body, response);
        }
        problem = `${response.status} ${new TextDecoder().decode(body).slice(0, 200)}`;
      } catch (error) {
        problem = String(error);
      }
      this.tally.failed += 1;
    }
    this.tally.unsure += 1;
    throw new Unsure(`${init.method} ${to}: ${problem}`);
  };

  clientOf(person: Person): Client {
    return clientOf(this.patiently, this.url, person.token);
  }

  /** A write with a key of its own. */
  async write(person: Person, method: 'post' | 'put' | 'del', path: string, body: object = {}): Promise<Answer['body']> {
    this.count += 1;
    const headers = { 'Idempotency-Key': `soak-${process.pid}-${this.count}` };
    return this.accepted(path, await this.clientOf(person)[method](path, body, { headers }));
  }

  async read(person: Person, path: string, query: object = {}): Promise<Answer['body']> {
    return this.accepted(path, await this.clientOf(person).get(path, query));
  }

  private accepted(path: string, { status, body }: Answer): Answer['body'] {
    if (status < 400) return body;
    const what = `${status} ${path.replaceAll(/\d+/g, ':id')} ${JSON.stringify(body).slice(0, 160)}`;
    this.tally.refused.set(what, (this.tally.refused.get(what) ?? 0) + 1);
    return undefined;
  }

  /** The second step of an upload, which has no idempotency key: its ticket is one. */
  async sendFile(ticket: { readonly upload_url: string; readonly upload_params: Readonly<Record<string, string>> }, content: string) {
    const form = () => {
      const parts = new FormData();
      for (const [name, value] of Object.entries(ticket.upload_params)) parts.append(name, value);
      parts.append('file', new Blob([content]), 'soak.txt');
      return parts;
    };
    // A form can be read once, so each attempt has its own.
    for (let nth = 0; nth < attempts; nth++) {
      try {
        const response = await fetch(ticket.upload_url, { method: 'POST', body: form(), signal: AbortSignal.timeout(30_000) });
        const text = await response.text();
        if (response.status === 201) return JSON.parse(text) as { id: number };
        if (response.status < 500) return this.accepted('/files_api', { status: response.status, body: text } as Answer);
      } catch {
        // Cut off; the same ticket is sent again.
      }
      this.tally.failed += 1;
      await pause(Math.min(longestPause, 50 * 2 ** nth));
    }
    this.tally.unsure += 1;
    throw new Unsure('an upload');
  }
}
