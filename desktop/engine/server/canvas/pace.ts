// Limits the requests to a server: a budget for each sync, and a slower pace when its rate limit is nearly used up.

import { causeOf, Declined, type Session, Troubled } from '../session';
import type { CanvasRow, KeptPage, KeptPages } from './kept_pages';

/** The budget is spent: the remaining requests wait for the next sync. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent';
}

/** The response is not a list, or its pages form a circle: items that are missing in it do not count as deleted. */
export class BrokenOff extends Error {
  override readonly name = 'BrokenOff';
}

/**
 * Canvas has a bucket of 700 for each token that fills by 10 a second, and refuses requests below 0; each response contains the
 * remaining amount.
 */
const low = 200;
const refilledInASecond = 10;
const perPage = 100;
/** How often a response that breaks off is requested again, and its timeout. */
const tries = 3;
const longest = 5 * 60_000;

export class Pace {
  #left: number;

  constructor(
    readonly session: Session,
    requests: number,
  ) {
    this.#left = requests;
  }

  async one(address: string): Promise<CanvasRow> {
    return rowsIn((await this.#ask(address)).text) as CanvasRow;
  }

  /** The first page of a list; undefined if it has not changed or is not accessible. */
  async first(address: string, tag: string | undefined): Promise<{ rows: CanvasRow[]; tag: string | null } | undefined> {
    try {
      const { response, text } = await this.#ask(address, tag === undefined ? {} : { 'if-none-match': tag });
      const rows = response.status === 304 ? undefined : rowsIn(text);
      return Array.isArray(rows) ? { rows: rows.filter(isRow), tag: response.headers.get('etag') } : undefined;
    } catch (problem) {
      if (problem instanceof Declined || problem instanceof Troubled || problem instanceof BrokenOff) return undefined;
      throw problem;
    }
  }

  /** All pages; throws if one is missing. */
  async all(address: string, pages?: KeptPages): Promise<CanvasRow[]> {
    const rows: CanvasRow[] = [];
    const asked = new Set<string>();
    let next: string | undefined = `${address}${address.includes('?') ? '&' : '?'}per_page=${perPage}`;
    while (next !== undefined) {
      if (asked.has(next)) throw new BrokenOff('the pages of the list form a circle');
      asked.add(next);
      const page: KeptPage = await this.#page(next, pages);
      rows.push(...page.rows);
      next = page.next;
    }
    return rows;
  }

  async #page(address: string, pages: KeptPages | undefined): Promise<KeptPage> {
    const tag = pages?.tagOf(address);
    const { response, text } = await this.#ask(address, tag === undefined ? {} : { 'if-none-match': tag });
    if (response.status === 304 && pages) return pages.again(address);
    const rows = rowsIn(text);
    if (!Array.isArray(rows)) throw new BrokenOff('the response is not a list');
    const page = { rows: rows.filter(isRow), next: nextIn(response.headers.get('link')) };
    pages?.told(address, response.headers.get('etag'), page);
    return page;
  }

  async #ask(address: string, more: Readonly<Record<string, string>> = {}): Promise<{ response: Response; text: string }> {
    const { session } = this;
    for (let nth = 1; ; nth++) {
      if (this.#left <= 0) throw new BudgetSpent();
      this.#left--;
      const signal = AbortSignal.timeout(longest);
      const response = await session.ask(address, { headers: { accept: 'application/json', ...more }, signal });
      try {
        const text = await response.text();
        const remaining = response.headers.get('x-rate-limit-remaining');
        if (remaining !== null && Number(remaining) < low) await session.pause(1, ((low - Number(remaining)) / refilledInASecond) * 1000);
        return { response, text };
      } catch (problem) {
        if (session.isClosed) throw problem;
        if (nth === tries) throw new BrokenOff(causeOf(problem));
        await session.pause(nth);
      }
    }
  }
}

const isRow = (row: unknown): row is CanvasRow => typeof row === 'object' && row !== null;

function rowsIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A login page or the page of a firewall is not a response of the API.
    throw new BrokenOff('the response is not JSON');
  }
}

/**
 * The next page: opaque, a number or a bookmark. It is requested at the address under which the server is known here, whatever
 * host the link names.
 */
export function nextIn(link: string | null): string | undefined {
  for (const part of link?.split(/,\s*(?=<)/) ?? []) {
    const [, address, rel] = /^\s*<([^>]*)>.*;\s*rel="?([^";]+)"?/.exec(part) ?? [];
    const url = rel === 'next' && address !== undefined ? URL.parse(address, 'http://here') : null;
    if (url) return `${url.pathname}${url.search}`;
  }
  return undefined;
}
