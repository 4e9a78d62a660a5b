import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
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
const namesUser = /:(user_id|holder_id)\b|\bid = :(id|user_id)\b|\buser_id = :\w+/

/**
 * Queries of user tables that name no user, by the reason. With tables distributed by user, each of them runs on all nodes
 * or needs a lookup table.
 */
const reasons: Record<string, string[]> = {
  'the account is found by a secret, an address or an identity; a lookup table would name its user': [
    'accounts/sessions/authenticateBearers',
    'accounts/sessions/authenticateKeys',
    'accounts/sign-in/password/beginSignIn',
    'accounts/sessions/findBearers',
    'accounts/sessions/findKeys',
    'accounts/limits/findKnownCaller',
    'accounts/sign-in/apple/findLink',
    'accounts/email-verification/findMailboxToken',
    'accounts/recovery/findUserByEmail',
    'accounts/findUserByPhone',
    'accounts/sign-in/apple/lockEmailHolder',
    'accounts/sign-in/phone/lockUserByPhone',
    'accounts/sign-in/passkeys/findCredential',
    'accounts/sign-in/tryStep',
    'accounts/sign-in/useStepToken',
    'accounts/sessions/endByAccount',
    'accounts/billing/findUserByVerifiedEmail',
    'accounts/billing/storeUnclaimed',
    'integrations/connections/findFinished',
    'integrations/connections/findState',
    'integrations/connections/useState',
    'integrations/connections/useTicket',
    'selling/sale-mail/findByAddress',
  ],
  'the first account owns the installation, which has one owner': [
    'accounts/registration/giveUpOwnership',
    'accounts/registration/mayRegister',
  ],
  'the account is being made, and its name, address and number are unique among all': ['accounts/sign-in/insertUser'],
  'a public page or picture is found by its uid alone': [
    'catalog/images/findServed',
    'catalog/inventory/findPublicItem',
  ],
  'the page of the sandbox, which this machine alone reads, shows the newest accounts': [
    'selling/sale-mail/listNewestAccounts',
  ],
  'a notice of a platform names the shop, not the account': [
    'selling/orders/findPushedShops',
    'selling/orders/findShopsToErase',
  ],
  'rows of several users are written together, each by its key': [
    'http/addUsage',
    'http/touchKeys',
    'http/touchTokens',
    'infra/audit/addEntries',
  ],
  'a worker reads what is due of all users, and takes it user by user': [
    'accounts/closing/listDueErasures',
    'accounts/web-push/listDueNotices',
    'catalog/checks/nextDue',
    'catalog/images/listUsersWithImages',
    'catalog/imports/jobs/findAbandonedJobs',
    'http/idempotency/releaseUnansweredCalls',
    'selling/listings/bulk/listUsersWithBulkJobs',
    'selling/listings/listDueOperations',
    'selling/orders/findErasingShops',
    'selling/orders/listDueFetches',
    'selling/orders/listDueListingChecks',
    'selling/orders/listDueShops',
    'selling/orders/listUsersToMatch',
    'selling/sale-mail/listDueMailboxes',
    'webhooks/isDeliveryDue',
    'webhooks/listDueDeliveries',
    'webhooks/listGoneEndpoints',
  ],
  'a job that runs one at a time claims what is due of all users': [
    'catalog/images/claimCopies',
    'catalog/imports/deciding/listDueComparisons',
    'catalog/imports/discovery/claimUnreadDetails',
    'integrations/connections/claimDueChecks',
    'integrations/connections/claimDueNotices',
    'selling/alerts/claimUnmailed',
    'selling/alerts/claimUnpushedSales',
    'selling/listings/reconcile/claimShopsToReconcile',
    'selling/listings/reconcile/claimShopsWithUnpaid',
  ],
  'shops of all users share the calls of one application, so they are planned together': [
    'integrations/connections/countAppShops',
    'operations/clock/readOrdersAgain',
    'selling/orders/addShops',
    'selling/orders/alertUnread',
    'selling/orders/readShopsToPlan',
    'selling/orders/resolveUnread',
    'selling/orders/setIntervals',
    'selling/orders/spreadDue',
  ],
  'the cleanup removes what is over of all users; each node could do its own': [
    'catalog/images/forgetRemoved',
    'catalog/images/listRemoved',
    'catalog/images/removeExpired',
    'selling/shipments/forgetBuyerNote',
    'selling/sale-mail/forgetRawMail',
    'operations/cleanup/nextUnprunedImport',
    'operations/cleanup/purgeAlert',
    'operations/cleanup/purgeBearerToken',
    'operations/cleanup/purgeBulkJob',
    'operations/cleanup/purgeMatchWords',
    'operations/cleanup/purgeOperation',
    'selling/sale-mail/purgeSaleMail',
    'operations/cleanup/purgeTask',
    'operations/cleanup/purgeUnclaimedCustomer',
    'operations/cleanup/purgeWrittenBytes',
    'webhooks/purgeEvents',
    'webhooks/purgeSurplusEvents',
  ],
  'the status and the metrics are sums over all users': [
    'operations/status/readChecks',
    'operations/status/readDelists',
    'operations/status/readDoubleSales',
    'operations/status/readGauges',
    'selling/sale-mail/readMailboxAge',
    'operations/status/readSales',
  ],
}

const statements = globSync('**/queries.sql', { cwd: server }).flatMap((file) =>
  readFileSync(`${server}/${file}`, 'utf8')
    .split(/^-- name: /m)
    .slice(1)
    .map((each) => ({ name: `${dirname(file)}/${/^\w+/.exec(each)}`, text: each.replace(/--.*/g, '') })),
)
const crossing = statements.filter(({ text }) => mentionsUserTable.test(text) && !namesUser.test(text))
const namesOf = (some: typeof statements) => some.map(({ name }) => name).sort()

it('has a reason for each query that crosses users', () => {
  expect(namesOf(crossing)).toEqual(Object.values(reasons).flat().sort())
})

it('locks across users only what every node holds: accounts, sessions and shops', () => {
  const locking = crossing.filter(({ text }) => /\bfor (update|share|no key update|key share)\b/.test(text))
  expect(namesOf(locking)).toEqual([
    'accounts/sign-in/apple/lockEmailHolder',
    'accounts/sign-in/phone/lockUserByPhone',
    'integrations/connections/claimDueChecks',
    'integrations/connections/claimDueNotices',
    'operations/cleanup/purgeBearerToken',
    'selling/listings/reconcile/claimShopsToReconcile',
    'selling/listings/reconcile/claimShopsWithUnpaid',
    'selling/orders/findShopsToErase',
  ])
})
