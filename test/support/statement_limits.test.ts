import { expect, test } from 'vitest';
import { Examination, mostDepth, mostParameters } from './statement_limits';

const examined = (...texts: string[]) => {
  const examination = new Examination();
  for (const text of texts) examination.add(text);
  return examination.end();
};

test('a statement that is too large is reported with its excess', () => {
  const deep = `select ${'('.repeat(mostDepth)}1${' + 1)'.repeat(mostDepth)}`;
  const long = `select '${'x'.repeat(40_000)}'`;
  const wide = `select ${Array.from({ length: mostParameters + 1 }, () => '?').join(', ')}`;
  const { excesses } = examined('select id from courses where id = ?', deep, long, wide);
  expect(excesses).toHaveLength(3);
  expect(excesses[0]).toMatch(/depth/i);
  expect(excesses[1]).toMatch(/^40,\d{3} bytes: select/);
  expect(excesses[2]).toMatch(new RegExp(`^${mostParameters + 1} parameters: select`));
});

test('an index is unread until a statement reads it', () => {
  const { unread } = examined('select name from courses');
  const left = examined('select id from enrollments where user_id = ?').unread;
  const read = unread.filter((name) => !left.includes(name));
  expect(unread.length).toBeGreaterThan(10);
  expect(read.join()).toMatch(/^enrollments_/);
});
