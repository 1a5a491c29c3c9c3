// The parts of an SIS import that need no database.

import fc from 'fast-check';
import { zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { BadCsv, CsvReader, type CsvRow, cellsOf } from '../../../csv/reader';
import { csvLine } from '../../../csv/writer';
import { losesTooMuch } from '../cleanup';
import { BadArchive, contentOf, crcOf, entriesOf } from '../files/archive';
import { chunksOf, numbered } from '../files/chunks';
import { changePercent, EarlierRows } from '../files/difference';
import { headerOf, isLitter, recognise, rowOf } from '../files/file_types';
import { blocksOf, isScattered } from '../files/sort_by_course';
import { Look } from '../files/unpack';
import { endState } from '../finish';
import { optionsOf } from '../options';
import { restoredTo } from '../restore';
import { dateOf } from '../row_rules';
import { courseState, settingsAfter } from '../rows/courses';
import { namesIn, planPeople } from '../rows/decide_users';
import { sisRowOf } from '../rows/enrollments';
import { withOverride } from '../rows/terms';
import type { LoginFacts, PeopleFacts, UserFacts } from '../rows/user_facts';
import { taken } from '../stickiness';
import { Notes } from '../work';
import { planSisRows, type SisEnrollment, type SisFacts, type SisRow, tallied } from './decide';

const bytes = (text: string) => new TextEncoder().encode(text);

/** All rows of a text that arrives in chunks of the given lengths. */
function rowsIn(text: Uint8Array, cuts: readonly number[] = []): CsvRow[] {
  const reader = new CsvReader(0);
  const rows: CsvRow[] = [];
  let from = 0;
  for (const cut of [...cuts, text.length]) {
    const to = Math.min(text.length, Math.max(from, cut));
    rows.push(...reader.push(text.slice(from, to)));
    from = to;
  }
  rows.push(...reader.finish());
  return rows;
}

const cells = (text: string) => rowsIn(bytes(text)).map((row) => row.cells);

describe('the CSV reader', () => {
  test.each<[string, string, string[][]]>([
    [
      'plain rows',
      'a,b\nc,d\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a last line without a line end',
      'a,b\nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'Windows line ends',
      'a,b\r\nc,d\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['a byte order mark', '\ufeffa,b\n', [['a', 'b']]],
    ['quotes, commas and lines within quotes', '"a ""x""","b,c","d\ne"\nf\n', [['a "x"', 'b,c', 'd\ne'], ['f']]],
    ['empty values, quoted and not', ',"",\n', [['', '', '']]],
    ['an empty quoted last value', 'a,""\n', [['a', '']]],
    ['blank lines, which are skipped', 'a\n\n\r\nb\n\n', [['a'], ['b']]],
    ['text outside of ASCII', 'Ærø,"Łódź 🏛"\n', [['Ærø', 'Łódź 🏛']]],
    ['nothing', '', []],
  ])('reads %s', (_, text, expected) => expect(cells(text)).toEqual(expected));

  test.each([
    ['a quote within a value', 'a"b,c\n'],
    ['text after a closing quote', '"a"b,c\n'],
    ['an unterminated quoted value', 'a\n"b,c\nd\n'],
  ])('refuses %s', (_, text) => expect(() => cells(text)).toThrow(BadCsv));

  test('refuses text that is not UTF-8, and a row without an end', () => {
    expect(() => rowsIn(new Uint8Array([0x61, 0xe9, 0x0a]))).toThrow(/UTF-8/);
    expect(() => rowsIn(bytes(`"${'a'.repeat(1_100_000)}`))).toThrow(BadCsv);
  });

  test('reads the same rows however the bytes are chunked, and resumes after any row', () => {
    const value = fc.oneof(fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', '\n', '\r\n', '🏛', ' ') }), fc.string());
    const file = fc.array(fc.array(value, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(file, fc.array(fc.nat({ max: 200 })), (rows, cuts) => {
        const text = bytes(rows.map((row) => csvLine(row.map((one) => (/^\s|\s$|^$/.test(one) ? 'x' : one)))).join(''));
        const whole = rowsIn(text);
        const sorted = [...cuts].sort((a, b) => a - b);
        expect(rowsIn(text, sorted)).toEqual(whole);
        for (const { end } of whole) {
          const rest = new CsvReader(end);
          const later = [...rest.push(text.slice(end)), ...rest.finish()];
          expect(later).toEqual(whole.filter((row) => row.end > end));
        }
      }),
    );
  });

  test('returns cells as they were written', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), (values) => {
        fc.pre(values.every((value) => !/[\r\n]/.test(value)));
        expect(cellsOf(csvLine(values).trimEnd().length ? csvLine(values).slice(0, -2) : '')).toEqual(values);
      }),
    );
  });

  test('escapes formulas, keeps numbers, and reads back what it wrote', () => {
    const formulas = ['=1+1', '+1+1', '-1+1', '@SUM(A1)', '\tx', '\rx', '\nx', ' =1', '＝1', '＋1', '－1', '＠x', "'=1", "''@x", '-'];
    for (const value of formulas) expect(csvLine([value])).toMatch(/^"?'/);
    const plain = ["'t Hooft", "'", '5-3', 'a=b', '-3.5', '+4512345678', '-1e-7', '0', ''];
    for (const value of plain) expect(csvLine([value])).toBe(`${value}\r\n`);
    expect(csvLine([-3.5, null, undefined, 7])).toBe('-3.5,,,7\r\n');
    const unit = fc.constantFrom(...'\'=+-@＝\t 1a,"'.split(''));
    fc.assert(
      fc.property(fc.array(fc.string({ unit, minLength: 1 }), { minLength: 1 }), (values) => {
        const line = csvLine(values);
        for (const value of values) expect(csvLine([value])).toMatch(/^(?![=+@\t＝]|-(?!\d))|^[+-]?\d+\r\n$/);
        expect(cellsOf(line.slice(0, -2))).toEqual(values);
      }),
    );
  });
});

describe('a file is recognised by its header', () => {
  test.each<[string, string]>([
    ['user_id,login_id,status', 'user'],
    ['user_id,login_id,existing_user_id', 'login'],
    ['account_id,parent_account_id,name,status', 'account'],
    ['term_id,name,status,start_date', 'term'],
    ['abstract_course_id,short_name,long_name,status', 'abstract_course'],
    ['course_id,short_name,long_name,term_id,status,abstract_course_id', 'course'],
    ['section_id,course_id,name,status', 'section'],
    ['xlist_course_id,section_id,status', 'xlist'],
    ['course_id,user_id,role,status', 'enrollment'],
    ['section_id,user_integration_id,role_id,status', 'enrollment'],
    ['user_id,account_id,role,status', 'admin'],
    ['group_category_id,account_id,category_name,status', 'group_category'],
    ['group_id,name,status', 'group'],
    ['group_id,user_id,status', 'group_membership'],
    ['tag_set_id,course_id,set_name,status', 'differentiation_tag_set'],
    ['tag_id,tag_set_id,name,status', 'differentiation_tag'],
    ['tag_id,user_id,status', 'differentiation_tag_membership'],
    ['observer_id,student_id,status', 'user_observer'],
    ['enrollment_id,grade_publish_status', 'grade_publishing_result'],
    ['old_id,new_id,type', 'change_sis_id'],
    ['old_integration_id,new_integration_id,type', 'change_sis_id'],
  ])('%s is of the type %s', (header, type) => {
    expect(recognise(headerOf(header.split(',')))).toEqual({ type });
    expect(recognise(headerOf(header.toUpperCase().split(',').reverse().concat('more')))).toEqual({ type });
  });

  test('or it is refused, with what is missing', () => {
    expect(recognise(['name', 'colour'])).toMatchObject({ refusal: expect.stringContaining('no type') });
    expect(recognise(['user_id', 'login_id'])).toEqual({ refusal: 'missing columns: status' });
    expect(recognise(['course_id', 'user_id', 'status'])).toEqual({ refusal: 'missing columns: role or role_id' });
  });

  test('is scanned for its header, rows, first row and problems', () => {
    const look = new Look();
    for (const part of ['user_id,login_id,st', 'atus\nU1,ann,active\nU2,bob,active']) look.push(bytes(part));
    expect(look.end()).toEqual({ type: 'user', columns: ['user_id', 'login_id', 'status'], rows: 2, at_byte: 24, refusal: undefined });
    const broken = new Look();
    broken.push(bytes('user_id,login_id,status\nU1,a"nn,active\n'));
    expect(broken.end().refusal).toMatch(/quote.*row 2/);
    expect(new Look().end().refusal).toBe('the file is empty');
  });

  test('hidden files of archivers are ignored', () => {
    for (const name of ['__MACOSX/._users.csv', '.DS_Store', 'folder/', 'a/.hidden.csv']) expect(isLitter(name), name).toBe(true);
    for (const name of ['users.csv', 'a/users.csv']) expect(isLitter(name), name).toBe(false);
  });
});

const bucketOf = (content: Uint8Array) => ({
  get: async (_: string, { range }: { range: { offset: number; length?: number } }) => {
    const body = new Blob([content.slice(range.offset, range.length === undefined ? undefined : range.offset + range.length) as never]);
    return { body: body.stream(), arrayBuffer: () => body.arrayBuffer() };
  },
});

describe('an archive', () => {
  const open = async (content: Uint8Array) => {
    const bucket = bucketOf(content) as never;
    const files: Record<string, string> = {};
    for (const entry of await entriesOf(bucket, '', content.length)) {
      const parts: Uint8Array[] = [];
      for await (const part of contentOf(bucket, '', entry)) parts.push(part);
      files[entry.name] = new TextDecoder().decode(Buffer.concat(parts));
    }
    return files;
  };
  const text = 'user_id,login_id,status\n'.repeat(20);

  test('is read entry by entry, compressed or not', async () => {
    const zip = zipSync({ 'a.csv': bytes(text), 'd/b.csv': [bytes('plain'), { level: 0 }], 'empty.csv': bytes('') }, {
      comment: 'x',
    } as never);
    expect(await open(zip)).toEqual({ 'a.csv': text, 'd/b.csv': 'plain', 'empty.csv': '' });
    expect(crcOf(bytes('123456789'))).toBe(0xcbf43926);
  });

  test('is refused when truncated, corrupt, or expanding a hundredfold', async () => {
    const zip = zipSync({ 'a.csv': bytes(text) });
    await expect(open(zip.slice(0, -10))).rejects.toThrow(BadArchive);
    await expect(open(bytes('user_id'))).rejects.toThrow(BadArchive);
    const broken = zip.slice();
    broken.fill(7, 40, 60);
    await expect(open(broken)).rejects.toThrow(BadArchive);
    await expect(open(zipSync({ 'a.csv': new Uint8Array(1_000_000) }))).rejects.toThrow(/too large/);
  });

  test('with false sizes is refused', async () => {
    const zip = zipSync({ 'a.csv': bytes(text) });
    const at = zip.length - 22 - 46 - 5 + 24;
    new DataView(zip.buffer).setUint32(at, 10, true);
    await expect(open(zip)).rejects.toThrow(BadArchive);
  });
});

async function* fed(rows: readonly string[]): AsyncGenerator<CsvRow> {
  for (const [at, row] of rows.entries()) yield { cells: row.split(','), end: at + 1 };
}

const cut = async (rows: readonly string[], cutting: object) => {
  const chunks: (readonly string[])[] = [];
  const touches = ({ id, above }: Record<string, string>) => ({ makes: [id], uses: above ? [above] : [] });
  for await (const { rows: chunk } of chunksOf(numbered(fed(rows), ['id', 'above', 'group'], 2), { most: 3, touches, ...cutting } as never))
    chunks.push(chunk.map((row) => `${row.cells.id}@${row.at}`));
  return chunks;
};

describe('a chunk', () => {
  test('has a limited number of rows', async () => expect(await cut(['a', 'b', 'c', 'd'], {})).toEqual([['a@2', 'b@3', 'c@4'], ['d@5']]));
  test('ends before a row about the same object', async () => expect(await cut(['a', 'b', 'a'], {})).toEqual([['a@2', 'b@3'], ['a@4']]));
  test('ends before a row that refers to one of its rows', async () => expect(await cut(['a', 'b,a'], {})).toEqual([['a@2'], ['b@3']]));
  test('has a limited number of groups', async () =>
    expect(await cut(['a,,1', 'b,,1', 'c,,2'], { group: ({ group }: Record<string, string>) => group, mostGroups: 1 })).toEqual([
      ['a@2', 'b@3'],
      ['c@4'],
    ]));
});

describe('rows scattered over courses', () => {
  const lying = (count: number, course: (n: number) => number) => Array.from({ length: count }, (_, n) => course(n));
  test.each<[string, number[], boolean]>([
    ['sorted', lying(400, (n) => Math.floor(n / 10)), false],
    ['sorted, with some strays', lying(400, (n) => (n % 50 === 49 ? 1 : Math.floor(n / 10))), false],
    ['one course only', lying(400, () => 7), false],
    ['alternating', lying(400, (n) => n % 40), true],
    ['two sorted passes', lying(400, (n) => Math.floor((n % 200) / 5)), true],
  ])('%s', (_, courses, expected) => expect(isScattered(courses)).toBe(expected));

  test('are grouped into blocks by course, in their order', () => {
    const rows = lying(120, (n) => n + 2).map((at) => ({ at, cells: { course_id: `C${at % 2}`, user_id: `u${at}` } }));
    const blocks = blocksOf(
      rows,
      rows.map(({ at }) => at % 2),
      ['user_id', 'status'],
    );
    expect(blocks.map(({ course_id, last_row }) => [course_id, last_row])).toEqual([
      [0, 100],
      [0, 120],
      [1, 101],
      [1, 121],
    ]);
    expect(JSON.parse(blocks[1]?.rows ?? '')).toEqual(lying(10, (n) => 102 + 2 * n).map((at) => [at, `u${at}`, '']));
  });
});

describe('stickiness of edited fields', () => {
  const row = { name: 'By hand', code: 'old', stuck_sis_fields: ',name,' };
  const wanted = { name: 'From SIS', code: 'new' };
  test.each<[string, object, object | undefined]>([
    ['manual changes are kept', {}, { name: 'By hand', code: 'new', stuck_sis_fields: ',name,' }],
    ['unless the import overrides them', { override_sis_stickiness: true }, { name: 'From SIS', code: 'new', stuck_sis_fields: ',name,' }],
    [
      'and clears stickiness',
      { override_sis_stickiness: true, clear_sis_stickiness: true },
      { name: 'From SIS', code: 'new', stuck_sis_fields: null },
    ],
    [
      'or adds stickiness',
      { override_sis_stickiness: true, add_sis_stickiness: true },
      { name: 'From SIS', code: 'new', stuck_sis_fields: ',name,code,' },
    ],
  ])('%s', (_, options, expected) => expect(taken(row, wanted, ['name', 'code'], options)).toEqual(expected));

  test('an unchanged row changes nothing', () => {
    expect(taken(row, { name: 'From SIS', code: 'old' }, ['name', 'code'], {})).toBeUndefined();
    expect(taken(row, { name: undefined, code: undefined }, ['name'], { override_sis_stickiness: true })).toBeUndefined();
  });
});

const login = (more: Partial<LoginFacts> = {}): LoginFacts => ({
  id: 1,
  user_id: 10,
  unique_id: 'ann',
  sis_user_id: 'U1',
  integration_id: null,
  workflow_state: 'active',
  declared_user_type: null,
  authentication_provider_id: null,
  sis_communication_channel_id: null,
  has_password: 0,
  stuck_sis_fields: null,
  ...more,
});
const user = (more: Partial<UserFacts> = {}): UserFacts => ({
  id: 10,
  name: 'Ann Lee',
  sortable_name: 'Lee, Ann',
  short_name: 'Ann Lee',
  pronouns: null,
  workflow_state: 'registered',
  stuck_sis_fields: null,
  live_logins: 1,
  ...more,
});

describe('a row of users.csv', () => {
  const plan = (row: Record<string, string>, facts: Partial<PeopleFacts> = {}, options = {}) => {
    const notes = new Notes();
    const all = { logins: [], users: new Map(), channels: [], providers: new Map(), ...facts };
    const made = planPeople([{ at: 2, cells: { status: 'active', ...row } }], { facts: all, options, notes, uuid: () => 'new' });
    return { ...made, notes, warning: notes.messages[0]?.message };
  };
  const there = { logins: [login()], users: new Map([[10, user()]]) };

  test('creates a user, a login and an email address', () => {
    const { newUsers, newLogins, newChannels, notes } = plan({
      user_id: 'U1',
      login_id: 'ann',
      first_name: 'Ann',
      last_name: 'Lee',
      email: 'a@b.c',
    });
    expect(newUsers).toEqual([{ uuid: 'new', name: 'Ann Lee', sortable_name: 'Lee, Ann', short_name: 'Ann Lee', pronouns: null }]);
    expect(newLogins).toMatchObject([{ uuid: 'new', unique_id: 'ann', sis_user_id: 'U1', workflow_state: 'active' }]);
    expect(newChannels).toMatchObject([{ uuid: 'new', address: 'a@b.c' }]);
    expect(notes.tallies).toEqual({ Pseudonym: { created: 1 }, CommunicationChannel: { created: 1 } });
  });
  test('without a name uses the login as name', () =>
    expect(plan({ user_id: 'U1', login_id: 'ann' }).newUsers).toMatchObject([{ name: 'ann' }]));
  test('that matches the stored user changes nothing', () => {
    const made = plan({ user_id: 'U1', login_id: 'ann', full_name: 'Ann Lee' }, there);
    expect([made.users, made.logins, made.newLogins, made.newUsers]).toEqual([[], [], [], []]);
  });
  test('is skipped if another SIS id has the login', () => {
    expect(plan({ user_id: 'U2', login_id: 'ANN' }, there).warning).toMatch(/already belongs to user U1/);
  });
  test('may have the login of another provider', () => {
    const providers = new Map([['saml', 5]]);
    const row = { user_id: 'U2', login_id: 'ann', authentication_provider_id: 'saml' };
    expect(plan(row, { ...there, providers }).newLogins).toMatchObject([{ sis_user_id: 'U2', authentication_provider_id: 5 }]);
  });
  test.each<[string, object, object, RegExp | undefined]>([
    ['has a salted hash', { ssha_password: `{SSHA}${'a'.repeat(36)}` }, { hash: `{SSHA}${'a'.repeat(36)}` }, undefined],
    ['has an invalid hash', { ssha_password: 'secret' }, {}, /ssha_password/],
    ['has both', { ssha_password: `{SSHA}${'a'.repeat(36)}`, password: 'p' }, { password: 'p' }, undefined],
    ['is of an unknown type', { declared_user_type: 'king' }, { declared_user_type: null }, /"king" is not one of/],
    ['is to be notified', { canvas_password_notification: 'true' }, { isTold: true }, undefined],
    ['has a password and need not be notified', { canvas_password_notification: 'true', password: 'p' }, { isTold: false }, undefined],
  ])('that %s', (_, more, login, warning) => {
    const made = plan({ user_id: 'U1', login_id: 'ann', ...more });
    expect(made.newLogins).toMatchObject([login]);
    if (warning) expect(made.warning).toMatch(warning);
    else expect(made.warning).toBeUndefined();
  });
  test('takes over the login if the import allows it', () => {
    expect(plan({ user_id: 'U2', login_id: 'ann' }, there, { update_sis_id_if_login_claimed: true }).logins).toMatchObject([
      { id: 1, sis_user_id: 'U2' },
    ]);
  });
  test('takes over a login without an SIS id', () => {
    expect(plan({ user_id: 'U2', login_id: 'ann' }, { ...there, logins: [login({ sis_user_id: null })] }).logins).toMatchObject([
      { id: 1, sis_user_id: 'U2' },
    ]);
  });
  test('suspends, deletes with the last login, and restores', () => {
    expect(plan({ user_id: 'U1', login_id: 'ann', status: 'suspended' }, there)).toMatchObject({
      logins: [{ workflow_state: 'suspended' }],
      leaving: [],
    });
    expect(plan({ user_id: 'U1', login_id: 'ann', status: 'deleted' }, there)).toMatchObject({
      logins: [{ workflow_state: 'deleted' }],
      leaving: [10],
    });
    const two = { ...there, users: new Map([[10, user({ live_logins: 2 })]]) };
    expect(plan({ user_id: 'U1', login_id: 'ann', status: 'deleted' }, two).leaving).toEqual([]);
    expect(plan({ user_id: 'U1', login_id: 'ann', status: 'deleted' }, there, { skip_deletes: true }).logins).toEqual([]);
    const gone = { ...there, logins: [login({ workflow_state: 'deleted' })] };
    expect(plan({ user_id: 'U1', login_id: 'ann' }, gone).notes.tallies).toEqual({ Pseudonym: { restored: 1 } });
  });
  test('has the name in parts or in whole', () => {
    expect(namesIn({ first_name: 'Ann Mary', last_name: 'van Lee' })).toEqual({
      name: 'Ann Mary van Lee',
      sortable_name: 'van Lee, Ann Mary',
      short_name: undefined,
    });
    expect(namesIn({ full_name: 'Ann Lee', sortable_name: 'X', short_name: 'Y' })).toEqual({
      name: 'Ann Lee',
      sortable_name: 'X',
      short_name: 'Y',
    });
    expect(namesIn({})).toEqual({ name: undefined, sortable_name: undefined, short_name: undefined });
  });
});

describe('a row of enrollments.csv', () => {
  const role = (id: number, name: string, more = {}) => ({
    id,
    name,
    base_role_type: name,
    workflow_state: 'built_in',
    account_id: null,
    ...more,
  });
  const keys = { sort_email: '', sort_sis_id: '', sort_last_login: '' };
  const facts: SisFacts = {
    course: { workflow_state: 'available' },
    sections: [{ id: 5, sis_section_id: 'S1' }],
    default_section_id: 5,
    people: new Map([
      ['sis:U1', { user_id: 10, sortable_name: 'Lee, Ann', ...keys, isGone: false }],
      ['sis:U2', { user_id: 11, sortable_name: 'Ng, Bob', ...keys, isGone: true }],
    ]),
    roles: [
      role(3, 'StudentEnrollment'),
      role(7, 'ObserverEnrollment'),
      role(20, 'Grader', { base_role_type: 'TaEnrollment', workflow_state: 'active', account_id: 2 }),
    ],
    chain: [1, 2],
    there: [],
  };
  const row = (more: Partial<SisRow> = {}): SisRow => ({
    at: 2,
    user: 'sis:U1',
    section: 'S1',
    role: 'student',
    role_id: undefined,
    status: 'active',
    start_at: undefined,
    end_at: undefined,
    observed: undefined,
    limited: undefined,
    ...more,
  });
  const it = (more: Partial<SisEnrollment> = {}): SisEnrollment => ({
    id: 1,
    user_id: 10,
    course_section_id: 5,
    type: 'StudentEnrollment',
    role_id: 3,
    observed_user_id: 0,
    enrollment_state: 'active',
    start_at: null,
    end_at: null,
    limit_privileges_to_course_section: 0,
    temporary_enrollment_source_user_id: null,
    stuck_sis_fields: null,
    ...more,
  });
  const plan = (given: Partial<SisRow>, more: Partial<SisFacts> = {}, options = {}) =>
    planSisRows([row(given)], { ...facts, ...more }, options);

  test('enrolls', () => {
    expect(plan({}).inserts).toMatchObject([
      { user_id: 10, section_id: 5, type: 'StudentEnrollment', role_id: 3, enrollment_state: 'active' },
    ]);
    expect(plan({ role: 'Grader' }).inserts).toMatchObject([{ type: 'TaEnrollment', role_id: 20 }]);
    expect(plan({ section: undefined }, { default_section_id: undefined }).inserts).toMatchObject([{ section_id: null }]);
  });
  test.each<[string, Partial<SisRow>, Partial<SisFacts>, RegExp]>([
    ['an unknown user', { user: 'sis:X' }, {}, /no user "X"/],
    ['an unknown section', { section: 'X' }, {}, /no section "X"/],
    ['an unknown role', { role: 'grader' }, {}, /no role "grader"/],
    ['a role of another account', { role: 'Grader' }, { chain: [1] }, /no role/],
    ['a deleted user', { user: 'sis:U2' }, {}, /user is deleted/],
    ['a deleted course', {}, { course: { workflow_state: 'deleted' } }, /course is deleted/],
    ['an unknown user to observe', { role: 'observer', observed: 'X' }, {}, /no user "X" to observe/],
  ])('with %s is skipped with a warning', (_, given, more, message) => {
    const { inserts, warnings, applied } = plan(given, more);
    expect([inserts, applied]).toEqual([[], 0]);
    expect(warnings).toMatchObject([{ at: 2, message: expect.stringMatching(message) }]);
  });
  test.each<[string, string, string]>([
    ['active', 'completed', 'completed'],
    ['active', 'inactive', 'inactive'],
    ['active', 'deleted', 'deleted'],
    ['deleted', 'active', 'active'],
    ['completed', 'active', 'active'],
    ['invited', 'active', 'active'],
  ])('changes the state from %s to %s', (before, status, after) => {
    const { updates } = plan({ status: status as never }, { there: [it({ enrollment_state: before as never })] });
    expect(updates).toMatchObject([{ id: 1, enrollment_state: after, before }]);
  });
  test('that exists already is unchanged', () => {
    expect(plan({}, { there: [it()] })).toMatchObject({ inserts: [], updates: [], kept: [1], applied: 1 });
    expect(plan({ status: 'deleted' }, { there: [] })).toMatchObject({ inserts: [], updates: [], applied: 1 });
    expect(plan({ status: 'deleted' }, { there: [it()] }, { skip_deletes: true })).toMatchObject({ updates: [], kept: [1] });
  });
  test('with deleted_last_completed completes the last and deletes the others', () => {
    const other = it({ id: 2, course_section_id: 6 });
    expect(plan({ status: 'deleted_last_completed' }, { there: [it(), other] }).updates).toMatchObject([{ enrollment_state: 'deleted' }]);
    expect(plan({ status: 'deleted_last_completed' }, { there: [it()] }).updates).toMatchObject([{ enrollment_state: 'completed' }]);
    expect(plan({ status: 'deleted_last_completed' }, { there: [it({ enrollment_state: 'completed' })] }).updates).toEqual([]);
  });
  test('for the same enrollment given twice is applied once: the later row counts', () => {
    const twice = (statuses: string[], there: SisEnrollment[] = []) =>
      planSisRows(
        statuses.map((status, at) => row({ at, status: status as never, section: at === 0 ? undefined : 'S1' })),
        { ...facts, there },
        {},
      );
    expect(twice(['active', 'inactive'])).toMatchObject({ inserts: [{ enrollment_state: 'inactive' }], applied: 2 });
    expect(twice(['active', 'deleted']).inserts).toEqual([]);
    expect(twice(['inactive', 'completed'], [it()]).updates).toMatchObject([{ id: 1, before: 'active', enrollment_state: 'completed' }]);
  });
  test('changes dates as a pair, and not if a user has changed them', () => {
    const dated = (given: Record<string, string>) =>
      sisRowOf({ at: 2, cells: { user_id: 'U1', role: 'student', status: 'active', ...given } }, new Notes());
    expect(dated({ start_date: '2026-09-01', end_date: '2026-12-01' })).toMatchObject({
      start_at: '2026-09-01T00:00:00Z',
      end_at: '2026-12-01T00:00:00Z',
    });
    expect(dated({ start_date: '2026-09-01', end_date: '' })).toMatchObject({ start_at: null, end_at: null });
    expect(dated({})).toMatchObject({ start_at: undefined, end_at: undefined });
    const stuck = it({ start_at: '2026-01-01T00:00:00Z', stuck_sis_fields: ',start_at,' });
    expect(plan({ start_at: null, end_at: null }, { there: [stuck] }).updates).toEqual([]);
  });
  test.each<[string | null, string, string | undefined]>([
    [null, 'active', 'created'],
    ['active', 'deleted', 'deleted'],
    ['deleted', 'active', 'restored'],
    ['active', 'completed', 'concluded'],
    ['active', 'inactive', 'deactivated'],
    ['invited', 'active', undefined],
    ['active', 'active', undefined],
  ])('%s → %s counts as %s', (before, after, what) => expect(tallied(before, after)).toBe(what));
});

describe('other decisions', () => {
  test.each<[string, string | undefined, string]>([
    ['active', undefined, 'claimed'],
    ['active', 'available', 'available'],
    ['active', 'completed', 'available'],
    ['active', 'deleted', 'claimed'],
    ['published', 'claimed', 'available'],
    ['completed', 'available', 'completed'],
  ])('a course that is %s in the file and was %s becomes %s', (status, before, after) =>
    expect(courseState(status as never, before as never)).toBe(after),
  );
  test('keeps course settings that the row does not name', () => {
    expect(settingsAfter('{"a":1,"homeroom_course":true}', false, 'nightly_sync')).toBe('{"a":1,"grade_passback_setting":"nightly_sync"}');
    expect(settingsAfter('{"a":1}', undefined, undefined)).toBe('{"a":1}');
  });
  test('reads the dates of a type within a term', () => {
    expect(withOverride({}, 'StudentEnrollment', 'a', null)).toEqual({ StudentEnrollment: { start_at: 'a', end_at: null } });
    expect(withOverride({ StudentEnrollment: { start_at: 'a' } }, 'StudentEnrollment', null, null)).toEqual({});
  });
  test.each([
    ['2026-09-01', '2026-09-01T00:00:00Z'],
    ['2026-09-01T08:00:00+02:00', '2026-09-01T06:00:00Z'],
    ['2026-09-01 08:00:00 UTC', '2026-09-01T08:00:00Z'],
    ['2026-09-01 08:00:00 -0100', '2026-09-01T09:00:00Z'],
    ['yesterday', null],
  ])('the date %s', (given, at) => expect(dateOf(given)).toBe(at));

  test('compares changes with thresholds', () => {
    expect(losesTooMuch(11, 100, 10)).toBe(true);
    expect(losesTooMuch(10, 100, 10)).toBe(false);
    expect(losesTooMuch(100, 100, undefined)).toBe(false);
    expect(losesTooMuch(0, 0, 1)).toBe(false);
    expect(changePercent(100, 110)).toBeCloseTo(10);
    expect(changePercent(100, 50)).toBeCloseTo(50);
  });
  test('reports how an import ends', () => {
    expect(endState({ error_count: 0, warning_count: 0 })).toBe('imported');
    expect(endState({ error_count: 0, warning_count: 1 })).toBe('imported_with_messages');
    expect(endState({ error_count: 1, warning_count: 1 })).toBe('failed_with_messages');
  });
  test('reports what restoring brings back', () => {
    expect(restoredTo([1, null, 'active'], {})).toBe('deleted');
    expect(restoredTo([1, 'active', 'deleted'], {})).toBe('active');
    expect(restoredTo([1, null, 'active'], { undelete_only: true })).toBeUndefined();
    expect(restoredTo([1, 'active', 'deleted'], { undelete_only: true })).toBe('active');
    expect(restoredTo([1, 'active', 'completed'], { unconclude_only: true })).toBe('active');
    expect(restoredTo([1, 'active', 'deleted'], { unconclude_only: true })).toBeUndefined();
  });
  test('lists differing rows', () => {
    const earlier = new EarlierRows(3);
    earlier.put('a', 'a 1');
    earlier.put('b', 'b 1');
    earlier.put('c', 'c 1');
    expect([earlier.compare('a', 'a 1'), earlier.compare('b', 'b 2'), earlier.compare('d', 'd')]).toEqual(['same', 'changed', 'new']);
    expect(['a', 'b', 'c', 'c', 'd'].map((key) => earlier.isMissing(key))).toEqual([false, false, true, false, false]);
  });
  test('distinguishes every row', () => {
    const earlier = new EarlierRows(20_000);
    for (let n = 0; n < 20_000; n += 1) earlier.put(`U${n}`, `row ${n}`);
    for (let n = 0; n < 20_000; n += 1) expect(earlier.compare(`U${n}`, `row ${n}`)).toBe('same');
    expect(earlier.compare('U20000', '')).toBe('new');
  });
  test('has no cells for missing values', () => expect(rowOf(['a', 'b'], ['x '], 2)).toEqual({ at: 2, cells: { a: 'x', b: '' } }));

  test.each<[object, RegExp]>([
    [{ import_type: 'ims_xml' }, /import_type/],
    [{ batch_mode: true }, /batch_mode_term_id/],
    [{ multi_term_batch_mode: true }, /change_threshold is required/],
    [{ change_threshold: 0 }, /between 1 and 100/],
    [{ change_threshold: 101 }, /between 1 and 100/],
    [{ diff_row_count_threshold: 0 }, /positive/],
    [{ diffing_data_set_identifier: 'é'.repeat(65) }, /128 bytes/],
    [{ diffing_drop_status: 'gone' }, /diffing_drop_status/],
    [{ diffing_user_remove_status: 'inactive' }, /diffing_user_remove_status/],
    [{ batch_mode_enrollment_drop_status: 'x' }, /batch_mode_enrollment_drop_status/],
  ])('the options %j are refused', (given, message) => expect(() => optionsOf(given, undefined)).toThrow(message));

  test('ignores options that need another one', () => {
    expect(optionsOf({ add_sis_stickiness: true }, undefined)).toEqual({});
    expect(optionsOf({ override_sis_stickiness: true, add_sis_stickiness: true, clear_sis_stickiness: true }, undefined)).toEqual({
      override_sis_stickiness: true,
      clear_sis_stickiness: true,
    });
    expect(optionsOf({ batch_mode: true, diffing_data_set_identifier: 'a' }, 7)).toEqual({ batch_mode: true, batch_mode_term_id: 7 });
  });
});
