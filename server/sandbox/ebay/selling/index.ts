import { json, type SandboxRequest, type SandboxResponse } from '#server/sandbox/kit/http.ts'
import { accountOperations } from './account.ts'
import { metadataOperations } from './metadata.ts'
import type { Operation, SellingContext } from './operation.ts'
import { taxonomyOperations } from './taxonomy.ts'

const operations = [...accountOperations, ...taxonomyOperations, ...metadataOperations]

const scopeBase = 'https://api.ebay.com/oauth/api_scope'

/** Creates the handler of the Account, Taxonomy and Metadata APIs. It returns null for other paths. */
export function createSellingHandler(shop: SellingContext): (request: SandboxRequest) => SandboxResponse | null {
  return (request) => {
    const found = operationOf(request)
    if (!found) return null
    const { operation, parts } = found
    const token = request.header('authorization').replace(/^Bearer /, '')
    const scope = operation.scope === null ? scopeBase : `${scopeBase}/${operation.scope}`
    // The application's own token suffices for calls that concern no seller.
    const isOpen = (operation.scope === null || operation.isOpen) && shop.grants.isApplication(token)
    const grant = isOpen ? { seller: '', scopes: [scope] } : shop.grants.check(token)
    if (grant === 'unknown' || grant === 'expired') {
      return json(
        { errors: [{ errorId: 1001, domain: 'OAuth', category: 'REQUEST', message: 'Invalid access token' }] },
        401,
      )
    }
    if (!grant.scopes.includes(scope)) {
      const message = 'Access denied'
      return json({ errors: [{ errorId: 1100, domain: 'ACCESS', category: 'REQUEST', message }] }, 403)
    }
    return operation.answer(shop, { request, seller: grant.seller, parts })
  }
}

/** Returns the name of a selling call; null for other paths. */
export const sellingCallOf = (request: SandboxRequest): string | null => operationOf(request)?.operation.id ?? null

/** Finds the operation of a request; null for other APIs. */
function operationOf(request: SandboxRequest): { operation: Operation; parts: Record<string, string> } | null {
  for (const operation of operations) {
    const match = operation.method === request.method ? operation.pattern.exec(request.path) : null
    if (!match) continue
    const parts = Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)] as const)
    return { operation, parts: Object.fromEntries(parts) }
  }
  return null
}
