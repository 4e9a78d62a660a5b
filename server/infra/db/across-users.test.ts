import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const server = fileURLToPath(new URL('../..', import.meta.url))
const schema = readFileSync(new URL('./schema.sql', import.meta.url), 'utf8')

/** Tables whose rows belong to one user, from the schema. */
const userTables = [...schema.matchAll(/^create table (\w+) \((.*?)^\);/gms)]
  .filter(([, name, columns]) => name === 'app_user' || columns!.includes('\n  user_id integer not null'))
  .map(([, name]) => name!)
const mentionsUserTable = new RegExp(String.raw`\b(from|join|update|into|using)\s+(${userTables.join('|')})\b`)
/** A parameter that names one user. */
const namesUser = /\$\{(user_id|holder_id)\}|\bid = \$\{(id|user_id)\}|\buser_id = \$\{\w+\}/

/**
 * Queries of user tables that name no user, by the reason. With tables distributed by user, each of them runs on all nodes
 * or needs a lookup table.
 */
const reasons: Record<string, string[]> = {
  'the account is found by a secret, an address or an identity; a lookup table would name its user': [
    'accounts/sessions/authenticate-bearers',
    'accounts/sessions/authenticate-keys',
    'accounts/sign-in/password/begin-sign-in',
    'accounts/sessions/find-bearers',
    'accounts/sessions/find-keys',
    'accounts/limits/find-known-caller',
    'accounts/sign-in/apple/find-link',
    'accounts/email-verification/find-mailbox-token',
    'accounts/recovery/find-user-by-email',
    'accounts/find-user-by-phone',
    'accounts/sign-in/apple/lock-email-holder',
    'accounts/sign-in/phone/lock-user-by-phone',
    'accounts/sign-in/passkeys/find-credential',
    'accounts/sign-in/try-step',
    'accounts/sign-in/use-step-token',
    'accounts/sessions/end-by-account',
    'accounts/billing/find-user-by-verified-email',
    'accounts/billing/store-unclaimed',
    'integrations/connections/find-state',
    'integrations/connections/use-state',
    'integrations/connections/use-ticket',
    'pages/connections/delete-session',
    'pages/connections/find-session',
  ],
  'the account is being made, and its name, address and number are unique among all': ['accounts/sign-in/insert-user'],
  'a public page or picture is found by its uid alone': [
    'catalog/images/find-served',
    'catalog/inventory/find-public-item',
  ],
  'a notice of a platform names the shop, not the account': [
    'selling/orders/find-pushed-shops',
    'selling/orders/find-shops-to-erase',
  ],
  'rows of several users are written together, each by its key': [
    'http/add-usage',
    'http/touch-keys',
    'http/touch-tokens',
    'infra/audit/add-entries',
  ],
  'a worker claims what is due of all users': [
    'accounts/closing/list-due-erasures',
    'accounts/web-push/claim-notices',
    'catalog/images/claim-copies',
    'catalog/images/list-users-with-images',
    'catalog/imports/discovery/claim-unread-details',
    'catalog/imports/jobs/find-abandoned-jobs',
    'http/idempotency/release-unanswered-calls',
    'integrations/connections/claim-due-checks',
    'integrations/connections/claim-due-notices',
    'selling/alerts/claim-unmailed',
    'selling/alerts/claim-unpushed-sales',
    'selling/listings/bulk/any-open-bulk-job',
    'selling/listings/bulk/claim-bulk-job',
    'selling/listings/claim-operations',
    'selling/listings/reconcile/claim-shops-to-reconcile',
    'selling/listings/reconcile/claim-shops-with-unpaid',
    'selling/orders/claim-fetch-requests',
    'selling/orders/claim-listing-checks',
    'selling/orders/claim-shops',
    'selling/orders/find-erasing-shops',
    'selling/orders/find-matchable',
    'webhooks/claim-deliveries',
    'webhooks/is-delivery-due',
    'webhooks/list-gone-endpoints',
  ],
  'shops of all users share the calls of one application, so they are planned together': [
    'selling/orders/add-shops',
    'selling/orders/alert-unread',
    'selling/orders/read-shops-to-plan',
    'selling/orders/resolve-unread',
    'selling/orders/set-intervals',
    'selling/orders/spread-due',
  ],
  'the cleanup removes what is over of all users; each node could do its own': [
    'catalog/images/remove-expired',
    'operations/cleanup/next-unpruned-import',
    'operations/cleanup/purge-alert',
    'operations/cleanup/purge-bearer-token',
    'operations/cleanup/purge-bulk-job',
    'operations/cleanup/purge-import-listing',
    'operations/cleanup/purge-match-words',
    'operations/cleanup/purge-operation',
    'operations/cleanup/purge-task',
    'operations/cleanup/purge-unclaimed-customer',
    'operations/cleanup/purge-written-bytes',
    'webhooks/purge-events',
    'webhooks/purge-surplus-events',
  ],
  'the status and the metrics are sums over all users': [
    'operations/status/read-checks',
    'operations/status/read-delists',
    'operations/status/read-gauges',
    'operations/status/read-sales',
  ],
}

it('has a reason for each query that crosses users', () => {
  const crossing = globSync('**/sql/*.sql', { cwd: server })
    .filter((file) => !/^(testing|lab)\//.test(file))
    .filter((file) => {
      const text = readFileSync(`${server}/${file}`, 'utf8').replace(/--.*/g, '')
      return mentionsUserTable.test(text) && !namesUser.test(text)
    })
    .map((file) => file.replace('/sql/', '/').replace(/\.sql$/, ''))
    .sort()
  expect(crossing).toEqual(Object.values(reasons).flat().sort())
})
