// When files may come and go, and how fast: the person's rules, and what the computer says of itself.

import type { Surroundings, TransferRules, WaitsFor } from '../ui/views/transfers';
import { type Clock, Interrupted } from './remote';
import { stored } from './store/damage';

export const usualRules: TransferRules = { bandwidth: null, lanes: 6, paused: false, wait_on_metered: true, wait_on_battery: false };

export const rulesSetting = 'transfers';
/** Slower, and a server that waits would be taken for one that has gone silent. */
const slowest = 16_000;
export const mostLanes = 12;

export function readRules(text: string | undefined): TransferRules {
  const given = text === undefined ? {} : stored<Partial<TransferRules>>(text);
  const rules = { ...usualRules, ...given };
  const bandwidth = typeof rules.bandwidth === 'number' ? Math.max(slowest, rules.bandwidth) : null;
  return { ...rules, bandwidth, lanes: Math.min(mostLanes, Math.max(1, Math.round(rules.lanes) || 1)) };
}

/** A pause by hand holds whatever else is said; the others can be overruled for once. Pure. */
export function waitsFor(rules: TransferRules, { metered, battery }: Surroundings, isUrged = false): WaitsFor | undefined {
  if (rules.paused) return 'hand';
  if (isUrged) return undefined;
  if (metered && rules.wait_on_metered) return 'metered';
  return battery && rules.wait_on_battery ? 'battery' : undefined;
}

/** One for an account: its speed is that of all its transfers together. */
export class Transfers {
  surroundings: Surroundings = { metered: false, battery: false };
  /** For this one sync the person has said to go on, metered or not. */
  isUrged = false;
  #nextAt = 0;
  #moving = new AbortController();

  constructor(
    private readonly clock: Clock,
    readonly rules: () => TransferRules = () => usualRules,
  ) {}

  get waitsFor(): WaitsFor | undefined {
    return waitsFor(this.rules(), this.surroundings, this.isUrged);
  }

  /** Ends what is under way when files have to wait; it is taken up later from the byte it had come to. */
  get signal(): AbortSignal {
    if (this.#moving.signal.aborted && !this.waitsFor) this.#moving = new AbortController();
    return this.#moving.signal;
  }

  /** After a change of the rules or the surroundings. Returns whether files may move. */
  heed(): boolean {
    const why = this.waitsFor;
    if (why) this.#moving.abort(new Interrupted(why));
    return !why;
  }

  /** Waits until so many more bytes may pass. */
  async pass(bytes: number): Promise<void> {
    const { bandwidth } = this.rules();
    if (bandwidth === null) return;
    const now = this.clock.now().getTime();
    const start = Math.max(now, this.#nextAt);
    this.#nextAt = start + (bytes / bandwidth) * 1000;
    if (start > now) await this.clock.sleep(start - now);
  }
}
