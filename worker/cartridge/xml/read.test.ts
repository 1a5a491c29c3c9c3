import { expect, test } from 'vitest';
import { BadXml, readXml } from './read';

test('documents that would fill the memory are refused before they are parsed', () => {
  expect(() => readXml(`<a>${'<b/>'.repeat(1_000_000)}</a>`)).toThrow(/more than 200000 elements/);
  expect(() => readXml(`${'<a>'.repeat(150)}x${'</a>'.repeat(150)}`)).toThrow(BadXml);
  expect(readXml(`<a>${'<b/>'.repeat(1000)}</a>`).children).toHaveLength(1000);
});

test('entities are neither declared nor fetched', () => {
  expect(() => readXml('<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>')).toThrow(/Entity declarations/);
  expect(() => readXml('<!DOCTYPE a [<!ENTITY % x SYSTEM "file:///etc/passwd">%x;]><a/>')).toThrow(/Entity declarations/);
  expect(readXml('<a>&#x41;&amp;&unknown;</a>').children).toEqual(['A&&unknown;']);
});

test('names that objects have by themselves change no object', () => {
  expect(readXml('<a toLocaleString="2"/>').attributes).toEqual({ toLocaleString: '2' });
  // Refused or read, but no object gets another prototype.
  for (const name of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])
    for (const document of [`<a ${name}="1"/>`, `<${name}>1</${name}>`, `<a><${name} polluted="1"><polluted/></${name}></a>`])
      try {
        expect(Object.getPrototypeOf(readXml(document).attributes)).toBe(Object.prototype);
      } catch (error) {
        expect(error).toBeInstanceOf(BadXml);
      }
  expect(({} as { polluted?: string }).polluted).toBeUndefined();
});
