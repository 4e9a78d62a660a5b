import type { Handlers } from '#server/http/mount.ts'
import { markSoldInPerson } from '#server/selling/sales/mark-sold-in-person.ts'
import { takeBackSale } from '#server/selling/sales/take-back-sale.ts'
import type { Services } from '#server/services.ts'
import type { bulkJobs, listings } from '#shared/contract/selling/listings.ts'
import type { preflight } from '#shared/contract/selling/preflight.ts'
import type { unanswered } from '#shared/contract/selling/unanswered.ts'
import { cancelBulkJob } from './bulk/cancel-bulk.ts'
import { listBulkJobs, readBulkJob } from './bulk/read-bulk.ts'
import { startBulk } from './bulk/start-bulk.ts'
import { dismissUnanswered, listUnanswered } from './bulk/unanswered.ts'
import { delistItem } from './delist-item.ts'
import { listItem } from './list-item.ts'
import { noPlatform } from './operation.ts'
import { findDefaults, saveDefaults } from './preflight/defaults.ts'
import { preflightItem, preflightMany } from './preflight/preflight.ts'
import { readChoices } from './preflight/read-choices.ts'
import { readShopChoices, searchCategories } from './preflight/read-shop-choices.ts'
import { changeListingPrice, updateListing } from './update-listing.ts'

export function listingsRoutes(
  services: Services,
): Handlers<typeof listings & typeof bulkJobs & typeof preflight & typeof unanswered> {
  const { db } = services
  return {
    listItem: ({ params, body }, { principal }) => listItem(services, { ...body, user_id: principal.user_id, params }),
    delistItem: ({ params }, { principal }) => delistItem(services, principal.user_id, params),
    changeListingPrice: ({ params, body }, { principal }) =>
      changeListingPrice(services, principal.user_id, params, body.price),
    updateListing: ({ params, body }, { principal }) => updateListing(services, principal.user_id, params, body.fields),

    listingChoices: async ({ params, query }, { principal }) => ({
      status: 200,
      body: { choices: await readChoices(services, principal.user_id, params, query) },
    }),
    preflightItem: async ({ params, query: { seller_account_uid, ...options } }, { principal }) => ({
      status: 200,
      body: await preflightItem(services, params, { user_id: principal.user_id, options, seller_account_uid }),
    }),
    preflightRequest: async ({ params, body }, { principal }) => ({
      status: 200,
      body: await preflightItem(services, params, { ...body, user_id: principal.user_id }),
    }),
    bulkPreflight: async ({ body }, { principal }) => ({
      status: 200,
      body: await preflightMany(services, { ...body, user_id: principal.user_id }),
    }),
    shopChoices: async ({ params, query }, { principal }) => ({
      status: 200,
      body: { choices: await readShopChoices(services, { ...query, ...params, user_id: principal.user_id }) },
    }),
    searchCategories: async ({ params, query: { q, ...query } }, { principal }) => ({
      status: 200,
      body: {
        results: await searchCategories(services, { ...query, ...params, words: q, user_id: principal.user_id }),
      },
    }),
    getListingDefaults: async ({ params }, { principal }) => ({
      status: 200,
      body: await findDefaults(db, principal.user_id, params.slug),
    }),
    putListingDefaults: async ({ params, body }, { principal }) => ({
      status: 200,
      body: await saveDefaults(db, principal.user_id, params.slug, body),
    }),

    markItemSold: async ({ params, body }, { principal }) => ({
      status: 200,
      body: await markSoldInPerson(services, { user_id: principal.user_id, item_uid: params.uid, ...body }),
    }),

    takeBackSale: ({ params, body }, { principal, keep }) =>
      takeBackSale(services, { user_id: principal.user_id, item_uid: params.uid, note: body.note }, keep),

    bulkList: ({ body }, { principal, keep }) =>
      startBulk(services, { ...body, action: 'list', user_id: principal.user_id }, keep),
    bulkDelist: ({ body }, { principal, keep }) =>
      startBulk(services, { ...body, action: 'delist', user_id: principal.user_id }, keep),
    bulkPrice: ({ body: { uids, change } }, { principal, keep }) =>
      startBulk(
        services,
        { uids, price_change: change, action: 'price', platforms: [noPlatform], user_id: principal.user_id },
        keep,
      ),
    bulkEdit: ({ body: { uids, ...item_edit } }, { principal, keep }) =>
      startBulk(
        services,
        { uids, item_edit, action: 'edit', platforms: [noPlatform], user_id: principal.user_id },
        keep,
      ),
    listBulkJobs: async ({ query }, { principal }) => ({
      status: 200,
      body: await listBulkJobs(db, principal.user_id, query),
    }),
    getBulkJob: async ({ params, query }, { principal }) => ({
      status: 200,
      body: await readBulkJob(db, principal.user_id, params.uid, query),
    }),
    cancelBulkJob: async ({ params }, { principal }) => ({
      status: 200,
      body: await cancelBulkJob(db, principal.user_id, params.uid),
    }),
    listUnanswered: async ({ query }, { principal }) => ({
      status: 200,
      body: await listUnanswered(db, principal.user_id, query),
    }),
    dismissUnanswered: async ({ body }, { principal }) => ({
      status: 200,
      body: { dismissed: await dismissUnanswered(db, principal.user_id, body) },
    }),
  }
}
