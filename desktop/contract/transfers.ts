// File transfers: speed, how many at once, and when they pause.

export interface TransferRules {
  /** Bytes per second, up and down together; null without limit. */
  readonly bandwidth: number | null;
  /** Simultaneous transfers. */
  readonly lanes: number;
  /** Paused by the user until they resume. */
  readonly paused: boolean;
  readonly wait_on_metered: boolean;
  readonly wait_on_battery: boolean;
}

/** The state of the network and battery. */
export interface TransferConditions {
  readonly metered: boolean;
  readonly battery: boolean;
}

export type WaitsFor = 'hand' | 'metered' | 'battery';

/** Files that wait to be transferred. */
export interface WaitingTransfers {
  readonly why: WaitsFor;
  readonly files: number;
  readonly bytes: number;
}

export interface NoRoom {
  readonly files: number;
  readonly needs: number;
  readonly free: number;
  /** The free space that must be left on the disk. */
  readonly reserve: number;
}

export interface TransfersView {
  readonly rules: TransferRules;
  readonly surroundings: TransferConditions;
}
