import {
  type Attributes,
  type Context,
  context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

interface SpanOptions {
  readonly kind?: keyof typeof SpanKind;
  readonly attributes?: Attributes;
  /** `traceparent` of the cause, null for a new trace; by default the current trace. */
  readonly from?: string | null | undefined;
}

/**
 * Does the work as one span of the trace. A failure marks it, by the error's kind only: sentences hold values of documents.
 */
export function inSpan<T>(
  name: string,
  { kind = "INTERNAL", attributes = {}, from }: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const parent = from === undefined ? context.active() : parseContext(from);
  const options = { kind: SpanKind[kind], attributes };
  return tracer().startActiveSpan(name, options, parent, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute("error.type", getKind(error));
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Returns the `traceparent` of the current trace; undefined where nothing is traced. */
export function currentTrace(): string | undefined {
  const span = trace.getActiveSpan()?.spanContext();
  if (!span || !trace.isSpanContextValid(span)) return undefined;
  const flags = (span.traceFlags & 0xff).toString(16).padStart(2, "0");
  return `00-${span.traceId}-${span.spanId}-${flags}`;
}

/** Returns the id of the current trace. */
export function currentTraceId(): string | undefined {
  return currentTrace()?.slice(3, 35);
}

/** Parses a `traceparent`; an invalid one begins a new trace, as W3C Trace Context requires. */
function parseContext(traceparent: string | null): Context {
  const [, traceId = "", spanId = "", flags = ""] = TRACEPARENT.exec(traceparent ?? "") ?? [];
  const found = { traceId, spanId, traceFlags: parseInt(flags, 16), isRemote: true };
  return trace.isSpanContextValid(found) ? trace.setSpanContext(ROOT_CONTEXT, found) : ROOT_CONTEXT;
}

function getKind(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

const tracer = () => trace.getTracer("passerelle");
