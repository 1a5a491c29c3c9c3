// The heap of a Worker, as its inspector reports it.

export interface WorkerHeap {
  /** Megabytes in use; with `isCollected` after garbage was collected. */
  used(isCollected?: boolean): Promise<number>;
  /** Megabytes of buffers, which are outside of the heap and count against the limit of the platform, too. */
  buffers(): Promise<number>;
  close(): void;
}

interface HeapUsage {
  readonly usedSize?: number;
  readonly backingStorageSize?: number;
}

/** @param inspector of a runtime that was started with an inspector port */
export async function openHeap(inspector: URL, worker = 'carrel'): Promise<WorkerHeap> {
  const socket = new WebSocket(new URL(`/core:user:${worker}`, inspector).href.replace(/^http/, 'ws'));
  await new Promise((settle, fail) => {
    socket.addEventListener('open', settle, { once: true });
    socket.addEventListener('error', fail, { once: true });
  });
  let id = 0;
  const ask = (method: string): Promise<HeapUsage> =>
    new Promise((settle) => {
      id += 1;
      const own = id;
      const receive = ({ data }: MessageEvent) => {
        const message = JSON.parse(String(data)) as { id?: number; result?: HeapUsage };
        if (message.id !== own) return;
        socket.removeEventListener('message', receive);
        settle(message.result ?? {});
      };
      socket.addEventListener('message', receive);
      socket.send(JSON.stringify({ id: own, method }));
    });
  return {
    async used(isCollected = false) {
      if (isCollected) await ask('HeapProfiler.collectGarbage');
      return ((await ask('Runtime.getHeapUsage')).usedSize ?? 0) / 1024 / 1024;
    },
    async buffers() {
      return ((await ask('Runtime.getHeapUsage')).backingStorageSize ?? 0) / 1024 / 1024;
    },
    close: () => socket.close(),
  };
}
