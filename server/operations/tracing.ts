import { type Attributes, diag, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import { createSeldom } from '#server/infra/log/log-seldom.ts'
import { observe } from '#server/infra/observed.ts'
import type { Span, SpanContext } from '#server/infra/span.ts'

const kinds = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER, client: SpanKind.CLIENT }

/** A collector that does not answer must not hold up a shutdown. */
const exportMs = 2_000

interface TracingOptions {
  /** The collector, OTEL_EXPORTER_OTLP_ENDPOINT. */
  endpoint: string
  /** OTEL_EXPORTER_OTLP_HEADERS */
  headers?: Record<string, string>
  role: string
  log: Logger
}

/** Sends the spans of this process to an OpenTelemetry collector, by OTLP over HTTP in JSON. main.ts loads this file only then. */
export function startTracing({ endpoint, headers = {}, role, log }: TracingOptions): { stop(): Promise<void> } {
  const seldom = createSeldom()
  const warn = (message: string) => seldom((skipped) => log.warn({ reason: message, skipped }, 'traces were not sent'))
  const nothing = () => {}
  diag.setLogger({ error: warn, warn, info: nothing, debug: nothing, verbose: nothing })
  // Spans keep the ids that log lines and queued jobs already have.
  let next: SpanContext = { traceId: '', spanId: '', isSampled: true }
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'hapax', 'hapax.role': role }),
    idGenerator: { generateTraceId: () => next.traceId, generateSpanId: () => next.spanId },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({
          url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
          headers,
          timeoutMillis: exportMs,
        }),
        exportTimeoutMillis: exportMs,
      }),
    ],
  })
  const tracer = provider.getTracer('hapax')
  const stopObserving = observe('span', (ended: Span) => {
    next = ended.context
    if (!next.isSampled) return
    const parent = ended.parent ? trace.setSpanContext(ROOT_CONTEXT, contextOf(ended.parent)) : ROOT_CONTEXT
    const attributes: Attributes = ended.attributes
    const span = tracer.startSpan(ended.name, { kind: kinds[ended.kind], startTime: ended.startMs, attributes }, parent)
    if (ended.isFailed) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(ended.endMs)
  })
  return {
    async stop() {
      stopObserving()
      await provider.shutdown().catch(() => {})
      diag.disable()
    },
  }
}

const contextOf = ({ traceId, spanId, isSampled }: SpanContext) => ({
  ...{ traceId, spanId, isRemote: true },
  traceFlags: isSampled ? 1 : 0,
})
