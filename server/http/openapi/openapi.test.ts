import { describe, expect, it } from 'vitest'
import { errorCodes } from '#shared/contract/declaring/errors.ts'
import { eventTypes } from '#shared/contract/events.ts'
import { contract, webhooks } from '#shared/contract/index.ts'
import { advice } from '#shared/contract/selling/advice.ts'
import { openApiDocument } from './openapi.ts'

interface Answer {
  $ref?: string
  description: string
  headers?: Record<string, unknown>
  content?: Record<string, unknown>
}
interface Operation {
  operationId: string
  parameters?: { in: string; name: string; schema: { type?: string; pattern?: string } }[]
  responses: Record<string, Answer>
}

const document = openApiDocument({ ...contract, ...webhooks }, 'http://hapax.test') as {
  info: { description: string }
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: { responses: Record<string, Answer> }
}
const operations = new Map(
  Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .map((operation) => [operation.operationId, operation]),
)
const answer = (id: string, status: number): Answer => {
  const found = operations.get(id)?.responses[status]
  expect(found, `${id} ${status}`).toBeDefined()
  const code = found?.$ref?.split('/').at(-1)
  return (code === undefined ? found : document.components.responses[code]) as Answer
}
const headerNames = (operation: Operation | undefined) =>
  (operation?.parameters ?? []).filter((one) => one.in === 'header').map(({ name }) => name)

describe('the OpenAPI document', () => {
  it('declares Idempotency-Key exactly where it is honored', () => {
    for (const [id, declaration] of Object.entries(contract)) {
      const honours = 'idempotent' in declaration && declaration.idempotent
      expect([id, headerNames(operations.get(id)).includes('Idempotency-Key')]).toEqual([id, honours === true])
    }
  })

  it('declares that repeating a request for a secret is refused', () => {
    for (const id of ['createApiKey', 'rotateApiKey', 'createWebhook', 'rotateWebhookSecret']) {
      expect(answer(id, 409).description).toContain('`secret_already_shown`')
    }
  })

  it('declares the answers common to all endpoints', () => {
    for (const id of operations.keys()) {
      if (id in webhooks) continue
      expect(answer(id, 400).description).toContain('`ambiguous_credentials`')
      expect(answer(id, 421).description).toBe('`misdirected_request`')
      expect(Object.keys(answer(id, 429).headers ?? {})).toContain('Retry-After')
      expect(Object.keys(answer(id, 503).headers ?? {})).toContain('Retry-After')
      expect(Object.keys(answer(id, 405).headers ?? {})).toContain('Allow')
    }
  })

  it('declares If-Match, Last-Event-ID and the stream’s type', () => {
    expect(headerNames(operations.get('updateInventoryItem'))).toEqual(['If-Match'])
    expect(headerNames(operations.get('streamEvents'))).toEqual(['Last-Event-ID'])
    expect(Object.keys(answer('streamEvents', 200).content ?? {})).toEqual(['text/event-stream'])
  })

  it('declares numbers in queries as numbers', () => {
    for (const { parameters = [] } of operations.values()) {
      for (const { in: place, name, schema } of parameters) {
        if (place !== 'query' || !['page', 'page_size', 'after', 'last_event_id'].includes(name)) continue
        expect(schema).toMatchObject({ type: 'integer' })
        expect(schema.pattern).toBeUndefined()
      }
    }
  })

  it('documents signatures, events and advice for each error', () => {
    expect(headerNames(document.webhooks.event?.post)).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature'])
    for (const type of eventTypes) expect(document.info.description).toContain(`\n- \`${type}\`: `)
    for (const code of errorCodes) {
      expect(advice[code]).not.toBe('')
      expect(document.info.description).toContain(advice[code])
    }
  })
})
