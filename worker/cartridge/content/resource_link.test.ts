import { expect, test } from 'vitest';
import { readResourceLink, writeResourceLink } from './resource_link';

test('a link to a resource of a tool is read as it was written', () => {
  const link = {
    title: 'Unit <1>',
    url: 'https://tool.edu/unit?a=1&b=2',
    custom: { chapter: ' 1 & 2', page: '$User.id' },
    lookup_uuid: 'u-1',
  };
  expect(readResourceLink(writeResourceLink(link))).toEqual(link);
  const bare = { ...link, url: 'http://tool.edu/', custom: {} };
  expect(writeResourceLink(bare)).toContain('<blti:launch_url>http://tool.edu/</blti:launch_url>');
  expect(readResourceLink(writeResourceLink(bare))).toEqual(bare);
});

test('a link that nothing can name is refused', () => {
  expect(() => readResourceLink('<cartridge_basiclti_link/>')).toThrow('lookup uuid');
  expect(() => readResourceLink('<webLink/>')).toThrow('no link');
});
