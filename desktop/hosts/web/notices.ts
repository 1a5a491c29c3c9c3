// Sends notices to the open pages as server-sent events.

import type { ServerResponse } from 'node:http';
import type { Desk } from '../desk.ts';

const heartbeat = 20_000;

export function openNotices(desk: Desk) {
  const pages = new Set<ServerResponse>();
  const stopListening = desk.onNotice((notice) => {
    for (const page of pages) page.write(`data: ${JSON.stringify(notice)}\n\n`);
  });
  const timer = setInterval(() => {
    for (const page of pages) page.write(': still here\n\n');
  }, heartbeat);
  timer.unref();
  return {
    join(page: ServerResponse) {
      page.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
      page.write('retry: 1000\n\n');
      pages.add(page);
      page.on('close', () => pages.delete(page));
    },
    close() {
      clearInterval(timer);
      stopListening();
      for (const page of pages) page.end();
    },
  };
}
