// Users at the edge of a course who see less than might be expected, and what each of them must not find: for the access matrix.

import { env } from 'cloudflare:test';
import { as, ground, ok } from './api';
import type { BuiltCourse, Person } from './ground';
import { sendContent, upload } from './upload';

/** Markers of the second student and of locked module content. Lower case, because sort columns are case-folded. */
export const marks = {
  /** SIS ids of the second student and of course objects. */
  sis: 'sis-of-sue',
  integration: 'integration-of-sue',
  login: 'login-of-sue',
  email: 'email-of-sue',
  /** Text in a module that students have not unlocked; its title is visible. */
  gated: 'GATED',
  /** The first student's submission and the comment on it. */
  answered: 'SAMS-ANSWER',
  /** The first student's grade that is not posted, as it is and as a share of ten points, and the comment on it. */
  held: 'HELD-BACK',
  heldScore: '8642.75',
  heldShare: '86427.5',
} as const;

/** Account roles at the course's account: three that reveal one marker each, and one with several permissions that reveals none. */
const held = {
  view_user_logins: ['view_user_logins'],
  read_sis: ['read_sis'],
  read_email_addresses: ['read_email_addresses'],
  registrar: [
    'read_roster',
    'read_course_list',
    'manage_students',
    'manage_groups_manage',
    'manage_sections_edit',
    'view_all_grades',
    'view_statistics',
  ],
} as const;
type Holder = keyof typeof held;

interface Given {
  readonly course: BuiltCourse;
  readonly branch: { readonly id: number };
  readonly leaf: { readonly id: number };
  readonly root: Person;
  readonly student2: Person;
}

/** Users with unusual enrollments, and administrators of an account above or below the course. */
export async function addOnlookers({ course, branch, leaf, root, student2 }: Given) {
  await env.DB.batch([
    env.DB.prepare('update logins set unique_id = ?, sis_user_id = ?, integration_id = ? where user_id = ?').bind(
      `${marks.login}-${student2.id}@example.edu`,
      `${marks.sis}-${student2.id}`,
      `${marks.integration}-${student2.id}`,
      student2.id,
    ),
    ...['sections.sis_section_id', 'groups.sis_group_id', 'group_categories.sis_group_category_id', 'assignment_groups.sis_source_id'].map(
      (name) => {
        const [table, column] = name.split('.');
        return env.DB.prepare(`update ${table} set ${column} = ? || '-${table}-' || id`).bind(marks.sis);
      },
    ),
    env.DB.prepare('update communication_channels set address = ? where user_id = ?').bind(
      `${marks.email}-${student2.id}@example.edu`,
      student2.id,
    ),
  ]);
  const section = await ground.section(course, { name: 'COURSE third section' });
  const inSection = { section_id: section, limited: true };
  const names = ['Tess Sectioned', 'Seb Sectioned', 'Uma Unlinked', 'Ina Inactive', 'Carl Concluded', 'Ivy Invited'];
  const [sectionTa, sectionStudent, unlinked, inactive, concluded, invited] = (await Promise.all(
    names.map((name) => ground.person({ name })),
  )) as [Person, Person, Person, Person, Person, Person];
  await ground.enroll(course, sectionTa, 'ta', inSection);
  await ground.enroll(course, sectionStudent, 'student', inSection);
  await ground.enroll(course, unlinked, 'observer');
  await ground.enroll(course, inactive, 'student', { enrollment_state: 'inactive' });
  await ground.enroll(course, concluded, 'student', { enrollment_state: 'completed' });
  await ground.enroll(course, invited, 'student', { enrollment_state: 'invited' });
  const [adminAbove, adminBelow] = await Promise.all([
    ground.admin({ name: 'Abe Above', account_id: branch.id }),
    ground.admin({ name: 'Bea Below', account_id: leaf.id }),
  ]);
  const holders = await Promise.all(
    Object.entries(held).map(async ([name, permissions]) => {
      const granted = permissions.map((permission) => [permission, { explicit: true, enabled: true }]);
      const role = ok(
        await as(root).post(`/accounts/${branch.id}/roles`, {
          label: `Holds ${name}`,
          base_role_type: 'AccountMembership',
          permissions: Object.fromEntries(granted),
        }),
      );
      return [name, await ground.admin({ name: `Holder ${name}`, account_id: branch.id, role_id: role.id })] as const;
    }),
  );
  return {
    section3: section,
    sectionTa,
    sectionStudent,
    unlinked,
    inactive,
    concluded,
    invited,
    adminAbove,
    adminBelow,
    ...(Object.fromEntries(holders) as Record<Holder, Person>),
  };
}

interface Around {
  readonly course: BuiltCourse;
  readonly teacher: Person;
  readonly student: Person;
  readonly student2: Person;
  /** A published module and an assignment for everyone. */
  readonly module: { readonly id: number };
  readonly assignment: { readonly id: number };
}

const soon = '2099-01-01T00:00:00Z';

/** A module that opens after another one, an unpublished appointment group, and a file submitted by the second student. */
export async function addHidden({ course, teacher, student, student2, module, assignment }: Around) {
  const at = `/courses/${course.id}`;
  const create = async (path: string, body: object, person = teacher) => {
    const answer = await as(person).post(path, body);
    return ok(answer, answer.status === 201 ? 201 : 200);
  };
  const gated = await create(`${at}/modules`, { module: { name: 'COURSE gated', prerequisite_module_ids: [module.id] } });
  ok(await as(teacher).put(`${at}/modules/${gated.id}`, { module: { published: true } }));
  const topic = await create(`${at}/discussion_topics`, {
    title: 'COURSE gated topic',
    message: `<p>${marks.gated} topic</p>`,
    published: true,
    todo_date: soon,
  });
  const entry = await create(`${at}/discussion_topics/${topic.id}/entries`, { message: `${marks.gated} entry` });
  const page = await create(`${at}/pages`, {
    wiki_page: { title: 'COURSE gated page', body: `<p>${marks.gated} page</p>`, published: true },
  });
  const work = await create(`${at}/assignments`, {
    assignment: {
      name: 'COURSE gated work',
      description: `<p>${marks.gated} work</p>`,
      submission_types: ['online_text_entry'],
      points_possible: 10,
      published: true,
      due_at: soon,
    },
  });
  const file = await upload(teacher, `${at}/files`, { name: 'COURSE gated.txt' }, `${marks.gated} bytes`);
  const items = [
    { type: 'Discussion', content_id: topic.id },
    { type: 'Page', page_url: page.url },
    { type: 'Assignment', content_id: work.id },
    { type: 'File', content_id: file.id },
  ];
  for (const module_item of items) await create(`${at}/modules/${gated.id}/items`, { module_item });

  const held = await create(`${at}/assignments`, {
    assignment: { name: 'COURSE held', points_possible: 10, post_manually: true, published: true, submission_types: ['online_text_entry'] },
  });
  const grade = { submission: { posted_grade: marks.heldScore }, comment: { text_comment: `${marks.held} comment` } };
  ok(await as(teacher).put(`${at}/assignments/${held.id}/submissions/${student.id}`, grade));

  const draft = await create('/appointment_groups', {
    appointment_group: { context_codes: [`course_${course.id}`], title: 'UNPUBLISHED talks', new_appointments: [[soon, soon]] },
  });

  const uploads = `${at}/assignments/${assignment.id}/submissions/self/files`;
  const ticket = ok(await as(student2).post(uploads, { name: 'HANDED-IN file.txt', size: 9 }));
  const handedIn = (await sendContent(ticket, 'HANDED-IN')).body;
  await create(
    `${at}/assignments/${assignment.id}/submissions`,
    { submission: { submission_type: 'online_upload', file_ids: [handedIn.id] } },
    student2,
  );
  return {
    ids: {
      gatedModule: gated.id as number,
      gatedTopic: topic.id as number,
      gatedEntry: entry.id as number,
      gatedAssignment: work.id as number,
      heldAssignment: held.id as number,
      gatedFile: file.id as number,
      handedInFile: handedIn.id as number,
      unpublishedAppointments: draft.id as number,
    },
    gatedPage: page.url as string,
    uuids: { gatedFile: file.uuid as string, handedInFile: handedIn.uuid as string },
  };
}
