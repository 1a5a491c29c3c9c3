// Pages and assignments as HTML files that any browser shows without this program and offline. Pure.

import { displayLanguage, inLocale, type MessageKey, t } from '../../language/texts';
import { type AssignmentJson, isGradeShown, type PageJson, type SubmissionJson } from '../model/resources';
import type { Path } from '../model/trees';
import type { Linked } from './links';
import { said } from './shown_html';

/** Increases when the same resource is to be written differently; another language is another document. */
export const documentVersion = (): string => `4 ${displayLanguage()}`;

export interface DocumentContext {
  readonly base: string;
  readonly courseName: string;
  /** The path of the document itself. */
  readonly path: Path;
  /** The path of a linked item; undefined if it is not on this computer. */
  readonly pathOf: (linked: Linked) => Path | undefined;
}

export const pageDocument = (page: PageJson, around: DocumentContext): string =>
  document(page.title, around, [[t('changed.label'), when(page.updated_at)]], page.body ?? '');

export function assignmentDocument(assignment: AssignmentJson, submission: SubmissionJson | undefined, around: DocumentContext): string {
  const facts: Fact[] = [
    [t('due'), when(assignment.due_at)],
    [t('facts.opens'), when(assignment.unlock_at)],
    [t('facts.closes'), when(assignment.lock_at)],
    [t('facts.points'), assignment.points_possible == null ? undefined : `${assignment.points_possible}`],
    [t('document.handInAs'), assignment.submission_types?.map(kindOf).join(', ')],
    [t('facts.yourWork'), submission && standing(submission)],
    [t('facts.grade'), submission?.grade ?? (submission?.score == null ? undefined : `${submission.score}`)],
  ];
  return document(assignment.name, around, facts, assignment.description ?? '');
}

interface HandedInText {
  readonly title: string;
  readonly submitted_at: string | null | undefined;
  readonly html: string;
}

/** A text that a student has handed in. */
export const submissionDocument = (
  { title, submitted_at, html }: HandedInText,
  around: Pick<DocumentContext, 'base' | 'courseName'>,
): string => document(title, { ...around, path: title, pathOf: () => undefined }, [[t('document.handedInAt'), when(submitted_at)]], html);

type Fact = readonly [string, string | undefined];

function document(title: string, around: DocumentContext, facts: readonly Fact[], html: string): string {
  const known = facts.filter((fact): fact is readonly [string, string] => fact[1] !== undefined && fact[1] !== '');
  const list = known.map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`).join('');
  const to = (linked: Linked) => {
    const path = around.pathOf(linked);
    return path === undefined ? undefined : relativeLink(around.path, path);
  };
  return `<!doctype html>
<html lang="${displayLanguage()}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src file: data: 'self'; media-src file: 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · ${escaped(around.courseName)}</title>
<style>${style}</style>
</head>
<body>
<header><p>${escaped(around.courseName)}</p><h1>${escaped(title)}</h1>${list && `<dl>${list}</dl>`}</header>
<main>${said(html, { base: around.base, to })}</main>
</body>
</html>
`;
}

/** From one file of the folder to another, as a browser resolves it. */
export function relativeLink(from: Path, to: Path): string {
  const here = from.split('/').slice(0, -1);
  const there = to.split('/');
  let shared = 0;
  while (shared < here.length && shared < there.length - 1 && here[shared] === there[shared]) shared++;
  // At least up to its own folder: a first name with a colon would be read as a scheme.
  const up = here.length - shared === 0 ? './' : '../'.repeat(here.length - shared);
  return up + there.slice(shared).map(encodeURIComponent).join('/');
}

function standing(submission: SubmissionJson): string {
  const { submitted_at, late, missing, excused } = submission;
  const isGraded = isGradeShown(submission);
  if (excused) return t('document.excused');
  if (submitted_at) {
    const at = t(late ? 'document.handedInLate' : 'document.handedIn', { when: when(submitted_at) ?? '' });
    return isGraded ? `${t('document.graded')}, ${at}` : at;
  }
  return t(missing ? 'document.missing' : isGraded ? 'document.graded' : 'document.notHandedIn');
}

const kinds: Readonly<Record<string, MessageKey>> = {
  online_text_entry: 'document.kind.text',
  online_url: 'document.kind.url',
  online_upload: 'document.kind.upload',
  media_recording: 'document.kind.media',
  student_annotation: 'document.kind.annotation',
  discussion_topic: 'document.kind.discussion',
  online_quiz: 'document.kind.quiz',
  external_tool: 'document.kind.tool',
  on_paper: 'document.kind.paper',
  none: 'document.kind.none',
};
const kindOf = (type: string): string => (kinds[type] ? t(kinds[type]) : type.replaceAll('_', ' '));

const dates = inLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short' }));

function when(time: string | null | undefined): string | undefined {
  if (!time || Number.isNaN(Date.parse(time))) return undefined;
  return dates().format(new Date(time));
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const style = `
:root { color-scheme: light dark; font: 17px/1.6 system-ui, sans-serif; }
body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }
header { border-bottom: 1px solid color-mix(in srgb, currentColor 25%, transparent); margin-bottom: 1.5rem; }
header p { margin: 0; opacity: .7; } h1 { line-height: 1.2; margin: .2rem 0 .6rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; } dt { opacity: .7; } dd { margin: 0; }
img, video { max-width: 100%; height: auto; } table { border-collapse: collapse; } td, th { border: 1px solid; padding: .2rem .5rem; }
pre { overflow: auto; }
`;
