import { expect, test } from 'vitest';
import { outcomeRequestOf, outcomeResponse, pointsGiven, submittedAtOf } from './outcome_xml';

const request = (inside: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><imsx_POXEnvelopeRequest xmlns="http://www.imsglobal.org/services/ltiv1p1/xsd/imsoms_v1p0"><imsx_POXHeader><imsx_POXRequestHeaderInfo><imsx_messageIdentifier>m1</imsx_messageIdentifier></imsx_POXRequestHeaderInfo></imsx_POXHeader><imsx_POXBody>${inside}</imsx_POXBody></imsx_POXEnvelopeRequest>`;

test('a request is read', () => {
  expect(
    outcomeRequestOf(
      request(
        '<replaceResultRequest><resultRecord><sourcedGUID><sourcedId>s1</sourcedId></sourcedGUID><result><resultScore><textString>0.5</textString></resultScore><resultData><text>Done</text></resultData></result></resultRecord></replaceResultRequest>',
      ),
    ),
  ).toMatchObject({
    messageId: 'm1',
    operation: 'replaceResult',
    sourcedId: 's1',
    score: '0.5',
    work: { type: 'online_text_entry', data: 'Done' },
  });
  expect(outcomeRequestOf(request('<otherRequest/>'))).toMatchObject({ operation: undefined, name: 'other' });
  for (const text of ['', '<a/>', 'x', `<!DOCTYPE x [<!ENTITY a "b">]>${request('')}`, request('x'.repeat(100_001))])
    expect(outcomeRequestOf(text), text.slice(0, 30)).toBeUndefined();
});

test('a score is a part of the points, or the points themselves', () => {
  const given = (score: string | undefined, points: number | null = 20, totalScore?: string) => pointsGiven({ score, totalScore }, points);
  expect(given('0.25')).toEqual({ points: 5 });
  expect(given(undefined, null, '7')).toEqual({ points: 7 });
  for (const wrong of [
    given('1.1'),
    given('-1'),
    given('x'),
    given(''),
    given(undefined),
    given('1', null),
    given('1', 0),
    given('1', 5, 'x'),
  ])
    expect(wrong).toHaveProperty('error');
});

test('what a tool has sent is escaped in the answer', () => {
  const text = outcomeResponse({ messageId: '<m>', name: 'a&b' }, { code: 'failure', description: '"no"' });
  expect(text).not.toContain('<m>');
  expect(text).toContain('<imsx_codeMajor>failure</imsx_codeMajor>');
});

test('work and its time are beside the score', () => {
  const given = outcomeRequestOf(
    request(
      '<replaceResultRequest><submissionDetails><submittedAt>2026-03-01T10:00:00+01:00</submittedAt></submissionDetails><resultRecord><sourcedGUID><sourcedId>s1</sourcedId></sourcedGUID><result><resultData><ltiLaunchUrl>https://tool.example/1</ltiLaunchUrl></resultData></result></resultRecord></replaceResultRequest>',
    ),
  );
  expect(given?.work).toEqual({ type: 'basic_lti_launch', data: 'https://tool.example/1' });
  const now = Date.parse('2026-03-01T12:00:00Z');
  expect(submittedAtOf({ submittedAt: given?.submittedAt }, now)).toEqual({ at: '2026-03-01T09:00:00Z' });
  expect(submittedAtOf({ submittedAt: undefined }, now)).toEqual({ at: undefined });
  for (const submittedAt of ['2026-03-01T13:00:00Z', '2026-03-01', '2026-03-01T10:00:00', 'x'])
    expect(submittedAtOf({ submittedAt }, now), submittedAt).toHaveProperty('error');
});
