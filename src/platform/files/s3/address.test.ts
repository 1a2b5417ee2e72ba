import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeStore, readStoreAddress } from './address.ts';

const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'hush' };

test('FILES_URL › Amazon S3, with the keys of the environment', () => {
  assert.deepEqual(
    readStoreAddress('s3://my.bucket/a/b/', { ...keys, AWS_REGION: 'eu-west-1', AWS_SESSION_TOKEN: 't' }),
    {
      endpoint: 'https://my.bucket.s3.eu-west-1.amazonaws.com',
      isPathStyle: false,
      region: 'eu-west-1',
      bucket: 'my.bucket',
      prefix: 'a/b/',
      credentials: { accessKeyId: 'id', secretAccessKey: 'hush', sessionToken: 't' },
    },
  );
});

test('FILES_URL › a store of your own, with its keys in the address', () => {
  const address = readStoreAddress('s3://K:se%2Fcr%2Bet@bucket?endpoint=http://127.0.0.1:9000/&region=here', {
    ...keys,
    AWS_ENDPOINT_URL: 'https://not-this.example',
  });
  assert.deepEqual(address, {
    endpoint: 'http://127.0.0.1:9000',
    isPathStyle: true,
    region: 'here',
    bucket: 'bucket',
    prefix: '',
    credentials: { accessKeyId: 'K', secretAccessKey: 'se/cr+et' },
  });
  assert.equal(describeStore(address), 'http://127.0.0.1:9000/bucket/');
  const { endpoint } = readStoreAddress('s3://bucket', {
    ...keys,
    AWS_ENDPOINT_URL: 'https://other.example',
    AWS_ENDPOINT_URL_S3: 'https://store.example',
  });
  assert.equal(endpoint, 'https://store.example');
});

test('FILES_URL › what cannot be is refused, and the secret is not shown', () => {
  for (const url of [
    'http://bucket',
    's3://',
    's3://B',
    's3://id:hush@bucket/%20',
    's3://id:hush@bucket?endpoint=ftp://x',
    's3://id:hush@bucket?endpoint=http://user:hush@x',
    's3://id:hush@bucket?region=a%20b',
    's3://id:hush@bucket?other=hush',
    's3://id:hu/sh@bucket',
    's3://id@bucket',
    's3://id:%hush@bucket',
    's3://bucket',
  ]) {
    assert.throws(
      () => readStoreAddress(url, {}),
      (error: Error) => {
        assert.match(error.message, /^FILES_URL is not a valid setting: .*FILES_URL has the form s3:/s, url);
        assert.ok(!/hush|hu\/sh/.test(error.message), url);
        return true;
      },
    );
  }
});
