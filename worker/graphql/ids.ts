// Relay ids: `Course-7` in Base64. Arguments take them as well as the ids of REST.

/** The largest id that a number holds exactly. */
const mostDigits = 16;

/** An id of the graph, of a type and an id of REST. */
export const globalId = (type: string, id: string | number): string => btoa(`${type}-${id}`);

/** The type and the id of REST in an id of the graph; undefined for any other text. */
export function readGlobalId(given: string): { readonly type: string; readonly id: string } | undefined {
  let text: string;
  try {
    text = atob(given);
  } catch {
    return undefined;
  }
  const match = /^([A-Z][A-Za-z]*)-([\w:-]+)$/.exec(text);
  return match?.[1] && match[2] ? { type: match[1], id: match[2] } : undefined;
}

/** The number in an id of REST, or undefined. */
export const readNumber = (given: unknown): number | undefined => {
  const text = String(given);
  if (!/^\d+$/.test(text) || text.length > mostDigits) return undefined;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : undefined;
};

/** The number of an argument that is an id of the graph or of REST; undefined where it is neither, or of another type. */
export function legacyId(given: unknown, type: string): number | undefined {
  if (given === null || given === undefined) return undefined;
  const plain = readNumber(given);
  if (plain !== undefined) return plain;
  const read = readGlobalId(String(given));
  return read?.type === type ? readNumber(read.id) : undefined;
}
