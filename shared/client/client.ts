import { operations } from './operations.ts'
import { type AnyRequest, send } from './send.ts'
import type { CreateHapax, Hapax } from './types.ts'

/**
 * Creates a client. Answers are passed on as they are: a newer server may send members and values that these types do not
 * know.
 */
export const createHapax: CreateHapax = (options) => {
  const open = async (id: string, request: AnyRequest = {}) => {
    const operation = operations[id]
    if (!operation) throw new TypeError(`there is no operation ${id}`)
    return send(options, operation, request)
  }
  const call = async (id: string, request: AnyRequest = {}) => {
    const response = await open(id, request)
    if (response.status === 204) return null
    return response.headers.get('content-type')?.includes('json') ? response.json() : response.text()
  }
  async function* pages(id: string, request: AnyRequest = {}) {
    let query: Record<string, unknown> = { ...request.query }
    for (let read = 0; ; ) {
      const page = await call(id, { ...request, query })
      const results = Array.isArray(page) ? page : page.results
      yield* results
      read += results.length
      if (page.next_cursor) query = { ...query, cursor: page.next_cursor }
      else if (page.count > read && results.length > 0) query = { ...query, page: Number(query.page ?? 1) + 1 }
      else return
    }
  }
  return { call, open, pages } as Hapax
}
