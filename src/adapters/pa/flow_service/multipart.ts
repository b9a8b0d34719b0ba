import type { OutgoingFlow } from "#src/ports/pa.ts";

/**
 * Returns the body of `POST /v1/flows`. Written by hand because `FormData` would give the JSON part a file name,
 * which some servers then take for a second file.
 */
export function buildMultipart(
  flow: OutgoingFlow,
): { readonly body: Uint8Array<ArrayBuffer>; readonly contentType: string } {
  const boundary = `passerelle-${crypto.randomUUID()}`;
  const type = flow.contentType ?? "application/xml";
  const info = JSON.stringify(flowInfo(flow));
  const encoder = new TextEncoder();
  const head = encoder.encode(
    `--${boundary}\r\nContent-Disposition: form-data; name="flowInfo"\r\n` +
      `Content-Type: application/json\r\n\r\n${info}\r\n` +
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${
        fileName(flow, type)
      }"\r\n` +
      `Content-Type: ${type}\r\n\r\n`,
  );
  const tail = encoder.encode(`\r\n--${boundary}--\r\n`);
  const body = new Uint8Array(head.length + flow.bytes.length + tail.length);
  body.set(head);
  body.set(flow.bytes, head.length);
  body.set(tail, head.length + flow.bytes.length);
  return { body, contentType: `multipart/form-data; boundary=${boundary}` };
}

function flowInfo(flow: OutgoingFlow): object {
  return {
    trackingId: flow.trackingId,
    name: flow.name.slice(0, 255),
    flowSyntax: flow.syntax,
    ...(flow.profile === undefined ? {} : { flowProfile: flow.profile }),
    ...(flow.processingRule === undefined ? {} : { processingRule: flow.processingRule }),
    sha256: flow.sha256,
  };
}

function fileName(flow: OutgoingFlow, type: string): string {
  const base = flow.name.replaceAll(/[^A-Za-z0-9._-]/g, "_").slice(0, 100) || "flow";
  const extension = type === "application/pdf" ? ".pdf" : ".xml";
  return base.toLowerCase().endsWith(extension) ? base : base + extension;
}
