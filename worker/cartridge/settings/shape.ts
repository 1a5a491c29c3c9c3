// Settings that contain lists of other settings, as data: one description both writes and reads them. Pure.

import { lookUp } from '@carrel/shared/wire/look_up';
import { BadXml, elementsOf, firstElement, readXml, type XmlElement } from '../xml/read';
import { xml, xmlDocument } from '../xml/write';
import { canvasNamespaces, readFields, type SettingKinds, type ValuesOf, writeFields } from './fields';

export interface ElementShape {
  readonly name: string;
  readonly attributes?: readonly string[];
  readonly fields: SettingKinds;
  /** By the name of the member; in an element of their own, or directly below. */
  readonly lists?: Readonly<Record<string, { readonly within?: string; readonly of: ElementShape }>>;
}

type ListsOf<S extends ElementShape> = NonNullable<S['lists']>;

/** The values of a shape. Members that are absent are not in the package. */
export type Packaged<S extends ElementShape> = ValuesOf<S['fields']> &
  (S['attributes'] extends readonly (infer A extends string)[] ? { readonly [K in A]?: string } : unknown) &
  (S['lists'] extends object ? { readonly [K in keyof ListsOf<S>]?: readonly Packaged<ListsOf<S>[K]['of']>[] } : unknown);

type AnyValues = Readonly<Record<string, unknown>>;

function writeElement(shape: ElementShape, values: AnyValues, namespaces: Readonly<Record<string, string>> = {}): XmlElement {
  const attributes = (shape.attributes ?? []).map((name) => [name, lookUp(values, name) as string | undefined] as const);
  const lists = Object.entries(shape.lists ?? {}).flatMap(([member, { within, of }]) => {
    const given = lookUp(values, member) as readonly AnyValues[] | undefined;
    if (given === undefined) return [];
    const children = given.map((one) => writeElement(of, one));
    return within === undefined ? children : [xml(within, {}, children)];
  });
  return xml(
    shape.name,
    { ...Object.fromEntries(attributes), ...namespaces },
    writeFields(shape.fields, values as ValuesOf<SettingKinds>),
    lists,
  );
}

function readElement(shape: ElementShape, element: XmlElement): AnyValues {
  const attributes = (shape.attributes ?? []).flatMap((name) => {
    const text = lookUp(element.attributes, name);
    return text === undefined ? [] : [[name, text] as const];
  });
  const lists = Object.entries(shape.lists ?? {}).flatMap(([member, { within, of }]) => {
    const parent = within === undefined ? element : firstElement(element, within);
    const found = elementsOf(parent, of.name).map((one) => readElement(of, one));
    return parent === undefined || (within === undefined && found.length === 0) ? [] : [[member, found] as const];
  });
  return { ...Object.fromEntries(attributes), ...readFields(shape.fields, element), ...Object.fromEntries(lists) };
}

/** The root element of a document, for those that contain more than the shape. */
export const settingsElement = <S extends ElementShape>(shape: S, values: Packaged<S>): XmlElement =>
  writeElement(shape, values as AnyValues, canvasNamespaces);

/** A document whose root has this shape. */
export const writeSettings = <S extends ElementShape>(shape: S, values: Packaged<S>): string => xmlDocument(settingsElement(shape, values));

/**
 * What is not in the shape is ignored.
 * @throws BadXml
 */
export function readSettings<S extends ElementShape>(shape: S, document: string): Packaged<S> {
  const root = readXml(document);
  if (root.name !== shape.name) throw new BadXml(`The root of the document must be ${shape.name}.`);
  return readElement(shape, root) as Packaged<S>;
}
