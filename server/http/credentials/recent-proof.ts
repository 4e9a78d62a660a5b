import { problem } from '#server/infra/errors.ts'
import type { RouteDeclaration } from '#shared/contract/route.ts'
import type { Principal } from './authenticate.ts'

/** Largest age of a session's last authentication, in seconds. */
export interface ProofAges {
  usual: number
  strict: number
}

/** Changing second factors requires authentication just before. */
const strictSeconds = 15 * 60

/** Returns the limits that the operator set; `strict` is at most 15 minutes. */
export const proofAges = (config: { REAUTHENTICATE_AFTER_MINUTES: number }): ProofAges => {
  const usual = config.REAUTHENTICATE_AFTER_MINUTES * 60
  return { usual, strict: Math.min(usual, strictSeconds) }
}

/** The default limits. */
export const usualProofAges = proofAges({ REAUTHENTICATE_AFTER_MINUTES: 1440 })

/** Throws 403 `reauthentication_required` if the session's last authentication is too old for the endpoint. */
export function requireRecentProof(declaration: RouteDeclaration, principal: Principal, ages: ProofAges): void {
  if (!declaration.recentProof || principal.kind !== 'bearer') return
  if (principal.proof_age > ages[declaration.recentProof]) throw problem('reauthentication_required')
}
