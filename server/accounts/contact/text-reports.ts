import type Router from '@koa/router'
import { readBody } from '#server/http/bodies/read-body.ts'
import { problem } from '#server/infra/errors.ts'
import { textReportPath } from '#server/infra/mail-sms/text-report-url.ts'
import { isSignedByTwilio } from '#server/infra/mail-sms/twilio.ts'
import type { Services } from '#server/services.ts'
import { receiveTextReport } from '#shared/contract/text-reports.ts'
import * as sql from './queries.ts'

/** Twilio error codes that the operator must act on, with advice. */
const advice: Record<string, string> = {
  30034: 'register the sender for A2P 10DLC and set TWILIO_MESSAGING_SERVICE_SID',
  30032: 'verify the toll-free number',
  30007: 'the carrier filtered the text as spam; review the campaign',
  30002: 'the Twilio account is suspended',
  30001: 'the queue overflowed; raise the throughput of the campaign',
}

/**
 * Mounts the endpoint for Twilio's delivery reports. Twilio answers 201 for texts that carriers drop later, so only a
 * report reveals a lost text.
 */
export function mountTextReports(router: Router, { config, db, log }: Services): void {
  router.post('receiveTextReport', receiveTextReport.path.replace('{id}', ':id'), async (ctx) => {
    ctx.set('Cache-Control', 'no-store')
    if (!config.TWILIO_AUTH_TOKEN) throw problem('not_found')
    const form = new URLSearchParams((await readBody(ctx, 'textReport')).toString('utf8'))
    const id = String(ctx.params.id)
    const url = `${config.PUBLIC_URL}${textReportPath(id)}`
    if (!isSignedByTwilio(config.TWILIO_AUTH_TOKEN, url, form, ctx.get('x-twilio-signature'))) {
      throw problem('invalid_signature')
    }
    const state = form.get('MessageStatus')
    if (state === 'undelivered' || state === 'failed') {
      const code = /^\d{1,6}$/.test(form.get('ErrorCode') ?? '') ? form.get('ErrorCode')! : 'none'
      const marked = await db.oneOrNone(sql.markUndelivered({ id, last_error: `Twilio: ${state}, code ${code}` }))
      if (marked) log.error({ message: id, code, advice: advice[code] }, 'a text was not delivered')
    }
    ctx.body = null
    ctx.status = 204
  })
}
