import { expect, it } from 'vitest';
import { BadXml } from '../xml/read';
import { readPortableAssignment } from './assignment';
import { readToolLink } from './tool_link';

it('a link to a tool has its title and its secure address', () => {
  const document =
    '<cartridge_basiclti_link xmlns="x" xmlns:blti="y"><blti:title>Tool &amp; co</blti:title><blti:launch_url>http://t.edu/l</blti:launch_url><blti:secure_launch_url>https://t.edu/l</blti:secure_launch_url></cartridge_basiclti_link>';
  expect(readToolLink(document)).toEqual({ title: 'Tool & co', url: 'https://t.edu/l' });
  expect(() => readToolLink('<topic/>')).toThrow(BadXml);
});

it('an assignment of version 1.3 has its text, points and ways to submit', () => {
  const document =
    '<assignment xmlns="a" identifier="i"><title>Essay</title><text texttype="text/html">&lt;p&gt;Write&lt;/p&gt;</text><gradable points_possible="7.5">true</gradable><submission_formats><format type="file"/><format type="html"/><format type="other"/></submission_formats></assignment>';
  expect(readPortableAssignment(document, 'r')).toEqual({
    settings: { identifier: 'r', title: 'Essay', points_possible: 7.5, submission_types: ['online_upload', 'online_text_entry'] },
    html: '<p>Write</p>',
  });
  expect(() => readPortableAssignment('<quiz/>', 'r')).toThrow(BadXml);
});
