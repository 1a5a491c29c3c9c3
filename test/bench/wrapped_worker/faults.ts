// Faults of a wrapped Worker, set by a request. Each is a share of the calls, 0 without faults.

export interface Faults {
  /** Of R2 calls, that throw before they do anything. */
  r2: number;
  /** Of queue deliveries, that fail before their work. */
  queue_before: number;
  /** Of queue deliveries, that fail after their work, so that it is delivered again. */
  queue_after: number;
  /** Of calls to objects, after which the object is reset. */
  object: number;
}

export const noFaults: Faults = { r2: 0, queue_before: 0, queue_after: 0, object: 0 };

export const faults: Faults = { ...noFaults };

/** How often each fault has occurred. */
export const occurred: Record<keyof Faults, number> = { ...noFaults };

export function strikes(fault: keyof Faults): boolean {
  if (Math.random() >= faults[fault]) return false;
  occurred[fault] += 1;
  return true;
}
