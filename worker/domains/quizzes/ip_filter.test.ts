import { describe, expect, it } from 'vitest';
import { allowsIp, isBetweenAddresses, isIpFilter } from './ip_filter';

describe('address filters of quizzes', () => {
  it.each([
    ['10.1.2.3', true],
    ['10.1.2.0/24, 10.2.0.0/255.255.0.0', true],
    ['2001:db8::/32', true],
    ['::1', true],
    ['10.1.2', false],
    ['10.1.2.256', false],
    ['10.1.2.3/33', false],
    ['10.1.2.3/24/8', false],
    ['2001:db8::/129', false],
    ['1:2:3', false],
    ['1::2::3', false],
    ['10.0.0.0/::1', false],
    ['10.1.2.3,', false],
    ['anywhere', false],
  ])('%s is a filter: %s', (filter, expected) => expect(isIpFilter(filter)).toBe(expected));

  it.each([
    [null, '10.1.2.3', true],
    ['10.1.2.3', '10.1.2.3', true],
    ['10.1.2.3', '10.1.2.4', false],
    ['10.1.2.0/24', '10.1.2.255', true],
    ['10.1.2.0/24', '10.1.3.0', false],
    ['10.1.2.77/255.255.255.0', '10.1.2.1', true],
    ['192.168.0.0/16,10.0.0.0/8', '10.9.9.9', true],
    ['0.0.0.0/0', '8.8.8.8', true],
    ['2001:db8::/32', '2001:db8:1::5', true],
    ['2001:db8::/32', '2001:db9::5', false],
    ['0.0.0.0/0', '::1', false],
    ['10.1.2.3', 'unknown', false],
  ])('%s lets %s in: %s', (filter, ip, expected) => expect(allowsIp(filter, ip)).toBe(expected));
});

it.each([
  ['10.0.0.5', '10.0.0.1', '10.0.0.9', true],
  ['10.0.0.1', '10.0.0.1', '10.0.0.9', true],
  ['10.0.0.9', '10.0.0.1', '10.0.0.9', true],
  ['10.0.1.5', '10.0.0.1', '10.0.0.9', false],
  ['::5', '::1', '::9', true],
  ['::5', '0.0.0.1', '0.0.0.9', false],
  ['', '0.0.0.0', '255.255.255.255', false],
])('%s is between %s and %s: %s', (ip, from, to, isBetween) => {
  expect(isBetweenAddresses(ip, from, to)).toBe(isBetween);
});
