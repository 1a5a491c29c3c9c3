// A course with one object of each kind, each next to another one that must stay hidden.

import { env } from 'cloudflare:test';
import { anonymousId } from '@carrel/worker/crypto/anonymous_id';
import { as, ground, ok } from './api';
import { clientKey } from './client_keys';
import { unnamed } from './every_endpoint';
import { bodiesOf, seeded } from './garbage';
import { aCourse, type Person } from './ground';
import { addHidden, addOnlookers, marks } from './onlookers';
import { upload } from './upload';

/** The first word of every text says who may read it; the access matrix searches for these words in every response. */
export const sceneWords = {
  /** The staff of the course. */
  unpublished: 'UNPUBLISHED',
  /** Graders and the second student. */
  work: 'HANDED-IN',
  /** A single user. */
  own: 'PRIVATE',
  /** Staff, and by its id everyone in the course: a locked file is returned without its contents. */
  locked: 'LOCKED',
  /** Everyone in the course. */
  course: 'COURSE',
  /** Users of the account of the course, and of its sub-accounts. */
  announced: 'ANNOUNCED',
  ...marks,
} as const;

/** Parameters that take any text. */
const texts = new Set(['name', 'title', 'description', 'body', 'message', 'label', 'subject']);

const selfRegistration = {
  response_types: ['id_token'],
  grant_types: ['implicit', 'client_credentials'],
  token_endpoint_auth_method: 'private_key_jwt',
  client_name: 'Tool that registered itself',
  initiate_login_uri: 'https://tools.carrel.org/login',
  redirect_uris: ['https://tools.carrel.org/launch'],
  jwks_uri: 'https://tools.carrel.org/jwks',
  'https://purl.imsglobal.org/spec/lti-tool-configuration': {
    domain: 'tools.carrel.org',
    target_link_uri: 'https://tools.carrel.org/launch',
    messages: [],
  },
};

const past = '2026-01-01T00:00:00Z';
const soon = '2099-01-01T00:00:00Z';

export async function aFullScene() {
  const branch = await ground.account({ name: 'Faculty of the course' });
  const otherBranch = await ground.account({ name: 'Faculty elsewhere' });
  const leaf = await ground.account({ name: 'Empty institute', parent_account_id: branch.id });
  const [root, branchAdmin] = await Promise.all([ground.admin(), ground.admin({ account_id: otherBranch.id })]);
  const scene = await aCourse(ground, {
    account_id: branch.id,
    name: `${sceneWords.course} itself`,
    syllabus_body: `<p>${sceneWords.course} syllabus</p>`,
  });
  const { course, teacher, student, student2, observer, stranger } = scene;
  const elsewhere = await aCourse(ground, { name: 'Elsewhere', account_id: otherBranch.id });
  await ground.enroll(elsewhere.course, stranger, 'student');
  const removed = await ground.person({ name: 'Rae Removed' });
  const logins = await env.DB.prepare('select id, user_id from logins where user_id in (?, ?)')
    .bind(student.id, removed.id)
    .all<{ id: number; user_id: number }>();
  await env.DB.prepare("update logins set workflow_state = 'deleted' where user_id = ?").bind(removed.id).run();
  const section2 = await ground.section(course, { name: `${sceneWords.course} second section` });
  const teaches = as(teacher);
  const learns = as(student);
  const at = `/courses/${course.id}`;
  const create = async (path: string, body: object, person: Person = teacher) => {
    const answer = await as(person).post(path, body);
    return ok(answer, answer.status === 201 ? 201 : 200);
  };

  const assign = (name: string, more: object = {}) =>
    create(`${at}/assignments`, {
      assignment: {
        name,
        description: `<p>${name} described</p>`,
        submission_types: ['online_text_entry', 'online_upload'],
        points_possible: 10,
        published: true,
        due_at: soon,
        ...more,
      },
    });
  const assignment = await assign(`${sceneWords.course} essay`);
  const emptyAssignment = await assign(`${sceneWords.course} lab`);
  const hiddenAssignment = await assign(`${sceneWords.unpublished} assignment`, { published: false });
  const notForStudent = await assign(`${sceneWords.unpublished} for others`, { only_visible_to_overrides: true });
  await create(`${at}/assignments/${notForStudent.id}/overrides`, { assignment_override: { student_ids: [student2.id], title: 'x' } });
  const override = await create(`${at}/assignments/${assignment.id}/overrides`, {
    assignment_override: { course_section_id: course.section_id, due_at: soon },
  });

  const pageOf = (title: string, more: object = {}) =>
    create(`${at}/pages`, { wiki_page: { title, body: `<p>${title} body</p>`, published: true, ...more } });
  const page = await pageOf(`${sceneWords.course} page`);
  const front = await pageOf(`${sceneWords.course} front page`, { front_page: true });
  ok(await teaches.put(`${at}/pages/${page.url}`, { wiki_page: { body: 'changed' } }));
  const hiddenPage = await pageOf(`${sceneWords.unpublished} page`, { published: false, student_todo_at: soon });

  const topicOf = (title: string, more: object = {}, person = teacher) =>
    create(`${at}/discussion_topics`, { title, message: `<p>${title} said</p>`, published: true, ...more }, person);
  const topic = await topicOf(`${sceneWords.course} topic`, { allow_rating: true });
  const entry = await create(`${at}/discussion_topics/${topic.id}/entries`, { message: `${sceneWords.course} entry` }, student);
  const reply = await create(`${at}/discussion_topics/${topic.id}/entries/${entry.id}/replies`, { message: 'reply' }, student2);
  const hiddenTopic = await topicOf(`${sceneWords.unpublished} topic`, { published: false, todo_date: soon });
  const hiddenEntry = await create(`${at}/discussion_topics/${hiddenTopic.id}/entries`, { message: `${sceneWords.unpublished} entry` });
  const announcement = await topicOf(`${sceneWords.course} announcement`, { is_announcement: true });
  const later = await topicOf(`${sceneWords.unpublished} announcement`, { is_announcement: true, delayed_post_at: soon });
  const elsewhereAnnounced = await topicOf(`${sceneWords.unpublished} announcement of another section`, {
    is_announcement: true,
    specific_sections: String(section2),
  });
  const postFirst = await topicOf(`${sceneWords.course} post first`, { require_initial_post: true });
  await create(`${at}/discussion_topics/${postFirst.id}/entries`, { message: `${sceneWords.unpublished} until one posts` }, student2);

  const module = await create(`${at}/modules`, { module: { name: `${sceneWords.course} module` } });
  ok(await teaches.put(`${at}/modules/${module.id}`, { module: { published: true } }));
  const itemOf = (module_id: number, module_item: object) => create(`${at}/modules/${module_id}/items`, { module_item });
  const item = await itemOf(module.id, { type: 'Assignment', content_id: assignment.id, completion_requirement: { type: 'must_submit' } });
  const doneItem = await itemOf(module.id, { type: 'Page', page_url: page.url, completion_requirement: { type: 'must_mark_done' } });
  await itemOf(module.id, { type: 'ExternalUrl', title: `${sceneWords.course} link`, external_url: 'https://example.edu/' });
  const hiddenItem = await itemOf(module.id, { type: 'Assignment', content_id: hiddenAssignment.id });
  const hiddenModule = await create(`${at}/modules`, { module: { name: `${sceneWords.unpublished} module` } });
  const itemOfHidden = await itemOf(hiddenModule.id, { type: 'SubHeader', title: `${sceneWords.unpublished} header` });

  const folder = await create(`${at}/folders`, { name: `${sceneWords.course} folder` });
  const named = { name: `${sceneWords.course} file.txt`, parent_folder_id: folder.id } as never;
  await upload(teacher, `${at}/files`, named, `${sceneWords.unpublished} version`);
  const file = await upload(teacher, `${at}/files`, named);
  const [fileVersion] = ok(await teaches.get(`/api/sync/v1/files/${file.id}/versions`));
  const image = await upload(teacher, `${at}/files`, { name: `${sceneWords.course} picture.png`, parent_folder_id: folder.id } as never);
  const media = await upload(teacher, `${at}/files`, { name: `${sceneWords.course} talk.mp3`, content_type: 'audio/mpeg' } as never);
  const [mediaTrack] = ok(
    await teaches.put(
      `/media_attachments/${media.id}/media_tracks`,
      [{ locale: 'en', content: `WEBVTT\n\n00:01.000 --> 00:02.000\n${sceneWords.course} captions` }],
      { json: true },
    ),
  );
  const errorReport = ok(await teaches.post('/error_reports', { error: { subject: `${sceneWords.unpublished} report` } }));
  const hiddenFile = await upload(
    teacher,
    `${at}/files`,
    { name: `${sceneWords.locked} file.txt` } as never,
    `${sceneWords.unpublished} bytes`,
  );
  ok(await teaches.put(`/files/${hiddenFile.id}`, { locked: true }));
  const hiddenFolder = await create(`${at}/folders`, { name: `${sceneWords.locked} folder`, locked: true });
  const fileInHidden = await upload(
    teacher,
    `${at}/files`,
    { name: `${sceneWords.locked} inside.txt`, parent_folder_id: hiddenFolder.id } as never,
    `${sceneWords.unpublished} bytes`,
  );
  const ownFolder = ok(await learns.get('/users/self/folders/root'));
  const ownFile = await upload(student, '/users/self/files', { name: `${sceneWords.course} own.txt` });
  const othersFile = await upload(student2, '/users/self/files', { name: `${sceneWords.own} file.txt` }, `${sceneWords.own} bytes`);
  const othersFolder = ok(await as(student2).get('/users/self/folders/root'));

  const handIn = (one: { id: number }, person: Person, body: string) =>
    create(`${at}/assignments/${one.id}/submissions`, { submission: { submission_type: 'online_text_entry', body } }, person);
  await handIn(assignment, student, `${sceneWords.answered} body`);
  const othersSubmission = await handIn(assignment, student2, `${sceneWords.work} answer`);
  await handIn(notForStudent, student2, `${sceneWords.work} other answer`);
  const graded = ok(
    await teaches.put(`${at}/assignments/${assignment.id}/submissions/${student.id}`, {
      submission: { posted_grade: 7 },
      comment: { text_comment: `${sceneWords.answered} comment` },
    }),
  );
  ok(
    await teaches.put(`${at}/assignments/${assignment.id}/submissions/${student2.id}`, {
      submission: { posted_grade: 3 },
      comment: { text_comment: `${sceneWords.work} comment` },
    }),
  );
  ok(
    await teaches.put(`${at}/assignments/${emptyAssignment.id}/submissions/${student.id}`, {
      comment: { text_comment: `${sceneWords.unpublished} draft` },
    }),
  );
  // Inserted directly, because no request creates drafts.
  await env.DB.prepare('update submission_comments set is_draft = 1 where comment = ?').bind(`${sceneWords.unpublished} draft`).run();

  const externalTool = await create(`${at}/external_tools`, {
    name: `${sceneWords.course} tool`,
    url: 'https://tool.example/launch',
    consumer_key: 'key',
    shared_secret: 'secret',
    course_navigation: { text: `${sceneWords.course} tool`, visibility: 'members' },
  });
  const accountTool = await create(
    `/accounts/${branch.id}/external_tools`,
    { name: 'Tool of the faculty', domain: 'faculty.example', editor_button: { enabled: true }, top_navigation: { enabled: true } },
    root,
  );
  const advantage = {
    title: 'Tool of LTI 1.3',
    target_link_uri: 'https://advantage.example/launch',
    oidc_initiation_url: 'https://advantage.example/login',
    public_jwk: clientKey,
    scopes: [],
    extensions: [{ platform: 'canvas.instructure.com', domain: 'advantage.example', settings: { placements: [] } }],
  };
  const { developer_key: toolKey } = ok(
    await as(root).post('/api/lti/accounts/1/developer_keys/tool_configuration', { configuration: advantage }, { json: true }),
  );
  await create(`/accounts/${branch.id}/external_tools`, { client_id: toolKey.id }, root);
  const registration = ok(await as(root).get(`/api/lti/accounts/${branch.id}/registration_token`));
  ok(await as({ ...root, token: registration.token }).post('/api/lti/registrations', selfRegistration, { json: true }));
  const resourceLink = await create(`${at}/lti_resource_links`, {
    url: 'https://advantage.example/1',
    title: `${sceneWords.unpublished} link`,
  });
  const { rubric, rubric_association } = await create(`${at}/rubrics`, {
    rubric: { title: `${sceneWords.course} rubric`, criteria: [{ description: 'Method', ratings: [{ points: 5 }] }] },
    rubric_association: { association_id: assignment.id, association_type: 'Assignment' },
  });
  const quiz = await create(`${at}/quizzes`, { quiz: { title: `${sceneWords.course} quiz`, published: true } });
  const quizQuestion = await create(`${at}/quizzes/${quiz.id}/questions`, {
    question: {
      question_type: 'true_false_question',
      question_text: `${sceneWords.course} question`,
      correct_comments: `${sceneWords.unpublished} key`,
      answers: [true, false].map((isRight) => ({
        answer_text: isRight ? 'True' : 'False',
        answer_weight: isRight ? 100 : 0,
        answer_comments: `${sceneWords.unpublished} comment of an answer`,
      })),
    },
  });
  const essayQuestion = await create(`${at}/quizzes/${quiz.id}/questions`, {
    question: { question_type: 'essay_question', question_text: `${sceneWords.course} essay question` },
  });
  const [quizGroup] = (await create(`${at}/quizzes/${quiz.id}/groups`, { quiz_groups: [{ name: `${sceneWords.unpublished} group` }] }))
    .quiz_groups;
  const quizSubmission = (ok(await as(student).post(`${at}/quizzes/${quiz.id}/submissions`)).quiz_submissions as { id: number }[])[0];
  const newQuizzes = `/api/quiz/v1${at}/quizzes`;
  const newQuiz = ok(await teaches.post(newQuizzes, { quiz: { title: `${sceneWords.course} new quiz`, published: true } }));
  const newQuizItem = ok(
    await teaches.post(`${newQuizzes}/${newQuiz.id}/items`, {
      item: { entry_type: 'Stimulus', entry: { title: `${sceneWords.unpublished} stimulus` } },
    }),
  );
  ok(
    await teaches.post(`${newQuizzes}/${newQuiz.id}/items`, {
      item: {
        entry_type: 'Item',
        entry: {
          item_body: `${sceneWords.course} item`,
          interaction_type_slug: 'true-false',
          interaction_data: { true_choice: 'True', false_choice: 'False' },
          scoring_data: { value: 'true' },
          scoring_algorithm: 'Equivalence',
          feedback: { neutral: `${sceneWords.unpublished} feedback` },
        },
      },
    }),
  );
  const newQuizSession = ok(await as(student).post(`${newQuizzes}/${newQuiz.id}/sessions`));
  const [theirs] = (await create(`${at}/quizzes/${quiz.id}/submissions`, {}, student2)).quiz_submissions;
  const theirToken = { attempt: theirs.attempt, validation_token: theirs.validation_token };
  const theirAnswer = { id: essayQuestion.id, answer: `${sceneWords.work} answer` };
  await create(`/quiz_submissions/${theirs.id}/questions`, { ...theirToken, quiz_questions: [theirAnswer] }, student2);
  await create(`${at}/quizzes/${quiz.id}/submissions/${theirs.id}/complete`, theirToken, student2);
  // Not begun by anyone: its questions and its code are for staff, its title and due date for everyone.
  const survey = await create(`${at}/quizzes`, {
    quiz: {
      title: `${sceneWords.course} survey`,
      quiz_type: 'survey',
      published: true,
      due_at: new Date(Date.now() + 172_800_000).toISOString(),
      access_code: `${sceneWords.unpublished} code`,
    },
  });
  await create(`${at}/quizzes/${survey.id}/questions`, {
    question: { question_type: 'essay_question', question_text: `${sceneWords.unpublished} unseen question` },
  });
  const questionBank = await ground.questionBank('Course', course, { title: `${sceneWords.unpublished} bank` });
  const accountRubric = await ground.rubric('Account', branch, { title: `${sceneWords.unpublished} rubric` });
  const assess = ({ id }: { id: number }, comments: string) =>
    create(`${at}/rubric_associations/${rubric_association.id}/rubric_assessments`, {
      rubric_assessment: { user_id: id, [`criterion_${rubric.data[0].id}`]: { points: 3, comments } },
    });
  const assessment = await assess(student, `${sceneWords.answered} assessment`);
  const othersAssessment = await assess(student2, `${sceneWords.work} assessment`);

  ok(await teaches.post(`${at}/assignments/${assignment.id}/submissions/${graded.id}/peer_reviews`, { user_id: student2.id }));

  const moderated = await assign(`${sceneWords.course} moderated`, { moderated_grading: true, grader_count: 1 });
  const provisional = ok(
    await teaches.put(`${at}/assignments/${moderated.id}/submissions/${student.id}?include[]=provisional_grades`, {
      submission: { posted_grade: 7, provisional: true },
    }),
  ).provisional_grades[0];

  const [rootOutcomes] = ok(await teaches.get(`${at}/outcome_groups`));
  const outcomeGroup = await create(`${at}/outcome_groups/${rootOutcomes.id}/subgroups`, { title: `${sceneWords.course} goals` });
  const { outcome } = await create(`${at}/outcome_groups/${outcomeGroup.id}/outcomes`, {
    title: `${sceneWords.course} outcome`,
    description: `${sceneWords.course} outcome`,
  });
  const outcomesOf = async (place: string) => {
    const top = await as(root).get(`${place}/root_outcome_group`);
    const there = `${place}/outcome_groups/${(top.headers.get('location') ?? '').split('/').at(-1)}`;
    const group = await create(`${there}/subgroups`, { title: 'Goals' }, root);
    const link = await create(`${place}/outcome_groups/${group.id}/outcomes`, { title: 'Goal' }, root);
    return { group: group.id as number, outcome: link.outcome.id as number };
  };
  const accountOutcomes = await outcomesOf(`/accounts/${branch.id}`);
  const globalOutcomes = await outcomesOf('/global');
  const accountQuestionBank = await ground.questionBank('Account', branch);
  ok(await teaches.put(`${at}/question_banks/${questionBank}/outcome_alignments`, { alignments: [{ learning_outcome_id: outcome.id }] }));
  const live = { key: 'lesson', title: `${sceneWords.unpublished} check`, links: { outcome: outcome.id } };
  const { assessments: liveAssessments } = await create(`${at}/live_assessments`, { assessments: [live] });
  await create(`${at}/live_assessments/${liveAssessments[0].id}/results`, {
    results: [student, student2].map(({ id }) => ({ passed: true, links: { user: id } })),
  });
  const outcomeImports = {
    Course: await ground.outcomeImport('Course', course, { user_id: teacher.id, learning_outcome_group_id: outcomeGroup.id }),
    Account: await ground.outcomeImport('Account', branch, { user_id: root.id }),
  };
  await create(`/accounts/${branch.id}/outcome_proficiency`, { ratings: [{ description: 'Good', points: 1, mastery: true }] }, root);

  const askPoll = async (question: string) => {
    const { polls } = await create('/polls', { polls: [{ question, description: question }] });
    const [{ id }] = polls;
    const { poll_choices } = await create(`/polls/${id}/poll_choices`, { poll_choices: [{ text: question, is_correct: true }] });
    const { poll_sessions } = await create(`/polls/${id}/poll_sessions`, { poll_sessions: [{ course_id: course.id }] });
    return { id, choice: poll_choices[0].id, session: poll_sessions[0].id };
  };
  const poll = await askPoll(`${sceneWords.course} poll`);
  const hiddenPoll = await askPoll(`${sceneWords.unpublished} poll`);
  const pollPlace = `/polls/${poll.id}/poll_sessions/${poll.session}`;
  ok(await teaches.get(`${pollPlace}/open`));
  const { poll_submissions } = await create(
    `${pollPlace}/poll_submissions`,
    { poll_submissions: [{ poll_choice_id: poll.choice }] },
    student,
  );

  const gradebookColumn = await create(`${at}/custom_gradebook_columns`, { column: { title: `${sceneWords.unpublished} notes` } });
  ok(
    await teaches.put(`${at}/custom_gradebook_columns/${gradebookColumn.id}/data/${student.id}`, {
      column_data: { content: `${sceneWords.unpublished} note` },
    }),
  );

  const gradebook = new FormData();
  const cells = `Student,ID,Essay (${assignment.id})\n${sceneWords.unpublished} ${student.name},${student.id},5\n`;
  gradebook.set('attachment', new File([cells], 'gradebook.csv'));
  const gradebookUpload = ok(await teaches.post(`${at}/gradebook_uploads`, gradebook));

  const eventOf = (context_code: string, title: string, person: Person, more: object = {}) =>
    create(
      '/calendar_events',
      { calendar_event: { context_code, title, description: title, start_at: soon, end_at: soon, ...more } },
      person,
    );
  const event = await eventOf(`course_${course.id}`, `${sceneWords.course} event`, teacher);
  const ownEvent = await eventOf(`user_${student.id}`, 'own event', student);
  const othersEvent = await eventOf(`user_${student2.id}`, `${sceneWords.own} event`, student2);

  const appointment_group = (
    await create('/appointment_groups', {
      appointment_group: {
        context_codes: [`course_${course.id}`],
        title: `${sceneWords.course} talks`,
        publish: true,
        new_appointments: [[soon, soon]],
      },
    })
  ).id;

  const conversationOf = async (from: Person, to: Person, body: string) =>
    (await create('/conversations', { recipients: [to.id], subject: body, body, force_new: true }, from))[0];
  const conversation = await conversationOf(student, teacher, `${sceneWords.course} letter`);
  const othersConversation = await conversationOf(student2, scene.ta, `${sceneWords.own} letter`);

  const note = await create('/planner_notes', { title: 'own note', todo_date: soon }, student);
  const othersNote = await create(
    '/planner_notes',
    { title: `${sceneWords.own} note`, details: sceneWords.own, todo_date: soon },
    student2,
  );
  const planner_override = await create('/planner/overrides', { plannable_type: 'assignment', plannable_id: assignment.id }, student);
  const token = await create('/users/self/tokens', { token: { purpose: 'own token' } }, student);
  const othersToken = await create('/users/self/tokens', { token: { purpose: `${sceneWords.own} token` } }, student2);
  ok(await as(student2).put(`/users/self/course_nicknames/${course.id}`, { nickname: `${sceneWords.own} nickname` }));
  const role = await create(`/accounts/${branch.id}/roles`, { label: 'Grader', base_role_type: 'TaEnrollment' }, root);
  const term = await create('/accounts/1/terms', { enrollment_term: { name: 'Spring' } }, root);
  const gradingStandard = await create(`${at}/grading_standards`, { title: `${sceneWords.course} scheme` });
  const accountStandard = await create(`/accounts/${branch.id}/grading_standards`, { title: 'Scheme' }, root);
  // The institution has at most three, and several scenes.
  const statuses = ok(await as(root).get('/accounts/1/custom_grade_statuses'));
  const customGradeStatus =
    statuses[0] ?? (await create('/accounts/1/custom_grade_statuses', { name: 'In progress', color: '#f5c2e7' }, root));
  const lasting = { title: 'Period', start_date: past, end_date: '2999-01-01T00:00:00Z' };
  const { grading_period_set: periodSet } = await create(
    '/accounts/1/grading_period_sets',
    { grading_period_set: { title: 'Year' } },
    root,
  );
  const inSet = `/grading_period_sets/${periodSet.id}/grading_periods/batch_update`;
  const [period] = ok(await as(root).patch(inSet, { grading_periods: [lasting] })).grading_periods;
  ok(await teaches.put(`${at}/settings`, { allow_final_grade_override: true }));
  const [coursePeriod] = ok(await teaches.patch(`${at}/grading_periods/batch_update`, { grading_periods: [lasting] })).grading_periods;
  const developerKey = await create(
    '/accounts/1/developer_keys',
    { developer_key: { name: `${sceneWords.own} application`, visible: true, redirect_uris: ['https://app.example.edu/back'] } },
    root,
  );
  const account_notification = await create(
    `/accounts/${branch.id}/account_notifications`,
    { account_notification: { subject: sceneWords.announced, message: sceneWords.announced, start_at: past, end_at: soon } },
    root,
  );
  const channels = await env.DB.prepare('select id from communication_channels where user_id = ?').bind(student.id).first<number>('id');
  const written = { created_at: past, updated_at: past };
  const eportfolio = await ground.eportfolio(student, { name: 'own collection', ...written });
  const othersEportfolio = await ground.eportfolio(student2, { name: `${sceneWords.own} collection`, ...written });
  const queued = { context_type: 'Course', context_id: course.id, user_id: teacher.id, tag: 'course_batch_update' };
  const progress = await ground.progress({ ...queued, ...written });
  const sis_import = await ground.sisImport(root, { account_id: branch.id, phase: 'over', ...written });
  const pageViewQuery = crypto.randomUUID();
  await env.DB.prepare(
    "insert into page_view_queries (uuid, user_id, user_ids, is_batch, start_at, end_at, format, workflow_state, created_at, updated_at) values (?, ?, ?, 0, ?, ?, 'csv', 'finished', ?, ?)",
  )
    .bind(pageViewQuery, student.id, JSON.stringify([student.id]), past, past, soon, soon)
    .run();
  const report = await env.DB.prepare(
    "insert into account_reports (account_id, user_id, uuid, report, parameters, wish, workflow_state, created_at, updated_at) values (?, ?, lower(hex(randomblob(16))), 'unused_courses_csv', '{}', '{}', 'complete', ?, ?) returning id",
  )
    .bind(branch.id, root.id, past, past)
    .first<number>('id');
  // Everyone in the course sees that groups exist; the content of the other group is for its members and staff.
  const groupCategory = await create(`${at}/group_categories`, { name: `${sceneWords.course} groups` });
  const groupOf = async (name: string, members: readonly Person[]) => {
    const made = await create(`/group_categories/${groupCategory.id}/groups`, { name });
    return ok(await teaches.put(`/groups/${made.id}`, { members: members.map(({ id }) => id) }));
  };
  const group = await groupOf(`${sceneWords.course} group`, [student]);
  const otherGroup = await groupOf(`${sceneWords.course} other group`, [student2]);
  const membership = ok(await learns.get(`/groups/${group.id}/memberships/self`));
  const contentExports = {
    course: await ground.contentExport('Course', course, teacher, { export_type: 'qti', sees_all: true }),
    group: await ground.contentExport('Group', group, student),
    own: await ground.contentExport('User', student, student),
    book: await ground.contentExport('Course', course, student, { export_type: 'epub', file_uuid: `book of ${course.id}` }),
  };
  const contentShare = await ground.contentShare(student, teacher, course, {
    name: `${sceneWords.course} share`,
    content_export_id: contentExports.course,
  });
  const groupFolder = await create(`/groups/${group.id}/folders`, { name: `${sceneWords.course} drafts` }, student);
  const groupFile = await upload(student, `/groups/${group.id}/files`, { name: `${sceneWords.course} plan.txt` });
  const groupPage = await create(`/groups/${group.id}/pages`, { wiki_page: { title: `${sceneWords.course} plan`, body: 'x' } }, student);
  const groupTopic = await create(
    `/groups/${group.id}/discussion_topics`,
    { title: `${sceneWords.course} talk`, allow_rating: true },
    student,
  );
  const groupEntry = await create(`/groups/${group.id}/discussion_topics/${groupTopic.id}/entries`, { message: 'x' }, student);
  const otherTopic = await create(`/groups/${otherGroup.id}/discussion_topics`, { title: `${sceneWords.unpublished} talk` }, student2);
  await create(`/groups/${otherGroup.id}/discussion_topics/${otherTopic.id}/entries`, { message: sceneWords.unpublished }, student2);
  const otherFile = await upload(
    student2,
    `/groups/${otherGroup.id}/files`,
    { name: `${sceneWords.unpublished} plan.txt` },
    sceneWords.unpublished,
  );
  const otherFolder = await create(`/groups/${otherGroup.id}/folders`, { name: `${sceneWords.unpublished} drafts` }, student2);
  await create(
    `/groups/${otherGroup.id}/pages`,
    { wiki_page: { title: `${sceneWords.unpublished} plan`, body: sceneWords.unpublished } },
    student2,
  );
  const otherGroupEvent = await eventOf(`group_${otherGroup.id}`, `${sceneWords.unpublished} meeting`, student2);
  const external_feed = (await create(`${at}/external_feeds`, { url: 'https://files.carrel.org/nowhere.atom' })).id;
  const groupFeed = (await create(`/groups/${group.id}/external_feeds`, { url: 'https://files.carrel.org/nowhere.atom' }, student)).id;
  const bookmark = (await create('/users/self/bookmarks', { name: 'own bookmark', url: '/' }, student)).id;
  const othersBookmark = (await create('/users/self/bookmarks', { name: `${sceneWords.own} bookmark`, url: '/' }, student2)).id;
  const collaborationOf = (title: string, members: { user_id: number }[]) =>
    ground.collaboration({ type: 'Course', id: course.id }, teacher, { title, members, ...written });
  const collaboration = await collaborationOf(`${sceneWords.course} document`, [{ user_id: student.id }]);
  await collaborationOf(`${sceneWords.unpublished} document`, []);
  const groupCollaboration = (
    await create(`/groups/${group.id}/collaborations`, { collaboration: { title: `${sceneWords.course} plan` } }, student)
  ).id;
  const dead_letter = await env.DB.prepare(
    `insert into dead_letters (message_id, job, message, attempts, created_at, updated_at) values (lower(hex(randomblob(16))), 'x', '{"job":"x"}', 6, ?, ?) returning id`,
  )
    .bind(past, past)
    .first<number>('id');
  const hook = { url: 'https://files.carrel.org/hooks/none', event_types: ['learning_outcome_link_created'] };
  // The institution has at most twenty, and hostile requests make some.
  const hooks = ok(await as(root).get('/accounts/1/webhook_subscriptions')) as { id: number }[];
  for (const { id } of hooks.slice(5)) await as(root).del(`/accounts/1/webhook_subscriptions/${id}`);
  const webhook = (await create('/accounts/1/webhook_subscriptions', hook, root)).id as number;
  const undelivered = await env.DB.prepare(
    `insert into webhook_deliveries (uuid, subscription_id, event, object, metadata, body, workflow_state) values ('x', ?, 'x', 'x', '{}', '{}', 'dead') returning id`,
  )
    .bind(webhook)
    .first<number>('id');
  const onlookers = await addOnlookers({ course, branch, leaf, root, student2 });
  const created: Record<string, number> = {};
  for (const { path, options } of unnamed) {
    const domain = path.slice(path.lastIndexOf('/') + 1);
    const { body } = bodiesOf(options.params ?? {}, (name) => (texts.has(name) ? `${sceneWords.course} ${name}` : undefined), seeded(1));
    created[domain] = (await create(`${at}/${domain}`, body(0))).id;
  }
  const hidden = await addHidden({ course, teacher, student, student2, module, assignment });
  const message = ok(await learns.get(`/conversations/${conversation.id}`)).messages[0];
  const revision = ok(await teaches.get(`${at}/pages/${page.url}/revisions`))[0];
  const unpublishedCourse = await ground.course({
    name: `${sceneWords.unpublished} course`,
    workflow_state: 'claimed',
    account_id: branch.id,
  });
  await ground.enroll(unpublishedCourse, student, 'student');

  const migrated = async (type: 'Course' | 'Account' | 'Group' | 'User', context: { id: number }, owner: Person) => {
    const id = await ground.contentMigration(type, context, owner, { ...written });
    return { id, issue: await ground.migrationIssue(id as number, written) };
  };
  const courseMigration = await migrated('Course', course, teacher);
  const accountMigration = await migrated('Account', branch, root);
  const groupMigration = await migrated('Group', group, student);
  const userMigration = await migrated('User', student, student);
  return {
    ...scene,
    ...onlookers,
    root,
    branchAdmin,
    elsewhere,
    branch,
    otherBranch,
    leaf,
    section2,
    removed,
    login_id: (logins.results.find((one) => one.user_id === student.id) as { id: number }).id,
    channel_id: channels as number,
    words: sceneWords,
    anonymous_id: anonymousId({ secret: env.SIGNING_SECRET, assignment_id: assignment.id }, student.id),
    /** The id of one object of each domain without a name below. */
    created,
    ids: {
      assignment: assignment.id as number,
      emptyAssignment: emptyAssignment.id as number,
      moderated: moderated.id as number,
      provisionalGrade: provisional.provisional_grade_id as number,
      submission: graded.id as number,
      othersSubmission: othersSubmission.id as number,
      hiddenAssignment: hiddenAssignment.id as number,
      notForStudent: notForStudent.id as number,
      override: override.id as number,
      page: page.page_id as number,
      hiddenPage: hiddenPage.page_id as number,
      topic: topic.id as number,
      hiddenTopic: hiddenTopic.id as number,
      announcement: announcement.id as number,
      later: later.id as number,
      elsewhereAnnounced: elsewhereAnnounced.id as number,
      postFirst: postFirst.id as number,
      entry: entry.id as number,
      reply: reply.id as number,
      hiddenEntry: hiddenEntry.id as number,
      module: module.id as number,
      hiddenModule: hiddenModule.id as number,
      item: item.id as number,
      doneItem: doneItem.id as number,
      hiddenItem: hiddenItem.id as number,
      itemOfHidden: itemOfHidden.id as number,
      folder: folder.id as number,
      hiddenFolder: hiddenFolder.id as number,
      file: file.id as number,
      fileVersion: fileVersion.id as number,
      image: image.id as number,
      hiddenFile: hiddenFile.id as number,
      fileInHidden: fileInHidden.id as number,
      ownFolder: ownFolder.id as number,
      othersFolder: othersFolder.id as number,
      ownFile: ownFile.id as number,
      othersFile: othersFile.id as number,
      comment: graded.submission_comments[0].id as number,
      newQuiz: Number(newQuiz.id),
      newQuizItem: Number(newQuizItem.id),
      newQuizSession: Number(newQuizSession.id),
      quiz: quiz.id as number,
      quizQuestion: quizQuestion.id as number,
      quizGroup: quizGroup.id as number,
      quizSubmission: quizSubmission?.id as number,
      questionBank,
      externalTool: externalTool.id as number,
      accountTool: accountTool.id as number,
      resourceLink: resourceLink.id as number,
      contentShare,
      media: media.id as number,
      mediaTrack: mediaTrack.id as number,
      errorReport: errorReport.id as number,
      rubric: rubric.id as number,
      accountRubric,
      rubric_association: rubric_association.id as number,
      assessment: assessment.id as number,
      othersAssessment: othersAssessment.id as number,
      event: event.id as number,
      ownEvent: ownEvent.id as number,
      appointment_group: appointment_group as number,
      othersEvent: othersEvent.id as number,
      conversation: conversation.id as number,
      othersConversation: othersConversation.id as number,
      message: message.id as number,
      note: note.id as number,
      othersNote: othersNote.id as number,
      planner_override: planner_override.id as number,
      token: token.id as number,
      othersToken: othersToken.id as number,
      role: role.id as number,
      term: term.id as number,
      gradingStandard: gradingStandard.id as number,
      outcome: outcome.id as number,
      outcomeGroup: outcomeGroup.id as number,
      accountOutcome: accountOutcomes.outcome,
      accountOutcomeGroup: accountOutcomes.group,
      accountQuestionBank,
      liveAssessment: Number(liveAssessments[0].id),
      contentExport: contentExports.course,
      groupExport: contentExports.group,
      ownExport: contentExports.own,
      book: contentExports.book,
      outcomeImport: outcomeImports.Course,
      accountOutcomeImport: outcomeImports.Account,
      globalOutcome: globalOutcomes.outcome,
      globalOutcomeGroup: globalOutcomes.group,
      poll: poll.id as number,
      pollChoice: poll.choice as number,
      pollSession: poll.session as number,
      pollSubmission: poll_submissions[0].id as number,
      hiddenPoll: hiddenPoll.id as number,
      hiddenPollSession: hiddenPoll.session as number,
      gradebookColumn: gradebookColumn.id as number,
      gradebookUpload: gradebookUpload.id as number,
      accountStandard: accountStandard.id as number,
      customGradeStatus: customGradeStatus.id as number,
      periodSet: periodSet.id as number,
      period: period.id as number,
      coursePeriod: coursePeriod.id as number,
      developerKey: developerKey.id as number,
      progress: progress as number,
      dead_letter: dead_letter as number,
      webhook,
      undelivered: undelivered as number,
      report: report as number,
      sis_import: sis_import as number,
      courseMigration: courseMigration.id as number,
      courseMigrationIssue: courseMigration.issue as number,
      accountMigration: accountMigration.id as number,
      accountMigrationIssue: accountMigration.issue as number,
      groupMigration: groupMigration.id as number,
      groupMigrationIssue: groupMigration.issue as number,
      userMigration: userMigration.id as number,
      userMigrationIssue: userMigration.issue as number,
      eportfolio: eportfolio as number,
      othersEportfolio: othersEportfolio as number,
      account_notification: account_notification.id as number,
      revision: revision.revision_id as number,
      external_feed: external_feed as number,
      groupFeed: groupFeed as number,
      bookmark: bookmark as number,
      othersBookmark: othersBookmark as number,
      collaboration,
      groupCollaboration: groupCollaboration as number,
      groupCategory: groupCategory.id as number,
      group: group.id as number,
      otherGroup: otherGroup.id as number,
      membership: membership.id as number,
      groupFile: groupFile.id as number,
      groupTopic: groupTopic.id as number,
      groupEntry: groupEntry.id as number,
      otherTopic: otherTopic.id as number,
      groupFolder: groupFolder.id as number,
      otherFile: otherFile.id as number,
      otherGroupEvent: otherGroupEvent.id as number,
      otherFolder: otherFolder.id as number,
      unpublishedCourse: unpublishedCourse.id,
      assignment_group: course.assignment_group_id,
      enrollment: scene.enrollment_ids.student,
      ...hidden.ids,
    },
    urls: {
      page: page.url as string,
      front: front.url as string,
      hiddenPage: hiddenPage.url as string,
      groupPage: groupPage.url as string,
      gatedPage: hidden.gatedPage,
    },
    uuids: {
      file: file.uuid as string,
      image: image.uuid as string,
      media: media.uuid as string,
      hiddenFile: hiddenFile.uuid as string,
      fileInHidden: fileInHidden.uuid as string,
      othersFile: othersFile.uuid as string,
      otherFile: otherFile.uuid as string,
      pageViewQuery,
      registration: registration.uuid as string,
      ...hidden.uuids,
    },
    observer,
  };
}

export type FullScene = Awaited<ReturnType<typeof aFullScene>>;

/** Hides one more of every kind of object in the course. */
export async function hideMore({ course, teacher, student2, section2, ids, ta }: FullScene): Promise<void> {
  const at = `/courses/${course.id}`;
  const create = async (path: string, body: object, person: Person = teacher) => {
    const answer = await as(person).post(path, body);
    return ok(answer, answer.status === 201 ? 201 : 200);
  };
  const work = { points_possible: 5, submission_types: ['online_text_entry'], due_at: soon };
  const draft = await create(`${at}/assignments`, { assignment: { name: 'Hidden', ...work } });
  const other = await create(`${at}/assignments`, {
    assignment: { name: 'Hidden', published: true, only_visible_to_overrides: true, ...work },
  });
  await create(`${at}/assignments/${other.id}/overrides`, { assignment_override: { student_ids: [student2.id], title: 'x' } });
  await create(`${at}/assignments/${other.id}/submissions`, { submission: { submission_type: 'online_text_entry', body: 'x' } }, student2);
  ok(await as(teacher).put(`${at}/assignments/${other.id}/submissions/${student2.id}`, { submission: { posted_grade: 1 } }));
  await create(`${at}/pages`, { wiki_page: { title: 'Hidden', published: false } });
  const topic = await create(`${at}/discussion_topics`, { title: 'Hidden', published: false });
  await create(`${at}/discussion_topics/${topic.id}/entries`, { message: 'Hidden' });
  await create(`${at}/discussion_topics`, { title: 'Hidden', published: true, is_announcement: true, delayed_post_at: soon });
  await create(`${at}/discussion_topics`, { title: 'Hidden', published: true, is_announcement: true, specific_sections: String(section2) });
  await create(`${at}/modules/${ids.module}/items`, { module_item: { type: 'Assignment', content_id: draft.id } });
  const module = await create(`${at}/modules`, { module: { name: 'Hidden' } });
  await create(`${at}/modules/${module.id}/items`, { module_item: { type: 'SubHeader', title: 'Hidden' } });
  const file = await upload(teacher, `${at}/files`, { name: 'Hidden.txt', parent_folder_id: ids.folder } as never);
  ok(await as(teacher).put(`/files/${file.id}`, { locked: true }));
  await create(`${at}/folders`, { name: 'Hidden', parent_folder_id: ids.folder, hidden: true });
  await create('/conversations', { recipients: [ta.id], body: 'Hidden', force_new: true }, student2);
  await create('/planner_notes', { title: 'Hidden', todo_date: soon }, student2);
}
