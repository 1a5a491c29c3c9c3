// QTI packages: which files of a package are quizzes and banks, and the files of an export. Pure.

import type { Manifest, ManifestResource, PackageFile } from '../manifest';
import { type PackagedQuiz, writeQuizSettings } from '../settings/quiz';
import { writePortableAssessment } from './portable';
import type { QtiAssessment, QtiBank } from './types';
import { writeAssessment, writeBank } from './write';

export const associatedContent = 'associatedcontent/imscc_xmlv1p1/learning-application-resource';
const qtiType = 'imsqti_xmlv1p2';

/** A document with quizzes or banks; paths in the package. */
export interface QtiDocument {
  readonly path: string;
  /** The file with the settings of its quiz. */
  readonly meta?: string;
}

const isMeta = (path: string): boolean => /(^|\/)assessment_meta\.xml$/.test(path);
const isFull = (path: string): boolean => /\.xml\.qti$/.test(path);
const stem = (path: string): string =>
  path
    .split('/')
    .at(-1)
    ?.replace(/\.xml(\.qti)?$/, '') ?? '';
const folder = (path: string): string => path.split('/').slice(0, -1).join('/');

const isQti = (resource: ManifestResource): boolean => /^imsqti/i.test(resource.type);

/**
 * The documents to read with `readQti`, each with its settings. Canvas packages have the full document of a quiz in `non_cc_assessments`, which is
 * preferred to the portable one.
 * @param paths of the package
 */
export function qtiDocumentsOf(manifest: Pick<Manifest, 'resources'>, paths: readonly string[]): QtiDocument[] {
  const present = new Set(paths);
  const full = paths.filter(isFull);
  const byStem = new Map(full.map((path) => [stem(path), path]));
  const byId = new Map(manifest.resources.map((one) => [one.identifier, one]));
  const used = new Set<string>();
  const quizzes = manifest.resources.filter(isQti).flatMap((resource) => {
    const around = [resource, ...resource.dependencies.flatMap((id) => byId.get(id) ?? [])];
    const files = around.flatMap(({ href, files: listed }) => [...(href === undefined ? [] : [href]), ...listed]);
    const portable = files.find((path) => present.has(path) && !isMeta(path) && !isFull(path));
    const meta =
      files.find((path) => present.has(path) && isMeta(path)) ??
      (portable === undefined ? undefined : [`${folder(portable)}/assessment_meta.xml`].find((path) => present.has(path)));
    const path = byStem.get(resource.identifier) ?? files.find((one) => present.has(one) && isFull(one)) ?? portable;
    if (path === undefined || used.has(path)) return [];
    used.add(path);
    return [{ path, ...(meta === undefined ? {} : { meta }) }];
  });
  return [...quizzes, ...full.filter((path) => !used.has(path)).map((path) => ({ path }))];
}

/** A package without a manifest: every document that may be QTI. */
export const looseQtiDocuments = (paths: readonly string[]): QtiDocument[] =>
  paths
    .filter((path) => /\.(xml|qti)$/i.test(path) && !isMeta(path))
    .map((path) => {
      const meta = paths.find((one) => isMeta(one) && folder(one) === folder(path));
      return { path, ...(meta === undefined ? {} : { meta }) };
    });

/** The files of a quiz in an export of QTI alone, and its resources. */
export function quizExport(quiz: QtiAssessment, settings: PackagedQuiz): { files: PackageFile[]; resources: ManifestResource[] } {
  const key = quiz.identifier;
  const [document, meta] = [`${key}/${key}.xml`, `${key}/assessment_meta.xml`];
  return {
    files: [
      { path: document, content: writeAssessment(quiz) },
      { path: meta, content: writeQuizSettings(settings) },
    ],
    resources: [
      { identifier: key, type: qtiType, files: [document], dependencies: [`${key}_meta`] },
      { identifier: `${key}_meta`, type: associatedContent, href: meta, files: [meta], dependencies: [] },
    ],
  };
}

/** The file of a question bank, and its resource. */
export function bankExport(bank: QtiBank): { files: PackageFile[]; resources: ManifestResource[] } {
  const path = `non_cc_assessments/${bank.identifier}.xml.qti`;
  return {
    files: [{ path, content: writeBank(bank) }],
    resources: [{ identifier: bank.identifier, type: associatedContent, href: path, files: [path], dependencies: [] }],
  };
}

/** The files of a quiz in a cartridge, and its resources: the portable document, and beside it the full one with the settings. */
export function cartridgeQuiz(
  quiz: QtiAssessment,
  settings: PackagedQuiz,
  types: { readonly assessment: string; readonly associated: string },
): { files: PackageFile[]; resources: ManifestResource[] } {
  const key = quiz.identifier;
  const [portable, meta, full] = [`${key}/assessment_qti.xml`, `${key}/assessment_meta.xml`, `non_cc_assessments/${key}.xml.qti`];
  return {
    files: [
      { path: portable, content: writePortableAssessment(quiz) },
      { path: meta, content: writeQuizSettings(settings) },
      { path: full, content: writeAssessment(quiz) },
    ],
    resources: [
      { identifier: key, type: types.assessment, files: [portable], dependencies: [`${key}_meta`] },
      { identifier: `${key}_meta`, type: types.associated, href: meta, files: [meta, full], dependencies: [] },
    ],
  };
}
