import { listChanges, undoChange } from '#shared/contract/catalog/changes.ts'
import { dismissCheck, listChecks, mendCheck, runChecks } from '#shared/contract/catalog/checks.ts'
import { decideDifferences, listDifferences } from '#shared/contract/catalog/differences.ts'
import {
  listConflicts,
  resolveConflicts,
  resolveImportItem,
  retryFailedItems,
  skipAllConflicts,
  stopImport,
} from '#shared/contract/catalog/imports.ts'
import { getAccountCurrency, getSettings } from '#shared/contract/catalog/inventory.ts'
import { deleteView, listViews, saveView } from '#shared/contract/catalog/views.ts'
import { disconnectSellerAccount, listSellerAccounts, startConnection } from '#shared/contract/connections.ts'
import type { Answer, Request } from '#shared/contract/declaring/route.ts'
import {
  bulkDelist,
  bulkEdit,
  bulkList,
  bulkPrice,
  cancelBulkJob,
  getBulkJob,
  getListingDefaults,
  listItem,
  listingChoices,
  searchCategories,
  shopChoices,
  takeBackSale,
} from '#shared/contract/selling/listings.ts'
import { bulkPreflight, preflightRequest } from '#shared/contract/selling/preflight.ts'
import { listSaleMails, resolveSaleMail } from '#shared/contract/selling/sale-mail.ts'
import { getSalesTotals, listSales, updateSaleCosts } from '#shared/contract/selling/sales.ts'
import { listShipments, markShipped, undoShipped } from '#shared/contract/selling/shipments.ts'
import { listTasks } from '#shared/contract/selling/tasks.ts'
import { dismissUnanswered, listUnanswered } from '#shared/contract/selling/unanswered.ts'

/** Operations of the server's API that the extension's own pages may call through the worker, which keeps the key. */
export const operations = {
  ...{ listChanges, undoChange, dismissCheck, listChecks, mendCheck, runChecks, decideDifferences, listDifferences },
  ...{ disconnectSellerAccount, listSellerAccounts, startConnection, getAccountCurrency, getSettings },
  ...{ listConflicts, resolveConflicts, resolveImportItem, retryFailedItems, skipAllConflicts, stopImport },
  ...{ bulkDelist, bulkEdit, bulkList, bulkPrice, cancelBulkJob, getBulkJob, bulkPreflight, preflightRequest },
  ...{ getListingDefaults, listItem, listingChoices, searchCategories, shopChoices, takeBackSale },
  ...{ listSaleMails, resolveSaleMail, getSalesTotals, listSales, updateSaleCosts },
  ...{ listShipments, markShipped, undoShipped, dismissUnanswered, listUnanswered, deleteView, listViews, saveView },
  listTasks,
}

type Operations = typeof operations
export type OperationName = keyof Operations
export type OperationRequest<Name extends OperationName> = Request<Operations[Name]> & {
  /** The same for each retry of one press, so that it runs once. */
  headers?: { 'idempotency-key': string }
}
export type OperationAnswer<Name extends OperationName> = Answer<Operations[Name]>
