import { deepStrictEqual } from 'node:assert'
import type { z } from 'zod'

/**
 * Throws for an answer of another shape than declared, or with a member that its declaration lacks. Types prove the shape,
 * and checking a page of items takes a quarter of its time, so only tests and the sandbox check.
 */
export function checkAnswer(declared: z.ZodType, body: unknown): void {
  const checked = declared.safeParse(body)
  if (!checked.success) throw new Error('the reply does not fit its declaration', { cause: checked.error })
  deepStrictEqual(asSent(body), asSent(checked.data), 'the reply is another than its declaration allows')
}

const asSent = (body: unknown): unknown => JSON.parse(JSON.stringify(body))
