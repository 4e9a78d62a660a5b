import type { ZodError } from 'zod'
import { isDatabaseUnavailable, isSerializationFailure } from '#server/infra/db/index.ts'
import { HttpProblem, problem } from '#server/infra/errors.ts'
import type { FieldError, Problem } from '#shared/contract/declaring/errors.ts'
import { statusOf, titleOf } from '#shared/contract/declaring/errors.ts'
import { requiredText } from './describe-issue.ts'

/** Turns any thrown value into an error response; unexpected ones become `internal` without their text. */
export function translateError(error: unknown): HttpProblem {
  if (error instanceof HttpProblem) return error
  // PostgreSQL rolls back one of two deadlocked transactions, so repeating the request succeeds.
  if (isDatabaseUnavailable(error) || isSerializationFailure(error))
    return problem('unavailable', undefined, { retryAfterSeconds: 2, cause: error })
  const status = (error as { status?: unknown } | null)?.status
  if (status === 413) return problem('payload_too_large')
  if (status === 415) return problem('unsupported_media_type')
  if (status === 400) return problem('invalid_request', 'The request could not be read.')
  return problem('internal', undefined, { cause: error })
}

/** Returns the problem+json body of an error response. Its type is the address of the error's explanation. */
export function problemBody(answer: HttpProblem, requestId: string, publicUrl: string): Problem {
  return {
    type: `${publicUrl}/docs/errors#${answer.code}`,
    title: titleOf(answer.code),
    status: statusOf(answer.code),
    detail: answer.message,
    code: answer.code,
    request_id: requestId,
    ...answer.members,
    ...(answer.errors ? { errors: answer.errors } : {}),
  }
}

/** Converts zod's issues into field errors: path, stable code and sentence, never the value. */
export function fieldErrors(error: ZodError): FieldError[] {
  return error.issues.slice(0, 50).flatMap((issue) => {
    const path = issue.path.map(String)
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.slice(0, 20).map((key) => ({
        field: [...path, key.slice(0, 100)].join('.'),
        code: 'unknown_member',
        message: 'is not a member of this request',
      }))
    }
    return [{ field: path.join('.') || 'body', code: codeOf(issue), message: issue.message }]
  })
}

/** The library's codes are part of the contract, except for two meaningless ones. */
function codeOf({ code, message }: ZodError['issues'][number]): string {
  if (message === requiredText) return 'required'
  return code === 'custom' ? 'invalid_value' : code
}

/** Returns the error for a request that does not match its declaration. */
export function invalidRequest(error: ZodError): HttpProblem {
  const errors = fieldErrors(error)
  const first = errors[0]
  return problem('invalid_request', first ? `${first.field}: ${first.message}.` : undefined, { errors })
}
