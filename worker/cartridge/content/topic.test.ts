import { describe, expect, it } from 'vitest';
import { BadXml } from '../xml/read';
import { readTopic, readWebLink, writeTopic, writeWebLink } from './topic';

describe('the same after it is written and read:', () => {
  it.each([
    { title: 'Hello & welcome', text: '<p>Say "hi" &lt;b&gt;</p>', attachments: ['$IMS-CC-FILEBASE$/a b.pdf'] },
    { title: '', text: '', attachments: [] },
  ])('topic %j', (topic) => expect(readTopic(writeTopic(topic))).toEqual(topic));

  it.each([
    { title: 'Site', url: 'https://example.edu/?a=1&b="2"' },
    { title: 'New tab', url: 'https://example.edu', target: '_blank' },
  ])('web link %j', (link) => expect(readWebLink(writeWebLink(link))).toEqual(link));
});

describe('of other writers:', () => {
  it('plain text is escaped', () =>
    expect(readTopic('<dt:topic xmlns:dt="x"><title>T</title><text texttype="text/plain">a &lt; b\nc</text></dt:topic>')).toEqual({
      title: 'T',
      text: 'a &lt; b<br>c',
      attachments: [],
    }));

  it('another document is refused', () => {
    expect(() => readTopic('<webLink/>')).toThrow(BadXml);
    expect(() => readWebLink('<topic/>')).toThrow(BadXml);
  });
});
