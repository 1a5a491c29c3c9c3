// Whether a response links a student with anonymous work: an object, or a request with its response, that contains marks of one student's work and what
// names the same student, and neither of another.

/** A student whose work is anonymous. */
export interface AnonymousStudent {
  /** Ids, names and logins. */
  readonly named: readonly (string | number)[];
  /** Ids and content of the work, which no other student has. */
  readonly work: readonly (string | number)[];
}

/** A number counts only as a whole. */
const contains = (text: string, mark: string | number): boolean =>
  typeof mark === 'string' ? text.includes(mark) : new RegExp(`(?<![\\d.])${mark}(?!\\d)`).test(text);

const whose = (text: string, students: readonly AnonymousStudent[], part: 'named' | 'work'): number[] =>
  students.flatMap((student, nth) => (student[part].some((mark) => contains(text, mark)) ? nth : []));

/** The values of an object that are no objects, as text. */
const ownOf = (value: object): string =>
  JSON.stringify(Object.fromEntries(Object.entries(value).filter(([, one]) => typeof one !== 'object' || one === null)));

/**
 * The parts of a response that link, shortened. An object is examined as a whole, and with each of its members, because others may name more students.
 * @param asked the request, which may name a student, where it has succeeded
 */
export function linksIn(text: string, asked: string, students: readonly AnonymousStudent[]): string[] {
  const found: string[] = [];
  const examine = (part: string, beside = ''): boolean => {
    const work = whose(part, students, 'work');
    if (work.length !== 1) return false;
    const named = whose(`${beside}\n${part}`, students, 'named');
    if (named.length !== 1 || named[0] !== work[0]) return false;
    found.push(part.slice(0, 600));
    return true;
  };
  const visit = (value: unknown, beside = ''): void => {
    if (typeof value !== 'object' || value === null) return;
    const members = Object.values(value);
    const own = Array.isArray(value) ? '' : ownOf(value);
    const parts = [
      JSON.stringify(value),
      own,
      ...members.flatMap((one) => (typeof one === 'object' ? `${own}\n${JSON.stringify(one)}` : [])),
    ];
    if (!parts.some((part) => examine(part, beside))) for (const one of members) visit(one);
  };
  try {
    visit(JSON.parse(text), asked);
  } catch {
    examine(text, asked);
  }
  return found;
}
