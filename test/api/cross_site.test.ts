// What a page of another site can do through a browser with a session here.

import { SELF } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { isRead } from '../support/access';
import { base, ground } from '../support/api';
import { endpoints, fillPath, pathValuesIn, titleOf } from '../support/every_endpoint';
import { aFullScene } from '../support/full_scene';
import { countWrites, writesByTable } from '../support/table_writes';

const made = 'makes what is missing, which the person would meet in any case';
const opened = 'read once it is opened, as in Canvas';

/** Reads that write, and why a link from elsewhere may lead to them. */
const harmless: Readonly<Record<string, string>> = {
  'GET /manually_created_courses_account': made,
  'GET /courses/:course_id/folders/media': made,
  'GET /courses/:course_id/folders/icon_maker_folder': made,
  'GET /groups/:group_id/folders/media': made,
  'GET /groups/:group_id/folders/icon_maker_folder': made,
  'GET /users/:user_id/folders/media': made,
  'GET /users/:user_id/folders/icon_maker_folder': made,
  'GET /courses/:course_id/student_view_student': made,
  'GET /api/lti/security/jwks': 'makes the keys of the platform, once',
  'GET /conversations/:id': opened,
  'GET /login/session_token': 'a ticket, which the page that asked cannot read',
};

test('a link on a page of another site changes nothing for the person who follows it', { timeout: 120_000 }, async () => {
  const scene = await aFullScene();
  const sessions = await Promise.all([scene.teacher, scene.student, scene.root].map((person) => ground.session(person)));
  await countWrites();
  const found: string[] = [];
  for (const endpoint of endpoints.filter((one) => isRead(one) && !(titleOf(one) in harmless))) {
    const before = await writesByTable();
    const statuses: number[] = [];
    for (const session of sessions) {
      const headers = { Cookie: `carrel_session=${session}`, 'Sec-Fetch-Site': 'cross-site' };
      const response = await SELF.fetch(`${base}${fillPath(endpoint, pathValuesIn(endpoint, scene))}`, { redirect: 'manual', headers });
      await response.arrayBuffer();
      statuses.push(response.status);
    }
    const after = await writesByTable();
    // The time of a session's last request is in its row.
    const written = [...after].filter(([name, count]) => count !== before.get(name) && name !== 'sessions').map(([name]) => name);
    if (written.length > 0) found.push(`${titleOf(endpoint)} → ${statuses.join(', ')}: ${written.join(', ')}`);
  }
  expect(found).toEqual([]);
});
