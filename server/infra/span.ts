import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { isObserved, publish } from './observed.ts'

// Spans are made here and not by OpenTelemetry's SDK: always loaded, it took a process under load from 298 to 481 MB while no
// traces are sent. The SDK exports them where a collector is set.

/** The place of a span in its trace (W3C Trace Context). */
export interface SpanContext {
  traceId: string
  spanId: string
  /** False if the caller decided that the trace is not recorded. */
  isSampled: boolean
}

/** A piece of work in a trace. Names and attributes hold no secret, no address of a person and no query string. */
export interface Span {
  context: SpanContext
  parent: SpanContext | null
  kind: 'server' | 'consumer' | 'client'
  name: string
  attributes: Record<string, string | number>
  isFailed: boolean
  startMs: number
  endMs: number
}

interface SpanOptions {
  kind: Span['kind']
  name: string
  /** The current span by default; null begins a trace. */
  parent?: SpanContext | null
  attributes?: Span['attributes']
}

const current = new AsyncLocalStorage<SpanContext>()

/** Returns the span that the caller runs in; null outside of any. */
export function currentSpan(): SpanContext | null {
  return current.getStore() ?? null
}

/** 32 hexadecimal digits. A UUID costs a fifth of 16 random bytes, since Node makes many at a time. */
const randomHex = () => randomUUID().replaceAll('-', '')

/**
 * Runs work in a span and publishes the span when the work has ended. The span is the parent of those that the work begins,
 * also after awaits, and log lines of the work have the id of the trace (log.ts). The work may change name, attributes and
 * outcome.
 */
export async function inSpan<Result>(options: SpanOptions, run: (span: Span) => Promise<Result>): Promise<Result> {
  const { kind, name, attributes = {}, parent = currentSpan() } = options
  const context: SpanContext = {
    traceId: parent?.traceId ?? randomHex(),
    spanId: randomHex().slice(16),
    isSampled: parent?.isSampled ?? true,
  }
  const span: Span = { context, parent, kind, name, attributes, isFailed: false, startMs: Date.now(), endMs: 0 }
  const startedMs = performance.now()
  try {
    return await current.run(context, run, span)
  } catch (error) {
    span.isFailed = true
    throw error
  } finally {
    span.endMs = span.startMs + performance.now() - startedMs
    publish('span', span)
  }
}

/** Reads a `traceparent`. Returns null for anything that is none, as if there were none. */
export function readTraceparent(text: unknown): SpanContext | null {
  const parts = typeof text === 'string' ? /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(text) : null
  const [, traceId = '', spanId = '', flags = ''] = parts ?? []
  if (!/[1-9a-f]/.test(traceId) || !/[1-9a-f]/.test(spanId)) return null
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export function toTraceparent({ traceId, spanId, isSampled }: SpanContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
}

/** Returns the current span for a row that a worker claims later; null outside of any, and while no traces are sent. */
export function traceparentToKeep(): string | null {
  const span = isObserved('span') ? currentSpan() : null
  return span && toTraceparent(span)
}
