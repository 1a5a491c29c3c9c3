import { expect, test } from 'vitest';
import { presigned } from './aws_signature';

/** The example of the S3 reference, "Authenticating Requests: Using Query Parameters". */
const published = {
  method: 'GET',
  url: new URL('https://examplebucket.s3.amazonaws.com/test.txt'),
  region: 'us-east-1',
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  now: '2013-05-24T00:00:00Z',
  seconds: 86_400,
} as const;

test('a signed address is the published example', async () =>
  expect(await presigned(published)).toBe(
    'https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  ));

test('method, headers, path and time are part of the signature', async () => {
  const signatures = await Promise.all(
    [
      published,
      { ...published, method: 'PUT' as const },
      { ...published, headers: { 'content-length': '5' } },
      { ...published, headers: { 'content-length': '6' } },
      { ...published, url: new URL('https://examplebucket.s3.amazonaws.com/te%20st.txt') },
      { ...published, now: '2013-05-24T00:00:01Z' },
    ].map(presigned),
  );
  expect(new Set(signatures.map((address) => address.slice(-64))).size).toBe(6);
  expect(signatures[2]).toContain('X-Amz-SignedHeaders=content-length%3Bhost&');
});
