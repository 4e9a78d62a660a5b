import type Router from '@koa/router'
import { readBody } from '#server/http/bodies/read-body.ts'
import { problem } from '#server/infra/errors.ts'
import { describeTextCode } from '#server/infra/mail-sms/text-refusals.ts'
import { textReportPath } from '#server/infra/mail-sms/text-report-url.ts'
import { isSignedByTwilio } from '#server/infra/mail-sms/twilio.ts'
import type { Services } from '#server/services.ts'
import { receiveTextReport } from '#shared/contract/declaring/text-reports.ts'
import * as sql from './queries.ts'

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
      const last_error = `Twilio: ${state}, ${describeTextCode(form.get('ErrorCode'))}`
      const marked = await db.oneOrNone(sql.markUndelivered({ id, last_error }))
      if (marked) log.error({ message_id: id, reason: last_error }, 'a text was not delivered')
    }
    ctx.body = null
    ctx.status = 204
  })
}
