// How files come and go: how fast, how many at once, and when they wait.

export interface TransferRules {
  /** Bytes a second, both ways together; null without limit. */
  readonly bandwidth: number | null;
  /** Files at a time. */
  readonly lanes: number;
  /** By hand, until it is taken back. */
  readonly paused: boolean;
  readonly wait_on_metered: boolean;
  readonly wait_on_battery: boolean;
}

/** What the computer says of itself. */
export interface Surroundings {
  readonly metered: boolean;
  readonly battery: boolean;
}

export type WaitsFor = 'hand' | 'metered' | 'battery';

/** Files that would come, and do not yet. */
export interface Waiting {
  readonly why: WaitsFor;
  readonly files: number;
  readonly bytes: number;
}

export interface NoRoom {
  readonly files: number;
  readonly needs: number;
  readonly free: number;
  /** Of what is free, this much has to stay free. */
  readonly reserve: number;
}

export interface TransfersView {
  readonly rules: TransferRules;
  readonly surroundings: Surroundings;
}
