import { problem } from '#server/infra/errors.ts'
import type { RouteDeclaration } from '#shared/contract/route.ts'
import type { Principal } from './authenticate.ts'

/** How old the last proof of identity of a session may be, in seconds. */
export interface ProofAges {
  usual: number
  strict: number
}

/** Second factors can be changed only by the holder who has just proved who they are. */
const strictSeconds = 15 * 60

/** The bounds that the operator set; `strict` is 15 minutes at most. */
export const proofAges = (config: { REAUTHENTICATE_AFTER_MINUTES: number }): ProofAges => {
  const usual = config.REAUTHENTICATE_AFTER_MINUTES * 60
  return { usual, strict: Math.min(usual, strictSeconds) }
}

/** The defaults of the settings. */
export const usualProofAges = proofAges({ REAUTHENTICATE_AFTER_MINUTES: 1440 })

/** Throws 403 `reauthentication_required` where the session's last proof of identity is too old for the endpoint. */
export function requireRecentProof(declaration: RouteDeclaration, principal: Principal, ages: ProofAges): void {
  if (!declaration.recentProof || principal.kind !== 'bearer') return
  if (principal.proof_age > ages[declaration.recentProof]) throw problem('reauthentication_required')
}
