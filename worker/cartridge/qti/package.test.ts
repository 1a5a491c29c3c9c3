import { expect, it } from 'vitest';
import { readManifest, writeManifest } from '../manifest';
import { readQuizSettings } from '../settings/quiz';
import { bankExport, looseQtiDocuments, qtiDocumentsOf, quizExport } from './package';
import { readQti } from './read';

const quiz = { identifier: 'g1', title: 'One & two', entries: [] };
const settings = { identifier: 'g1', title: 'One & two', quiz_type: 'practice_quiz', available: true, time_limit: null } as const;
const bank = { identifier: 'g2', title: 'Bank', questions: [] };

it('an export is found again by its manifest', () => {
  const parts = [quizExport(quiz, settings), bankExport(bank)];
  const files = parts.flatMap((one) => one.files);
  const manifest = {
    identifier: 'm',
    title: 'Course <1>',
    version: '1.1.0',
    items: [],
    resources: parts.flatMap((one) => one.resources),
  };
  expect(readManifest(writeManifest(manifest, '2026-11-23'))).toEqual(manifest);
  const documents = qtiDocumentsOf(
    manifest,
    files.map(({ path }) => path),
  );
  expect(documents).toEqual([{ path: 'g1/g1.xml', meta: 'g1/assessment_meta.xml' }, { path: 'non_cc_assessments/g2.xml.qti' }]);
  const contentAt = (path: string | undefined) => files.find((one) => one.path === path)?.content ?? '';
  expect(readQti(contentAt(documents[0]?.path)).assessments).toEqual([quiz]);
  expect(readQuizSettings(contentAt(documents[0]?.meta))).toEqual(settings);
  expect(readQti(contentAt(documents[1]?.path)).banks).toEqual([bank]);
});

it('in a cartridge of Canvas the full document is preferred to the portable one', () => {
  const paths = ['g1/assessment_qti.xml', 'g1/assessment_meta.xml', 'non_cc_assessments/g1.xml.qti', 'non_cc_assessments/b.xml.qti'];
  const resources = [
    {
      identifier: 'g1',
      type: 'imsqti_xmlv1p2/imscc_xmlv1p1/assessment',
      files: ['g1/assessment_qti.xml'],
      dependencies: ['x', 'unknown'],
    },
    {
      identifier: 'x',
      type: 'associatedcontent/imscc_xmlv1p1/learning-application-resource',
      href: 'g1/assessment_meta.xml',
      files: ['g1/assessment_meta.xml', 'non_cc_assessments/g1.xml.qti'],
      dependencies: [],
    },
  ];
  expect(qtiDocumentsOf({ resources }, paths)).toEqual([
    { path: 'non_cc_assessments/g1.xml.qti', meta: 'g1/assessment_meta.xml' },
    { path: 'non_cc_assessments/b.xml.qti' },
  ]);
});

it('files that a manifest names and the package lacks are no documents', () =>
  expect(
    qtiDocumentsOf({ resources: [{ identifier: 'q', type: 'imsqti_xmlv1p2', href: '../q.xml', files: ['q.xml'], dependencies: [] }] }, []),
  ).toEqual([]));

it('without a manifest every XML file may be one', () =>
  expect(looseQtiDocuments(['a/q.xml', 'a/assessment_meta.xml', 'b.png', 'c.qti'])).toEqual([
    { path: 'a/q.xml', meta: 'a/assessment_meta.xml' },
    { path: 'c.qti' },
  ]));
