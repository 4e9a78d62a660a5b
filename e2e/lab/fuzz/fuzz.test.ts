import { describe, expect, it } from 'vitest'
import { faultsOf, type Strangers } from './check-answer.ts'
import { readDocument } from './document.ts'
import type { Draft } from './draft.ts'
import type { Answer } from './send.ts'
import { shrink } from './shrink.ts'

/** A document with one operation. */
const document = readDocument(
  JSON.stringify({
    paths: {
      '/things/{uid}/': {
        put: {
          operationId: 'putThing',
          security: [{ bearer: [] }],
          parameters: [{ in: 'path', name: 'uid', required: true, schema: { type: 'string' } }],
          requestBody: {
            content: {
              'application/json': {
                schema: {
                  ...{ type: 'object', required: ['name'] },
                  properties: { name: { type: 'string', minLength: 1, maxLength: 3 } },
                },
              },
            },
          },
          responses: {
            200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
            404: { content: { 'application/problem+json': { schema: {} } } },
            503: { content: { 'application/problem+json': { schema: {} } } },
          },
        },
      },
    },
    components: {
      schemas: { Thing: { type: 'object', properties: { uid: { type: 'string' } }, required: ['uid'] } },
    },
  }),
)
const draft: Draft = {
  operation: document.operations[0]!,
  ...{ method: 'PUT', path: { uid: 'x' }, query: [], headers: {}, mutation: 'none' },
  ...{ isBodyAsWritten: true, mayBeNoHttp: false, isCredentialIntact: true },
}
const foreignId = `inv_${'A'.repeat(22)}`
const strangers: Strangers = { canaries: ['Magpie7'], owns: (id) => id === foreignId }
const good: Answer = {
  ...{ status: 200, text: '{"uid":"x"}', ms: 1 },
  headers: { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'req_1' },
}
const check = (answer: Partial<Answer>, body = '{"name":"abc"}') =>
  faultsOf(
    document,
    draft,
    { method: 'PUT', target: '/things/x/', headers: {}, body: Buffer.from(body) },
    { ...good, ...answer },
    strangers,
  )

describe('faultsOf', () => {
  it('accepts an answer that matches the document', () => {
    expect(check({})).toEqual([])
  })

  it.each<[string, Partial<Answer>, string]>([
    ['a body that does not match its schema', { text: '{}' }, "status 200: body must have required property 'uid'"],
    ['a body that is not JSON', { text: '<p>' }, 'status 200 has a body that is no JSON'],
    ['an undocumented status', { status: 418 }, 'status 418 is not documented'],
    ['an undocumented type', { status: 404 }, 'status 404 is of the undocumented type "application/json"'],
    ['a server error', { status: 503 }, 'status 503'],
    ['a missing Retry-After', { status: 503 }, 'status 503 without retry-after'],
    ['a missing request id', { headers: { 'content-type': 'application/json' } }, 'no X-Request-Id'],
    ["another tenant's text", { text: '{"uid":"magpie7 coat"}' }, "the answer holds another tenant's text"],
    ["another tenant's id", { text: `{"uid":"${foreignId}"}` }, "the answer holds another tenant's id"],
    ['internals', { status: 404, text: '{"detail":"select id from x"}' }, 'the answer shows internals'],
  ])('finds %s', (_name, answer, fault) => {
    expect(check(answer)).toContain(fault)
  })

  it('accepts an id that was asked about and not found', () => {
    const text = `{"uid":"x","results":[{"uid":"${foreignId}","code":"not_found"}]}`
    expect(check({ text })).not.toContain("the answer holds another tenant's id")
  })

  it('finds an accepted body that the document refuses', () => {
    expect(check({}, '{"name":"abcd"}')).toEqual(['a body was accepted that the document refuses'])
    expect(check({}, '{"name":" abc "}')).toEqual([])
    expect(check({}, '{"name":" "}')).toEqual([])
  })
})

describe('shrinking', () => {
  const sent = {
    ...{ method: 'POST', target: '/x/?a=1&b=2', headers: { one: '1', two: '2' } },
    body: Buffer.from('{"keep":{"bad":true,"c":1},"list":[1,2]}'),
  }

  it('keeps the parts that the fault needs', async () => {
    const smallest = await shrink(
      sent,
      async ({ target, headers, body }) => target.includes('b=2') && 'two' in headers && /"bad":true/.test(`${body}`),
    )
    expect(smallest).toEqual({
      ...{ method: 'POST', target: '/x/?b=2', headers: { two: '2' } },
      body: Buffer.from('{"keep":{"bad":true}}'),
    })
  })

  it('returns null if the fault cannot be repeated', async () => {
    expect(await shrink(sent, async () => false)).toBeNull()
  })
})
