import { problem } from '#server/infra/errors.ts'
import type { RouteDeclaration } from '#shared/contract/declaring/route.ts'
import type { Principal } from './authenticate.ts'

/** Largest age of a session's last authentication, in seconds. Changing second factors requires one just before. */
const proofAges = { usual: 86_400, strict: 15 * 60 }

/** Throws 403 `reauthentication_required` if the session's last authentication is too old for the endpoint. */
export function requireRecentProof(declaration: RouteDeclaration, principal: Principal): void {
  if (!declaration.recentProof || principal.kind !== 'bearer') return
  if (principal.proof_age > proofAges[declaration.recentProof]) throw problem('reauthentication_required')
}
