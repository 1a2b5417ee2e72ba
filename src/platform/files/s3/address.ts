import { StartError } from '../../errors.ts';

/** A bucket of an S3-compatible store, and who we are there. */
export interface StoreAddress {
  /** Where the store is, without a slash at the end. */
  endpoint: string;
  /** The bucket is the first part of the path, and not of the host's name. */
  isPathStyle: boolean;
  region: string;
  bucket: string;
  /** What every key begins with: empty, or ending in a slash. */
  prefix: string;
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
}

const form =
  'FILES_URL has the form s3://bucket/prefix?endpoint=https://…&region=…, with KEY:SECRET@ before the bucket or ' +
  'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment. In the URL, write %2F for a / of a key, and %2B for a +.';
const refuse = (why: string): never => {
  // Never with the value: it may hold the secret.
  throw new StartError(`FILES_URL is not a valid setting: ${why} ${form}`);
};

const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
/** Nothing that would have to be encoded in an address. */
const prefixPart = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/;
const regionName = /^[A-Za-z0-9-]{1,50}$/;
const parameters = ['endpoint', 'region'];

/** Reads `FILES_URL`; what it leaves open comes from the usual variables. */
export function readStoreAddress(text: string, env: Record<string, string | undefined>): StoreAddress {
  const url = URL.parse(text);
  if (url?.protocol !== 's3:') return refuse('it is not an address of a bucket.');
  const bucket = url.host;
  if (!bucketName.test(bucket)) return refuse('it names no bucket, or one with a name that no bucket can have.');
  const parts = url.pathname.split('/').filter((part) => part !== '');
  if (!parts.every((part) => prefixPart.test(part)) || parts.join('/').length > 500) {
    return refuse('the prefix may have letters, digits, dots, dashes, underscores, and slashes between its parts.');
  }
  const unknown = [...url.searchParams.keys()].find((name) => !parameters.includes(name));
  if (unknown !== undefined) return refuse('it has a parameter other than endpoint and region.');
  const region = url.searchParams.get('region') || env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || 'us-east-1';
  if (!regionName.test(region)) return refuse('the region has characters that no region has.');
  const given = url.searchParams.get('endpoint') || env['AWS_ENDPOINT_URL_S3'] || env['AWS_ENDPOINT_URL'];
  return {
    endpoint: given ? readEndpoint(given) : `https://${bucket}.s3.${region}.${amazonDomain(region)}`,
    isPathStyle: Boolean(given),
    region,
    bucket,
    prefix: parts.map((part) => `${part}/`).join(''),
    credentials: readCredentials(url, env),
  };
}

const amazonDomain = (region: string): string => (region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com');

function readEndpoint(text: string): string {
  const url = URL.parse(text);
  const isPlain = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
  if (!isPlain) return refuse('the endpoint is not an http or https address without user, query and fragment.');
  return url.href.replace(/\/$/, '');
}

function readCredentials(url: URL, env: Record<string, string | undefined>): StoreAddress['credentials'] {
  if (url.username || url.password) {
    const accessKeyId = decode(url.username);
    const secretAccessKey = decode(url.password);
    if (!accessKeyId || !secretAccessKey) return refuse('it has one of KEY and SECRET only.');
    return { accessKeyId, secretAccessKey };
  }
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = env;
  if (!accessKeyId || !secretAccessKey) return refuse('there are no keys for the store.');
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return refuse('a percent sign in KEY:SECRET is not followed by two hex digits.');
  }
}

/** Where it is, fit for a log. */
export const describeStore = ({ endpoint, isPathStyle, bucket, prefix }: StoreAddress): string =>
  isPathStyle ? `${endpoint}/${bucket}/${prefix}` : `${endpoint}/${prefix}`;
