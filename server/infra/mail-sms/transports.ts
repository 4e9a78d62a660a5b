import type { Config } from '#server/config.ts'
import { isLoopback } from '#server/infra/loopback.ts'
import type { InfraServices } from '#server/infra/services.ts'
import type { Transports } from './deliver.ts'
import { smtpTransport } from './smtp.ts'
import { textReportUrl } from './text-report-url.ts'
import { twilioTransport } from './twilio.ts'

/** Creates the configured transports: SMTP_URL, and TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and a sender. */
export function createTransports({
  config,
  fetch,
  atStop,
}: Pick<InfraServices, 'config' | 'fetch' | 'atStop'>): Transports {
  const { TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, TWILIO_FROM, TWILIO_MESSAGING_SERVICE_SID } = config
  const sender = TWILIO_MESSAGING_SERVICE_SID
    ? { messagingServiceSid: TWILIO_MESSAGING_SERVICE_SID }
    : TWILIO_FROM
      ? { from: TWILIO_FROM }
      : null
  const smtp = openSmtp(config)
  if (smtp) atStop.add(async () => smtp.close())
  return {
    mail: smtp?.send ?? null,
    sms:
      TWILIO_ACCOUNT_SID && TWILIO_AUTH_TOKEN && sender
        ? twilioTransport({
            url: config.TWILIO_URL,
            accountSid: TWILIO_ACCOUNT_SID,
            authToken: TWILIO_AUTH_TOKEN,
            sender,
            reportUrl: (id) => textReportUrl(config, id),
            fetch,
          })
        : null,
  }
}

/** Opens SMTP_URL; null if it is not set. */
export function openSmtp(config: Config): ReturnType<typeof smtpTransport> | null {
  const { SMTP_URL, MAIL_FROM, PUBLIC_URL } = config
  if (!SMTP_URL) return null
  return smtpTransport({
    url: SMTP_URL,
    from: MAIL_FROM,
    host: new URL(PUBLIC_URL).hostname,
    // Mails contain links that open accounts, so only this machine may receive them unencrypted.
    requireTls: !isLoopback(new URL(SMTP_URL).hostname),
  })
}
