import { type DestinationStream, type Logger, pino } from 'pino'
import { openLogOutput } from './log-destination.ts'

/** Members whose values are secret wherever they appear in a logged object. */
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

/** Anything that has the form of a secret of ours, wherever it stands in a text. */
const secretForm = /\b(hpx[ktrv])_[0-9A-Za-z]{8,}/g

/**
 * Structured JSON logs, one event a line. Secrets are cut by name and by form, in messages and in errors alike:
 * a log is read by more people than a database.
 */
export function createLog(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
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

/** A text without anything that has the form of one of our secrets. */
export function scrub(text: string): string {
  return text.replace(secretForm, '$1_[secret]')
}

/**
 * An error for the log: name, message, stack, code and cause. A database error's detail can quote a row's values
 * ("Key (email)=(…) already exists"), so only its code, constraint and table are kept.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return scrub(String(error))
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
