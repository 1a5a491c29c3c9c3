// What is kept of the report of a problem. Pure.

import { refused } from '../../http/problem';

interface GivenReport {
  readonly subject?: string;
  readonly url?: string | null;
  readonly email?: string | null;
  readonly comments?: string | null;
  readonly http_env?: unknown;
}

const longest = { subject: 255, url: 2000, email: 255, comments: 10_000 } as const;
const mostFacts = 50;
const longestFact = 500;

/** Facts about the browser: names and short texts. */
function factsOf(given: unknown): Record<string, string> {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return {};
  const facts = Object.entries(given).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value));
  return Object.fromEntries(facts.slice(0, mostFacts).map(([name, value]) => [name.slice(0, 100), String(value).slice(0, longestFact)]));
}

/** Texts are cut to what is kept. @throws Problem 400 without a subject */
export function checkedReport({ subject, url, email, comments, http_env }: GivenReport) {
  const kept = (text: string | null | undefined, name: keyof typeof longest) => text?.trim().slice(0, longest[name]) || null;
  const about = kept(subject, 'subject');
  if (about === null) throw refused(400, 'error[subject] is missing');
  return {
    subject: about,
    url: kept(url, 'url'),
    email: kept(email, 'email'),
    comments: kept(comments, 'comments'),
    http_env: factsOf(http_env),
  };
}
