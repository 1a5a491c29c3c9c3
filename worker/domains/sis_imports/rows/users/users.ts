// users.csv and logins.csv: reads the users of a chunk, and writes what people.ts has decided.

import { sql } from 'drizzle-orm';
import { insertMany, inTexts, isMoved, updateMany } from '../../../../database/many_rows';
import type { Database, Statement } from '../../../../database/open';
import { hashPassword } from '../../../../database/passwords';
import { randomText } from '../../../../database/tokens';
import { superiorsAmong } from '../../rank';
import { endEnrollments } from '../../roster/call_roster';
import { by, hasAll, type ParsedRow, type RowKind, type RowWrites, statusOf, valuesIn } from '../../row_rules';
import { type ImportWork, type Notes, rootId } from '../../work';
import { loginOwnerOf, type PeoplePlan, planPeople } from './decide_users';
import type { ChannelFacts, LoginFacts, PeopleFacts, UserFacts } from './user_facts';

const loginColumns = sql.raw(
  'l.id, l.user_id, l.unique_id, l.sis_user_id, l.integration_id, l.workflow_state, l.declared_user_type, l.authentication_provider_id, l.sis_communication_channel_id, l.password_hash is not null as has_password, l.stuck_sis_fields',
);
const live = sql.raw(`l.account_id = ${rootId} and l.workflow_state <> 'deleted'`);

/** Logins by the ids in the rows; each kind of id has its own index. */
function loginsOf(rows: readonly ParsedRow[]) {
  const [sis, names, integrations] = [valuesIn(rows, 'user_id'), valuesIn(rows, 'login_id'), valuesIn(rows, 'integration_id')];
  const lower = names.map((name) => name.toLowerCase());
  return sql`select id from logins l where ${live} and l.sis_user_id is not null and ${inTexts('l.sis_user_id', sis)}
    union select id from logins l where l.workflow_state = 'deleted' and l.sis_user_id is not null and ${inTexts('l.sis_user_id', sis)}
    union select id from logins l where ${live} and ${inTexts('lower(l.unique_id)', lower)}
    union select id from logins l where ${live} and l.integration_id is not null and ${inTexts('l.integration_id', integrations)}`;
}

async function factsOf(work: ImportWork, rows: readonly ParsedRow[], isLogins: boolean): Promise<PeopleFacts> {
  const { build } = work.db;
  const ids = loginsOf(rows);
  const people = sql`select user_id from logins where id in (${ids})`;
  const owners = [
    sql`select 'sis:' || sis_user_id as name, user_id from logins l where ${live} and l.sis_user_id is not null and ${inTexts('l.sis_user_id', valuesIn(rows, 'existing_user_id'))}`,
    sql`select 'integration:' || integration_id as name, user_id from logins l where ${live} and l.integration_id is not null and ${inTexts('l.integration_id', valuesIn(rows, 'existing_integration_id'))}`,
    sql`select 'id:' || id as name, id as user_id from users where workflow_state <> 'deleted' and id in (select cast(value as integer) from json_each(${JSON.stringify(valuesIn(rows, 'existing_canvas_user_id'))}))`,
  ];
  const everyone = isLogins ? sql`${people} union select user_id from (${sql.join(owners, sql` union `)})` : people;
  const [logins, users, channels, providers, existing, administrators] = await work.read([
    build.all<LoginFacts>(sql`select ${loginColumns} from logins l where l.id in (${ids}) order by l.id`),
    build.all<UserFacts>(
      sql`select u.id, u.name, u.sortable_name, u.short_name, u.pronouns, u.workflow_state, u.stuck_sis_fields,
        (select count(*) from logins l where l.user_id = u.id and l.workflow_state <> 'deleted') as live_logins from users u where u.id in (${people})`,
    ),
    build.all<ChannelFacts>(
      sql`select id, user_id, address, workflow_state from communication_channels where type = 'email' and user_id in (${everyone}) order by position, id`,
    ),
    build.all<{ id: number; auth_type: string }>(
      sql`select id, auth_type from authentication_providers where workflow_state = 'active' order by position desc`,
    ),
    build.all<{ name: string; user_id: number }>(
      isLogins ? sql`${sql.join(owners, sql` union all `)}` : sql`select '' as name, 0 as user_id where 0`,
    ),
    build.all<{ user_id: number }>(
      sql`select distinct admins.user_id from admins where admins.workflow_state = 'active' and admins.user_id in (${everyone})`,
    ),
  ]);
  const superiors = await superiorsAmong(
    work,
    work.it.user_id,
    administrators.map(({ user_id }) => user_id),
  );
  return {
    superiors,
    logins,
    users: new Map(users.map((user) => [user.id, user])),
    channels,
    providers: new Map(providers.flatMap(({ id, auth_type }) => [[auth_type, id] as const, [String(id), id] as const])),
    ...(isLogins && { owners: new Map(existing.map(({ name, user_id }) => [name, user_id])) }),
  };
}

const userOf = sql.raw("coalesce(j.value ->> 'user_id', (select id from users where uuid = j.value ->> 'uuid'))");
const loginOf = sql.raw(
  `coalesce(j.value ->> 'login_id', (select l.id from logins l where l.account_id = ${rootId} and l.sis_user_id = j.value ->> 'sis_user_id' and l.sis_user_id is not null and l.workflow_state <> 'deleted'))`,
);

async function writes({ db, it, now }: { db: Database; it: ImportWork['it']; now: string }, plan: PeoplePlan): Promise<Statement[]> {
  const at = sql`${now}`;
  const created = { created_at: at, updated_at: at };
  const hashed = async <L extends { password?: string; hash?: string }>(login: L) => ({
    ...login,
    password_hash: login.password ? await hashPassword(login.password) : login.hash,
  });
  const [newLogins, logins] = [await Promise.all(plan.newLogins.map(hashed)), await Promise.all(plan.logins.map(hashed))];
  const loginValues = {
    unique_id: true,
    sis_user_id: true,
    integration_id: true,
    workflow_state: true,
    declared_user_type: true,
    authentication_provider_id: true,
    stuck_sis_fields: true,
    sis_import_id: sql`${it.id}`,
  } as const;
  const channels = plan.newChannels;
  const fresh = sql.raw(
    "select max(c.id) from communication_channels c where c.user_id = logins.user_id and c.address = j.value ->> 'address' and c.workflow_state = 'active'",
  );
  return [
    ...insertMany(
      db,
      'users',
      {
        uuid: true,
        name: true,
        sortable_name: true,
        short_name: true,
        pronouns: true,
        workflow_state: sql`'registered'`,
        settings: sql`'{}'`,
        ...created,
      },
      plan.newUsers,
    ),
    ...updateMany(
      db,
      'users',
      { name: true, sortable_name: true, short_name: true, pronouns: true, workflow_state: true, stuck_sis_fields: true, updated_at: at },
      plan.users,
    ),
    ...updateMany(
      db,
      'logins',
      { ...loginValues, password_hash: sql.raw("coalesce(logins.password_hash, j.value ->> 'password_hash')"), updated_at: at },
      logins,
    ),
    ...insertMany(
      db,
      'logins',
      { user_id: userOf, account_id: sql.raw(String(rootId)), ...loginValues, password_hash: true, ...created },
      newLogins,
    ),
    ...updateMany(db, 'communication_channels', { address: true, workflow_state: sql`'active'`, updated_at: at }, plan.channels),
    ...insertMany(
      db,
      'communication_channels',
      {
        user_id: userOf,
        address: true,
        workflow_state: sql`'active'`,
        position: sql.raw(
          `(select coalesce(max(c.position), 0) + 1 from communication_channels c where c.user_id = ${"coalesce(j.value ->> 'user_id', (select id from users where uuid = j.value ->> 'uuid'))"})`,
        ),
        ...created,
      },
      channels,
    ),
    ...(plan.channels.length > 0
      ? [
          db.build.run(
            sql`update logins set sis_communication_channel_id = cast(j.value ->> 'id' as integer) from json_each(${JSON.stringify(plan.channels)}) j where logins.id = cast(j.value ->> 'login_id' as integer) and logins.sis_communication_channel_id is not j.value ->> 'id'`,
          ),
        ]
      : []),
    ...newcomersTold(db, plan, now),
    ...(channels.length > 0
      ? [
          db.build.run(
            sql`update logins set sis_communication_channel_id = (${fresh}) from json_each(${JSON.stringify(channels)}) j where logins.id = ${loginOf}`,
          ),
        ]
      : []),
  ];
}

/** New users to send a registration notification to. */
function newcomersTold(db: Database, { newLogins }: PeoplePlan, now: string): Statement[] {
  const result = newLogins.filter(({ isTold }) => isTold).map(({ sis_user_id }) => sis_user_id ?? '');
  if (result.length === 0) return [];
  return [
    db.build.run(
      sql`insert or ignore into notification_queue (notification, item_id, not_before) select 'pseudonym_registration', l.id, ${now} from logins l where ${live} and l.sis_user_id is not null and ${inTexts('l.sis_user_id', result)}`,
    ),
  ];
}

/** New channels, identified by their logins, which they are tied to. */
const channelsMade = ({ newChannels }: PeoplePlan) => ({
  model: 'CommunicationChannel',
  select: sql`select c.id, null as before, c.workflow_state as after from json_each(${JSON.stringify(newChannels)}) j join logins on logins.id = ${loginOf} join communication_channels c on c.id = logins.sis_communication_channel_id`,
});

const touches = (cells: ParsedRow['cells']) => {
  const own = [`sis:${cells.user_id}`, `login:${(cells.login_id ?? '').toLowerCase()}`];
  const others = [cells.integration_id && `integration:${cells.integration_id}`];
  // Two rows may add logins for the same user: they must not be in the same chunk.
  const owner = cells.existing_user_id || cells.existing_integration_id || cells.existing_canvas_user_id;
  return {
    makes: [...own, ...others, owner && `owner:${loginOwnerOf(cells)}`].filter((one): one is string => !!one),
    uses: [cells.existing_user_id && `sis:${cells.existing_user_id}`].filter((one): one is string => !!one),
  };
};

async function apply(work: ImportWork, rows: readonly ParsedRow[], notes: Notes, isLogins: boolean): Promise<RowWrites> {
  const good = rows.filter(
    (row) =>
      hasAll(row, ['user_id', 'login_id'], notes) && (isLogins || statusOf(row, ['active', 'suspended', 'deleted'], notes) !== undefined),
  );
  if (good.length === 0) return { statements: [] };
  const facts = await factsOf(work, good, isLogins);
  const plan = planPeople(good, { facts, options: work.it.options, notes, uuid: () => randomText(40) });
  // Users without a login are removed from all courses.
  if (plan.leaving.length > 0)
    await endEnrollments(
      work,
      sql`select id from enrollments where user_id in (select value from json_each(${JSON.stringify(plan.leaving)}))`,
      'deleted',
      notes,
    );
  const now = work.now();
  if (plan.newChannels.length > 0) notes.changes.push(channelsMade(plan));
  const created = by(plan.newLogins, ({ sis_user_id }) => sis_user_id);
  if (created.size > 0)
    notes.changes.push({
      model: 'Pseudonym',
      select: sql`select l.id, null as before, l.workflow_state as after from logins l where ${live} and l.sis_user_id is not null and ${inTexts('l.sis_user_id', [...created.keys()])}`,
    });
  return {
    statements: await writes({ db: work.db, it: work.it, now }, plan),
    moved: [
      ...(plan.users.length > 0 ? [isMoved('users', plan.users)] : []),
      ...(plan.logins.length > 0 ? [isMoved('logins', plan.logins)] : []),
    ],
  };
}

// Hashing a password takes as long as several hundred rows.
const cutting = {
  most: 500,
  touches,
  group: ({ user_id, password }: ParsedRow['cells']) => (password ? (user_id ?? '') : ''),
  mostGroups: 20,
};

export const userRows: RowKind = { cutting, apply: (work, rows, notes) => apply(work, rows, notes, false) };
export const loginRows: RowKind = { cutting, apply: (work, rows, notes) => apply(work, rows, notes, true) };
