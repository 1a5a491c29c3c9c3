// A scene for the fuzz run, created over the API of a running service with an administrator's token: new accounts, users and a course each
// time, so that what a request destroys is replaced and the rest of the service is unchanged.

import { type Answer, type Client, clientOf, type Fetch } from './client';
import type { FullScene } from './full_scene';
import type { Person } from './ground';
import { uploadInThreeSteps } from './three_steps';

// biome-ignore lint/suspicious/noExplicitAny: tests read responses untyped.
type Body = any;

const soon = '2099-01-01T00:00:00Z';
const password = 'correct horse battery staple 1';

/** @throws Error with the service's message when a step of the scene is refused */
function done(what: string, { status, body }: Answer): Body {
  if (status !== 200 && status !== 201)
    throw new Error(`The scene cannot be built: ${what}: ${status} ${JSON.stringify(body).slice(0, 300)}`);
  return body;
}

/** The first item of the list, or an id that does not exist. */
const orNothing = (answer: Answer): number => (answer.status < 300 ? Number((answer.body.id ?? answer.body[0]?.id) || 0) : 0);

interface Sources {
  readonly fetch: Fetch;
  readonly url: string;
  /** The token of an administrator of the whole institution. */
  readonly token: string;
}

/** A user with their own token: one that an administrator creates waits until its owner accepts it. */
async function newPerson(admin: Client, { fetch, url }: Sources, name: string): Promise<Person> {
  const login = `${name.toLowerCase().replace(' ', '.')}-${crypto.randomUUID().slice(0, 8)}@example.edu`;
  const { id } = done(
    'a user',
    await admin.post('/accounts/1/users', { user: { name, skip_registration: true }, pseudonym: { unique_id: login, password } }),
  );
  const form = new URLSearchParams({ 'pseudonym_session[unique_id]': login, 'pseudonym_session[password]': password });
  const entered = await fetch(`${url}/login/canvas`, {
    method: 'POST',
    body: form,
    redirect: 'manual',
    headers: { 'Sec-Fetch-Site': 'same-origin' },
  });
  await entered.arrayBuffer();
  const cookie = entered.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const own = clientOf(fetch, url, undefined);
  const headers = { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' };
  const made = done('a token', await own.post('/users/self/tokens', { token: { purpose: 'fuzz' } }, { headers }));
  return { id, name, login, token: made.visible_token };
}

export type FuzzScene = FullScene & { readonly label: number };
let label = 0;

/** All values that the addresses of `every_endpoint.ts` need; what the API cannot create gets an id that does not exist. */
export async function aFuzzScene(sources: Sources): Promise<FuzzScene> {
  const { fetch, url } = sources;
  label += 1;
  const as = (person: Person) => clientOf(fetch, url, person.token);
  const admin = clientOf(fetch, url, sources.token);
  const make = async (client: Client, path: string, body: object): Promise<Body> =>
    done(path, await client.post(path, body, { json: true }));

  const accountOf = (name: string, parent: number) => make(admin, `/accounts/${parent}/sub_accounts`, { account: { name } });
  const [branch, otherBranch] = [await accountOf('Fuzzed faculty', 1), await accountOf('Other faculty', 1)];
  const leaf = await accountOf('Fuzzed institute', branch.id);
  const names = [
    'Root Admin',
    'Branch Admin',
    'Tara Teacher',
    'Tim Assistant',
    'Dee Designer',
    'Sam Student',
    'Sue Student',
    'Olive Observer',
    'Stan Stranger',
    'Rae Removed',
  ];
  const people: Person[] = [];
  for (const name of names) people.push(await newPerson(admin, sources, name));
  const [root, branchAdmin, teacher, ta, designer, student, student2, observer, stranger, removed] = people as [
    Person,
    Person,
    Person,
    Person,
    Person,
    Person,
    Person,
    Person,
    Person,
    Person,
  ];
  await make(admin, '/accounts/1/admins', { user_id: root.id, role: 'AccountAdmin' });
  await make(admin, `/accounts/${otherBranch.id}/admins`, { user_id: branchAdmin.id, role: 'AccountAdmin' });

  const courseOf = async (name: string, account_id: number) => {
    const made = await make(admin, `/accounts/${account_id}/courses`, { course: { name, course_code: name }, offer: true });
    const section = await make(admin, `/courses/${made.id}/sections`, { course_section: { name } });
    return { id: made.id as number, name, section_id: section.id as number, assignment_group_id: 0 };
  };
  const course = await courseOf('COURSE itself', branch.id);
  const elsewhere = await courseOf('Elsewhere', otherBranch.id);
  const enroll = (person: Person, type: string, more: object = {}) =>
    make(admin, `/courses/${course.id}/enrollments`, {
      enrollment: { user_id: person.id, type, enrollment_state: 'active', course_section_id: course.section_id, ...more },
    });
  await enroll(teacher, 'TeacherEnrollment');
  await enroll(ta, 'TaEnrollment');
  await enroll(designer, 'DesignerEnrollment');
  const enrolled = await enroll(student, 'StudentEnrollment');
  await enroll(student2, 'StudentEnrollment');
  await enroll(observer, 'ObserverEnrollment', { associated_user_id: student.id });

  const [teaches, learns, learns2, rules] = [as(teacher), as(student), as(student2), as(root)];
  const at = `/courses/${course.id}`;
  const section2 = (await make(teaches, `${at}/sections`, { course_section: { name: 'Second' } })).id;
  const assignment = await make(teaches, `${at}/assignments`, {
    assignment: {
      name: 'Essay',
      submission_types: ['online_text_entry', 'online_upload'],
      points_possible: 10,
      published: true,
      due_at: soon,
    },
  });
  const override = await make(teaches, `${at}/assignments/${assignment.id}/overrides`, {
    assignment_override: { course_section_id: course.section_id, due_at: soon },
  });
  const page = await make(teaches, `${at}/pages`, { wiki_page: { title: 'Page', body: 'x', published: true } });
  await make(teaches, `${at}/pages`, { wiki_page: { title: 'Front', body: 'x', published: true, front_page: true } });
  const revision = done('revisions', await teaches.get(`${at}/pages/${page.url}/revisions`))[0];
  const topic = await make(teaches, `${at}/discussion_topics`, { title: 'Topic', message: 'x', published: true, allow_rating: true });
  const entry = await make(learns, `${at}/discussion_topics/${topic.id}/entries`, { message: 'x' });
  const module = await make(teaches, `${at}/modules`, { module: { name: 'Module' } });
  done('module', await teaches.put(`${at}/modules/${module.id}`, { module: { published: true } }));
  const itemOf = (module_item: object) => make(teaches, `${at}/modules/${module.id}/items`, { module_item });
  const item = await itemOf({ type: 'Assignment', content_id: assignment.id, completion_requirement: { type: 'must_submit' } });
  const doneItem = await itemOf({ type: 'Page', page_url: page.url, completion_requirement: { type: 'must_mark_done' } });
  const folder = await make(teaches, `${at}/folders`, { name: 'COURSE folder' });
  const hiddenFolder = await make(teaches, `${at}/folders`, { name: 'LOCKED folder', locked: true });
  const bytes = new TextEncoder().encode('some text');
  const stored = (client: Client, path: string, name: string, more: object = {}) =>
    uploadInThreeSteps(client, fetch, path, { name, bytes, ...more });
  const file = await stored(teaches, `${at}/files`, 'COURSE file.txt', { parent_folder_id: folder.id });
  const image = await stored(teaches, `${at}/files`, 'COURSE picture.png', { parent_folder_id: folder.id });
  const ownFile = await stored(learns, '/users/self/files', 'own.txt');
  const ownFolder = done('folder', await learns.get('/users/self/folders/root'));
  await make(learns, `${at}/assignments/${assignment.id}/submissions`, { submission: { submission_type: 'online_text_entry', body: 'x' } });
  const graded = done(
    'grade',
    await teaches.put(`${at}/assignments/${assignment.id}/submissions/${student.id}`, {
      submission: { posted_grade: 7 },
      comment: { text_comment: 'well done' },
    }),
  );
  const event = await make(teaches, '/calendar_events', {
    calendar_event: { context_code: `course_${course.id}`, title: 'Event', start_at: soon, end_at: soon },
  });
  const appointment_group = await make(teaches, '/appointment_groups', {
    appointment_group: { context_codes: [`course_${course.id}`], title: 'Talks', publish: true, new_appointments: [[soon, soon]] },
  });
  const conversation = (
    await make(learns, '/conversations', { recipients: [String(teacher.id)], subject: 'x', body: 'x', force_new: true })
  )[0];
  const note = await make(learns, '/planner_notes', { title: 'Note', todo_date: soon });
  const planner_override = await make(learns, '/planner/overrides', { plannable_type: 'assignment', plannable_id: assignment.id });
  const token = await make(learns, '/users/self/tokens', { token: { purpose: 'own token' } });
  const role = await make(rules, `/accounts/${branch.id}/roles`, { label: 'Grader', base_role_type: 'TaEnrollment' });
  const term = await make(rules, '/accounts/1/terms', { enrollment_term: { name: 'Spring' } });
  const developerKey = await make(rules, '/accounts/1/developer_keys', {
    developer_key: { name: 'Application', visible: true, redirect_uris: ['https://app.example.edu/back'] },
  });
  const account_notification = await make(rules, `/accounts/${branch.id}/account_notifications`, {
    account_notification: { subject: 'x', message: 'x', start_at: '2026-01-01T00:00:00Z', end_at: soon },
  });
  const groupCategory = await make(teaches, `${at}/group_categories`, { name: 'Groups' });
  const group = await make(teaches, `/group_categories/${groupCategory.id}/groups`, { name: 'Group' });
  done('members', await teaches.put(`/groups/${group.id}`, { members: [student.id] }));
  const membership = done('membership', await learns.get(`/groups/${group.id}/memberships/self`));
  const inGroup = `/groups/${group.id}`;
  const groupFolder = await make(learns, `${inGroup}/folders`, { name: 'COURSE drafts' });
  const groupFile = await stored(learns, `${inGroup}/files`, 'COURSE plan.txt');
  const groupPage = await make(learns, `${inGroup}/pages`, { wiki_page: { title: 'Plan', body: 'x' } });
  const groupTopic = await make(learns, `${inGroup}/discussion_topics`, { title: 'Talk', allow_rating: true });
  const groupEntry = await make(learns, `${inGroup}/discussion_topics/${groupTopic.id}/entries`, { message: 'x' });
  const feed = { url: 'https://files.carrel.org/nowhere.atom' };
  const bookmark = await make(learns, '/users/self/bookmarks', { name: 'Bookmark', url: '/' });
  const ids: Record<string, number> = {
    assignment: assignment.id,
    assignment_group: assignment.assignment_group_id,
    override: override.id,
    topic: topic.id,
    entry: entry.id,
    module: module.id,
    item: item.id,
    doneItem: doneItem.id,
    folder: folder.id,
    hiddenFolder: hiddenFolder.id,
    file: file.id,
    image: image.id,
    ownFile: ownFile.id,
    ownFolder: ownFolder.id,
    submission: graded.id,
    comment: graded.submission_comments[0].id,
    event: event.id,
    appointment_group: appointment_group.id,
    conversation: conversation.id,
    note: note.id,
    planner_override: planner_override.id,
    token: token.id,
    role: role.id,
    term: term.id,
    developerKey: developerKey.id,
    account_notification: account_notification.id,
    groupCategory: groupCategory.id,
    group: group.id,
    membership: membership.id,
    groupFolder: groupFolder.id,
    groupFile: groupFile.id,
    groupTopic: groupTopic.id,
    groupEntry: groupEntry.id,
    bookmark: bookmark.id,
    enrollment: enrolled.id,
    revision: revision.revision_id,
    external_feed: orNothing(await teaches.post(`${at}/external_feeds`, feed)),
    groupFeed: orNothing(await learns.post(`${inGroup}/external_feeds`, feed)),
    progress: orNothing(await rules.put(`/accounts/${branch.id}/courses`, { course_ids: [elsewhere.id], event: 'offer' })),
    report: orNothing(await rules.post(`/accounts/${branch.id}/reports/unused_courses_csv`)),
    sis_import: orNothing(await rules.post(`/accounts/1/sis_imports`, { attachment: 'x', extension: 'csv' })),
    eportfolio: orNothing(await learns.post('/users/self/eportfolios', { name: 'Collection' })),
    collaboration: orNothing(await teaches.post(`${at}/collaborations`, { collaboration: { title: 'Document' }, user: [student.id] })),
  };
  const ofStudent = async (what: string) => orNothing(await rules.get(`/users/${student.id}/${what}`));
  const scene = {
    label,
    words: { course: 'COURSE', locked: 'LOCKED' },
    course,
    elsewhere: { course: elsewhere },
    branch,
    otherBranch,
    leaf,
    root,
    branchAdmin,
    teacher,
    ta,
    designer,
    student,
    student2,
    observer,
    stranger,
    removed,
    section2,
    login_id: await ofStudent('logins'),
    channel_id: await ofStudent('communication_channels'),
    urls: { page: page.url, groupPage: groupPage.url },
    uuids: { file: file.uuid, image: image.uuid },
    // A name that exists in the suite's scene but not here gets an id that does not exist.
    created: new Proxy({}, { get: () => 0 }),
    ids: new Proxy(ids, { get: (known, name) => (typeof name === 'string' && Object.hasOwn(known, name) ? known[name] : 0) }),
  };
  done('second student', await learns2.get('/users/self'));
  return scene as unknown as FuzzScene;
}
