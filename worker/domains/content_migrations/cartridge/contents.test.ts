import { expect, it } from 'vitest';
import type { ManifestResource } from '../../../cartridge/manifest';
import { cartridgeContentsOf } from './contents';
import { plainModules } from './plain_modules';

const resource = (identifier: string, type: string, files: string[], more: Partial<ManifestResource> = {}): ManifestResource => ({
  identifier,
  type,
  files,
  dependencies: [],
  ...more,
});
const sorted = (resources: ManifestResource[], more: string[] = []) =>
  cartridgeContentsOf({ identifier: 'm', title: 'T', version: '1.1.0', items: [], resources }, [
    ...resources.flatMap(({ files }) => files),
    ...more,
  ]);

it('sorts the resources of a package of Canvas', () => {
  const associated = 'associatedcontent/imscc_xmlv1p1/learning-application-resource';
  const contents = sorted(
    [
      resource('f', 'webcontent', ['web_resources/a b.pdf'], { href: 'web_resources/a%20b.pdf' }),
      resource('p', 'webcontent', ['wiki_content/hello.html'], { href: 'wiki_content/hello.html' }),
      resource('a', associated, ['a/a.html', 'a/assignment_settings.xml'], { href: 'a/a.html' }),
      resource('t', 'imsdt_xmlv1p1', ['t.xml'], { dependencies: ['tm'] }),
      resource('tm', associated, ['tm.xml'], { href: 'tm.xml' }),
      resource('s', associated, ['course_settings/syllabus.html'], { intendeduse: 'syllabus', href: 'course_settings/syllabus.html' }),
      resource('x', 'imsiwb_iwbv1p0', ['x.xml']),
      resource('gone', 'webcontent', []),
    ],
    ['course_settings/canvas_export.txt'],
  );
  expect(contents).toMatchObject({
    isCanvas: true,
    files: [{ identifier: 'f', path: 'web_resources/a b.pdf' }],
    pages: [{ identifier: 'p' }],
    assignments: [{ identifier: 'a', path: 'a/a.html', meta: 'a/assignment_settings.xml' }],
    topics: [{ identifier: 't', path: 't.xml', meta: 'tm.xml' }],
    syllabus: 'course_settings/syllabus.html',
    unknown: ['imsiwb_iwbv1p0'],
  });
});

it('sorts the resources of other packages', () => {
  const contents = sorted([
    resource('l', 'imswl_xmlv1p3', ['l.xml']),
    resource('lti', 'imsbasiclti_xmlv1p0', ['lti.xml']),
    resource('w', 'webcontent', ['i/page.html', 'i/pic.png'], { href: 'i/page.html' }),
    resource('as', 'assignment_xmlv1p0', ['as/assignment.xml']),
    resource('ac', 'associatedcontent/imscc_xmlv1p1/learning-application-resource', ['ac/notes.pdf', 'ac/x.xml']),
  ]);
  expect(contents.isCanvas).toBe(false);
  expect(contents.files.map(({ path }) => path)).toEqual(['i/page.html', 'i/pic.png', 'ac/notes.pdf']);
  expect(contents).toMatchObject({ links: [{ identifier: 'l' }], tools: [{ identifier: 'lti' }], assignments: [{ identifier: 'as' }] });
});

it('makes modules of folders, and headings of inner folders', () => {
  const leaf = (identifier: string, of?: string) => ({ identifier, title: identifier, items: [], ...(of ? { resource: of } : {}) });
  const items = [
    {
      identifier: 'one',
      title: 'One',
      items: [leaf('a', 'r1'), { identifier: 'in', title: 'In', items: [leaf('b', 'r2'), leaf('c', 'gone')] }],
    },
    leaf('d', 'r1'),
    { identifier: 'empty', title: 'Empty', items: [leaf('e')] },
  ];
  const modules = plainModules({ items }, (id) => (id === 'gone' ? undefined : { content_type: 'Attachment' }));
  expect(modules.map(({ title, items: some = [] }) => [title, some.map((one) => [one.title, one.content_type, one.indent])])).toEqual([
    [
      'One',
      [
        ['a', 'Attachment', 0],
        ['In', 'ContextModuleSubHeader', 0],
        ['b', 'Attachment', 1],
      ],
    ],
    ['Empty', [['e', 'ContextModuleSubHeader', 0]]],
    ['Miscellaneous', [['d', 'Attachment', 0]]],
  ]);
});
