// Settings in the XML files of Canvas packages: one element for each setting, an empty one for null. A table of kinds both writes and reads them. Pure.

import { lookUp } from '@carrel/shared/wire/look_up';
import { spaces } from '../qti/texts';
import { firstElement, spacedTextOf, type XmlElement } from '../xml/read';
import { xml } from '../xml/write';

interface Kinds {
  text: string;
  bool: boolean;
  number: number;
  /** In wire form, `2026-11-23T08:00:00Z`; in packages without the zone. */
  time: string;
  /** Separated by commas. */
  list: readonly string[];
}

export type SettingKinds = Readonly<Record<string, keyof Kinds>>;

/** The settings of a table. Absent ones are not in the package, null ones are empty. */
export type ValuesOf<F extends SettingKinds> = { readonly [K in keyof F]?: Kinds[F[K]] | null };

const withoutZone = (time: string): string => {
  const at = Date.parse(time);
  return Number.isNaN(at) ? '' : new Date(at).toISOString().slice(0, 19);
};

/** Times of packages are in UTC, with or without a zone. */
function timeOf(text: string): string | null {
  const at = Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text.replace(' ', 'T')}Z`);
  return Number.isNaN(at) ? null : `${new Date(at).toISOString().slice(0, 19)}Z`;
}

const textOfValue = (kind: keyof Kinds, value: unknown): string =>
  kind === 'time' ? withoutZone(String(value)) : kind === 'list' ? (value as readonly string[]).join(',') : String(value);

/** In the order of the table. */
export function writeFields<F extends SettingKinds>(fields: F, values: ValuesOf<F>): XmlElement[] {
  const given = values as Readonly<Record<string, unknown>>;
  return Object.entries(fields).flatMap(([name, kind]) => {
    const value = lookUp(given, name);
    if (value === undefined) return [];
    const text = value === null ? '' : textOfValue(kind, value);
    return [xml(name, spaces(text), text === '' ? undefined : text)];
  });
}

const truths = new Set(['true', '1', 'yes']);

function settingOf(kind: keyof Kinds, text: string): unknown {
  const trimmed = text.trim();
  switch (kind) {
    case 'text':
      return text;
    case 'bool':
      return truths.has(trimmed.toLowerCase());
    case 'number':
      return Number.isFinite(Number(trimmed)) ? Number(trimmed) : null;
    case 'time':
      return timeOf(trimmed);
    case 'list':
      return trimmed.split(',').map((one) => one.trim());
  }
}

/** Elements that the table does not have are ignored; numbers and times that are none are null. */
export function readFields<F extends SettingKinds>(fields: F, element: XmlElement | undefined): ValuesOf<F> {
  const values = Object.entries(fields).flatMap(([name, kind]) => {
    const child = firstElement(element, name);
    if (!child) return [];
    const text = spacedTextOf(child);
    return [[name, text === '' ? null : settingOf(kind, text)] as const];
  });
  return Object.fromEntries(values) as ValuesOf<F>;
}

export const canvasNamespaces = {
  xmlns: 'http://canvas.instructure.com/xsd/cccv1p0',
  'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
  'xsi:schemaLocation': 'http://canvas.instructure.com/xsd/cccv1p0 https://canvas.instructure.com/xsd/cccv1p0.xsd',
};
