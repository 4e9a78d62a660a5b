import type Router from '@koa/router'
import { z } from 'zod'
import * as accountsSql from '#server/accounts/queries.ts'
import { readBody } from '#server/http/bodies/read-body.ts'
import { lockUser } from '#server/http/lock-user.ts'
import type { Transaction } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { HttpProblem, problem } from '#server/infra/errors.ts'
import { enqueueMessage } from '#server/infra/mail-sms/outbox.ts'
import { appleAccessEndedMail } from '#server/infra/mail-sms/templates.ts'
import type { Services } from '#server/services.ts'
import { receiveAppleNotification } from '#shared/contract/account/apple.ts'
import { createAppleClient } from './client.ts'
import type { AppleNotification } from './notification.ts'
import * as sql from './queries.ts'

const Body = z.object({ payload: z.string() })

/** Mounts the endpoint of Apple's server-to-server notifications; each one counts once. */
export function mountAppleNotifications(router: Router, services: Services): void {
  const apple = createAppleClient(services)
  router.post('receiveAppleNotification', receiveAppleNotification.path, async (ctx) => {
    ctx.set('Cache-Control', 'no-store')
    if (!apple) throw problem('not_found')
    const body = Body.safeParse(parseJson(await readBody(ctx, 'appleNotice')))
    if (!body.success) throw problem('invalid_request', 'payload: a signed token is needed.')
    const notification = await apple.readNotification(body.data.payload).catch((error: unknown) => {
      if (error instanceof HttpProblem && error.code === 'unavailable') throw error
      throw problem('invalid_signature', undefined, { cause: error })
    })
    await transaction(services.db, 'apply-apple-notification', (tx) => apply(services, tx, notification))
    ctx.state.log.info({ type: notification.type }, 'an Apple notification was received')
    ctx.body = null
    ctx.status = 204
  })
}

/**
 * Ends the account's sessions when its owner revokes consent, and unlinks a deleted Apple account. Ignores
 * notifications about relay addresses: mail to a disabled one bounces, as its owner intended.
 */
async function apply(
  services: Services,
  tx: Transaction,
  { type, subject, tokenHash, expiresAt }: AppleNotification,
): Promise<void> {
  const deleted = type === 'account-delete' || type === 'account-deleted'
  if (!deleted && type !== 'consent-revoked') return
  const place = { provider: 'apple', subject }
  await tx.one(sql.lockIdentity(place))
  if (!(await tx.oneOrNone(sql.recordIdentityToken({ token_hash: tokenHash, expires_at: expiresAt.toISOString() }))))
    return
  const link = await tx.oneOrNone(sql.findLink(place))
  const user = link?.live ? await lockUser(tx, link.user_id) : null
  if (!user) return
  await tx.none(accountsSql.endSessions({ user_id: user.id, kept_hash: null }))
  if (deleted) await tx.none(sql.endLink({ ...place, user_id: user.id }))
  else await tx.none(sql.storeRefreshToken({ ...place, user_id: user.id, encrypted_refresh_token: null }))
  if (user.email === null) return
  await enqueueMessage(services, tx, {
    template: 'apple-access-ended',
    user_id: user.id,
    message: appleAccessEndedMail(user.email, services.config.PUBLIC_URL),
    expiresInSeconds: 7 * 86_400,
  })
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return null
  }
}
