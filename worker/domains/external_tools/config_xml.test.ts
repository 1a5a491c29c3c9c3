import { expect, test } from 'vitest';
import { toolConfigOf, UnreadableConfig } from './config_xml';

const xml = (inside: string, before = '<?xml version="1.0" encoding="UTF-8"?>') =>
  `${before}<cartridge_basiclti_link xmlns="http://www.imsglobal.org/xsd/imslticc_v1p0" xmlns:blti="http://www.imsglobal.org/xsd/imsbasiclti_v1p0" xmlns:lticm="http://www.imsglobal.org/xsd/imslticm_v1p0">${inside}</cartridge_basiclti_link>`;

test('a tool with extensions is read with its placements', () => {
  const { fields, placements } = toolConfigOf(
    xml(`<blti:title>Maps &amp; more</blti:title><blti:description>Draws</blti:description>
      <blti:launch_url>http://maps.example/launch</blti:launch_url><blti:secure_launch_url>https://maps.example/launch</blti:secure_launch_url>
      <blti:custom><lticm:property name="zoom">3</lticm:property></blti:custom>
      <blti:extensions platform="canvas.instructure.com">
        <lticm:property name="privacy_level">public</lticm:property><lticm:property name="domain">maps.example</lticm:property><lticm:property name="tool_id">maps</lticm:property>
        <lticm:options name="course_navigation"><lticm:property name="enabled">true</lticm:property><lticm:property name="text">Maps</lticm:property><lticm:property name="selection_width">500</lticm:property>
          <lticm:options name="labels"><lticm:property name="de">Karten</lticm:property></lticm:options></lticm:options>
        <lticm:options name="unknown_place"><lticm:property name="text">x</lticm:property></lticm:options>
      </blti:extensions>`),
  );
  expect(fields).toMatchObject({
    name: 'Maps & more',
    description: 'Draws',
    url: 'https://maps.example/launch',
    custom_fields: { zoom: '3' },
    privacy_level: 'public',
    domain: 'maps.example',
    unified_tool_id: 'maps',
  });
  expect(placements).toEqual({ course_navigation: { enabled: true, text: 'Maps', selection_width: 500, labels: { de: 'Karten' } } });
});

test('extensions of other platforms are ignored, and a tool needs none', () => {
  const { fields, placements } = toolConfigOf(
    xml('<title>Plain</title><extensions platform="elsewhere.example"><property name="domain">x.example</property></extensions>'),
  );
  expect(fields.name).toBe('Plain');
  expect(fields.domain).toBeUndefined();
  expect(placements).toEqual({});
});

test('entities, document types, other documents and broken ones are refused', () => {
  const bomb = '<!DOCTYPE lolz [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>';
  for (const text of [
    xml('<title>&b;</title>', bomb),
    xml('<title>x</title>', '<!doctype x SYSTEM "file:///etc/passwd">'),
    '<html/>',
    '<cartridge_basiclti_link><title>',
    'no XML',
    '',
    xml(`<title>${'x'.repeat(200_001)}</title>`),
  ])
    expect(() => toolConfigOf(text), text.slice(0, 60)).toThrow(UnreadableConfig);
  expect(() => toolConfigOf(xml('<title>x</title><__proto__><polluted>1</polluted></__proto__>'))).toThrow(UnreadableConfig);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});
