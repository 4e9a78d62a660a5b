import { hashSecret } from '#server/http/credentials/credentials.ts'
import type { Transaction } from '#server/infra/db/index.ts'
import { type HttpProblem, problem } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import * as sql from './queries.ts'

/** The leave to make one account. */
export interface Admission {
  /** The account owns the installation. */
  is_owner: boolean
}

type Registering = Pick<Services, 'config' | 'db'>

/** Returns what is stored of an invitation as it was given; null without one. */
export const invitationHashOf = (invitation: string | undefined) =>
  invitation === undefined ? null : hashSecret(invitation)

/**
 * Throws `registration_closed` where nobody may register, or not by this invitation. It comes before everything else, so
 * that a refusal tells nothing about accounts and costs nothing.
 */
export async function refuseStranger(services: Registering, token_hash: Buffer | null): Promise<void> {
  if (!(await mayRegister(services, token_hash))) throw refusal(services, token_hash)
}

/** Returns whether an account can be made with an invitation or, without one, by anybody. */
export async function mayRegister({ config, db }: Registering, token_hash: Buffer | null = null): Promise<boolean> {
  if (config.REGISTRATION !== 'invited') return config.REGISTRATION === 'open'
  return (await db.one(sql.mayRegister({ token_hash }))).may_register
}

/**
 * Admits one account in the transaction that makes it: uses the invitation up, or makes it the owner as the first
 * account of an invited installation. Throws `registration_closed`.
 */
export async function admit(
  { config }: Pick<Services, 'config'>,
  tx: Transaction,
  token_hash: Buffer | null,
): Promise<Admission> {
  if (config.REGISTRATION === 'open') return { is_owner: false }
  if (config.REGISTRATION === 'invited') {
    if (token_hash === null) {
      const admission = await admitByOperator(tx)
      if (admission.is_owner) return admission
    } else if (await tx.oneOrNone(sql.useInvitation({ token_hash }))) return { is_owner: false }
  }
  throw refusal({ config }, token_hash)
}

/** Admits an account that the operator makes. The first one owns the installation. */
export async function admitByOperator(tx: Transaction): Promise<Admission> {
  await tx.one(sql.lockFirstAccount())
  return { is_owner: (await tx.one(sql.mayRegister({ token_hash: null }))).may_register }
}

function refusal({ config }: Pick<Services, 'config'>, token_hash: Buffer | null): HttpProblem {
  if (config.REGISTRATION === 'closed') return problem('registration_closed', 'This server takes no new accounts.')
  return problem(
    'registration_closed',
    token_hash === null
      ? 'This server takes new accounts by invitation. Ask whoever runs it for a link.'
      : 'This invitation was used or has expired. Ask for another.',
  )
}
