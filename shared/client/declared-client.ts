import { parseAnswer } from '../contract/declaring/parse-answer.ts'
import type { Answer, Request, RouteDeclaration } from '../contract/declaring/route.ts'
import { HapaxError } from './error.ts'
import { send } from './send.ts'
import type { HapaxOptions } from './types.ts'

/**
 * Calls endpoints by their declaration, so that a bundle has only those that it calls. Checks answers, which callers store,
 * and ignores what a newer server adds. Sends each request once: callers have their own schedule. Throws HapaxError for
 * any answer that is not a declared success.
 */
export function createClient(options: Omit<HapaxOptions, 'tries'>) {
  return async function call<R extends RouteDeclaration>(
    route: R,
    request: Request<R> & { headers?: Record<string, string>; signal?: AbortSignal },
  ): Promise<Answer<R>> {
    const response = await send({ ...options, tries: 1 }, route, request)
    const schema = route.replies[response.status]
    if (schema === null) return null as Answer<R>
    const body: unknown = route.replyType ? await response.text() : await response.json().catch(() => undefined)
    const answer = schema && parseAnswer(schema, body)
    if (!answer) throw new HapaxError(response.status, null, null)
    return answer.data as Answer<R>
  }
}

export type Client = ReturnType<typeof createClient>
