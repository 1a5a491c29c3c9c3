// The steps that stage a cartridge, in order: each unit is one step.

import { sql } from 'drizzle-orm';
import { readPortableAssignment } from '../../../cartridge/content/assignment';
import { readPackagedPage } from '../../../cartridge/content/page';
import { type PackagedResourceLink, readResourceLink } from '../../../cartridge/content/resource_link';
import { readToolLink, toolItemSuffix } from '../../../cartridge/content/tool_link';
import { readWebLink } from '../../../cartridge/content/topic';
import type { Manifest } from '../../../cartridge/manifest';
import type { QtiDocument } from '../../../cartridge/qti/package';
import { readQti } from '../../../cartridge/qti/read';
import { readAssignment } from '../../../cartridge/settings/assignment';
import { readCourseSettings } from '../../../cartridge/settings/course';
import { readMediaTracks } from '../../../cartridge/settings/media_tracks';
import { readOutcomes } from '../../../cartridge/settings/outcomes';
import { type PackagedQuiz, readQuizSettings } from '../../../cartridge/settings/quiz';
import { type ElementShape, type Packaged, readSettings } from '../../../cartridge/settings/shape';
import {
  assignmentGroupsShape,
  eventsShape,
  externalFeedsShape,
  filesShape,
  gradingStandardsShape,
  latePolicyShape,
  modulesShape,
  rubricsShape,
} from '../../../cartridge/settings/shapes';
import { BadXml, readXml } from '../../../cartridge/xml/read';
import { toolFor } from '../../external_tools/matching';
import type { OpenPackage } from '../package/open';
import { knownItems } from '../qti/known_items';
import { QuizWriting } from '../qti/write_quizzes';
import { type CartridgeContents, mediaTracksName, type PackagedDocument, settingsFolder } from './contents';
import { type ItemFacts, plainModules } from './plain_modules';
import { type PackagedAssignmentText, stageAssignments } from './stage_assignments';
import { type RecordingToStage, stageCaptions } from './stage_captions';
import { stageCourse, stageCourseReferences, stageLatePolicy, stageSyllabus } from './stage_course';
import { stagePages, stageTopics } from './stage_documents';
import { type FilesMeta, stageFolders, stagePackagedFile } from './stage_files';
import { linkSome, stagedNames, textPlaces } from './stage_links';
import { stageModules } from './stage_modules';
import { stageResourceLinks, tieAssignmentLinks, tieItemLinks, toolsAround } from './stage_resource_links';
import { stageRubrics, stageRubricUse } from './stage_rubrics';
import {
  stageAlignments,
  stageDefaultGroup,
  stageEvents,
  stageFeeds,
  stageGroups,
  stageNeverDrop,
  stageOutcomes,
  stageStandards,
} from './stage_settings';
import { type PackagedToolLink, stageTools } from './stage_tools';
import type { Staging } from './staging';

export interface OpenCartridge {
  readonly opened: OpenPackage;
  readonly manifest: Manifest;
  readonly contents: CartridgeContents;
  readonly recordings: readonly RecordingToStage[];
  /** The text of an entry, with addresses instead of tokens; undefined for a missing entry. */
  readonly text: (path: string) => Promise<string | undefined>;
}

/** Adds the statements of a step. @returns whether the unit has a further step */
export type StagingUnit = (staging: Staging, it: OpenCartridge) => Promise<boolean | undefined>;

/** Reads a document; one that is broken is an issue, and the others are imported. */
async function reading<T>(staging: Staging, path: string, read: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof BadXml)) throw error;
    staging.issue('error', `${path} could not be read: ${error.message}`);
    return undefined;
  }
}

/** A unit for a file of `course_settings`, if the package has it. */
const ofSettings =
  <T>(name: string, read: (text: string) => T, stage: (staging: Staging, given: T) => unknown): StagingUnit =>
  async (staging, { text }) => {
    const path = `${settingsFolder}${name}`;
    const found = await text(path);
    const given = found === undefined ? undefined : await reading(staging, path, () => read(found));
    if (given !== undefined) await stage(staging, given);
    return undefined;
  };

const shaped = <S extends ElementShape>(name: string, shape: S, stage: (staging: Staging, given: Packaged<S>) => unknown): StagingUnit =>
  ofSettings(name, (text) => readSettings(shape, text), stage);

async function filesMeta(staging: Staging, { text }: OpenCartridge): Promise<FilesMeta> {
  const path = `${settingsFolder}files_meta.xml`;
  const found = await text(path);
  return (found === undefined ? undefined : await reading(staging, path, () => readSettings(filesShape, found))) ?? {};
}

/** Documents of one step. */
const atOnce = 10;

const slices = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / atOnce) }, (_, at) => all.slice(at * atOnce, (at + 1) * atOnce));

async function assignmentGiven({ text }: OpenCartridge, { identifier, path, meta }: PackagedDocument): Promise<PackagedAssignmentText> {
  const content = (await text(path)) ?? '';
  if (meta === undefined && path.endsWith('.xml')) return readPortableAssignment(content, identifier);
  const page = readPackagedPage(content);
  const settings = meta === undefined ? undefined : await text(meta);
  return {
    settings: settings === undefined ? { identifier, title: page.title } : { ...readAssignment(readXml(settings)), identifier },
    html: path === meta ? null : page.body,
  };
}

const ofAssignments =
  (documents: readonly PackagedDocument[]): StagingUnit =>
  async (staging, it) => {
    const given: PackagedAssignmentText[] = [];
    for (const document of documents) {
      const read = await reading(staging, document.path, () => assignmentGiven(it, document));
      if (read) given.push(read);
    }
    stageAssignments(staging, given);
    tieAssignmentLinks(
      staging,
      given.map(({ settings }) => settings),
    );
    return undefined;
  };

const ofPages =
  (documents: readonly PackagedDocument[]): StagingUnit =>
  async (staging, { text }) => {
    const given = [];
    for (const document of documents) given.push({ document, text: (await text(document.path)) ?? '' });
    await stagePages(staging, given);
    return undefined;
  };

const ofTopic =
  (document: PackagedDocument): StagingUnit =>
  async (staging, { text }) => {
    const [content = '', meta] = [await text(document.path), document.meta === undefined ? undefined : await text(document.meta)];
    await reading(staging, document.path, () =>
      stageTopics(staging, [{ document, text: content, ...(meta === undefined ? {} : { meta }) }]),
    );
    return undefined;
  };

const ofQuizzes =
  ({ path, meta }: QtiDocument): StagingUnit =>
  async (staging, { contents, manifest, text }) => {
    const { work, course, now } = staging;
    const [content, about] = [await text(path), meta === undefined ? undefined : await text(meta)];
    await reading(staging, path, async () => {
      const read = readQti(content ?? '');
      const published: PackagedQuiz | undefined = contents.isCanvas ? undefined : { identifier: path, available: true };
      const packaged = about === undefined ? published : readQuizSettings(about);
      // The bank that the request names is one of the target.
      const writing = new QuizWriting(
        work.db,
        { ...work.it, context_id: course, settings: {} },
        await knownItems(work.db, course, read),
        now,
      );
      staging.statements.push(...writing.write(read, packaged));
      if (packaged?.assignment) stageRubricUse(staging, [packaged.assignment]);
      // Modules name the resource, which may have another identifier.
      const resource = manifest.resources.find(({ files }) => files.includes(path))?.identifier;
      const [quiz] = read.assessments;
      if (quiz && resource && resource !== quiz.identifier)
        staging.remember('quiz', [{ identifier: resource }], sql`(select max(id) from quizzes)`);
    });
    return undefined;
  };

/** What the resources of a manifest become in modules: of links and tools, with their addresses. */
async function itemFacts(staging: Staging, { contents, text }: OpenCartridge): Promise<ReadonlyMap<string, ItemFacts>> {
  const facts = new Map<string, ItemFacts>();
  const { files, pages, assignments, topics } = contents;
  for (const { identifier } of files) facts.set(identifier, { content_type: 'Attachment' });
  for (const { identifier } of pages) facts.set(identifier, { content_type: 'WikiPage' });
  for (const { identifier } of assignments) facts.set(identifier, { content_type: 'Assignment' });
  for (const { identifier } of topics) facts.set(identifier, { content_type: 'DiscussionTopic' });
  for (const { identifier, path } of contents.links) {
    const content = (await text(path)) ?? '';
    const link = await reading(staging, path, () => readWebLink(content));
    if (link) facts.set(identifier, { content_type: 'ExternalUrl', url: link.url, new_tab: link.target === '_blank' });
  }
  for (const { identifier, path } of contents.tools) {
    const content = (await text(path)) ?? '';
    const tool = await reading(staging, path, () => readToolLink(content));
    if (!tool) continue;
    facts.set(identifier, { content_type: 'ContextExternalTool', url: tool.url });
  }
  return facts;
}

const ofTools: StagingUnit = async (staging, { contents, text }) => {
  const given: PackagedToolLink[] = [];
  for (const { identifier, path } of contents.tools) {
    const content = (await text(path)) ?? '';
    const link = await reading(staging, path, () => readToolLink(content));
    if (link) given.push({ identifier, link, document: content });
  }
  const apart = contents.isCanvas ? await withoutPresentTools(staging, given) : given;
  stageTools(staging, apart, contents.isCanvas);
  return undefined;
};

/** Items of modules open tools of accounts by their addresses; only a tool that is missing here is made from such a link. */
async function withoutPresentTools(staging: Staging, given: readonly PackagedToolLink[]): Promise<readonly PackagedToolLink[]> {
  const ofItems = given.filter(({ identifier }) => identifier.endsWith(toolItemSuffix));
  if (ofItems.length === 0) return given;
  const tools = await toolsAround(staging);
  const isPresent = ({ identifier, link }: PackagedToolLink) =>
    identifier.endsWith(toolItemSuffix) && toolFor(tools, link.url) !== undefined;
  return given.filter((one) => !isPresent(one));
}

const ofResourceLinks: StagingUnit = async (staging, { contents, text }) => {
  const given: PackagedResourceLink[] = [];
  for (const { path } of contents.resourceLinks) {
    const content = (await text(path)) ?? '';
    const link = await reading(staging, path, () => readResourceLink(content));
    if (link) given.push(link);
  }
  if (given.length > 0) await stageResourceLinks(staging, given);
  return undefined;
};

const ofModules: StagingUnit = async (staging, it) => {
  const path = `${settingsFolder}module_meta.xml`;
  const found = await it.text(path);
  const facts = await itemFacts(staging, it);
  const quizzes = await staging.known('quiz');
  const factsOf = (identifier: string) =>
    facts.get(identifier) ?? (quizzes.has(identifier) ? { content_type: 'Quizzes::Quiz' } : undefined);
  const given = found === undefined ? undefined : await reading(staging, path, () => readSettings(modulesShape, found).modules ?? []);
  const modules = given ?? plainModules(it.manifest, factsOf);
  await stageModules(staging, modules);
  tieItemLinks(staging, modules);
  return undefined;
};

const ofUnknown: StagingUnit = async (staging, { contents }) => {
  for (const type of contents.unknown.slice(0, 20))
    staging.issue('warning', `Resources of the type ${type.slice(0, 100)} were not imported.`);
  return undefined;
};

/** Everything that does not refer to later units comes first; links and references last. */
export function unitsOf({ contents, recordings }: OpenCartridge): readonly StagingUnit[] {
  const outcomes = ofSettings('learning_outcomes.xml', readOutcomes, stageOutcomes);
  const rubrics = shaped('rubrics.xml', rubricsShape, async (staging, given) =>
    stageRubrics(staging, given, await staging.known('learning_outcome')),
  );
  const { syllabus } = contents;
  return [
    async (staging, it) => {
      stageFolders(staging, await filesMeta(staging, it));
      return undefined;
    },
    ofSettings('course_settings.xml', readCourseSettings, stageCourse),
    shaped('late_policy.xml', latePolicyShape, stageLatePolicy),
    ofUnknown,
    ...contents.files.map(
      (file): StagingUnit =>
        async (staging, it) => {
          await stagePackagedFile(staging, it.opened, file, await filesMeta(staging, it));
          return undefined;
        },
    ),
    // Read before (import_cartridge.ts); here, a broken one is reported.
    ofSettings(mediaTracksName, readMediaTracks, () => undefined),
    ...recordings.map(
      (recording): StagingUnit =>
        async (staging, it) => {
          await stageCaptions(staging, it.opened, recording);
          return undefined;
        },
    ),
    shaped('assignment_groups.xml', assignmentGroupsShape, stageGroups),
    async (staging) => {
      if (contents.assignments.length + contents.quizzes.length + contents.topics.length > 0) stageDefaultGroup(staging);
      return undefined;
    },
    shaped('grading_standards.xml', gradingStandardsShape, stageStandards),
    outcomes,
    rubrics,
    shaped('events.xml', eventsShape, stageEvents),
    shaped('external_feeds.xml', externalFeedsShape, stageFeeds),
    ofTools,
    ofResourceLinks,
    ...slices(contents.assignments).map(ofAssignments),
    ...contents.topics.map(ofTopic),
    ...contents.quizzes.map(ofQuizzes),
    ofSettings('learning_outcomes.xml', readOutcomes, stageAlignments),
    ...slices(contents.pages).map(ofPages),
    ofModules,
    shaped('assignment_groups.xml', assignmentGroupsShape, stageNeverDrop),
    ofSettings('course_settings.xml', readCourseSettings, stageCourseReferences),
    ...(syllabus === undefined
      ? []
      : [
          async (staging: Staging, { text }: OpenCartridge) => {
            stageSyllabus(staging, readPackagedPage((await text(syllabus)) ?? '').body);
            return undefined;
          },
        ]),
    ...textPlaces().map(
      (place): StagingUnit =>
        async (staging) =>
          linkSome(staging, place, await stagedNames(staging)),
    ),
  ];
}
