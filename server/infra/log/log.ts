import { hostname } from 'node:os'
import { inspect } from 'node:util'
import { type DestinationStream, type Logger, pino } from 'pino'
import { currentSpan } from '../span.ts'
import { openLogOutput } from './log-destination.ts'

/** Members whose values are secret in any logged object. */
const secretNames = [
  'password',
  'password_confirm',
  'current_password',
  'new_password',
  'token',
  'key',
  'code',
  'secret',
  'access_token',
  'refresh_token',
  'identity_token',
  'authorization',
  'authorization_code',
  'cookie',
]

/** The form of our secrets, anywhere in a text. */
const secretForm = /\b(hpx[ktrv])_[0-9A-Za-z]{8,}/g

/**
 * Creates a JSON log with one event per line, each with the id of the trace that it belongs to. Redacts secrets by name and
 * form, in messages and errors: more people read logs than databases.
 */
export function createLog(level: string, destination?: DestinationStream, role?: string): Logger {
  return pino(
    {
      level,
      base: { pid: process.pid, host: hostname(), ...(role && { role }) },
      formatters: { level: (label) => ({ level: label }) },
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: () => ({ trace_id: currentSpan()?.traceId }),
      redact: { paths: secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[secret]' },
      serializers: { err: describeError },
      hooks: {
        logMethod(args, method) {
          method.apply(
            this,
            args.map((arg) => (typeof arg === 'string' ? scrub(arg) : arg)) as Parameters<typeof method>,
          )
        },
      },
    },
    destination ?? openLogOutput(),
  )
}

/** Redacts everything in a text that looks like one of our secrets. */
export function scrub(text: string): string {
  return text.replace(secretForm, '$1_[secret]')
}

/**
 * Returns an error for the log: name, message, stack, code and cause. Database errors can quote a row's values in their
 * detail, so only code, constraint and table are kept.
 */
function describeError(error: unknown): unknown {
  // pg-boss, among others, emits plain objects with the error's members.
  if (!(error instanceof Error)) return scrub(typeof error === 'string' ? error : inspect(error, { depth: 3 }))
  const { code, constraint, table } = error as { code?: unknown; constraint?: unknown; table?: unknown }
  return {
    name: error.name,
    message: scrub(error.message),
    stack: scrub(error.stack ?? ''),
    ...(code === undefined ? {} : { error_code: code }),
    ...(constraint === undefined ? {} : { constraint, table }),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  }
}
