// Addresses in the public web, and others.

import { expect, test } from 'vitest';
import { isPublic } from './public_address';

test.each([
  ['https://files.carrel.org/a.pdf', true],
  ['http://8.8.8.8/a', true],
  ['http://[2606:4700::1111]/a', true],
  ['ftp://files.carrel.org/a', false],
  ['https://user:word@files.carrel.org/a', false],
  ['http://localhost/a', false],
  ['http://printer/a', false],
  ['http://a.local/', false],
  ['http://metadata.google.internal/', false],
  ['http://127.0.0.1/', false],
  ['http://2130706433/', false],
  ['http://0x7f.1/', false],
  ['http://10.1.2.3/', false],
  ['http://100.64.0.1/', false],
  ['http://169.254.169.254/', false],
  ['http://172.31.0.1/', false],
  ['http://192.168.0.1/', false],
  ['http://198.18.0.1/', false],
  ['http://224.0.0.1/', false],
  ['http://[::1]/', false],
  ['http://[::ffff:127.0.0.1]/', false],
  ['http://[fd00::1]/', false],
  ['http://[fe80::1]/', false],
  ['http://[2002:7f00:1::]/', false],
  ['http://[2001:db8::1]/', false],
  ['http://[64:ff9b::7f00:1]/', false],
  ['http://[64:ff9b:1::7f00:1]/', false],
  ['http://[3fff::1]/', false],
  ['http://[2001::1]/', false],
  ['http://168.63.129.16/', false],
  ['http://0250.077.0201.020/', false],
  ['http://2822734096/', false],
  ['http://100.100.100.200/', false],
  ['http://192.0.0.192/', false],
  ['http://192.88.99.1/', false],
])('%s is public: %s', (address, expected) => {
  expect(isPublic(new URL(address))).toBe(expected);
});
