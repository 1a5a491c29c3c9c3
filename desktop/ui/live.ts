// Live queries: a screen reads once, and again whenever the host reports a change.

import { useEffect, useMemo, useState } from 'react';
import type { ChangedArea, ChangeNotice, Channel, ChannelParams, ChannelResult } from '../contract/channels.ts';
import { call, host } from './host.ts';

const listeners = new Set<(notice: ChangeNotice) => void>();
let listening = false;

export function onNotice(listener: (notice: ChangeNotice) => void) {
  if (!listening) host.onNotice((notice) => listeners.forEach((tell) => void tell(notice)));
  listening = true;
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The last answer per question, so that going back shows it at once. */
const remembered = new Map<string, unknown>();
export const forgetEverything = () => remembered.clear();

/** Loads an answer that is likely to be needed next, so that its screen appears at once. */
export async function loadAhead<C extends Channel>(channel: C, given: ChannelParams<C>): Promise<ChannelResult<C>> {
  const question = questionOf(channel, given);
  const known = remembered.get(question);
  if (known !== undefined) return known as ChannelResult<C>;
  const value = await call(channel, given);
  if (!remembered.has(question)) remembered.set(question, value);
  return value;
}

const questionOf = (channel: Channel, given: unknown) => `${channel} ${JSON.stringify(given ?? null)}`;

/** Calls that come while one is running share the next one: a burst of notices costs two reads, however long a read takes. */
export function coalesced(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const start = () => {
    running = run().finally(() => {
      running = undefined;
    });
    return running;
  };
  return () => {
    if (!running) return start();
    next ??= running.then(() => {
      next = undefined;
      return start();
    });
    return next;
  };
}

export interface LiveValue<T> {
  readonly value: T | undefined;
  readonly failure: Error | undefined;
  readonly readAgain: () => Promise<void>;
}

export function useLive<C extends Channel>(part: ChangedArea, channel: C, given?: ChannelParams<C>): LiveValue<ChannelResult<C>> {
  const question = questionOf(channel, given);
  const [seen, setSeen] = useState<{ question: string; value?: ChannelResult<C>; failure?: Error }>({ question });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the question is a key for the channel and its argument
  const readAgain = useMemo(
    () =>
      coalesced(async () => {
        try {
          const value = await call(channel, given);
          remembered.set(question, value);
          setSeen({ question, value });
        } catch (failure) {
          setSeen((before) => ({ ...before, question, failure: failure instanceof Error ? failure : new Error(String(failure)) }));
        }
      }),
    [question],
  );

  useEffect(() => {
    void readAgain();
    return onNotice((notice) => {
      if (notice.changed.includes(part)) void readAgain();
    });
  }, [readAgain, part]);

  const current = seen.question === question ? seen : undefined;
  return { value: current?.value ?? (remembered.get(question) as ChannelResult<C> | undefined), failure: current?.failure, readAgain };
}
