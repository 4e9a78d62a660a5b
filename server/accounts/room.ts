import type { Room } from '#server/room.ts'
import { apiKeysRoutes } from './api-keys/routes.ts'
import { auditRoutes } from './audit/routes.ts'
import { beginTrialOf } from './billing/begin-trial.ts'
import { stripeJobs } from './billing/cancel-at-stripe.ts'
import { billingRoutes } from './billing/routes.ts'
import { mountStripeWebhook } from './billing/stripe-webhook.ts'
import { accountJobs } from './closing/jobs.ts'
import { mountTextReports } from './contact/text-reports.ts'
import { deferredMessageJobs } from './deferred-message-job.ts'
import { registrationRoutes } from './registration/routes.ts'
import { accountsRoutes } from './routes.ts'
import { sessionsRoutes } from './sessions/routes.ts'
import { encryptedGrants, revocationJobs } from './sign-in/apple/grants.ts'
import { mountAppleNotifications } from './sign-in/apple/receive-notification.ts'
import { passkeysRoutes } from './sign-in/passkeys/routes.ts'
import { secondFactorRoutes } from './sign-in/second-factor/routes.ts'
import { encryptedTotpSecrets } from './sign-in/second-factor/totp.ts'
import { webPushRoutes } from './web-push/routes.ts'
import { encryptedSubscriptions } from './web-push/subscriptions.ts'
import { encryptedVapidKeys } from './web-push/vapid-keys.ts'
import { startPushWorker } from './web-push/worker.ts'

/** Accounts, sign-in and payment. */
export const accountsRoom = {
  tables: {
    user: ['stripe_checkout', 'subscription_grant', 'web_push_notice'],
    reference: [
      'api_key',
      'app_user',
      'bearer_token',
      'known_device',
      'known_network',
      'mailbox_token',
      'passkey',
      'recovery_code',
      'signin_step',
      'social_link',
      'stripe_customer',
      'stripe_subscription',
      'totp_secret',
      'unclaimed_customer',
      'web_push_subscription',
    ],
    local: [
      'failed_attempt',
      'invitation',
      'passkey_challenge',
      'phone_challenge',
      'reserved_contact',
      'trial_shop',
      'used_identity_token',
      'web_push_key',
    ],
  },
  clockColumns: {
    failed_attempt: ['blocked_until'],
    stripe_subscription: ['reported_at'],
    web_push_notice: ['next_attempt_at', 'lease_until'],
    web_push_subscription: ['failing_since', 'paused_until'],
  },
  encrypted: [encryptedGrants, encryptedTotpSecrets, encryptedVapidKeys, encryptedSubscriptions],
  routes: (services) => ({
    ...accountsRoutes(services),
    ...sessionsRoutes(services),
    ...webPushRoutes(services),
    ...secondFactorRoutes(services),
    ...passkeysRoutes(services),
    ...apiKeysRoutes(services),
    ...auditRoutes(services),
    ...billingRoutes(services),
    ...registrationRoutes(services),
  }),
  mount(router, services) {
    mountStripeWebhook(router, services)
    mountAppleNotifications(router, services)
    mountTextReports(router, services)
  },
  jobs: (services) => [
    ...deferredMessageJobs(services),
    ...accountJobs(services),
    ...revocationJobs(services),
    ...stripeJobs(services),
  ],
  workers: [startPushWorker],
  hooks: { connected: [beginTrialOf] },
} satisfies Room
