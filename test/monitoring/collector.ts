import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Record<string, string | number | boolean>;
  links: { traceId: string; spanId: string }[];
  status?: { code?: number; message?: string };
  service: string;
}

/** Takes spans over OTLP/HTTP, as a collector does. */
export interface Collector {
  url: string;
  spans: CollectedSpan[];
  of(uuid: string): CollectedSpan[];
  close(): Promise<void>;
}

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number | string; doubleValue?: number; boolValue?: boolean };
}
type WireSpan = Omit<CollectedSpan, 'attributes' | 'service' | 'links'> & {
  attributes?: Attribute[];
  links?: CollectedSpan['links'];
};
interface Export {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: WireSpan[] }[] }[];
}

const attributesOf = (attributes: Attribute[] = []): CollectedSpan['attributes'] =>
  Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, doubleValue, boolValue } }) => [
      key,
      stringValue ?? boolValue ?? Number(intValue ?? doubleValue),
    ]),
  );

const spansOf = ({ resourceSpans }: Export): CollectedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(attributesOf(resource.attributes)['service.name']);
    return scopeSpans
      .flatMap(({ spans }) => spans)
      .map((span) => ({ ...span, links: span.links ?? [], attributes: attributesOf(span.attributes), service }));
  });

export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    if (request.url === '/v1/traces') spans.push(...spansOf(JSON.parse(Buffer.concat(parts).toString())));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    of: (uuid) => spans.filter(({ traceId }) => traceId === uuid.replaceAll('-', '')),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
