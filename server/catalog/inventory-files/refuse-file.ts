import { type HttpProblem, problem } from '#server/infra/errors.ts'

/** Returns the error for a file of which no row is imported, with a stable code. */
export const refuseFile = (code: string, message: string): HttpProblem =>
  problem('invalid_request', message, { errors: [{ field: 'body', code, message }] })
