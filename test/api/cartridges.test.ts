// Courses as Common Cartridge: exported, imported into an empty course, and compared through the API.

import { env, SELF } from 'cloudflare:test';
import { newMeter, open } from '@carrel/worker/database/open';
import { exportContent } from '@carrel/worker/domains/content_exports/job';
import { content_exports } from '@carrel/worker/domains/content_exports/table';
import { importCartridgeStep } from '@carrel/worker/domains/content_migrations/cartridge/import_cartridge';
import { expireMigrations } from '@carrel/worker/domains/content_migrations/expire';
import { migrateContent } from '@carrel/worker/domains/content_migrations/job';
import { courses } from '@carrel/worker/domains/courses/table';
import type { Platform } from '@carrel/worker/platform';
import { eq } from 'drizzle-orm';
import { strFromU8, unzipSync } from 'fflate';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { bankForCartridge, furnishForCartridge } from '../support/cartridge_scene';
import { seenContent } from '../support/cartridge_view';
import { deliverStepsTwice } from '../support/delivered_twice';
import { aCourse, type BuiltCourse, type Person } from '../support/ground';
import { zipped } from '../support/sis';
import { sendContent } from '../support/upload';

// biome-ignore lint/suspicious/noExplicitAny: tests read responses untyped.
type Told = any;

const platform = env as unknown as Platform;
let teacher: Person;
let student: Person;
let source: BuiltCourse;
let whole: Told;

const get = async (address: string): Promise<Told> => ok(await as(teacher).get(address));

async function aTarget(): Promise<BuiltCourse> {
  const course = await ground.course({ name: 'Target' });
  await ground.enroll(course, teacher, 'teacher');
  return course;
}

async function exported(params: object = {}): Promise<Told> {
  const at = `/courses/${source.id}/content_exports`;
  const made = ok(within(await as(teacher).post(at, { export_type: 'common_cartridge', ...params }), 3));
  const progress_id = Number(made.progress_url.split('/').at(-1));
  await exportContent({ job: 'content_export', progress_id }, platform);
  await vi.waitFor(async () => expect((await get(`/progress/${progress_id}`)).workflow_state).toBe('completed'), { timeout: 8000 });
  return get(`${at}/${made.id}`);
}

async function bytesOf(made: Told): Promise<Uint8Array> {
  const answer = await SELF.fetch(made.attachment.url);
  expect(answer.status).toBe(200);
  return new Uint8Array(await answer.arrayBuffer());
}

async function ended(address: string): Promise<Told> {
  for (let n = 0; n < 100; n += 1) {
    const it = await get(address);
    if (!['running', 'queued', 'pre_processing'].includes(it.workflow_state)) return it;
    await migrateContent({ job: 'content_migration', ids: [it.id] }, platform);
  }
  throw new Error('the migration does not end');
}

/** @returns its address, before the job has begun */
async function sent(target: BuiltCourse, bytes: Uint8Array, given: object = {}): Promise<string> {
  const at = `/courses/${target.id}/content_migrations`;
  const begun = ok(
    within(
      await as(teacher).post(at, {
        migration_type: 'canvas_cartridge_importer',
        pre_attachment: { name: 'course.imscc', size: bytes.length },
        ...given,
      }),
      3,
    ),
  );
  expect((await sendContent(begun.pre_attachment, bytes as never)).status).toBe(201);
  return `${at}/${begun.id}`;
}

const imported = async (target: BuiltCourse, bytes: Uint8Array, given: object = {}): Promise<Told> =>
  ended(await sent(target, bytes, given));

const issuesOf = async (target: BuiltCourse, it: Told): Promise<string[]> =>
  (await get(`/courses/${target.id}/content_migrations/${it.id}/migration_issues?per_page=100`)).map(
    (one: Told) => `${one.issue_type}: ${one.description}`,
  );

beforeAll(async () => {
  const scene = await aCourse(ground, { name: 'Chemistry: Part 1' });
  teacher = scene.teacher;
  student = scene.student;
  source = scene.course;
  const bank = await bankForCartridge(ground, source);
  await furnishForCartridge(source, { client: as(teacher), fetch: (url, init) => SELF.fetch(url, init as never) as never, bank });
  whole = await exported();
}, 60_000);

const list = (target: BuiltCourse, path: string): Promise<Told> => get(`/courses/${target.id}${path}?per_page=100`);
const namesOf = async (target: BuiltCourse, path: string, name: string): Promise<string[]> =>
  (await list(target, path)).map((one: Told) => one[name]).sort();
const entriesOf = (bytes: Uint8Array): Record<string, string> =>
  Object.fromEntries(Object.entries(unzipSync(bytes)).map(([name, content]) => [name, strFromU8(content)]));

describe('a cartridge of Canvas', () => {
  test('imported into an empty course gives the same course', async () => {
    const target = await aTarget();
    const it = await imported(target, await bytesOf(whole));
    expect({ state: it.workflow_state, issues: await issuesOf(target, it) }).toEqual({
      state: 'completed',
      issues: ['todo: The external tool Simulator must be set up with its key and secret before it can be launched.'],
    });
    expect(it.migration_type_title).toBe('Canvas Common Cartridge');
    const [before, after] = [await seenContent(source, as(teacher)), await seenContent(target, as(teacher))];
    expect(before.modules).toHaveLength(2);
    expect([before.tools, before.feeds, before.captions, before.series]).toMatchObject([
      [{ name: 'Simulator' }],
      [{ verbosity: 'link_only' }],
      [['film.mp4', [{ locale: 'en' }, { locale: 'pt-BR', kind: 'captions' }]]],
      [
        [false, 1],
        [true, 3],
      ],
    ]);
    // Packages never have keys and secrets.
    expect((await list(target, '/external_tools'))[0].consumer_key).toBe('');
    const texts = Object.values(entriesOf(await bytesOf(whole)));
    expect(texts.some((text) => text.includes('>secret<') || text.includes('>key<'))).toBe(false);
    expect(after).toEqual(before);
    // Copies of a package count against the quota of the course.
    expect((await list(target, '/files/quota')).quota_used).toBe((await list(source, '/files/quota')).quota_used);
  }, 60_000);

  test('names its links by tokens, and contains what was selected with what that needs', async () => {
    expect(whole.attachment).toMatchObject({ display_name: 'chemistry-part-1-export.imscc' });
    const all = entriesOf(await bytesOf(whole));
    expect(all['wiki_content/start-here.html']).toContain('$IMS-CC-FILEBASE$/Pictures/picture.png?canvas_preview=1');
    expect(all['wiki_content/start-here.html']).toContain('$WIKI_REFERENCE$/pages/more');
    expect(Object.values(all).some((text) => text.includes(`/courses/${source.id}`))).toBe(false);
    expect(all['imsmanifest.xml']).toContain('<schemaversion>1.1.0</schemaversion>');
    const [page] = await list(source, '/pages');
    const [made, wrong] = [
      await exported({ version: '1.3', select: { pages: [page.page_id], modules: [999_999_999], announcements: 'x' } }),
      await as(teacher).post(`/courses/${source.id}/content_exports`, {
        export_type: 'common_cartridge',
        select: { quizzes: [999_999_999] },
      }),
    ];
    const some = entriesOf(await bytesOf(made));
    expect(Object.keys(some).filter((name) => name.startsWith('wiki_content/'))).toEqual([`wiki_content/${page.url}.html`]);
    expect(Object.keys(some).some((name) => name.endsWith('module_meta.xml') || name.endsWith('course_settings.xml'))).toBe(false);
    expect(some['imsmanifest.xml']).toContain('<schemaversion>1.3.0</schemaversion>');
    ok(wrong, 400);
    ok(await as(student).post(`/courses/${source.id}/content_exports`, { export_type: 'common_cartridge' }), 401);
    ok(await as(student).post('/users/self/content_exports', { export_type: 'common_cartridge' }), 400);
  });

  test('waits for a selection, and imports only that', async () => {
    const target = await aTarget();
    const at = await sent(target, await bytesOf(whole), { selective_import: true });
    const waiting = await ended(at);
    expect(waiting.workflow_state).toBe('waiting_for_select');
    expect(await list(target, '/pages')).toEqual([]);
    const tree = await get(`${at}/selective_data`);
    expect(tree.map(({ type }: Told) => type)).toEqual(expect.arrayContaining(['context_modules', 'wiki_pages', 'attachments']));
    const pages = await get(`${at}/selective_data?type=wiki_pages`);
    const more = pages.find(({ title }: Told) => title === 'More');
    ok(await as(teacher).put(at, { copy: { wiki_pages: { [`id_${more.migration_id}`]: '1' }, all_announcements: '1' } }));
    const it = await ended(at);
    expect(it.workflow_state).toBe('completed');
    expect(await namesOf(target, '/pages', 'title')).toEqual(['More']);
    expect(await namesOf(target, '/discussion_topics', 'title')).toEqual([]);
    expect((await get(`/courses/${target.id}/discussion_topics?only_announcements=true`)).map(({ title }: Told) => title)).toEqual([
      'Welcome',
    ]);
    expect(await list(target, '/modules')).toEqual([]);
  }, 60_000);

  test('imported again updates what it has imported, shifts dates and inserts into a module', async () => {
    const target = await aTarget();
    const bytes = await bytesOf(whole);
    await imported(target, bytes);
    const before = await list(target, '/assignments');
    const essay = before.find(({ name }: Told) => name === 'Essay');
    ok(await as(teacher).put(`/courses/${target.id}/assignments/${essay.id}`, { assignment: { name: 'Renamed' } }));
    const module = ok(await as(teacher).post(`/courses/${target.id}/modules`, { module: { name: 'Inbox' } }));
    const it = await imported(target, bytes, {
      migration_type: 'common_cartridge_importer',
      settings: { insert_into_module_id: module.id, insert_into_module_type: 'page' },
      date_shift_options: { remove_dates: true },
    });
    expect(it.workflow_state).toBe('completed');
    const after = await list(target, '/assignments');
    expect(after.map(({ id }: Told) => id).sort()).toEqual(before.map(({ id }: Told) => id).sort());
    expect(after.find(({ id }: Told) => id === essay.id)).toMatchObject({ name: 'Essay', due_at: null });
    expect(await namesOf(target, '/pages', 'title')).toEqual(['More', 'Start here']);
    expect((await list(target, `/modules/${module.id}/items`)).map(({ type }: Told) => type)).toEqual(['Page', 'Page']);
    const [quiz] = (await list(target, '/quizzes')).filter(({ title }: Told) => title.startsWith('Midterm'));
    expect((await list(target, `/quizzes/${quiz.id}/questions`)).map(({ question_name }: Told) => question_name)).toEqual(['Water']);
  }, 60_000);

  test('is imported once when every step is delivered twice, and its staging course disappears', async () => {
    const target = await aTarget();
    const at = await sent(target, await bytesOf(whole));
    const { id } = await get(at);
    await deliverStepsTwice(id, importCartridgeStep);
    expect((await ended(at)).workflow_state).toBe('completed');
    expect(await seenContent(target, as(teacher))).toEqual(await seenContent(source, as(teacher)));
    const [staging] = await ground.db.select().from(courses).where(eq(courses.account_id, 0));
    ok(await as(await ground.admin()).get(`/courses/${staging?.id}`), 404);
    const db = open(platform.DB, newMeter(), 'first-primary');
    for (let n = 0; n < 100 && (await expireMigrations(db, new Date().toISOString())) > 0; n += 1);
    expect(await ground.db.select().from(courses).where(eq(courses.account_id, 0))).toEqual([]);
    // Files of the target keep their bytes.
    const [file] = await list(target, '/files');
    const answer = await SELF.fetch(file.url, { headers: { Authorization: `Bearer ${teacher.token}` } });
    expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, file.size]);
  }, 60_000);

  test('is imported from the archive of an export, if the caller could make that export', async () => {
    const target = await aTarget();
    const at = `/courses/${target.id}/content_migrations`;
    const given = { migration_type: 'common_cartridge_importer', settings: { content_export_id: whole.id } };
    const begun = ok(within(await as(teacher).post(at, given), 3));
    expect((await ended(`${at}/${begun.id}`)).workflow_state).toBe('completed');
    expect(await namesOf(target, '/pages', 'title')).toEqual(['More', 'Start here']);
    const other = await aCourse(ground);
    const elsewhere = `/courses/${other.course.id}/content_migrations`;
    ok(await as(other.teacher).post(elsewhere, given), 404);
    ok(await as(teacher).post(at, { ...given, settings: { content_export_id: 999_999_999 } }), 404);
    ok(await as(teacher).post(at, { ...given, migration_type: 'qti_converter' }), 400);
    const [row] = await ground.db.select().from(content_exports).where(eq(content_exports.id, whole.id));
    expect(row?.is_expired).toBe(false);
    expect((await bytesOf(whole)).length).toBe(whole.attachment.size);
  }, 60_000);
});

const manifest = (items: string, resources: string, version = '1.3.0') =>
  `<?xml version="1.0"?><manifest identifier="m" xmlns="http://www.imsglobal.org/xsd/imsccv1p3/imscp_v1p1"><metadata><schema>IMS Common Cartridge</schema><schemaversion>${version}</schemaversion></metadata>
  <organizations><organization identifier="o" structure="rooted-hierarchy"><item identifier="root">${items}</item></organization></organizations><resources>${resources}</resources></manifest>`;
const resource = (id: string, type: string, ...files: string[]) =>
  `<resource identifier="${id}" type="${type}" href="${files[0]}">${files.map((href) => `<file href="${href}"/>`).join('')}</resource>`;

describe('an import that fails while its content is copied', () => {
  test('keeps and reports what it has added, and importing again completes it without doubling anything', async () => {
    const target = await aTarget();
    const bytes = await bytesOf(whole);
    await env.DB.exec(
      "create trigger boom before insert on pages when new.title = 'More' and new.context_id = " +
        target.id +
        " begin select raise(abort, 'boom'); end",
    );
    const at = await sent(target, bytes);
    const { id } = await get(at);
    let it = await get(at);
    for (let n = 0; n < 20 && it.workflow_state !== 'failed'; n += 1) {
      await migrateContent({ job: 'content_migration', ids: [id] }, platform).catch(() => {});
      it = await get(at);
    }
    await env.DB.exec('drop trigger boom');
    expect(it.workflow_state).toBe('failed');
    const issues = (await issuesOf(target, it)).filter((one) => one.startsWith('error: '));
    expect(issues[0]).toBe('error: The content could not be imported.');
    expect(issues[1]).toMatch(/^error: The import stopped before its end. It has added or changed: .*3 files.*Another import/);
    expect(await namesOf(target, '/files', 'display_name')).toEqual(['film.mp4', 'notes & more.txt', 'picture.png']);
    expect(await list(target, '/pages')).toEqual([]);
    expect((await list(target, '/files/quota')).quota_used).toBe((await list(source, '/files/quota')).quota_used);
    expect((await imported(target, bytes)).workflow_state).toBe('completed');
    expect(await seenContent(target, as(teacher))).toEqual(await seenContent(source, as(teacher)));
  }, 60_000);
});

describe('a cartridge of another writer', () => {
  test('becomes modules with links, topics, quizzes, files and tools; what is unknown is reported', async () => {
    const target = await aTarget();
    const quiz =
      '<questestinterop xmlns="http://www.imsglobal.org/xsd/ims_qtiasiv1p2"><assessment ident="QDB" title="Check"><section ident="root_section"><item ident="Q1" title="One"><itemmetadata><qtimetadata><qtimetadatafield><fieldlabel>cc_profile</fieldlabel><fieldentry>cc.true_false.v0p1</fieldentry></qtimetadatafield></qtimetadata></itemmetadata><presentation><material><mattext texttype="text/html">Yes?</mattext></material><response_lid ident="r" rcardinality="Single"><render_choice><response_label ident="a"><material><mattext>True</mattext></material></response_label><response_label ident="b"><material><mattext>False</mattext></material></response_label></render_choice></response_lid></presentation><resprocessing><outcomes><decvar maxvalue="100" minvalue="0" varname="SCORE" vartype="Decimal"/></outcomes><respcondition continue="No"><conditionvar><varequal respident="r">a</varequal></conditionvar><setvar action="Set" varname="SCORE">100</setvar></respcondition></resprocessing></item></section></assessment></questestinterop>';
    const items =
      '<item identifier="m1"><title>Unit</title><item identifier="i1" identifierref="L"><title>Link</title></item><item identifier="f"><title>Inner</title><item identifier="i2" identifierref="T"><title>Talk</title></item><item identifier="i3" identifierref="Q"><title>Check</title></item></item><item identifier="i4" identifierref="W"><title>Notes</title></item><item identifier="i5" identifierref="X"><title>Tool</title></item><item identifier="i6" identifierref="A"><title>Work</title></item><item identifier="i7" identifierref="gone"><title>Gone</title></item></item>';
    const it = await imported(
      target,
      zipped({
        'pack/imsmanifest.xml': manifest(
          items,
          [
            resource('L', 'imswl_xmlv1p3', 'l.xml'),
            resource('T', 'imsdt_xmlv1p3', 't.xml'),
            resource('Q', 'imsqti_xmlv1p2/imscc_xmlv1p3/assessment', 'q/quiz.xml'),
            resource('W', 'webcontent', 'w/notes.txt', 'w/pic.png'),
            resource('X', 'imsbasiclti_xmlv1p3', 'x.xml'),
            resource('A', 'assignment_xmlv1p0', 'a.xml'),
            resource('U', 'imsiwb_iwbv1p0', 'u.xml'),
          ].join(''),
        ),
        'pack/l.xml': '<webLink><title>Link</title><url href="https://example.edu/a?b=1" target="_blank"/></webLink>',
        'pack/t.xml':
          '<topic><title>Talk</title><text texttype="text/html">&lt;img src="$IMS-CC-FILEBASE$/w/pic.png" onerror="x()"&gt;&lt;a href="$IMS-CC-FILEBASE$/w/none.png"&gt;n&lt;/a&gt;</text></topic>',
        'pack/q/quiz.xml': quiz,
        'pack/w/notes.txt': 'notes',
        'pack/w/pic.png': 'pic',
        'pack/x.xml':
          '<cartridge_basiclti_link xmlns:blti="b"><blti:title>Tool</blti:title><blti:launch_url>http://tool.edu/l</blti:launch_url></cartridge_basiclti_link>',
        'pack/a.xml':
          '<assignment identifier="A"><title>Work</title><text texttype="text/plain">a &lt; b</text><gradable points_possible="4">true</gradable><submission_formats><format type="file"/></submission_formats></assignment>',
        'pack/u.xml': '<x/>',
      }),
      { migration_type: 'common_cartridge_importer' },
    );
    expect(it).toMatchObject({ workflow_state: 'completed', migration_type_title: 'Common Cartridge' });
    const [module] = await get(`/courses/${target.id}/modules?include[]=items`);
    expect(module.items.map((one: Told) => [one.type, one.title, one.indent])).toEqual([
      ['ExternalUrl', 'Link', 0],
      ['SubHeader', 'Inner', 0],
      ['Discussion', 'Talk', 1],
      ['Quiz', 'Check', 1],
      ['File', 'Notes', 0],
      ['ExternalTool', 'Tool', 0],
      ['Assignment', 'Work', 0],
    ]);
    const files = await list(target, '/files');
    const picture = files.find((one: Told) => one.display_name === 'pic.png');
    const [topic] = await list(target, '/discussion_topics');
    expect(topic.message).toContain(`/courses/${target.id}/files/${picture.id}/preview`);
    expect(topic.message).not.toContain('onerror');
    expect((await list(target, '/quizzes'))[0]).toMatchObject({
      title: 'Check',
      quiz_type: 'practice_quiz',
      question_count: 1,
      published: true,
    });
    expect((await list(target, '/assignments'))[0]).toMatchObject({
      name: 'Work',
      points_possible: 4,
      submission_types: ['online_upload'],
      description: 'a &lt; b',
    });
    expect((await issuesOf(target, it)).sort()).toEqual([
      'todo: The external tool Tool must be set up with its key and secret before it can be launched.',
      'warning: Missing links in Talk: w/none.png',
      'warning: Resources of the type imsiwb_iwbv1p0 were not imported.',
    ]);
    expect(await list(target, '/external_tools')).toMatchObject([{ name: 'Tool', url: 'http://tool.edu/l', consumer_key: '' }]);
    // A course keeps its settings when the package has none.
    expect((await get(`/courses/${target.id}`)).default_view).toBe('modules');
  }, 60_000);

  test('has captions in media_tracks.xml or in files of their own; others are files, and broken captions are reported', async () => {
    const target = await aTarget();
    const vtt = 'WEBVTT\n\n00:01.000 --> 00:02.000\n';
    const it = await imported(
      target,
      zipped({
        'imsmanifest.xml': manifest(
          '',
          [
            resource('F', 'webcontent', 'web_resources/talk.mp4'),
            resource('N', 'webcontent', 'web_resources/notes.txt'),
            resource('E', 'webcontent', 'web_resources/talk.mp4.en.subtitles'),
            resource('S', 'webcontent', 'web_resources/silent.mp3'),
          ].join(''),
        ),
        'web_resources/talk.mp4': 'film',
        'web_resources/silent.mp3': 'sound',
        'web_resources/notes.txt': 'notes',
        'web_resources/talk.mp4.en.subtitles': `${vtt}$IMS-CC-FILEBASE$ stays`,
        'course_settings/canvas_export.txt': 'x',
        'course_settings/media_tracks.xml': `<media_tracks>
          <media identifierref="F"><track kind="subtitles" locale="en" identifierref="E"/><track kind="captions" locale="de">${vtt}Hallo</track>
            <track kind="songs" locale="fr">x</track><track kind="captions" locale="&lt;b&gt;">x</track><track kind="captions" locale="it" identifierref="F"/></media>
          <media identifierref="gone"><track kind="captions" locale="en" identifierref="N"/></media></media_tracks>`,
      }),
    );
    expect(it.workflow_state).toBe('completed');
    expect(await namesOf(target, '/files', 'display_name')).toEqual(['notes.txt', 'silent.mp3', 'talk.mp4']);
    const { captions } = await seenContent(target, as(teacher));
    expect(captions).toEqual([
      ['silent.mp3', []],
      [
        'talk.mp4',
        [
          { locale: 'de', kind: 'captions', content: `${vtt}Hallo` },
          { locale: 'en', kind: 'subtitles', content: `${vtt}$IMS-CC-FILEBASE$ stays` },
          { locale: 'it', kind: 'captions', content: 'film' },
        ],
      ],
    ]);
    const invalid = (locale: string) =>
      `warning: The captions ${locale} of a recording were not imported, because their text or language is invalid.`;
    expect(await issuesOf(target, it)).toEqual([invalid('fr'), invalid('<b>')]);
    // A package that says nothing of captions leaves those of the course.
    const bare = {
      'imsmanifest.xml': manifest('', resource('F', 'webcontent', 'web_resources/talk.mp4')),
      'web_resources/talk.mp4': 'new',
    };
    expect((await imported(target, zipped({ ...bare, 'course_settings/media_tracks.xml': '<media_tracks' }))).workflow_state).toBe(
      'completed',
    );
    expect((await seenContent(target, as(teacher))).captions).toEqual(captions);
  }, 60_000);

  test.each<[string, Record<string, string | Uint8Array>, RegExp]>([
    ['without a manifest', { 'readme.txt': 'x' }, /no imsmanifest\.xml/],
    ['with a broken manifest', { 'imsmanifest.xml': '<manifest' }, /imsmanifest\.xml could not be read/],
    ['with another document as its manifest', { 'imsmanifest.xml': '<html/>' }, /is no manifest/],
    [
      'whose manifest declares entities',
      { 'imsmanifest.xml': '<!DOCTYPE m [<!ENTITY a SYSTEM "file:///etc/passwd">]><manifest>&a;</manifest>' },
      /Entity declarations are refused/,
    ],
    [
      'with a million items in its manifest',
      {
        'imsmanifest.xml': manifest('<item/>'.repeat(1_000_000), ''),
        // Otherwise it would be refused for its compression.
        'noise.bin': crypto.getRandomValues(new Uint8Array(60_000)),
        'more noise.bin': crypto.getRandomValues(new Uint8Array(60_000)),
      },
      /more than 200000 elements/,
    ],
    ['with a path that leads out', { 'imsmanifest.xml': manifest('', ''), '../a.txt': 'x' }, /leads out/],
    ['that would become too large', { 'imsmanifest.xml': manifest('', ''), 'web_resources/a.txt': new Uint8Array(3_000_000) }, /too large/],
  ])('%s is refused by name, and nothing of it is imported', async (_, files, message) => {
    const target = await aTarget();
    const page = '<html><head><title>Never</title></head><body>x</body></html>';
    const it = await imported(target, zipped({ 'wiki_content/never.html': page, ...files }));
    expect(it.workflow_state).toBe('failed');
    expect((await issuesOf(target, it))[0]).toMatch(message);
    expect(await list(target, '/pages')).toEqual([]);
    expect(await list(target, '/files')).toEqual([]);
  });

  test('with a broken archive leaves nothing behind; modules that require each other lose the later requirement', async () => {
    const target = await aTarget();
    const meta =
      '<modules xmlns="http://canvas.instructure.com/xsd/cccv1p0"><module identifier="a"><title>A</title><prerequisites><prerequisite type="context_module"><identifierref>b</identifierref></prerequisite></prerequisites></module><module identifier="b"><title>B</title><prerequisites><prerequisite type="context_module"><identifierref>a</identifierref></prerequisite></prerequisites></module></modules>';
    const cyclic = await imported(
      target,
      zipped({ 'imsmanifest.xml': manifest('', ''), 'course_settings/canvas_export.txt': 'x', 'course_settings/module_meta.xml': meta }),
    );
    expect(await issuesOf(target, cyclic)).toEqual(['warning: A module requires a later module; that prerequisite was left out.']);
    const modules = await list(target, '/modules');
    expect(modules.map(({ prerequisite_module_ids }: Told) => prerequisite_module_ids)).toEqual([[], [modules[0].id]]);
    const bytes = zipped({
      'imsmanifest.xml': manifest('', resource('f', 'webcontent', 'a.bin')),
      'a.bin': 'abcdefghijklmnopqrstuvwxyz'.repeat(9),
    });
    const broken = bytes.slice();
    const at = strFromU8(broken, true).indexOf('a.bin') + 8;
    broken.set([255, 255, 255, 255], at);
    const it = await imported(target, broken);
    expect(it.workflow_state).toBe('failed');
    expect(await list(target, '/files')).toEqual([]);
  });
});
