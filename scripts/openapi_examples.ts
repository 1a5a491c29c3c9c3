// Generates examples for the OpenAPI document from the schemas, with values that fit the field's name.

import type { Schema } from './openapi_schemas.ts';

const day = '2026-09-21T10:00:00Z';

/** By field name; the first pattern that matches the whole name is used. */
const texts: readonly (readonly [RegExp, string])[] = [
  [/(^|_)(at|date|time)$|^(start|end)_(at|date)$|_before$|_after$|^cached_due_date$/, day],
  [/email|^unique_id$|^login(_id)?$|_address$|^address$/, 'ada@example.edu'],
  [/^rrule$/, 'FREQ=WEEKLY;COUNT=8'],
  [/time_zone/, 'Europe/Berlin'],
  [/locale|language/, 'en'],
  [/color/, '#2d3b45'],
  [/^html_url$|_url$|^url$|^href$|_uri$/, 'https://learn.example.edu/courses/7'],
  [/uuid|verifier|token|^key$/, 'mYoVDSqTVRBkDgRkYiCqPz'],
  [/^sis_/, 'ASTRO-101'],
  [/asset_string|context_code/, 'course_7'],
  [/content_type|content-type/, 'application/pdf'],
  [/filename|^file_name$/, 'syllabus.pdf'],
  [/(^|_)(user_name|sortable_name|short_name|author_name)$/, 'Ada Lovelace'],
  [/course_code/, 'ASTRO 101'],
  [/(^|_)(name|title|label|subject|display_name)$/, 'Observing the night sky'],
  [/body|message|description|comment|text|explanation|details/, 'Bring a torch with red light.'],
  [/^(grade|entered_grade|posted_grade|current_grade)$/, '8.5'],
  [/context_type/, 'Course'],
  [/^role$|^type$|_type$/, 'StudentEnrollment'],
  [/^workflow_state$/, 'active'],
];
const numbers: readonly (readonly [RegExp, number])[] = [
  [/^account_id$|root_account_id|parent_account_id/, 1],
  [/course_id$/, 7],
  [/user_id$|_by$|author_id|grader_id/, 42],
  [/assignment_id$/, 6],
  [/(^|_)id$|_ids$/, 12],
  [/points|score/, 8.5],
  [/size|quota|bytes/, 18204],
  [/position|attempt/, 1],
  [/count|total/, 3],
];

const from = <T>(known: readonly (readonly [RegExp, T])[], name: string): T | undefined =>
  known.find(([pattern]) => pattern.test(name))?.[1];

const typeOf = ({ type }: Schema): unknown => (Array.isArray(type) ? type[0] : type);

const singular = (name: string) => (name.endsWith('ies') ? `${name.slice(0, -3)}y` : name.replace(/s$/, ''));

/** Below this depth optional fields are omitted, and lists are empty. */
const deepest = 2;

/**
 * @param name the field's name, from which text and number examples are chosen
 * @param components the schemas that references point to
 */
export function exampleOf(schema: Schema, name: string, components: Readonly<Record<string, Schema>>, depth = 0): unknown {
  if (typeof schema.$ref === 'string') {
    const named = components[schema.$ref.split('/').at(-1) ?? ''];
    return named ? exampleOf(named, name, components, depth) : {};
  }
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.anyOf)) return exampleOf((schema.anyOf as Schema[])[0] ?? {}, name, components, depth);
  switch (typeOf(schema)) {
    case 'string':
      return from(texts, name) ?? 'text';
    case 'integer':
      return Math.trunc(from(numbers, name) ?? 1);
    case 'number':
      return from(numbers, name) ?? 1;
    case 'boolean':
      return false;
    case 'array':
      return depth > deepest ? [] : [exampleOf((schema.items as Schema | undefined) ?? {}, singular(name), components, depth + 1)];
    case 'object': {
      const required = new Set((schema.required as string[] | undefined) ?? []);
      const fields = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
      return Object.fromEntries(
        fields
          .filter(([field]) => depth < deepest || required.has(field))
          .map(([field, of]) => [field, exampleOf(of, field, components, depth + 1)]),
      );
    }
    default:
      return {};
  }
}
