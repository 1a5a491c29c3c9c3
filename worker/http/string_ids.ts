// Ids as strings, for clients with small integers: `Accept: application/json+canvas-string-ids` (reference 01 A4).

const isIdKey = (key: string) => key === 'id' || key === 'ids' || key.endsWith('_id') || key.endsWith('_ids');

const asText = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(asText) : typeof value === 'number' && Number.isInteger(value) ? String(value) : withStringIds(value);

/** The same JSON with every integer id as a string. */
export function withStringIds(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(withStringIds);
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, isIdKey(key) ? asText(value) : withStringIds(value)]));
}
