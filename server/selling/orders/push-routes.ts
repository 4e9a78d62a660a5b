import type Router from '@koa/router'
import type Koa from 'koa'
import { readBody } from '#server/http/bodies/read-body.ts'
import { problem } from '#server/infra/errors.ts'
import { challengeResponse } from '#server/integrations/ebay/push/push.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import { type PushPort, PushRefused } from '#server/integrations/push.ts'
import { createPushes } from '#server/integrations/pushes.ts'
import type { Services } from '#server/services.ts'
import type { ErrorCode } from '#shared/contract/declaring/errors.ts'
import { pushWebhooks } from '#shared/contract/selling/pushes.ts'
import { acceptPush } from './accept-push.ts'

/**
 * Mounts the addresses that platforms push to. Signatures cover the raw bytes, so the body is read raw. A
 * push is stored before it is acknowledged, and a worker acts on it.
 */
export function mountPushes(router: Router, services: Services): void {
  const pushes = createPushes(services)
  const { receiveEbayPush, receiveEtsyPush, receiveEbayAccountDeletion } = pushWebhooks
  router.post(receiveEbayPush.path, receive('receiveEbayPush', services, pushes.ebay, 'signature_refused'))
  router.post(
    receiveEbayAccountDeletion.path,
    receive('receiveEbayAccountDeletion', services, pushes.ebay, 'signature_refused'),
  )
  router.post(receiveEtsyPush.path, receive('receiveEtsyPush', services, pushes.etsy, 'invalid_signature'))
  for (const [name, { path }] of Object.entries({
    answerEbayChallenge: pushWebhooks.answerEbayChallenge,
    answerEbayDeletionChallenge: pushWebhooks.answerEbayDeletionChallenge,
  })) {
    router.get(name, path, (ctx) => answerChallenge(services, ctx, path))
  }
}

function receive(operationId: string, services: Services, port: PushPort | null, refusal: ErrorCode): Koa.Middleware {
  return async (ctx) => {
    ctx.state.operationId = operationId
    ctx.set('Cache-Control', 'no-store')
    const body = await readBody(ctx, 'notice')
    if (!port) throw problem(refusal)
    const push = await port
      .read({ body, headers: ctx.req.headers, address: ctx.state.address })
      .catch((error: unknown) => {
        if (error instanceof PushRefused) {
          ctx.state.log.warn({ platform: port.slug, reason: error.message }, 'a push was refused')
          throw problem(refusal, undefined, { cause: error })
        }
        // Without the platform's key nothing can be verified. The platform is asked to send again.
        if (error instanceof PlatformError)
          throw problem('unavailable', undefined, { retryAfterSeconds: 30, cause: error })
        throw error
      })
    const outcome = await acceptPush(services, port.slug, push)
    ctx.state.log.info({ platform: port.slug, topic: push.topic, outcome }, 'a push was accepted')
    ctx.body = null
    ctx.status = 204
  }
}

function answerChallenge({ config }: Services, ctx: Koa.Context, path: string): void {
  ctx.set('Cache-Control', 'no-store')
  const token = config.EBAY_VERIFICATION_TOKEN
  if (!token) throw problem('not_found')
  const code = new URLSearchParams(ctx.querystring).getAll('challenge_code')
  if (code.length !== 1 || code[0] === '' || code[0]!.length > 500) {
    throw problem('invalid_request', 'challenge_code: is needed, once.')
  }
  ctx.body = { challengeResponse: challengeResponse(code[0]!, token, `${config.PUBLIC_URL}${path}`) }
}
