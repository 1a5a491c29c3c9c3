import { expect, test } from 'vitest';
import { notFound, Problem } from './problem';
import { PerhapsBehind, readConfirmed, startOfRead } from './replicas';

const asked = (bookmark?: string) => new Request('https://carrel.test/', { headers: bookmark ? { 'X-D1-Bookmark': bookmark } : {} });

test('a read starts at the bookmark of its client, else at any replica, and without replicas at the primary', () => {
  const sent = '00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683';
  expect(startOfRead(asked(sent), { READ_REPLICATION: 'on' })).toBe(sent);
  expect(startOfRead(asked('; drop table'), { READ_REPLICATION: 'on' })).toBe('first-unconstrained');
  expect(startOfRead(asked(), { READ_REPLICATION: 'on' })).toBe('first-unconstrained');
  expect(startOfRead(asked(sent), {})).toBe('first-primary');
});

const startsOf = async (start: string, error: Error): Promise<string[]> => {
  const starts: string[] = [];
  const read = (from: string) => {
    starts.push(from);
    return Promise.reject(error);
  };
  await expect(readConfirmed(start, read)).rejects.toBe(error);
  return starts;
};

test('nothing is refused before the primary has confirmed it', async () => {
  const twice = ['first-unconstrained', 'first-primary'];
  expect(await startsOf('first-unconstrained', notFound())).toEqual(twice);
  expect(await startsOf('first-unconstrained', new PerhapsBehind())).toEqual(twice);
  // A bookmark that D1 does not know.
  expect(await startsOf('first-unconstrained', new Error('D1_ERROR'))).toEqual(twice);
  expect(await startsOf('first-unconstrained', new Problem(400, ''))).toEqual(['first-unconstrained']);
  expect(await startsOf('first-primary', notFound())).toEqual(['first-primary']);
});
