// The first look at an uploaded file.

import { expect, test } from 'vitest';
import { FileInspection } from './unpack';

const bytes = (text: string) => new TextEncoder().encode(text);

test('a file is scanned for its header, rows, first row and problems', () => {
  const look = new FileInspection();
  for (const part of ['user_id,login_id,st', 'atus\nU1,ann,active\nU2,bob,active']) look.push(bytes(part));
  expect(look.end()).toEqual({ type: 'user', columns: ['user_id', 'login_id', 'status'], rows: 2, at_byte: 24, refusal: undefined });
  const broken = new FileInspection();
  broken.push(bytes('user_id,login_id,status\nU1,a"nn,active\n'));
  expect(broken.end().refusal).toMatch(/quote.*row 2/);
  expect(new FileInspection().end().refusal).toBe('the file is empty');
});
