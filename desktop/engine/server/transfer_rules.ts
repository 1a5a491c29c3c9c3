// When files may be transferred, and how fast: the user's rules, and the state of the computer.

import type { TransferConditions, TransferRules, WaitsFor } from '../../contract/transfers';
import { stored } from '../store/damage';
import { type Clock, Interrupted } from './session';

export const usualRules: TransferRules = { bandwidth: null, lanes: 6, paused: false, wait_on_metered: true, wait_on_battery: false };

export const rulesSetting = 'transfers';
/** With less, a server that waits for bytes would time out. */
const slowest = 16_000;
export const mostLanes = 12;

export function readRules(text: string | undefined): TransferRules {
  const given = text === undefined ? {} : stored<Partial<TransferRules>>(text);
  const rules = { ...usualRules, ...given };
  const bandwidth = typeof rules.bandwidth === 'number' ? Math.max(slowest, rules.bandwidth) : null;
  return { ...rules, bandwidth, lanes: Math.min(mostLanes, Math.max(1, Math.round(rules.lanes) || 1)) };
}

/** A manual pause always applies; the other reasons can be overruled for one sync. Pure. */
export function waitsFor(rules: TransferRules, { metered, battery }: TransferConditions, isUrged = false): WaitsFor | undefined {
  if (rules.paused) return 'hand';
  if (isUrged) return undefined;
  if (metered && rules.wait_on_metered) return 'metered';
  return battery && rules.wait_on_battery ? 'battery' : undefined;
}

/** One for each account: the speed limit applies to all its transfers together. */
export class Transfers {
  surroundings: TransferConditions = { metered: false, battery: false };
  /** The user has chosen to continue this one sync, even on a metered connection. */
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

  /** Aborts running transfers when files have to wait; they continue later where they stopped. */
  get signal(): AbortSignal {
    if (this.#moving.signal.aborted && !this.waitsFor) this.#moving = new AbortController();
    return this.#moving.signal;
  }

  /** To be called after a change of the rules or the state. Returns whether files may be transferred. */
  heed(): boolean {
    const why = this.waitsFor;
    if (why) this.#moving.abort(new Interrupted(why));
    return !why;
  }

  /** Waits until this number of bytes may pass. */
  async pass(bytes: number): Promise<void> {
    const { bandwidth } = this.rules();
    if (bandwidth === null) return;
    const now = this.clock.now().getTime();
    const start = Math.max(now, this.#nextAt);
    this.#nextAt = start + (bytes / bandwidth) * 1000;
    if (start > now) await this.clock.sleep(start - now);
  }
}

/** The slowest speed before the connection counts as dead. */
const bytesPerMillisecond = 20;

/** How long the response to so many bytes may take, within the user's speed limit. */
export const patienceFor = (bytes: number, transfers?: Transfers): number =>
  60_000 + bytes / bytesPerMillisecond + (bytes / (transfers?.rules().bandwidth ?? Number.POSITIVE_INFINITY)) * 1000;
