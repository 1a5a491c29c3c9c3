// What people and programs do, as requests to the real Worker. Each action is done several times by different students.

import type { ChangesPage } from '@carrel/shared/sync/protocol';
import type { Client } from '../../support/client';
import { crowdTokenOf } from '../crowd';
import { reads } from './reads';
import { type Action, type ActionScene, accepted, type BillScene, megabyte, sceneOf, uploadMegabyte } from './scene';
import { studentWrites, teacherWrites } from './writes';

async function cursorOf(client: Client): Promise<string> {
  let cursor: string | undefined;
  for (;;) {
    const page: ChangesPage = accepted(await client.get('/api/sync/v1/changes', { limit: 1000, ...(cursor && { cursor }) }));
    cursor = page.cursor;
    if (!page.has_more && page.changes.length === 0) return cursor;
  }
}

const clientsOfDesks = {
  sign_in: (scene: BillScene): Action => ({
    async run(nth) {
      await (await fetch(new URL('/login/canvas', scene.url))).text();
      const body = new URLSearchParams({
        'pseudonym_session[unique_id]': `crowd-${nth}@example.edu`,
        'pseudonym_session[password]': scene.password,
      });
      const response = await fetch(new URL('/login/canvas', scene.url), { method: 'POST', body, redirect: 'manual' });
      if (response.status !== 303) throw new Error(`the sign-in answers ${response.status}`);
    },
  }),
  socket_opened: (scene: BillScene): Action => ({ run: (nth) => scene.openSocket(crowdTokenOf(20 + nth)) }),
  feed_first: (scene: BillScene): Action => ({
    times: 6,
    async run(nth) {
      const page: ChangesPage = accepted(await scene.student(nth).get('/api/sync/v1/changes'));
      if (page.has_more) accepted(await scene.student(nth).get('/api/sync/v1/changes', { cursor: page.cursor }));
    },
  }),
  feed_idle: (scene: BillScene): Action => {
    const cursors: string[] = [];
    return {
      times: 12,
      async prepare() {
        for (let nth = 0; nth <= 12; nth++) cursors.push(await cursorOf(scene.student(nth)));
      },
      run: async (nth) => accepted(await scene.student(nth).get('/api/sync/v1/changes', { cursor: cursors[nth] })),
    };
  },
  /** Each student finds a few changes of one course. */
  feed_changed: (scene: BillScene): Action => {
    const cursors: string[] = [];
    return {
      times: 12,
      async prepare() {
        for (let nth = 0; nth <= 12; nth++) cursors.push(await cursorOf(scene.student(nth)));
        for (const nth of [1, 2])
          accepted(
            await scene.teacher.put(`/courses/${scene.courseOf(nth)}/pages/page-${nth}`, { wiki_page: { body: `<p>New ${nth}</p>` } }),
          );
      },
      run: async (nth) => accepted(await scene.student(nth).get('/api/sync/v1/changes', { cursor: cursors[nth] })),
    };
  },
  file_download: (scene: BillScene): Action => {
    let address = '';
    return {
      times: 12,
      async prepare() {
        const id = await uploadMegabyte(scene.teacher, `/courses/${scene.courseOf(0)}/files`, 'slides.pdf');
        address = accepted(await scene.student(0).get(`/files/${id}`)).url;
      },
      async run(nth) {
        const headers = { authorization: `Bearer ${crowdTokenOf(nth)}` };
        const response = await fetch(address, { headers });
        if ((await response.arrayBuffer()).byteLength !== megabyte) throw new Error(`the download answers ${response.status}`);
      },
    };
  },
  tick: (scene: BillScene): Action => {
    const start = Date.now();
    // The first one runs the chores of the hour, too.
    return { prepare: () => scene.tick(start), times: 5, isUnpaced: true, run: (nth) => scene.tick(start + (nth + 1) * 60_000) };
  },
};

const actions = { ...clientsOfDesks, ...reads, ...studentWrites, ...teacherWrites };

export type { Action } from './scene';
export type ActionName = keyof typeof actions;

export const actionsOf = (scene: ActionScene): readonly (readonly [ActionName, Action])[] => {
  const whole = sceneOf(scene);
  return Object.entries(actions).map(([name, make]) => [name as ActionName, make(whole)] as const);
};
