import sax from 'sax';

/** A page of a listing. */
export interface ListPage {
  objects: { key: string; size: number; modified: Date }[];
  /** What to ask for the next page with; undefined: this was the last. */
  next: string | undefined;
}

/** The elements of a document as they end, with their texts and paths, such as `ListBucketResult/Contents/Key`. */
function textsOf(xml: string): { path: string; text: string }[] {
  const found: { path: string; text: string }[] = [];
  const open: string[] = [];
  let text = '';
  const parser = sax.parser(true);
  parser.onerror = (error) => {
    throw new Error(`It is not XML: ${error.message.split('\n')[0]}`);
  };
  parser.onopentag = ({ name }) => {
    open.push(name.replace(/^.*:/, ''));
    if (open.length > 20) throw new Error('Its elements are nested too deep.');
    text = '';
  };
  parser.ontext = parser.oncdata = (more) => {
    text += more;
  };
  parser.onclosetag = () => {
    found.push({ path: open.join('/'), text });
    open.pop();
    text = '';
  };
  parser.write(xml).close();
  return found;
}

/** Throws where it is no page of a listing. */
export function readListPage(xml: string): ListPage {
  const root = 'ListBucketResult';
  const page: ListPage = { objects: [], next: undefined };
  let isListing = false;
  let isTruncated = false;
  let token = '';
  let object = { key: '', size: Number.NaN, modified: new Date(Number.NaN) };
  for (const { path, text } of textsOf(xml)) {
    if (path === root) isListing = true;
    else if (path === `${root}/IsTruncated`) isTruncated = text.trim() === 'true';
    else if (path === `${root}/NextContinuationToken`) token = text;
    else if (path === `${root}/Contents/Key`) object.key = text;
    else if (path === `${root}/Contents/Size`) object.size = text.trim() === '' ? Number.NaN : Number(text);
    else if (path === `${root}/Contents/LastModified`) object.modified = new Date(text);
    else if (path === `${root}/Contents`) {
      if (!object.key || !Number.isSafeInteger(object.size) || Number.isNaN(object.modified.getTime())) {
        throw new Error('An object of the listing lacks its key, size or time.');
      }
      page.objects.push(object);
      object = { key: '', size: Number.NaN, modified: new Date(Number.NaN) };
    }
  }
  if (!isListing) throw new Error('It is no listing of a bucket.');
  if (isTruncated && token === '') throw new Error('The listing goes on, and does not say how.');
  if (isTruncated) page.next = token;
  return page;
}

/** The word for what went wrong, such as `NoSuchBucket`; empty where there is none. */
export function readErrorCode(xml: string): string {
  try {
    const code =
      textsOf(xml)
        .find(({ path }) => path === 'Error/Code')
        ?.text.trim() ?? '';
    return /^[A-Za-z0-9.]{1,60}$/.test(code) ? code : '';
  } catch {
    return '';
  }
}
