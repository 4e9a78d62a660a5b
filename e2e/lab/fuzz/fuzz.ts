import { randomFrom } from '#e2e/harness/campaigns/random.ts'
import { faultsOf, idPattern, type Strangers } from './check-answer.ts'
import { type Operation, readDocument } from './document.ts'
import { type Draft, draftOf, type Sent, sentOf } from './draft.ts'
import { mutate } from './mutate.ts'
import { type Answer, createClient, curlOf } from './send.ts'
import { shrink } from './shrink.ts'
import { createTenant, forget, remember, type Tenant } from './tenant.ts'
import { pick } from './values.ts'

interface FuzzOptions {
  url: string
  seed: number
  requests: number
  onProgress?: (sent: number) => void
}

/** A faulty answer. */
export interface Finding {
  operation: string
  fault: string
  mutation: string
  /** The number of the request in the run. */
  request: number
  /** The smallest request that still fails, or the original one if it does not fail again. */
  curl: string
  isRepeatable: boolean
  answer: string
  times: number
}

interface FuzzResult {
  requests: number
  statuses: Map<number, number>
  /** Documented server errors that are counted separately, by operation. */
  announced: Map<string, number>
  operations: number
  /** Operations with at least one success. */
  succeeded: Set<string>
  operationIds: string[]
  findings: Finding[]
  tenants: number
  slowest: { operation: string; ms: number }
}

/** Concurrent requests. */
const parallel = 8
const tenantCount = 3

/** Operations that end what later requests need, so they are chosen rarely. */
const endingOperations = new Set([
  ...['deactivateAccount', 'logOut', 'deleteApiKey', 'endExtensionKey', 'rotateApiKey', 'disconnectSellerAccount'],
  ...['changePassword', 'endSession', 'endSessionOnPage', 'endOtherSessionsOnPage', 'disconnectOnPage'],
])
const endingShare = 0.01

/** Returns the share of an operation's turns to use. More is created than deleted, so that later requests have data. */
function shareOf(operation: Operation): number {
  if (endingOperations.has(operation.id)) return endingShare
  if (operation.method === 'DELETE') return 0.2
  return operation.answers.has(201) ? 1 : 0.5
}

/**
 * Documented server errors that are counted separately. `platform_failed`: the sandbox marketplace refused a call.
 * `unavailable`: another request locked the account for too long. More than a few of those are a finding.
 */
const announcedCodes = new Set(['platform_failed', 'unavailable'])
const maxUnavailableShare = 1 / 1_000

/**
 * Sends random requests to a server by the document it serves, and checks every answer. Three tenants use values of
 * earlier answers. The seed determines operations, values and mutations; ids and times come from the server.
 */
export async function fuzz({ url, seed, requests, onProgress }: FuzzOptions): Promise<FuzzResult> {
  const document = readDocument(await (await fetch(`${url}/api/openapi.json`)).text())
  const client = createClient(url)
  const tenants = await Promise.all(Array.from({ length: tenantCount }, (_, place) => createTenant(url, place)))
  const owners = new Map<string, number>()
  const canaries = tenants.map(({ canary }) => [canary])
  const renewing = new Map<number, Promise<void>>()
  const findings = new Map<string, Finding>()
  let unavailable = 0
  const result: FuzzResult = {
    ...{ requests: 0, statuses: new Map(), announced: new Map(), operations: document.operations.length },
    ...{ succeeded: new Set(), operationIds: document.operations.map(({ id }) => id), findings: [] },
    ...{ tenants: tenantCount, slowest: { operation: '', ms: 0 } },
  }

  const strangersOf = (place: number): Strangers => ({
    canaries: canaries.flatMap((own, other) => (other === place ? [] : own)),
    owns: (id) => (owners.get(id) ?? place) !== place,
  })
  /** Returns ids of another tenant. */
  const foreignTo = (place: number) => {
    const other = tenants[(place + 1) % tenantCount]!
    return new Map([...other.seen].filter(([name]) => /^[a-z]{3}_$/.test(name)))
  }
  const chooseOperation = (random: () => number): Operation => {
    const operation = pick(random, document.operations)
    return random() < shareOf(operation) ? operation : chooseOperation(random)
  }

  /** Replaces a tenant whose credentials have ended. */
  function renew(place: number): Promise<void> {
    const running = renewing.get(place)
    if (running) return running
    const done = createTenant(url, place).then((tenant) => {
      tenants[place] = tenant
      canaries[place]!.push(tenant.canary)
      result.tenants++
      renewing.delete(place)
    })
    renewing.set(place, done)
    return done
  }

  async function record(
    draft: Draft,
    sent: Sent,
    answer: Answer | Error,
    fault: string,
    place: number,
    request: number,
  ) {
    const key = `${draft.operation.id}: ${fault}`
    const known = findings.get(key)
    if (known) {
      known.times++
      return
    }
    const finding: Finding = {
      ...{ operation: draft.operation.id, fault, mutation: draft.mutation, request, times: 1 },
      ...{ curl: curlOf(url, sent), isRepeatable: false },
      answer:
        answer instanceof Error
          ? String(answer)
          : `${answer.status} ${answer.text.slice(0, answer.text.startsWith('<') ? 15 : 500)}`,
    }
    findings.set(key, finding)
    const failsAgain = async (candidate: Sent) => {
      const again = await client.send(candidate).catch((error: Error) => error)
      if (again instanceof Error || answer instanceof Error) return again instanceof Error && answer instanceof Error
      return faultsOf(document, draft, candidate, again, strangersOf(place)).includes(fault)
    }
    const smallest = await shrink(sent, failsAgain)
    if (smallest) Object.assign(finding, { curl: curlOf(url, smallest), isRepeatable: true })
  }

  async function one(request: number): Promise<void> {
    const random = randomFrom((seed * 1_000_003 + request) % 2 ** 32)
    const place = Math.floor(random() * tenantCount)
    await renewing.get(place)
    const tenant = tenants[place]!
    const draft = draftOf(document, chooseOperation(random), tenant, random)
    if (random() < 0.6) mutate(draft, { random, foreign: foreignTo(place) })
    const sent = sentOf(draft)
    const answer = await client.send(sent).catch((error: Error) => error)
    result.requests++
    if (answer instanceof Error) {
      // Node closes the connection after its refusal, which may then be lost.
      if (draft.mayBeNoHttp && (answer as NodeJS.ErrnoException).code === 'ECONNRESET') return
      await record(draft, sent, answer, `no answer: ${answer.message}`, place, request)
      return
    }
    result.statuses.set(answer.status, (result.statuses.get(answer.status) ?? 0) + 1)
    if (answer.ms > result.slowest.ms) result.slowest = { operation: draft.operation.id, ms: answer.ms }
    learn(tenant, place, draft, answer)
    const faults = faultsOf(document, draft, sent, answer, strangersOf(place))
    const code = codeOf(answer)
    const isAnnounced = announcedCodes.has(code) && faults.length === 1
    if (isAnnounced && (code !== 'unavailable' || ++unavailable <= Math.max(1, requests * maxUnavailableShare))) {
      const name = `${answer.status} ${code} of ${draft.operation.id}`
      result.announced.set(name, (result.announced.get(name) ?? 0) + 1)
    } else {
      for (const fault of faults) await record(draft, sent, answer, fault, place, request)
    }
    if (draft.isCredentialIntact && answer.text.includes('"code":"unauthenticated"')) await renew(place)
  }

  /** Records the values of an answer, and the owner of its ids. */
  function learn(tenant: Tenant, place: number, draft: Draft, answer: Answer): void {
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [name = '', value = ''] = line.split(';')[0]!.split(/=(.*)/s)
      if (value === '') tenant.cookies.delete(name)
      else tenant.cookies.set(name, value)
    }
    // The ids no longer exist, so later requests must not use them.
    if (draft.isCredentialIntact && (answer.status === 404 || answer.status === 204)) forget(tenant, draft.path)
    if (answer.status >= 400) return
    result.succeeded.add(draft.operation.id)
    remember(tenant, answer.text)
    if (!draft.isCredentialIntact) return
    for (const id of answer.text.match(idPattern) ?? []) if (!owners.has(id)) owners.set(id, place)
  }

  let next = 0
  try {
    await Promise.all(
      Array.from({ length: parallel }, async () => {
        while (next < requests) {
          const request = next++
          await one(request)
          onProgress?.(request + 1)
        }
      }),
    )
  } finally {
    client.close()
  }
  return { ...result, findings: [...findings.values()] }
}

function codeOf({ status, text }: Answer): string {
  return status < 500 ? '' : (/"code":"(\w+)"/.exec(text)?.[1] ?? '')
}
